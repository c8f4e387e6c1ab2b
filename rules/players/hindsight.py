"""The position as it really was, for those who look back; no player at the table knows it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, TypeAlias

from rules.core import Move
from rules.players.craft import Craft, RulesPosition
from rules.players.player import Budget
from rules.players.position import Key, Position, Worlds
from rules.players.search import Found, search
from rules.players.view import SeatView

__all__ = ["overheard", "real_worlds"]


def real_worlds(craft: Craft[Any], state: Any, view: SeatView) -> Worlds:
    """Worlds of the position ``state`` as it was; ``view``: what the seat at turn knows of it.

    Dealt by the program, there is only one such world. With real cards the record does not know
    what nobody ever turned up: then it is dealt as the seat at turn might have imagined it.
    """
    if view.physical or not craft.hides(view):
        return craft.worlds(view)
    position = RulesPosition(craft, state, view.seat, open=True)
    return lambda _random: position.clone()


def overheard(
    worlds: Worlds, seats: int, budget: Budget, random: Random
) -> tuple[Found, tuple[float, ...]]:
    """A search, and what each seat may hope for, 0 … 1, if everybody looks ahead as it does."""
    told: _Told = {}
    found = search(lambda r: _Overheard(worlds(r), told), budget, random)
    totals, weight = [0.0] * seats, 0
    for results in told.values():
        # What was tried often is what will be played; the rest was only curiosity.
        weight += len(results) ** 2
        for seat in range(seats):
            totals[seat] += len(results) * sum(result[seat] for result in results)
    return found, tuple(total / weight for total in totals)


_Told: TypeAlias = dict[Key, list[Sequence[float]]]
"""Results for all seats, by the first move."""


class _Overheard:
    """A position whose results are kept for all seats; a search remembers only those of whoever
    decides."""

    __slots__ = ("_first", "_inner", "_told", "open")

    def __init__(self, inner: Position, told: _Told, first: Key = None) -> None:
        self._inner, self._told, self._first = inner, told, first
        self.open = inner.open

    def clone(self) -> _Overheard:
        return _Overheard(self._inner.clone(), self._told, self._first)

    def actor(self) -> int:
        return self._inner.actor()

    def keys(self) -> Sequence[Key]:
        return self._inner.keys()

    def priors(self, keys: Sequence[Key]) -> Sequence[float]:
        return self._inner.priors(keys)

    def draw(self, random: Random) -> Key:
        return self._inner.draw(random)

    def seen(self, key: Key) -> Hashable:
        return self._inner.seen(key)

    def play(self, key: Key) -> None:
        if self._first is None:
            self._first = key
        self._inner.play(key)

    def playout(self, random: Random) -> Sequence[float]:
        results = self._inner.playout(random)
        self._told.setdefault(self._first, []).append(results)
        return results

    def move(self, key: Key) -> Move:
        return self._inner.move(key)
