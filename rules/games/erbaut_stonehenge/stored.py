"""Reading a stored position of Erbaut Stonehenge! back, and what must never be wrong with one."""

from __future__ import annotations

from collections import Counter

from rules.core import Game, Json
from rules.games.erbaut_stonehenge.components import (
    BARS,
    BUILD,
    CARD,
    CARD_NAMES,
    CARDS,
    DEAL,
    DEALT,
    DISCS,
    DRAW,
    DRUID_AT,
    EMPTY,
    FACE_DOWN,
    FIELDS,
    FIRST_D,
    FIRST_T,
    HIDDEN,
    MARKED,
    NEUTRAL_BARS,
    NONE,
    NUMBER_CARDS,
    OCCUPY,
    OPEN,
    OVER,
    PHASE_NAMES,
    PILLARS_0,
    PROJECT,
    RETURN,
    REVEALED,
    SHOW,
    SITE,
    SITE_NAMES,
    SITES,
    STAGE_NAMES,
    is_day,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.hidden import UNSEEN, Zones

_DRUID = {name: at for at, name in DRUID_AT.items()}


def read_state(game: Game[ErbautState], data: Json) -> ErbautState:
    """Read ``ErbautState.to_json()`` back; raises whatever is wrong with the data."""
    players = int(data["players"])
    options = game.complete_options(players, data["options"])
    state = game.setup(players, options, bool(data["physical"]))
    state.phase = PHASE_NAMES.index(data["phase"])
    state.turn, state.first_round = int(data["turn"]), int(data["first_round"])
    state.due, state.came = int(data["due"]), bool(data["trilithon_came"])
    state.sabotaged, state.reason = bool(data["sabotaged"]), str(data["reason"])
    state.giver = NONE if data["giver"] is None else int(data["giver"])
    for name, owner in data["built"].items():
        state.built[SITE[name]] = int(owner)
        state.reserve(SITE[name])
    state.to_build = state.built.count(NONE)
    state.unmarked = [SITE[name] for name in data["unmarked"]]
    for seat, name in enumerate(data["druids"]):
        state.send(seat, _DRUID[name] if name in _DRUID else SITE[name])
    state.bars, state.discs = [int(n) for n in data["bars"]], [int(n) for n in data["discs"]]
    state.neutral = int(data["neutral"])
    owner = data["neutral_owner"]
    state.neutral_owner = NONE if owner is None else int(owner)
    for seat, project in enumerate(data["projects"]):
        if project is not None:
            state.yard[seat] = _card(project["card"])
            state.stage[seat] = STAGE_NAMES.index(project["stage"])
            state.stolen[seat] = bool(project["stolen"])
            state.marked_trilithons[seat] = bool(project["disc"])
    state.influence = [sorted(CARD[name] for name in cards) for cards in data["influence"]]
    state.display = sorted(CARD[name] for name in data["display"])
    state.cards.pile = sorted(CARD[name] for name in data["pile"])
    state.cards.below = [
        (_card(name), NONE if by is None else int(by)) for name, by in data["under"]
    ]
    state.gone = [CARD[name] for name in data["gone"]]
    state.blocked = [bool(flag) for flag in data["blocked"]]
    if state.cards.zones is None:
        state.cards.hands = [sorted(CARD[name] for name in hand) for hand in data["hands"]]
        state.cards.hand_size = [len(hand) for hand in state.cards.hands]
    else:
        state.cards.hand_size = [int(size) for size in data["hands"]]
        state.cards.below_first = int(data["under_first"])
        state.cards.zones = Zones.from_json(data["zones"])
    return state


def problems(state: ErbautState) -> list[str]:
    """What does not add up, as sentences."""
    players = state.players
    per_seat = (
        state.druid, state.bars, state.discs, state.yard, state.stage, state.influence,
        state.blocked, state.cards.hand_size, state.cards.hands,
    )  # fmt: skip
    if any(len(values) != players for values in per_seat):
        return ["some list is not as long as there are players"]
    if state.turn not in range(players) or state.giver not in range(NONE, players):
        return [f"somebody asked has no seat: {state.turn}, {state.giver}"]
    return [*_piece_problems(state), *_card_problems(state), *_phase_problems(state)]


def _phase_problems(state: ErbautState) -> list[str]:
    """Whether what is asked now can be asked."""
    phase, stage = state.phase, state.stage[state.turn]
    penance = state.at_altar(state.turn)
    wanted = {
        BUILD: penance or stage != EMPTY,
        SHOW: stage == FACE_DOWN and state.cards.zones is not None,
        REVEALED: stage == OPEN,
        OCCUPY: stage >= OPEN and not penance,
        DRAW: state.due > 0,
        DEALT: state.due > 0,
        PROJECT: stage == EMPTY and not penance,
        RETURN: state.giver != NONE and state.cards.hand_size[state.giver] > 0,
        OVER: bool(state.reason),
    }
    if not wanted.get(phase, True):
        return [f"p{state.turn} cannot be asked '{PHASE_NAMES[phase]}' here"]
    return []


def _piece_problems(state: ErbautState) -> list[str]:
    found = []
    players = state.players
    blocks = Counter(state.built[:FIELDS])
    if blocks[players] + state.neutral != NEUTRAL_BARS or state.neutral < 0:
        found.append(f"the neutral bars are not {NEUTRAL_BARS}")
    if (state.neutral_owner == NONE) != (state.neutral == NEUTRAL_BARS):
        found.append("the neutral bars are touched if and only if somebody owns them")
    dolerites = Counter(state.built[FIRST_D:FIRST_T])
    for seat in range(players):
        if state.bars[seat] < 0 or state.bars[seat] + blocks[seat] != BARS[players]:
            found.append(f"the bars of p{seat} are not {BARS[players]}")
        marks = sum(
            owner == seat and site not in state.unmarked
            for site, owner in enumerate(state.built[FIRST_T:], FIRST_T)
        )
        discs = state.discs[seat] + dolerites[seat] + marks + state.marked_trilithons[seat]
        if state.discs[seat] < 0 or discs != DISCS:
            found.append(f"the discs of p{seat} are not {DISCS}")
        if (state.stage[seat] == EMPTY) != (state.yard[seat] == NONE):
            found.append(f"the yard of p{seat} holds {state.yard[seat]} at {state.stage[seat]}")
        if (state.stage[seat] >= PILLARS_0) != (state.yard[seat] >= NUMBER_CARDS):
            found.append(f"the project of p{seat} is at a stage its card does not have")
        if state.marked_trilithons[seat] and state.stage[seat] != MARKED:
            found.append(f"p{seat} has marked something else than a capstone")
    if players in dolerites or players in state.built[FIRST_T:]:
        found.append("only blocks can be neutral")
    if state.to_build != state.built.count(NONE):
        found.append("what stands and what is missing do not add up")
    for site in SITES:
        if site < FIRST_D:
            open_here = bool(state.ring_free[site % 6] >> site // 6 & 1)
        elif site < FIRST_T:
            open_here = site in state.dolerite_free
        else:
            open_here = bool(state.trilithon_free >> site - FIRST_T & 1)
        if open_here != state.free(site):
            found.append(f"{SITE_NAMES[site]} is recorded as free: {open_here}")
    return found


def _card_problems(state: ErbautState) -> list[str]:
    found = []
    counts = Counter([*state.cards.pile, *state.display, *state.gone])
    for cards in state.influence:
        counts.update(cards)
    counts.update(card for card in state.yard if card != NONE)
    counts.update(card for card, _ in state.cards.below)
    hidden_below = sum(card == HIDDEN for card, _ in state.cards.below)
    hidden_yards = sum(card == HIDDEN for card in state.yard)
    if state.cards.zones is None:
        for hand in state.cards.hands:
            counts.update(hand)
        if state.cards.hand_size != [len(hand) for hand in state.cards.hands]:
            found.append("hand sizes are wrong")
    else:
        del counts[HIDDEN]
        in_zones = state.cards.zones.count_all()
        counts.update({CARD[name]: number for name, number in in_zones.items()})
        if state.cards.hand_size != [state.cards.zones.size(f"p{p}") for p in range(state.players)]:
            found.append("hand sizes are wrong")
        held = (
            sum(state.cards.hand_size)
            + state.cards.shuffled_numbers()
            + hidden_below
            + hidden_yards
        )
        if held != sum(in_zones.values()):
            found.append("hidden cards lie where no place is")
        found += state.cards.zones.invariants()
    for card in CARDS:
        wanted = 0 if is_trilithon(card) and state.phase == DEAL else 1
        if counts[card] != wanted:
            found.append(f"{CARD_NAMES[card]} exists {counts[card]} times")
    for seat, card in enumerate(state.yard):
        if state.stage[seat] == FACE_DOWN and card != HIDDEN and not is_day(card):
            found.append(f"p{seat} has laid a night card face down")
    return found


def _card(name: str) -> int:
    return HIDDEN if name == UNSEEN else CARD[name]
