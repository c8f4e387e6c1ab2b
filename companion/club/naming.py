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


# Every table lives in an account of its own at the broker, where answers to it stay. What it says
# is handed over to the club's account; from there it hears what others say to it.


def account_of(table: str) -> str:
    """A table's account at the broker."""
    return f"table-{table}"


def stream_of(club: str, table: str) -> str:
    """The broker's stream of what a table says to its club."""
    return f"heelstone-{club}-{table}"


def talk_stream_of(club: str) -> str:
    """The broker's stream of what tables say to each other."""
    return f"talk-{club}"


def subjects_of(club: str, table: str) -> tuple[str, str]:
    """The subjects under which a table tells of its matches, and asks (``*``: all tables)."""
    return f"club.{club}.table.{table}.match.>", asking_subject(club, table)


def subject(club: str, table: str, match: str, what: str) -> str:
    """The subject of one message about a match."""
    return f"club.{club}.table.{table}.match.{match}.{what}"


def asking_subject(club: str, table: str) -> str:
    """Subject on which a table asks how much of it is stored."""
    return f"club.{club}.table.{table}.asks"


def answer_subject(club: str, table: str) -> str:
    """Subject of all answers to a table's questions: fixed, so that nobody sends them elsewhere."""
    return f"club.{club}.answers.{table}"


def calls_subject(club: str, table: str) -> str:
    """Subject on which a table is told which games of tournaments wait for it (``*``: all
    tables)."""
    return f"club.{club}.calls.{table}"


def waiting_subject(club: str, table: str) -> str:
    """Subject on which the writer is given what a table said."""
    return f"club.{club}.waiting.{table}"


def together_subject(club: str, table: str, to: str) -> str:
    """Subject on which a table speaks to another one, with which it plays a match or would like to.

    ``table``: ``*`` for all. ``to``: ``>`` for all it may speak to; empty: any that are there.
    """
    return f"club.{club}.table.{table}.together.{_to(to)}"


def passed_on_subject(club: str, table: str, to: str) -> str:
    """Subject on which the broker passes the same on to the other table's account."""
    return f"club.{club}.passed-on.{table}.{_to(to)}"


def inbox_of(club: str, who: str) -> str:
    """Subject of the broker's receipts for one member of the club."""
    return f"_INBOX.{club}.{who}"


def _to(to: str) -> str:
    return to if to == ">" else f"to.{to}" if to else "who"


@dataclass(frozen=True, slots=True)
class Place:
    """The parts of the subject of what a table says to its club."""

    table: str
    match: str
    """Empty for a question."""
    what: str

    @classmethod
    def of(cls, subject: str) -> Self | None:
        """None for a subject that is none of a match, and no question."""
        match subject.split("."):
            case ["club", _, "table", table, "asks"]:
                return cls(table, "", "asks")
            case ["club", _, "table", table, "match", match, what] if _ID.fullmatch(match):
                return cls(table, match, what)
        return None
