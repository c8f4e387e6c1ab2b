"""The events of a match in the journal, and their form in rows and exports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.journal.entries import JournalError
from rules.core import GameError, Move, Outcome

MISFIT = (JournalError, GameError, KeyError, TypeError, ValueError, OverflowError, AttributeError)
"""Exceptions of ``from_row`` for a row that makes no sense."""

LAST_OPENING = 10**12
"""Largest number of an opening."""
LONGEST_MS = 100 * 3600 * 1000
"""Longest time of a clock, milliseconds."""


class Source(StrEnum):
    """Cause of an event."""

    CAMERA = "camera"
    TOUCH = "touch"
    BUTTON = "button"
    PHONE = "phone"
    """A player's own phone."""
    DEALER = "dealer"
    """Chance, and whatever else follows automatically."""
    COMPUTER = "computer"
    """A computer player."""
    IMPORT = "import"
    ELSEWHERE = "elsewhere"
    """People at another table where the same match is played."""


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A move was taken into the record."""

    move: Move
    forced: bool = False
    """True if the rules objected, and it was played all the same."""
    joined: bool = False
    """True if it was entered with the same touch as the move before it."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last moves were taken back."""

    count: int
    """Number of moves, at least 1."""


@dataclass(frozen=True, slots=True)
class PenaltyNoted:
    """A breach was noted (enforcement ``penalise``); it changes no position."""

    player: int
    rule: str
    code: str


@dataclass(frozen=True, slots=True)
class EntryAmended:
    """The next events put a wrong entry right; this changes nothing itself."""

    ply: int
    """The first move, from 1, that is replaced."""
    moves: int
    """Number of moves that are replaced."""


@dataclass(frozen=True, slots=True)
class StickersSaid:
    """The players' answer about pieces that seemed to carry no stickers."""

    groups: tuple[str, ...]
    """Groups of pieces, sorted."""
    have: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """People sat down to the match: it was begun, or taken up again. It changes nothing itself."""

    number: int
    """Counts over all open matches, so that of several the one taken up last is known, whatever
    the clocks say. At least 1; what another table counted means nothing here."""


@dataclass(frozen=True, slots=True)
class ClockStood:
    """Reading of the players' clock after the moves before it; it changes no position."""

    left_ms: tuple[int, ...]
    """Time left, by seat."""
    turn: int | None
    """Seat whose turn it was; None before the first turn."""


@dataclass(frozen=True, slots=True)
class TipGiven:
    """A player asked for a tip and got it; it changes no position."""

    player: int
    move: Move
    """The move that was said to be best; as the seat knew it."""
    why: str
    """Code of the reason."""
    second: Move | None = None


@dataclass(frozen=True, slots=True)
class TakebackWished:
    """People here asked the other table whether their last moves may go back; it changes no
    position, and counts until the record grows."""

    count: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; the outcome follows from the moves and is for readers only."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Other:
    """An event of an unknown type; it is kept and changes nothing."""

    type: str
    body: Mapping[str, Any]


Happening = (
    MovePlayed
    | TakenBack
    | PenaltyNoted
    | EntryAmended
    | StickersSaid
    | Opened
    | ClockStood
    | TipGiven
    | TakebackWished
    | MatchEnded
    | Other
)
"""Any event of a match."""

Told = MovePlayed | TakenBack | EntryAmended
"""Events that make the record; two tables of one match have the same of them."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the journal."""

    seq: int
    what: Happening
    src: Source
    t_utc: float = 0.0
    """Seconds since the epoch, if the clock was right."""
    mono: float = 0.0
    """Monotonic seconds; only differences within one run of the program mean anything."""


def to_row(what: Happening) -> tuple[str, Mapping[str, Any]]:
    """Type and body, as they are in a row."""
    match what:
        case MovePlayed(move, forced, joined):
            said = {"forced": forced, "joined": joined}
            return "move", {"move": move.text, **{name: True for name in said if said[name]}}
        case TakenBack(count):
            return "takeback", {"count": count}
        case PenaltyNoted(player, rule, code):
            return "penalty", {"player": player, "rule": rule, "code": code}
        case EntryAmended(ply, moves):
            return "amended", {"ply": ply, "moves": moves}
        case StickersSaid(groups, have):
            return "stickers", {"groups": list(groups), "have": have}
        case Opened(number):
            return "opened", {"number": number}
        case ClockStood(left_ms, turn):
            return "clock", {"left": list(left_ms), "turn": turn}
        case TipGiven(player, move, why, second):
            also = {} if second is None else {"second": second.text}
            return "tip", {"player": player, "move": move.text, "why": why, **also}
        case TakebackWished(count):
            return "wish", {"count": count}
        case MatchEnded(outcome):
            return "end", outcome.to_json()
        case Other(type, body):
            return type, body


def from_row(type: str, body: Mapping[str, Any]) -> Happening:
    """Read ``to_row`` back; raises one of ``MISFIT`` for a body that does not fit its type."""
    match type:
        case "move":
            forced, joined = (bool(body.get(name, False)) for name in ("forced", "joined"))
            return MovePlayed(Move.parse(str(body["move"])), forced, joined)
        case "takeback":
            return TakenBack(_count(body["count"]))
        case "penalty":
            return PenaltyNoted(int(body["player"]), str(body["rule"]), str(body["code"]))
        case "amended":
            return EntryAmended(int(body["ply"]), int(body["moves"]))
        case "stickers":
            said, have = body["groups"], body["have"]
            if not isinstance(said, list) or not isinstance(have, bool):
                raise JournalError("wants_answer")
            return StickersSaid(tuple(str(group) for group in said), have)
        case "opened":
            if (number := _count(body["number"])) > LAST_OPENING:
                raise JournalError("wants_count")
            return Opened(number)
        case "clock":
            turn = body["turn"]
            left = tuple(min(max(int(ms), 0), LONGEST_MS) for ms in body["left"])
            return ClockStood(left, None if turn is None else int(turn))
        case "tip" if "move" in body:
            second = Move.parse(str(body["second"])) if "second" in body else None
            move = Move.parse(str(body["move"]))
            return TipGiven(int(body["player"]), move, str(body["why"]), second)
        case "wish":
            return TakebackWished(_count(body["count"]))
        case "end":
            ranking = tuple(tuple(int(seat) for seat in group) for group in body["ranking"])
            scores = tuple(int(points) for points in body["scores"])
            return MatchEnded(Outcome(str(body["reason"]), ranking, scores))
    return Other(type, body)


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    raise JournalError("wants_count")
