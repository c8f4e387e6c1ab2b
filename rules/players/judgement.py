"""What came of looking back at a match: everybody's chances over time, and where it was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core import GameError, Json, Move, StateError
from rules.players.player import Reason

__all__ = ["FORMAT", "Judgement", "Moment", "TurningPoint"]

FORMAT = 1
"""Of the JSON data; raised when they, or how chances are found, change."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How everybody stood at one moment."""

    ply: int
    """Moves played before it."""
    chances: tuple[float, ...]
    """By seat, 0 … 1: how likely the seat was to win, as the match really stood."""
    playouts: int
    """How many ways on that rests on; 0 at the end of the match, where nothing is uncertain."""


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
    """What the seat could hope for after the move played, 0 … 1."""
    other_chance: float
    """The same after the other one."""
    why: Reason
    """Why the better of the two was better."""
    doubt: float
    """So far the difference of the chances may be off, at 95 %."""

    @property
    def gain(self) -> float:
        """What the decision gained against the other move; negative if it cost something."""
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
    moments: tuple[Moment, ...]
    """In the order of time: before every decision, and at the end."""
    turning_points: tuple[TurningPoint, ...]
    """Those that decided most, in the order of time; fewer than three if no more are certain."""
    decisions: int
    """How many decisions were looked at."""

    def at(self, ply: int) -> Moment:
        """How everybody stood after ``ply`` moves, as far as that was looked at."""
        before = [moment for moment in self.moments if moment.ply <= ply]
        return before[-1] if before else self.moments[0]

    def to_json(self) -> Json:
        """The judgement as plain JSON data."""
        return {
            "format": FORMAT,
            "plies": self.plies,
            "decisions": self.decisions,
            "moments": [
                {"ply": one.ply, "chances": [round(c, 4) for c in one.chances],
                 "playouts": one.playouts}
                for one in self.moments
            ],
            "turning_points": [
                {"ply": one.ply, "seat": one.seat, "played": one.played.text,
                 "other": one.other.text, "chance": round(one.chance, 4),
                 "other_chance": round(one.other_chance, 4), "doubt": round(one.doubt, 4),
                 "why": {"code": one.why.code, "params": one.why.values}}
                for one in self.turning_points
            ],
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Judgement:
        """Read ``to_json()`` back; raises StateError, also on data of another format."""
        try:
            if data["format"] != FORMAT:
                raise ValueError(data["format"])
            found = cls(
                int(data["plies"]),
                tuple(
                    Moment(int(one["ply"]), tuple(map(float, one["chances"])), int(one["playouts"]))
                    for one in data["moments"]
                ),
                tuple(map(_turning_point, data["turning_points"])),
                int(data["decisions"]),
            )
            if not found.moments:
                raise StateError("unfit", key="moments", found=data["moments"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            if isinstance(error, GameError):
                raise
            raise StateError("no_stored_match", reason=error) from error
        return found


def _turning_point(data: Mapping[str, Any]) -> TurningPoint:
    why = data["why"]
    params = tuple(
        (str(name), value if isinstance(value, int) else str(value))
        for name, value in why["params"].items()
    )
    return TurningPoint(
        int(data["ply"]), int(data["seat"]), Move.parse(str(data["played"])),
        Move.parse(str(data["other"])), float(data["chance"]), float(data["other_chance"]),
        Reason(str(why["code"]), params), float(data["doubt"]),
    )  # fmt: skip
