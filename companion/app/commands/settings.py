"""Command settings: changes the settings file, and says what an editor may know of it."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from pathlib import Path

from companion.app.commands import OK, Commands, UsageError, print_json, tell
from companion.settings.settings import settings_path
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    deeds = commands.group("settings")
    deeds.add("set", _set).add_argument("values", metavar="KEY=VALUE", nargs="+")
    deeds.add("schema", _schema).add_argument("--out", metavar="FILE", default=None)


def _set(given: argparse.Namespace) -> int:
    from companion.settings.changing import change_settings, is_key

    path = settings_path(given.settings)
    words = Texts("commands.settings", given.lang)
    wanted: dict[str, str] = {}
    for text in given.values:
        key, sign, value = text.partition("=")
        if not is_key(key):
            raise UsageError("key_value", text=text)
        wanted[key] = value if sign else _asked(words("ask", name=key))
    change_settings(path, wanted)
    if given.json:
        print_json({"file": str(path), "keys": list(wanted)})
    else:
        tell(words("saved", file=path, keys=", ".join(wanted)))
    return OK


def _schema(given: argparse.Namespace) -> int:
    from companion.settings.schema import settings_schema
    from companion.settings.writing import hand_out

    text = json.dumps(settings_schema(), indent=1) + "\n"
    if given.out is None:
        sys.stdout.write(text)
    else:
        hand_out(Path(given.out), text)
    return OK


def _asked(question: str) -> str:
    """Reads an answer without an echo; in a pipe its next line."""
    if sys.stdin.isatty():
        return getpass.getpass(question)
    return sys.stdin.readline().rstrip("\n")
