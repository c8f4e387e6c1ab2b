"""The interface of a game to a search: a position that can be copied, played on and played out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, Protocol, Self, TypeAlias

from rules.core import Move

CHANCE = -1
"""Actor where the dealer or the table decides."""
OVER = -2
"""Actor when the match is over."""

Key: TypeAlias = Any
"""A move, in whatever form is fastest: anything hashable. ``Position.move`` is its text."""


class Position(Protocol):
    """A position with nothing hidden: in a game with hidden things one of many that may be so."""

    open: bool
    """True if it is the only one: then the same moves always lead to the same decisions."""

    def clone(self) -> Self:
        """An independent copy."""

    def actor(self) -> int:
        """The seat that decides, ``CHANCE`` or ``OVER``."""

    def keys(self) -> Sequence[Key]:
        """The moves that are worth a look, at least one; at a player's decision only."""

    def priors(self, keys: Sequence[Key]) -> Sequence[float]:
        """Priors of ``keys`` by first sight; their sum is 1."""

    def draw(self, random: Random) -> Key:
        """The move that chance makes, at its decision only."""

    def seen(self, key: Key) -> Hashable:
        """``key`` as the seat that searches gets to know it when it is played here."""

    def play(self, key: Key) -> None:
        """Carry out a move."""

    def playout(self, random: Random) -> Sequence[float]:
        """Play to the end, or as far as makes sense, and say what each seat may hope for, 0 … 1.
        The position is used up."""

    def move(self, key: Key) -> Move:
        """The move that ``key`` stands for."""


Worlds = Callable[[Random], Position]
"""Deals what a seat does not know at random, as it may be; returns the position then."""
