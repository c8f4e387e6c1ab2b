"""How Erbaut Stonehenge! is played well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import exp, sqrt
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.games.erbaut_stonehenge.components import END, OCCUPY, REVEALED
from rules.games.erbaut_stonehenge.moves import (
    OP_BLOCKED,
    OP_DISCARD,
    OP_DONE,
    OP_DRAW,
    OP_OCCUPY,
    OP_PLAY,
    OP_SABOTAGE,
    OP_STEAL,
    OP_TAKE,
    step_of,
)
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.players.crafts.erbaut_stonehenge.hidden import sees_own_hand, worlds_of
from rules.players.crafts.erbaut_stonehenge.insight import Insight
from rules.players.crafts.erbaut_stonehenge.position import (
    Grasp,
    SetForeground,
    TurnByTurn,
    TurnCraft,
)
from rules.players.crafts.erbaut_stonehenge.prospects import TURN, Prospects
from rules.players.crafts.erbaut_stonehenge.reasons import CODES, why
from rules.players.crafts.erbaut_stonehenge.tasks import TASKS
from rules.players.player import Budget, Reason
from rules.players.position import Key, Worlds
from rules.players.search import Found
from rules.players.tasks import Task
from rules.players.view import SeatView

__all__ = ["ErbautCraft"]

TEMPER = 1.0
"""Points by which a move must look better to seem e times as promising."""
NOISE = 1.0
"""Points by which people in a playout misjudge a move."""
FEW_SITES = 8
"""So many of the sites are worth a look."""
UNSEEN_CARD = -0.8
"""What a card drawn unseen is worth beside those that lie open."""


_GRASP = {
    "apprentice": Grasp(Insight(False, False, False, False), turns=1, playouts=8),
    "druid": Grasp(Insight(False, False, False), turns=1, playouts=40),
}
"""Weaker players think of themselves, less far ahead, and less of how long something takes;
apprentices do not see what rows are worth either."""


class ErbautCraft(TurnCraft):
    """Build where it pays, deny and delay whoever leads."""

    horizon: ClassVar[int] = 60
    reasons: ClassVar[tuple[str, ...]] = CODES
    noise: ClassVar[float] = NOISE

    def __init__(self, game: Game[ErbautState], grasp: Grasp | None = None) -> None:
        super().__init__(game)
        self.grasp = grasp or Grasp()

    def as_known_by(self, level: str) -> ErbautCraft:
        return ErbautCraft(self.game, _GRASP.get(level, self.grasp))

    def look_ahead(
        self, worlds: Worlds, budget: Budget, random: Random, only: Collection[Key],
        depth: int | None,
    ) -> Found:  # fmt: skip
        return super().look_ahead(worlds, budget.at_most(self.grasp.playouts), random, only, depth)

    def states(self, view: SeatView) -> Callable[[Random], ErbautState]:
        return worlds_of(self.game, view)

    def worlds(self, view: SeatView) -> Worlds:
        states = self.states(view)
        kind = SetForeground if view.physical else TurnByTurn
        return lambda random: kind(self, states(random), view.seat)

    def sees(self, view: SeatView) -> bool:
        return sees_own_hand(view)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: ErbautState, moves: Sequence[Move]) -> Sequence[Move]:
        """The best of the sites; sabotage only where it is due at the latest, since it never costs
        the turn: at its end, or if nothing else can be done. Nobody steals back at once."""
        if len(moves) < 2:
            return moves
        steps = [(step_of(move), move) for move in moves]
        late = state.phase == END or any(step.op in (OP_BLOCKED, OP_DISCARD) for step, _ in steps)
        found: dict[object, Move] = {}
        for step, move in steps:
            if step.op == OP_SABOTAGE:
                if late:
                    found.setdefault(("sabotage", step.a), move)
            elif step.op != OP_STEAL or not state.stolen[step.a]:
                # ES28: to steal back what was just stolen could go on for ever; once a step was
                # built it may be stolen with more pillars.
                found[move] = move
        kept = list(found.values()) or list(moves)
        if state.phase in (OCCUPY, REVEALED) and len(kept) > FEW_SITES:
            prospects = Prospects(state, self.grasp.insight)
            kept.sort(key=lambda move: -prospects.site(state.turn, step_of(move).a))
            del kept[FEW_SITES:]
        return kept

    def priors(self, state: ErbautState, moves: Sequence[Move]) -> Sequence[float]:
        values = self._values(state, moves)
        best = max(values)
        return [exp((one - best) / TEMPER) for one in values]

    def carry_on(self, state: ErbautState, moves: Sequence[Move], random: Random) -> Move:
        return self.picked(Prospects(state, self.grasp.insight), moves, random)

    def picked(self, prospects: Prospects, moves: Sequence[Move], random: Random) -> Move:
        """What looks best, give or take what people misjudge."""
        best, chosen = -1e9, moves[0]
        for move in moves:
            value = _value(prospects, move) + self.noise * random.random()
            if value > best:
                best, chosen = value, move
        return chosen

    def estimate(self, state: ErbautState) -> Sequence[float]:
        """By points and projects; a lead counts the more the less is left to build."""
        prospects = Prospects(state, self.grasp.insight)
        hopes = [prospects.points(seat) + prospects.standing(seat) for seat in range(state.players)]
        spread = 3.0 + 1.2 * sqrt(state.to_build)
        best = max(hopes)
        weights = [exp(1.5 * (one - best) / spread) for one in hopes]
        total = sum(weights)
        return [weight / total for weight in weights]

    def _values(self, state: ErbautState, moves: Sequence[Move]) -> list[float]:
        prospects = Prospects(state, self.grasp.insight)
        return [_value(prospects, move) for move in moves]

    def tasks(self) -> Sequence[type[Task[ErbautState]]]:
        return TASKS

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: ErbautState, move: Move) -> Reason | None:
        return why(state, move)


def _value(prospects: Prospects, move: Move) -> float:
    """What a move promises, in points, against the other moves of the same decision."""
    _, seat, a, b, c = step = step_of(move)
    op = step.op
    if op == OP_OCCUPY:
        return prospects.site(seat, a)
    if op in (OP_PLAY, OP_TAKE):
        return prospects.card(seat, a)
    if op == OP_DRAW:
        return UNSEEN_CARD
    if op == OP_STEAL:
        kept = 0.1 * (prospects.card(seat, b) + prospects.card(seat, c))
        return prospects.theft(seat, a) - kept
    if op == OP_SABOTAGE:
        # The turn goes on after it: it is added to whatever else is done.
        return prospects.sabotage(seat, a)
    if op == OP_DISCARD:
        return -prospects.card(seat, a)
    if op == OP_BLOCKED:
        return -2 * TURN
    if op == OP_DONE:
        return 0.0
    return 0.0
