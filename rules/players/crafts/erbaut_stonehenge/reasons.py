"""Why a move of Erbaut Stonehenge! is good, in words that give away nothing hidden."""

from __future__ import annotations

from rules.core import Move
from rules.games.erbaut_stonehenge.components import (
    CARD_NAMES,
    FIRST_D,
    FIRST_T,
    NONE,
    NUMBER_CARDS,
    PILLARS_0,
    SITE_NAMES,
    is_day,
)
from rules.games.erbaut_stonehenge.glory import BLOCK_RUN, DOLERITE_RUN, glory
from rules.games.erbaut_stonehenge.moves import (
    OP_BLOCKED,
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
from rules.players.crafts.erbaut_stonehenge.prospects import Prospects
from rules.players.player import Reason

__all__ = ["CODES", "why"]

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
    """Whether nobody has built beside a ring field."""
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
