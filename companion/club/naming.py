"""Names of clubs, tables, and streams and subjects at the broker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from companion.words.errors import HeelstoneError

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
"""Form of a name: part of a subject at the broker, of an address in a browser, and of a file's
name."""
_ID = re.compile(r"[0-9a-f]{24}")


class ClubError(HeelstoneError):
    """An error in a club's settings, keys or programs; the sentence says what to do."""


def checked_name(name: str) -> str:
    """The name of a club or a table as it was given. Raises ClubError if it cannot be one."""
    if not _NAME.fullmatch(name):
        raise ClubError("club_name", found=name[:80])
    return name


def stream_of(club: str) -> str:
    """The broker's stream for the messages of a club's tables."""
    return f"heelstone-{club}"


def subjects_of(club: str, table: str) -> str:
    """Every subject under which a table tells of its matches (``*``: those of all tables)."""
    return f"club.{club}.table.{table}.match.>"


def subject(club: str, table: str, match: str, what: str) -> str:
    """The subject of one message about a match."""
    return f"club.{club}.table.{table}.match.{match}.{what}"


def ask_subject(club: str, table: str) -> str:
    """Subject on which a table asks how much of it is stored (``*``: on which all tables ask)."""
    return f"club.{club}.ask.{table}"


def together_subject(club: str, table: str, to: str) -> str:
    """Subject on which a table speaks to another one, with which it plays a match or would like to.

    ``table``: ``*`` for all. ``to``: ``>`` for all it may speak to; empty: any that are there.
    """
    to = to if to == ">" else f"to.{to}" if to else "who"
    return f"club.{club}.table.{table}.together.{to}"


def inbox_of(club: str, who: str) -> str:
    """Subject of answers to one member of the club, which no other may hear."""
    return f"_INBOX.{club}.{who}"


@dataclass(frozen=True, slots=True)
class Place:
    """The parts of a message's subject."""

    table: str
    match: str
    what: str

    @classmethod
    def of(cls, subject: str) -> Self | None:
        """None for a subject that is not one of a match."""
        parts = subject.split(".")
        if len(parts) != 7 or parts[0] != "club" or parts[2] != "table" or parts[4] != "match":
            return None
        table, match, what = parts[3], parts[5], parts[6]
        if not _NAME.fullmatch(table) or not _ID.fullmatch(match):
            return None
        return cls(table, match, what)
