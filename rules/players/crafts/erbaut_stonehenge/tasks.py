"""What a turn of Erbaut Stonehenge! can be played for: the druid's best site."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from rules.core import Move
from rules.games.erbaut_stonehenge.components import FIRST_D, FIRST_T, OPEN, SITE_NAMES, SUPPLY
from rules.games.erbaut_stonehenge.glory import BLOCK_RUN, DOLERITE_RUN, glory
from rules.games.erbaut_stonehenge.moves import OP_OCCUPY, OP_PLAY, step_of
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.players.crafts.erbaut_stonehenge.prospects import Prospects
from rules.players.player import Reason
from rules.players.tasks import Task

__all__ = ["TASKS", "BestSite"]


class BestSite(Task[ErbautState]):
    """The card, and the site for the druid, where building will bring most glory. The first idea is
    the field with the card's own number; any field of its colour will do (3.4)."""

    name: ClassVar[str] = "best_site"
    fewest: ClassVar[int] = 3

    def begins(self, state: ErbautState, seat: int, moves: Sequence[Move]) -> bool:
        return all(step_of(move).op == OP_PLAY for move in moves) and state.bars[seat] > 0

    def reached(self, state: ErbautState, seat: int) -> int:
        site = state.druid[seat]
        if site != SUPPLY:
            return _gain(state, seat, site) if site >= 0 and state.stage[seat] == OPEN else 0
        if state.turn != seat:
            return 0
        # A night card lies open at once; a day card sends nobody out in this turn.
        played = [step_of(move) for move in state.legal_moves()]
        numbers = [step.a >> 1 for step in played if step.op == OP_PLAY and step.a & 1]
        return max([0, *(_gain(state, seat, one) for one in numbers if state.free(one))])

    def settle(self, state: ErbautState, seat: int) -> Sequence[Move]:
        return ()

    def reason(self, state: ErbautState, turn: Sequence[Move]) -> Reason:
        step = step_of(next(move for move in turn if step_of(move).op == OP_OCCUPY))
        before, after = Prospects(state).beside(step.seat, step.a)
        run, where = before + after + 1, SITE_NAMES[step.a]
        pays = DOLERITE_RUN if step.a >= FIRST_D else BLOCK_RUN
        if step.a < FIRST_T and before < pays <= run and after < pays:
            return Reason.of("run_pays", site=where, number=run)
        if before and after:
            return Reason.of("gap_closed", site=where, number=run)
        if step.a >= FIRST_D:
            return Reason.of("dolerite_grows", site=where)
        return Reason.of("run_grows", site=where, number=run)

    def same(self, state: ErbautState) -> Hashable:
        return (
            tuple(state.built), tuple(state.druid), tuple(state.stage), state.turn, state.phase,
            tuple(map(tuple, state.cards.hands)), tuple(state.yard),
        )  # fmt: skip


TASKS = (BestSite,)


def _gain(state: ErbautState, seat: int, site: int) -> int:
    """3.8: how much more glory there is once ``site`` is built."""
    trial = state.clone()
    trial.built[site] = seat
    return glory(trial, seat) - glory(state, seat)
