"""Knowledge of Nine Men's Morris for computer players: mills are worth closing, and those of the
other worth stopping. The master judges a position at a look; a beginner tries it out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp
from random import Random
from typing import ClassVar

from nine_mens_morris.judgement import standing
from nine_mens_morris.state import FIELD, FIELDS, MILLS_OF, NEXT_TO, NOBODY, MorrisState
from rules.core import Move
from rules.players.craft import Craft
from rules.players.player import Budget, Reason
from rules.players.position import Key, Worlds
from rules.players.search import CURIOSITY, Found, search
from rules.players.view import SeatView

CLOSES = 12.0
STOPS = 6.0
THREATENS = 2.0
"""Promise of a move that closes a mill, stops one, or threatens one; any other is 1."""
STONE = 0.8
ROOM = 0.06
"""Worth of one stone more, and of one more point to go to, for a player who knows no more than that
(natural-log odds of winning)."""
MASTER = "archdruid"
"""The level that knows all of this."""


class MorrisCraft(Craft[MorrisState]):
    """The craft of Nine Men's Morris as a master knows it. Nothing is played out: a look at the
    board tells more than twenty moves at random, and there is time for five times as many."""

    horizon: ClassVar[int] = 0
    curiosity: ClassVar[float] = 0.7
    """Less than elsewhere: most of the moves on a board lose a stone soon, and what looks best must
    be followed far."""
    reasons: ClassVar[tuple[str, ...]] = ("closes", "stops", "threatens")

    def as_known_by(self, level: str) -> Craft[MorrisState]:
        return self if level == MASTER else Learned(self.game)

    def look_ahead(
        self, worlds: Worlds, budget: Budget, random: Random, only: Collection[Key],
        depth: int | None,
    ) -> Found:  # fmt: skip
        return search(worlds, budget, random, only=only, depth=depth, curiosity=self.curiosity)

    def priors(self, state: MorrisState, moves: Sequence[Move]) -> Sequence[float]:
        stopped = _threats(state, 1 - state.turn)
        return [_promise(state, move, stopped) for move in moves]

    def carry_on(self, state: MorrisState, moves: Sequence[Move], random: Random) -> Move:
        """Closes a mill, or else mostly stops one."""
        if state.taking:
            return _any(moves, random)
        if closing := [move for move in moves if _closes(state, move)]:
            return _any(closing, random)
        threats = _threats(state, 1 - state.turn)
        if threats and random.random() < 0.8:
            stopping = [move for move in moves if FIELD[move.args[-1]] in threats]
            return _any(stopping or moves, random)
        return _any(moves, random)

    def estimate(self, state: MorrisState) -> Sequence[float]:
        return _hopes(standing(state, 0) - standing(state, 1))

    def reason(self, view: SeatView, state: MorrisState, move: Move) -> Reason | None:
        if state.taking:
            return None
        if _closes(state, move):
            return Reason("closes")
        if FIELD[move.args[-1]] in _threats(state, 1 - state.turn):
            return Reason("stops")
        return Reason("threatens") if _threatens(state, move) else None


class Learned(MorrisCraft):
    """Knowledge after a few matches: more stones and more room are better, and the rest is tried
    out."""

    horizon: ClassVar[int] = 24
    curiosity: ClassVar[float] = CURIOSITY

    def estimate(self, state: MorrisState) -> Sequence[float]:
        stones = state.left(0) - state.left(1)
        return _hopes(STONE * stones + ROOM * (_room(state, 0) - _room(state, 1)))


def _hopes(odds: float) -> Sequence[float]:
    first = 1 / (1 + exp(-odds))
    return (first, 1 - first)


def _any(moves: Sequence[Move], random: Random) -> Move:
    return moves[int(random.random() * len(moves))]


def _promise(state: MorrisState, move: Move, stopped: frozenset[int]) -> float:
    to = FIELD[move.args[-1]]
    if state.taking:
        # A stone that stands beside another on a line with a free point is about to be a mill.
        return 1.0 + 2.0 * sum(_two_of(state, state.points[to], at, to) for at in MILLS_OF[to])
    if _closes(state, move):
        return CLOSES
    if to in stopped:
        return STOPS
    return THREATENS if _threatens(state, move) else 1.0


def _two_of(state: MorrisState, seat: int, others: tuple[int, ...], leaving: int) -> bool:
    """True if of two points one is the seat's and the other free; ``leaving`` is left free."""
    owners = [NOBODY if at == leaving else state.points[at] for at in others]
    return sorted(owners) == sorted((seat, NOBODY))


def _closes(state: MorrisState, move: Move) -> bool:
    """True if a stone that is placed or moved makes three in a row."""
    points, seat, to = state.points, state.turn, FIELD[move.args[-1]]
    start = FIELD[move.args[0]]
    return any(points[a] == seat == points[b] and start not in (a, b) for a, b in MILLS_OF[to])


def _threatens(state: MorrisState, move: Move) -> bool:
    start, to = FIELD[move.args[0]], FIELD[move.args[-1]]
    leaving = start if start != to else -1
    return any(_two_of(state, state.turn, line, leaving) for line in MILLS_OF[to])


def _threats(state: MorrisState, seat: int) -> frozenset[int]:
    """The free points on which ``seat`` closes a mill in its next turn."""
    points = state.points
    placing = state.hand[seat] > 0
    flying = state.flying and not placing and state.left(seat) == 3
    found = set()
    for at in range(len(FIELDS)):
        if points[at] != NOBODY:
            continue
        for a, b in MILLS_OF[at]:
            if points[a] == seat == points[b] and (
                placing
                or (flying and points.count(seat) > 2)
                or any(points[n] == seat and n not in (a, b) for n in NEXT_TO[at])
            ):
                found.add(at)
    return frozenset(found)


def _room(state: MorrisState, seat: int) -> int:
    points = state.points
    return sum(
        points[to] == NOBODY
        for at in range(len(FIELDS))
        if points[at] == seat
        for to in NEXT_TO[at]
    )
