"""The craft of Erbaut Stonehenge!: good play, and reasons for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from math import exp, sqrt
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.games.erbaut_stonehenge.components import (
    CARD_NAMES,
    END,
    FIRST_D,
    FIRST_T,
    NONE,
    NUMBER_CARDS,
    OCCUPY,
    OPEN,
    PILLARS_0,
    REVEALED,
    SITE_NAMES,
    SUPPLY,
    is_day,
)
from rules.games.erbaut_stonehenge.glory import BLOCK_RUN, DOLERITE_RUN, glory
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
    Step,
    step_of,
)
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.players.crafts.erbaut_stonehenge.hidden import sees_own_hand, worlds_of
from rules.players.crafts.erbaut_stonehenge.position import (
    Grasp,
    RealTable,
    TurnByTurn,
    TurnCraft,
)
from rules.players.crafts.erbaut_stonehenge.prospects import TURN, Insight, Prospects
from rules.players.player import Budget, Reason
from rules.players.position import Key, Worlds
from rules.players.search import Found
from rules.players.tasks import Task
from rules.players.view import SeatView

# Reasons why a move of Erbaut Stonehenge! is good, in words that give away nothing hidden.

CODES = (
    "run_pays", "run_grows", "first_stone", "influence", "denies", "next_to_trilithon",
    "trilithon_counts", "dolerite_counts", "night_is_fast", "day_is_hidden", "makes_dolerite",
    "nothing_open", "steals", "steals_early", "delays_leader", "delays", "keeps_influence",
    "forced_out",
)  # fmt: skip


def why(state: ErbautState, move: Move) -> Reason | None:
    """The reason for a move of the player asked; only what lies open and the own hand count."""
    step = step_of(move)
    seat, op = step.seat, step.op
    prospects = Prospects(state)
    if op == OP_OCCUPY:
        return _site(prospects, seat, step.a)
    if op in (OP_PLAY, OP_TAKE) and 0 <= step.a < NUMBER_CARDS:
        return _card(prospects, seat, step.a, taken=op == OP_TAKE)
    if op == OP_DRAW and state.display:
        return Reason.of("nothing_open")
    if op == OP_STEAL:
        built = state.stage[step.a] - PILLARS_0
        return Reason.of("steals" if built else "steals_early", other=step.a)
    if op == OP_SABOTAGE:
        return _sabotage(state, step)
    if op == OP_DONE and state.influence[seat]:
        return Reason.of("keeps_influence")
    return Reason.of("forced_out") if op == OP_BLOCKED else None


def _site(prospects: Prospects, seat: int, site: int) -> Reason | None:
    state, where = prospects.state, SITE_NAMES[site]
    before, after = prospects.beside(seat, site)
    run = before + after + 1
    if site >= FIRST_T:
        code = "next_to_trilithon" if run > 1 else "trilithon_counts"
        return Reason.of(code, site=where)
    pays = DOLERITE_RUN if site >= FIRST_D else BLOCK_RUN
    if before < pays <= run and after < pays:
        return Reason.of("run_pays", site=where, number=run)
    if run > 1:
        return Reason.of("run_grows", site=where, number=run)
    rivals = [s for s in range(state.players) if s != seat]
    rival = max(rivals, key=lambda other: sum(prospects.beside(other, site)))
    if sum(prospects.beside(rival, site)) > 1:
        return Reason.of("denies", site=where, other=rival)
    if site >= FIRST_D:
        return Reason.of("dolerite_counts", site=where)
    if site % 6 == state.hue[seat]:
        return Reason.of("influence", site=where)
    return Reason.of("first_stone", site=where) if _room(state, site) else None


def _room(state: ErbautState, site: int) -> bool:
    """True if there is no building beside a ring field."""
    return state.built[(site - 1) % FIRST_D] == NONE == state.built[(site + 1) % FIRST_D]


def _card(prospects: Prospects, seat: int, card: int, *, taken: bool) -> Reason | None:
    state = prospects.state
    name = CARD_NAMES[card]
    if state.built[card >> 1] != NONE and state.discs[seat] and state.dolerite_free:
        return Reason.of("makes_dolerite", card=name)
    if not is_day(card):
        return Reason.of("night_is_fast", card=name)
    return None if taken else Reason.of("day_is_hidden", card=name)


def _sabotage(state: ErbautState, step: Step) -> Reason:
    scores = [glory(state, seat) for seat in range(state.players)]
    leads = scores[step.a] == max(scores)
    return Reason.of("delays_leader" if leads else "delays", other=step.a)


# The task for a turn of Erbaut Stonehenge!: the druid's best site.


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
        # A night card lies open at once; a day card sends no druid out in this turn.
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
    """3.8: glory that is gained once ``site`` is built."""
    trial = state.clone()
    trial.built[site] = seat
    return glory(trial, seat) - glory(state, seat)


TEMPER = 1.0
"""Points by which a move must look better to seem e times as promising."""
NOISE = 1.0
"""Points by which people in a playout misjudge a move."""
FEW_SITES = 8
"""Number of the sites that are worth a look."""
UNSEEN_CARD = -0.8
"""Worth of a card drawn unseen beside those that lie open."""


_GRASP = {
    "apprentice": Grasp(Insight(False, False, False, False), turns=1, playouts=8),
    "druid": Grasp(Insight(False, False, False), turns=1, playouts=40),
}
"""Weaker players think of themselves, less far ahead, and less of how long something takes;
apprentices do not see what rows are worth either."""


class ErbautCraft(TurnCraft):
    """Build where it pays, deny and delay the leader."""

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
        kind = RealTable if view.physical else TurnByTurn
        return lambda random: kind(self, states(random), view.seat)

    def sees(self, view: SeatView) -> bool:
        return sees_own_hand(view)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: ErbautState, moves: Sequence[Move]) -> Sequence[Move]:
        """The best of the sites; sabotage only where it is due at the latest, since it never costs
        the turn: at its end, or if nothing else can be done. No theft is answered at once."""
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
        """The move that looks best, give or take what people misjudge."""
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
    """Points that a move promises, against the other moves of the same decision."""
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
