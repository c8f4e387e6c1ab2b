"""3.11 The pieces at each site, those in front of players, and the sites that a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rules.core import Actor, Item, Layout, Move
from rules.games.erbaut_stonehenge.components import (
    BARS,
    CARD_NAMES,
    COLOURS,
    DRUID_AT,
    EMPTY,
    FACE_DOWN,
    FIELDS,
    FIRST_D,
    FIRST_T,
    HIDDEN,
    LOT,
    LYING,
    MARKED,
    NONE,
    OPEN,
    PILLARS_0,
    PILLARS_1,
    SEATS,
    SITE_NAMES,
    STANDING,
    SUPPLY,
    YARDS,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.moves import OP_DEAL, Step, step_of
from rules.games.erbaut_stonehenge.state import ErbautState

BLOCK_ITEM = {
    players: tuple(
        tuple(
            Item(SITE_NAMES[f], f"bar {COLOURS[owner]}", owner if owner < players else None)
            for f in range(FIELDS)
        )
        for owner in range(players + 1)
    )
    for players in BARS
}
"""By number of players and owner; one past the last seat are the neutral bars."""
DOLERITE_ITEM = tuple(
    tuple(Item(name, f"disc {COLOURS[p]}", p) for name in SITE_NAMES[FIRST_D:FIRST_T])
    for p in SEATS
)
TRILITHON_ITEM = tuple(
    tuple(
        (Item(name, "trilithon", p), Item(name, f"trilithon {COLOURS[p]}", p))
        for name in SITE_NAMES[FIRST_T:]
    )
    for p in SEATS
)
"""A trilithon by owner and site, without and with the disc on the capstone (ES14)."""
DRUID_ITEM = tuple(
    tuple(Item(name, f"figure {COLOURS[p]}", p, pose="standing") for name in SITE_NAMES)
    for p in SEATS
)
ALTAR_ITEM = tuple(
    {at: Item("altar", f"figure {COLOURS[p]}", p, pose=DRUID_AT[at]) for at in (LYING, STANDING)}
    for p in SEATS
)
YARD_CARD_ITEM = tuple(
    tuple(Item(YARDS[p], f"card {name}", p) for name in CARD_NAMES) for p in SEATS
)
YARD_BACK_ITEM = tuple(Item(YARDS[p], "card back", p, face="down") for p in SEATS)
PILLAR_ITEM = tuple(Item(YARDS[p], "pillar", p) for p in SEATS)
CAPSTONE_ITEM = tuple(
    (Item(YARDS[p], "trilithon", p), Item(YARDS[p], f"trilithon {COLOURS[p]}", p)) for p in SEATS
)
DISPLAY_ITEM = tuple(Item("display", f"card {name}") for name in CARD_NAMES)
PILE_ITEM = Item("draw-pile", "card back", face="down")


def layout(state: ErbautState) -> Layout:
    """Board, yards, altar and display. Hands, supplies and influence cards are not part of it."""
    items = [_built_item(state, site) for site, owner in enumerate(state.built) if owner != NONE]
    items += [DISPLAY_ITEM[card] for card in state.display]
    for seat, where in enumerate(state.druid):
        if where >= 0:
            items.append(DRUID_ITEM[seat][where])
        elif where != SUPPLY:
            items.append(ALTAR_ITEM[seat][where])
        if state.stage[seat]:
            items += items_in_yard(state, seat)
    if state.cards.pile_left:
        items.append(PILE_ITEM)
    return Counter(items)


def _built_item(state: ErbautState, site: int) -> Item:
    owner = state.built[site]
    if site < FIRST_D:
        return BLOCK_ITEM[state.players][owner][site]
    if site < FIRST_T:
        return DOLERITE_ITEM[owner][site - FIRST_D]
    return TRILITHON_ITEM[owner][site - FIRST_T][site not in state.unmarked]


def items_on(state: ErbautState, site: int) -> list[Item]:
    """The building on a site, and the druids on it."""
    found = [] if state.built[site] == NONE else [_built_item(state, site)]
    return found + [DRUID_ITEM[p][site] for p, where in enumerate(state.druid) if where == site]


def items_in_yard(state: ErbautState, seat: int) -> list[Item]:
    """The project of a player, with its parts."""
    stage = state.stage[seat]
    if stage == EMPTY:
        return []
    if stage == FACE_DOWN:
        return [YARD_BACK_ITEM[seat]]
    found = [YARD_CARD_ITEM[seat][state.yard[seat]]]
    if stage > PILLARS_0:
        found += [PILLAR_ITEM[seat]] * (1 if stage == PILLARS_1 else 2)
    if stage == MARKED:
        found.append(CAPSTONE_ITEM[seat][state.marked_trilithons[seat]])
    return found


def supply(state: ErbautState, seat: int) -> Counter[str]:
    """Bars, discs, druid, hand face down, influence cards; the neutral bars with their owner."""
    colour = COLOURS[seat]
    left = Counter(
        {
            f"bar {colour}": state.bars[seat],
            f"disc {colour}": state.discs[seat],
            f"figure {colour}": int(state.druid[seat] == SUPPLY),
            "card back": state.cards.hand_size[seat],
        }
    )
    left.update(f"card {CARD_NAMES[card]}" for card in state.influence[seat])
    if state.neutral_owner == seat:
        left[f"bar {COLOURS[state.players]}"] = state.neutral
    return +left


def touches(state: ErbautState, move: Move) -> Collection[str]:
    """Sites that ``move`` changes."""
    step = step_of(move)
    seat = step.seat
    match move.verb:
        case "build":
            return _built_sites(state, seat)
        case "occupy":
            where = state.druid[seat]
            if where == step.a:
                return ()
            left = ("altar",) if state.at_altar(seat) else _druid_site(state, seat)
            return (SITE_NAMES[step.a], *left)
        case "atone":
            return ("altar",) if state.at_altar(seat) else ()
        case "take":
            return ("display", YARDS[seat]) if is_trilithon(step.a) else ("display",)
        case "play":
            return (YARDS[seat],)
        case "show":
            return (YARDS[seat],)
        case "steal":
            other = step.a
            if state.at_altar(other):
                return (YARDS[seat], YARDS[other])
            return (YARDS[seat], YARDS[other], *_druid_site(state, other))
        case "discard":
            if state.stage[seat] == OPEN and state.yard[seat] == step.a:
                return (YARDS[seat], *_druid_site(state, seat), *_new_pile(state))
            return _new_pile(state)
        case "sabotage":
            return _sabotaged_sites(state, step.a)
    return _dealt_sites(state, step) if move.actor is Actor.DEALER else ()


def _built_sites(state: ErbautState, seat: int) -> Collection[str]:
    stage, yard = state.stage[seat], YARDS[seat]
    if stage == FACE_DOWN:
        # On a real table the card shows only with ``table show``.
        return () if state.yard[seat] == HIDDEN else (yard,)
    if stage in (OPEN, MARKED):
        return (yard, *_druid_site(state, seat))
    return (yard,) if stage else ()


def _sabotaged_sites(state: ErbautState, other: int) -> Collection[str]:
    found = () if state.at_altar(other) else ("altar", *_druid_site(state, other))
    if state.stage[other] in (FACE_DOWN, OPEN):
        return (*found, YARDS[other], *_new_pile(state))
    return found


def _dealt_sites(state: ErbautState, step: Step) -> Collection[str]:
    if state.phase == LOT:
        return ()
    found: tuple[str, ...] = ()
    if step.op != OP_DEAL:
        found = ("display",)
    elif is_trilithon(step.a):
        found = (YARDS[step.seat],)
    left = len(state.cards.pile) + state.cards.shuffled_numbers() + len(state.cards.below)
    return (*found, "draw-pile") if left == 1 else found


def _druid_site(state: ErbautState, seat: int) -> tuple[str, ...]:
    where = state.druid[seat]
    return (SITE_NAMES[where],) if where >= 0 else ()


def _new_pile(state: ErbautState) -> tuple[str, ...]:
    """A card put under an empty pile shows."""
    return () if state.cards.pile_left else ("draw-pile",)
