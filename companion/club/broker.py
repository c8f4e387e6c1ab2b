"""The club's broker: what its program (nats-server) is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from companion.club.naming import ask_subject, inbox_of, subjects_of, together_subject

__all__ = ["broker_config"]


def broker_config(
    club: str,
    listen: str,
    store: Path,
    tables: Mapping[str, str],
    own_key: str,
    *,
    certificate: str = "",
    certificate_key: str = "",
) -> str:
    """The broker's configuration. ``tables``: public keys by name; ``own_key``: the club's own
    programs, which may do everything.

    A table may publish under its own name only, and hears nothing but answers to itself, what other
    tables say to it, and who asks which tables are there.
    """
    users = [f"    {{ nkey: {_text(own_key)} }}"]
    for name, key in sorted(tables.items()):
        publish = [
            subjects_of(club, name), ask_subject(club, name), together_subject(club, name, ">")
        ]  # fmt: skip
        subscribe = [
            f"{inbox_of(club, name)}.>",
            together_subject(club, "*", name),
            together_subject(club, "*", ""),
        ]
        users.append(
            f"    {{ nkey: {_text(key)}, permissions: {{\n"
            f"        publish: {{ allow: {json.dumps(publish)} }}\n"
            f"        subscribe: {{ allow: {json.dumps(subscribe)} }}\n"
            "    } }"
        )
    lines = [
        f"server_name: {_text('heelstone-' + club)}",
        f"listen: {_text(listen)}",
        "jetstream {",
        f"    store_dir: {_text(str(store))}",
        "}",
        "authorization {",
        "    users: [",
        *users,
        "    ]",
        "}",
    ]
    if certificate:
        lines += [
            "tls {",
            f"    cert_file: {_text(certificate)}",
            f"    key_file: {_text(certificate_key)}",
            "}",
        ]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Quoted as the broker reads it; its escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)
