"""The standing of the factions in Der Hohe Rat: what is missing for a block of sixteen, and how
hard it is to break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

from rules.games.hoher_rat.components import EMPTY, FIELDS, LAST, NEXT, PIECE_COLOUR, PIECE_FACTION
from rules.games.hoher_rat.state import BLOCK, RatState, find_fronts

_TAKE, _TURN = 1, 2
"""Costs of filling an empty field, and of persuading a piece of the others."""
_NEARNESS = tuple(exp(-cost / 2) for cost in range(2 * BLOCK + 1))
_GROWTH = tuple(exp(cost / 2) - 1 for cost in range(3))
_SHRINK = tuple(exp(-cost / 2) - 1 for cost in range(3))
_COST = tuple(
    tuple(
        _TAKE if piece == EMPTY else 0 if PIECE_FACTION[piece] == faction else _TURN
        for piece in range(EMPTY + 1)
    )
    for faction in (0, 1)
)

PRICES = (0.0, 0.10, 0.10, -0.13)
"""Worth of a place where the others can be persuaded, by its price; in logits."""
FAR = 0.3
"""Weight of a large lead by its size: a player content with any large lead never finishes."""
MOVE = 0.13
"""Worth of being at turn."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights in logits of the chances. The defaults were fitted by logistic regression to matches
    that ``Council`` played against itself, and tuned in such matches."""

    missing: float = 0.35
    """Worth of one cost less on the way to a block of sixteen."""
    group: float = 0.30
    """Worth of one group less, or one more of the others: large ones are hard to persuade."""
    others: float = 0.7
    """At first sight: weight of the others' losses beside one's own gains."""
    held: tuple[float, ...] = (0.0, 0.17, 0.32, 0.46, 0.58, 0.69, 0.79)
    """Worth of arguments of one colour, by number: of many the last are seldom needed."""


FULL = Weights()


class Ring:
    """The pieces of a position, looked at once however often they are asked for."""

    __slots__ = ("_covered", "_gains", "_near", "_pieces")

    def __init__(self, pieces: tuple[int, ...]) -> None:
        self._pieces = pieces
        self._near: list[float] = []
        self._covered: list[list[float]] = []
        for table in _COST:
            cost = [table[piece] for piece in pieces]
            here, places = sum(cost[:BLOCK]), []
            for field in range(FIELDS):
                places.append(_NEARNESS[here])
                here += cost[field + BLOCK - FIELDS] - cost[field]
            around, covered = sum(places[FIELDS - BLOCK + 1 :]) + places[0], []
            for field in range(FIELDS):
                covered.append(around)
                if field + 1 < FIELDS:
                    around += places[field + 1] - places[field - BLOCK + 1]
            self._near.append(sum(places))
            self._covered.append(covered)
        self._gains: dict[tuple[int, int], tuple[float, float, int]] = {}

    def missing(self, faction: int) -> float:
        """Distance of a faction from a block of sixteen, wherever it may come about: the costs of
        all places for it, the low ones counting most."""
        return -2 * log(self._near[faction])

    def groups(self, faction: int) -> int:
        """Groups of a faction's two colours."""
        pieces, found = self._pieces, 0
        before = PIECE_COLOUR[pieces[-1]]
        for piece in pieces:
            colour = PIECE_COLOUR[piece]
            if colour != before and PIECE_FACTION[piece] == faction:
                found += 1
            before = colour
        return found

    def gain(self, faction: int, field: int) -> tuple[float, float, int]:
        """Effect of any piece of ``faction`` on a field that it does not own: by how much less is
        missing for it, how much more for the others, and how many groups more they have."""
        found = self._gains.get((faction, field))
        if found is None:
            piece, other = self._pieces[field], 1 - faction
            near, covered = self._near, self._covered
            more = covered[faction][field] * _GROWTH[_COST[faction][piece]]
            less = covered[other][field] * _SHRINK[_TURN - _COST[other][piece]]
            broken = 0
            if PIECE_FACTION[piece] == other:
                broken = self.alike(field, PIECE_COLOUR[piece]) - 1
            own, theirs = 2 * log(1 + more / near[faction]), -2 * log(1 + less / near[other])
            found = self._gains[faction, field] = own, theirs, broken
        return found

    def alike(self, field: int, colour: int) -> int:
        """Number of the two neighbours of a field that have ``colour``."""
        beside = (self._pieces[LAST[field]], self._pieces[NEXT[field]])
        return sum(PIECE_COLOUR[piece] == colour for piece in beside)


@lru_cache(maxsize=1 << 12)
def _ring(pieces: tuple[int, ...]) -> Ring:
    return Ring(pieces)


def ring_of(state: RatState) -> Ring:
    """The ring of a position."""
    return _ring(tuple(state.ring))


def run(ring: Sequence[int], field: int, side: int, sort: Sequence[int]) -> int:
    """Number of pieces of ``side`` that stand together if one of them stands on ``field``."""
    size, at = 1, LAST[field]
    while sort[ring[at]] == side and size < FIELDS:
        size += 1
        at = LAST[at]
    at = NEXT[field]
    while sort[ring[at]] == side and size < FIELDS:
        size += 1
        at = NEXT[at]
    return size


def won_by(faction: int, players: int) -> list[float]:
    """Worth of a faction's victory to each seat; partners win and lose together."""
    return [float(seat & 1 == faction) for seat in range(players)]


def hope_of_pro(state: RatState, weights: Weights = FULL) -> float:
    """The chances of Pro, 0 … 1, before a victory."""
    ring = ring_of(state)
    if state.fronts is None:
        state.fronts = find_fronts(state)
    sides = []
    for faction in (0, 1):
        side = -weights.missing * ring.missing(faction) - weights.group * ring.groups(faction)
        for mine in state.arguments[faction::2]:
            side += sum([weights.held[number] for number in mine])
        side += sum([PRICES[price] for _, price, _ in state.fronts[faction]])
        sides.append(side)
    lead = sides[0] - sides[1] + (-MOVE if state.turn & 1 else MOVE)
    hope = 1 / (1 + exp(-lead))
    return hope + FAR * (1 / (1 + exp(-lead / 4)) - hope)
