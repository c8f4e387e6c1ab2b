"""Players: each is handed what its seat knows and the legal moves, and chooses one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, NamedTuple, Protocol

from rules.core import Json, Move, Param
from rules.declared import Made
from rules.players.view import SeatView

_BY_NAME = Made(Mapping[str, Param], lambda params: tuple(params.items()))


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why a move is worth playing; the sentence is in the texts' section ``reasons``."""

    code: str
    """Key of the sentence in the game's text file, or in the one that all games share."""
    params: Annotated[tuple[tuple[str, Param], ...], _BY_NAME] = ()

    @staticmethod
    def of(code: str, **params: Param) -> Reason:
        """Build a reason with named parameters."""
        return Reason(code, tuple(params.items()))

    @property
    def values(self) -> dict[str, Param]:
        """The parameters by name."""
        return dict(self.params)

    def to_json(self) -> Json:
        """The reason as plain JSON data."""
        return {"code": self.code, "params": self.values}


class Thought(NamedTuple):
    """A move that was considered."""

    move: Move
    chance: float
    """Chance of the seat after it: 1 is a certain victory, 0 a certain defeat."""
    visits: int
    """Number of times it was tried; a chance that was tried seldom is worth little."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and why."""

    move: Move
    why: Reason
    thoughts: tuple[Thought, ...] = ()
    """Every move considered, the best first; the chosen one need not be the first."""
    line: tuple[Move, ...] = ()
    """Moves that the same seat means to make after it, as far as they depend on no other."""
    playouts: int = 0
    """Number of ways on that were tried."""

    @property
    def chance(self) -> float:
        """The chance of the seat; one half if nothing was tried."""
        return next((one.chance for one in self.thoughts if one.move == self.move), 0.5)

    @property
    def second(self) -> Thought | None:
        """The best of the other moves considered."""
        return next((one for one in self.thoughts if one.move != self.move), None)

    def to_json(self) -> Json:
        """The choice as plain JSON data, with what follows from it."""
        second = self.second
        return {
            "move": self.move.text, "why": self.why.to_json(), "chance": self.chance,
            "second": second and {"move": second.move.text, "chance": second.chance},
            "line": [move.text for move in self.line],
            "thoughts": [[one.move.text, *one[1:]] for one in self.thoughts],
            "playouts": self.playouts,
        }  # fmt: skip


class Budget:
    """The time for a player's thoughts; it ends early when ``stop`` says so, or ``full``.

    It is counted in seconds or in playouts, whichever is given; the same number of playouts with
    the same random numbers always leads to the same choice.
    """

    def __init__(
        self,
        seconds: float | None = None,
        playouts: int | None = None,
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.perf_counter,
        full: Callable[[], bool] = lambda: False,
    ) -> None:
        """``clock``: seconds; ``time.thread_time`` counts only those really spent thinking.
        ``full``: the memory for thoughts is used up, so what was found until then counts."""
        if seconds is None and playouts is None:
            raise ValueError("a budget needs seconds or playouts")
        self.seconds, self.playouts, self._stop, self._clock = seconds, playouts, stop, clock
        self._full = full
        self._began = clock()

    def share(self, part: float) -> Budget:
        """A budget of ``part`` of this one that begins now."""
        return Budget(
            None if self.seconds is None else self.seconds * part,
            None if self.playouts is None else max(1, round(self.playouts * part)),
            self._stop, self._clock, self._full,
        )  # fmt: skip

    def at_most(self, playouts: int | None) -> Budget:
        """This budget, limited to ``playouts`` if given."""
        if playouts is not None:
            self.playouts = playouts if self.playouts is None else min(playouts, self.playouts)
        return self

    @property
    def stopped(self) -> bool:
        """True if the choice is no longer awaited."""
        return self._stop()

    def over(self, done: int) -> bool:
        """True if it is used up after ``done`` playouts."""
        if self.playouts is not None and done >= self.playouts:
            return True
        if self.seconds is not None and self._clock() - self._began >= self.seconds:
            return True
        return self._full() or self._stop()


class Player(Protocol):
    """A computer player. Register further ones through the entry-point group ``heelstone.players``:
    a callable without arguments that returns a player."""

    def choose(
        self, view: SeatView, moves: Sequence[Move], budget: Budget, random: Random
    ) -> Choice:
        """One of the legal ``moves``, which are at least one, and why; ``view``: all that is known.

        The same view, playouts and random numbers always lead to the same choice.
        """
