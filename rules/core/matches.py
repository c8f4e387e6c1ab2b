"""A match for its players: the decision that is due, what it counts, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rules.core.moves import Actor, Param

Json = Any
"""A value as ``json.loads`` returns it."""


Options = Mapping[str, str]
"""Chosen value per option name."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The decision that is due: who must do what."""

    actor: Actor
    player: int | None
    """Seat asked; for DEALER and TABLE the seat affected, or None."""
    code: str
    """Key of the sentence in the game's text file."""
    rule: str
    params: tuple[tuple[str, Param], ...] = ()
    together: tuple[int, ...] = ()
    """All seats that are asked this at once, ``player`` being the first of them without an answer.

    Each may answer, and answer anew, until all have. A game that hides anything (``public``) tells
    nobody another's answer before. Empty: ``player`` alone is asked.
    """
    answered: tuple[int, ...] = ()
    """The seats among them that have answered."""

    def asks(self, seat: int | None) -> bool:
        """True if ``seat`` may decide this."""
        return self.actor is Actor.PLAYER and (seat == self.player or seat in self.together)

    def awaits(self, seat: int) -> bool:
        """True if the match goes on only after ``seat`` has decided this."""
        return self.asks(seat) and seat not in self.answered

    @property
    def values(self) -> dict[str, Param]:
        """The parameters by name."""
        return dict(self.params)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match: its reason, the ranking and the scores."""

    reason: str
    """Key of the sentence in the game's text file."""
    ranking: tuple[tuple[int, ...], ...]
    """Groups of seats, best first; seats of one group share a place."""
    scores: tuple[int, ...]
    """Points by seat."""

    def to_json(self) -> Json:
        """The form used by logs and exports."""
        return {
            "reason": self.reason,
            "ranking": [list(group) for group in self.ranking],
            "scores": list(self.scores),
        }


def ranked(results: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Seats by their results, the best, which is the greatest, first; equal ones share a place."""
    return tuple(
        tuple(seat for seat, result in enumerate(results) if result == best)
        for best in sorted(set(results), reverse=True)
    )


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The origin of some of a player's points."""

    player: int
    code: str
    points: int
    params: tuple[tuple[str, Param], ...] = ()


class Block(NamedTuple):
    """A piece of something that is built before a match, where it is drawn."""

    kind: str
    """A kind of the box."""
    across: float
    """Distance to the right of the middle, in widths of the piece."""
    up: float
    """From the front: how many pieces are below it; from above: how far back, in widths."""
    turn: float = 0.0
    """Degrees, anticlockwise."""


@dataclass(frozen=True, slots=True)
class Build:
    """A drawing of something that is built before a match."""

    seen: str
    """``front`` or ``top``; also the key of its caption in the section ``builds`` of the texts."""
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Achievement:
    """The entry of a finished match in a best list."""

    list: str
    """Name of the best list; matches are compared only within one."""
    rank: tuple[int, ...]
    """Smaller is better, compared from the left."""
    values: tuple[tuple[str, Param], ...]
    """Values that the list shows, by name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that decides what is played; it is chosen together with the players, and all other
    options are house rules."""

    kinds: tuple[str, ...] = ()
    """Kinds of the box of which players may name some themselves, as a value ``cellar,market``;
    empty: there is nothing to name."""
    number: int = 0
    """Number of kinds that they name."""
    by_lot: str = ""
    """The value with which chance names them in the match; a screen does it before."""

    def named(self, value: str) -> tuple[str, ...]:
        """The kinds that players named, in the order of ``kinds``; empty if ``value`` is anything
        else."""
        said = value.split(",")
        found = tuple(kind for kind in self.kinds if kind in said)
        return found if len(said) == len(found) == self.number else ()


COLOURS = "colours"
"""The option with the colour of each seat, in a game with a ``palette``."""


class Series(Protocol):
    """The way in which several matches of one game are counted together."""

    lower_wins: bool
    decides: tuple[str, ...]
    """Options that the result of the last match decides; they are no house rules."""

    def points(self, outcome: Outcome) -> tuple[int, ...]:
        """Points of one match for the series, by seat."""

    def next_first(self, outcome: Outcome) -> int | None:
        """Seat that begins the next match, None if the players agree on it."""

    def next_options(self, outcome: Outcome) -> Options:
        """The options named in ``decides``, for a match that follows one with this result."""
