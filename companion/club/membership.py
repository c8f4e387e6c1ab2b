"""A table's membership in a club: one small file in its state folder, with its key."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path

import msgspec

from companion.club.naming import ClubError, checked_name
from companion.settings.checking import fault
from companion.settings.writing import write_whole
from rules.bounded import read_text
from rules.toml_lines import parsed

FILE = "club.toml"
"""File in the state folder; while it is there the table tells its club what is played."""


class Membership(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The club, the table's name there, the club's servers, and the table's key."""

    club: str
    table: str
    servers: tuple[str, ...]
    """``nats://HOST:PORT`` or ``tls://HOST:PORT``."""
    seed: str
    """The table's own nkey: its holder can speak for the table."""
    authority: str = ""
    """With ``tls``: the certificate to trust, as text; empty: those that the system trusts."""

    @property
    def key(self) -> bytes:
        """Key that hides the ids of matches; the same as long as the seed is."""
        return blake2b(self.seed.encode(), person=b"match ids", digest_size=32).digest()

    def toml(self) -> str:
        """Text of the file."""
        servers = ", ".join(_quoted(server) for server in self.servers)
        lines = [
            f"club = {_quoted(self.club)}",
            f"table = {_quoted(self.table)}",
            f"servers = [{servers}]",
            f"seed = {_quoted(self.seed)}",
        ]
        if self.authority:
            lines.append(f"authority = {_quoted(self.authority)}")
        return "\n".join(lines) + "\n"


def read_membership(path: Path) -> Membership | None:
    """Reads a membership; None if there is none. Raises ClubError, SettingsError."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ClubError("club_file_unreadable", file=path, reason=error) from error
    return _membership(text, path)


def join(file: Path, state: Path, text: str | None = None) -> Membership:
    """Take what the club handed out into the table's state folder. Raises ClubError, OSError.

    ``text``: contents of the file, if it was read already.
    """
    member = read_membership(file) if text is None else _membership(text, file)
    if member is None:
        raise ClubError("no_club_file", file=file)
    write_secret(state / FILE, member.toml())
    return member


def leave(state: Path) -> bool:
    """Ends the membership; True if there was one. Raises OSError."""
    try:
        (state / FILE).unlink()
    except FileNotFoundError:
        return False
    return True


def write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all. Raises OSError."""
    before = os.umask(0o077)
    try:
        write_whole(path, text)
    finally:
        os.umask(before)


def _membership(text: str, path: Path) -> Membership:
    try:
        data = parsed(text)
    except (ValueError, RecursionError) as error:
        raise ClubError("club_file_unreadable", file=path, reason=error) from error
    try:
        member = msgspec.convert(data, Membership)
    except msgspec.ValidationError as error:
        if isinstance(data, dict) and set(data) >= {"club", "table", "servers", "seed"}:
            raise fault(path, data, Membership) from error
        raise ClubError("no_club_file", file=path) from error
    checked_name(member.club)
    checked_name(member.table)
    if not member.servers:
        raise ClubError("no_club_file", file=path)
    return member


def _quoted(text: str) -> str:
    """A basic string of TOML; its escapes are those of JSON."""
    return msgspec.json.encode(text).decode()
