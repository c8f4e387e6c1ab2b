"""Headers of the journal's matches, and their summaries for lists."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from companion.settings.enforcement import Enforcement
from companion.words.errors import HeelstoneError, notice

OPEN, FINISHED, ABANDONED = STATUSES = "open", "finished", "abandoned"
"""The states of a match."""

LATEST_S = 253_402_300_800.0
"""The year 10000; no calendar goes beyond it."""
MOST_PLAYERS = 64


THE_JOURNAL = notice("the_journal")


class JournalError(HeelstoneError):
    """The journal cannot be read or written; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Together:
    """A match at two tables of a club."""

    match: str
    """Id of the match at both tables."""
    table: str
    """The other table."""
    here: tuple[int, ...]
    """The seats at this table; all others are at the other one."""
    hosting: bool
    """True if this table invited the other, and what it tells the club counts."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "match": self.match, "table": self.table, "here": list(self.here),
            "hosting": self.hosting,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Header:
    """Start of a match; everything its replay needs."""

    id: str
    game: str
    players: int
    options: Mapping[str, str]
    physical: bool
    seed: str
    names: tuple[str, ...]
    enforcement: str
    created_s: float
    """Seconds since the epoch, if the clock was right."""
    series: str = ""
    """Id shared by the matches of one series, empty for a single match."""
    course: str = ""
    """Name of one of the players' own courses (Rollende Steine), else empty."""
    commit: str = ""
    """Agreement on a recognised move: ``stillness`` or ``button``; empty: as in the settings."""
    clock: str = ""
    """The clock it is played with, see ``companion.settings.clocks``; empty: none."""
    board: str = ""
    """Played on a board of the players' own: its whole file, so that the match replays anywhere."""
    together: Together | None = None
    """Played at two tables; None: at this one only."""
    computers: tuple[str, ...] = ()
    """By seat: the computer player that sits there (``rules.players.find_player``), empty texts for
    people; empty if only people play."""
    tips: bool = True
    """True if players may ask for a tip."""
    dealt: tuple[int, ...] = ()
    """With real pieces: the seats for which the program deals all the same, so that their moves
    name what only they may know (``rules.match.Match.dealt``)."""

    faces: tuple[str, ...] = ()
    """In a club: the players' faces by seat, as their table told them."""
    pairing: str = ""
    """In a club: the game of a tournament that it is, as the club calls it; else empty."""

    def computer(self, seat: int) -> str:
        """The computer player on a seat; empty for people."""
        return self.computers[seat] if 0 <= seat < len(self.computers) else ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "id": self.id,
            "game": self.game,
            "players": self.players,
            "options": dict(self.options),
            "physical": self.physical,
            "seed": self.seed,
            "names": list(self.names),
            "enforcement": self.enforcement,
            "created": self.created_s,
            "series": self.series,
            "course": self.course,
            "commit": self.commit,
            **({"clock": self.clock} if self.clock else {}),
            **({"board": self.board} if self.board else {}),
            **({"together": self.together.to_json()} if self.together else {}),
            **({"computers": list(self.computers)} if any(self.computers) else {}),
            **({} if self.tips else {"tips": False}),
            **({"dealt": list(self.dealt)} if self.dealt else {}),
            **({"faces": list(self.faces)} if self.faces else {}),
            **({"pairing": self.pairing} if self.pairing else {}),
        }

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read ``to_json()`` back; raises JournalError."""
        try:
            return cls(
                id=str(data["id"]),
                game=str(data["game"]),
                players=_players(data["players"]),
                options={str(k): str(v) for k, v in data["options"].items()},
                physical=bool(data["physical"]),
                seed=str(data["seed"]),
                names=tuple(str(name) for name in data["names"]),
                enforcement=Enforcement(data["enforcement"]).value,
                created_s=believable_time(data["created"]),
                series=str(data.get("series", "")),
                course=str(data.get("course", "")),
                commit=str(data.get("commit", "")),
                clock=str(data.get("clock", "")),
                board=str(data.get("board", "")),
                together=_together(data.get("together"), int(data["players"])),
                computers=_computers(data.get("computers", ()), int(data["players"])),
                tips=bool(data.get("tips", True)),
                dealt=tuple(sorted({int(seat) for seat in data.get("dealt", ())})),
                faces=_faces(data.get("faces", ()), int(data["players"])),
                pairing=str(data.get("pairing", "")),
            )
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise JournalError("no_header", reason=error) from error


def _players(data: Any) -> int:
    """A number of seats; raises ValueError, TypeError for one that no table has."""
    if not 1 <= (players := int(data)) <= MOST_PLAYERS:
        raise ValueError(data)
    return players


def _faces(data: Any, players: int) -> tuple[str, ...]:
    """The players' faces by seat, all or none; raises ValueError, TypeError."""
    found = tuple(str(face) for face in data)
    if len(found) not in (0, players):
        raise ValueError("not a face for each player")
    return found


def _computers(data: Any, players: int) -> tuple[str, ...]:
    """The computer players by seat; raises ValueError, TypeError."""
    found = tuple(str(name) for name in data)
    if isinstance(data, str) or len(found) > players:
        raise ValueError(data)
    return found if any(found) else ()


def _together(data: Any, players: int) -> Together | None:
    """Read ``Together.to_json()`` back; raises KeyError, TypeError, ValueError, AttributeError."""
    if data is None:
        return None
    here = tuple(sorted({int(seat) for seat in data["here"]}))
    if not here or not set(here) < set(range(players)):
        raise ValueError(here)
    return Together(str(data["match"]), str(data["table"]), here, bool(data["hosting"]))


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A line in the list of matches."""

    header: Header
    status: str
    events: int
    played: bool = True
    """True if people ever agreed on a move; otherwise it was only set out."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Extent of a match's record."""

    id: str
    status: str
    events: int
    head: int
    """The hash of its last event, and through it of all before; of the header if there is none."""


def believable_time(value: Any) -> float:
    """A moment in seconds since 1970; 0 for an impossible one. Raises ValueError, TypeError."""
    moment = float(value)
    return moment if math.isfinite(moment) and 0 <= moment < LATEST_S else 0.0


def new_match_id() -> str:
    """A unique id, short enough to type its beginning."""
    return os.urandom(6).hex()
