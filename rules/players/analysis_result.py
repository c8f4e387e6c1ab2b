"""The result of looking back at a match: the chances over time, and where it was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rules.core import Json, Move, StateError
from rules.declared import Fits, plain, read_as
from rules.players.player import Reason
from rules.telling import Teller

FORMAT = 1
"""Of the JSON data; raised when they, or how chances are found, change."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The chances of all seats at one moment."""

    ply: int
    """Moves played before it."""
    chances: tuple[float, ...]
    """By seat, 0 … 1: its chance to win, as the match really stood."""
    playouts: int
    """Ways on that this rests on; 0 at the end of the match, where nothing is uncertain."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A decision that cost or gained much, by what the seat knew when it was made."""

    ply: int
    """Number of the move, from 1."""
    seat: int
    played: Move
    other: Move
    """The best of the other moves; better than the one played where that was a mistake."""
    chance: float
    """Chance of the seat after the move played, 0 … 1."""
    other_chance: float
    """The same after the other one."""
    why: Reason
    """Reason why the better of the two was better."""
    doubt: float
    """Margin of error of the difference between the chances, at 95 %."""

    @property
    def gain(self) -> float:
        """Gain of the decision against the other move; negative if it cost something."""
        return self.chance - self.other_chance

    @property
    def better(self) -> Move:
        """The better of the two moves."""
        return self.played if self.gain >= 0 else self.other


@dataclass(frozen=True, slots=True)
class Judgement:
    """A finished match, looked back at."""

    plies: int
    """Moves of the match it is about."""
    moments: Annotated[tuple[Moment, ...], Fits("wants_some", bool)]
    """In the order of time: before every decision, and at the end."""
    turning_points: tuple[TurningPoint, ...]
    """The decisive ones, in the order of time; fewer than three if no more are certain."""
    decisions: int
    """Number of decisions that were looked at."""

    def at(self, ply: int) -> Moment:
        """The moment after ``ply`` moves, as far as that was looked at."""
        before = [moment for moment in self.moments if moment.ply <= ply]
        return before[-1] if before else self.moments[0]

    def to_json(self) -> Json:
        """The judgement as plain JSON data."""
        return {"format": FORMAT, **plain(self, digits=4)}

    @classmethod
    def from_json(cls, data: Json) -> Judgement:
        """Read ``to_json()`` back; raises StateError, also on data of another format."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise StateError("unfit", key="format", found=data)
        said = {key: value for key, value in data.items() if key != "format"}
        return read_as(cls, said, "judgement", StateError)


# Words for a match that was looked back at.


def told_reason(reason: Reason, teller: Teller) -> str:
    """A reason as words that follow a move and a dash."""
    return teller.text("reasons", reason.code, **reason.values)


def what_turned(point: TurningPoint, teller: Teller) -> str:
    """The sentence about the move that turned it."""
    return teller.text("judged", "turned", ply=point.ply, move=teller.move(point.played))


def why_it_turned(point: TurningPoint, teller: Teller) -> str:
    """The better move, or the reason why the move was so good, in two sentences."""
    why, chance, less = told_reason(point.why, teller), percent(point.chance), point.other_chance
    if point.gain >= 0:
        return teller.text("judged", "strong", why=why, chance=chance, less=percent(less))
    move = teller.move(point.other)
    return teller.text("judged", "better", move=move, why=why, best=percent(less), chance=chance)


def percent(chance: float) -> str:
    """A chance as people write it; what may still happen is neither impossible nor certain."""
    whole = round(100 * chance)
    if 0 < chance < 1:
        whole = min(max(whole, 1), 99)
    return f"{whole}\u00a0%"
