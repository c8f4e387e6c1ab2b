"""The pieces at each site, those in front of players, and the sites that a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rules.core import Item, Layout, Move
from rules.games.hoher_rat.components import (
    ALTAR,
    ARGUMENTS,
    BOX_KIND,
    COLOURS,
    EMPTY,
    FIELD_NAME,
    HEAP_SITE,
    NONE,
    PIECE_COLOUR,
    PIECE_NUMBER,
    SPOKESMAN,
    faction_of,
    seat_of,
)
from rules.games.hoher_rat.moves import Step, decode, gains
from rules.games.hoher_rat.state import RatState

RING_ITEM = {
    players: {
        piece: tuple(
            Item(name, BOX_KIND[piece], seat_of(PIECE_COLOUR[piece], players))
            for name in FIELD_NAME
        )
        for piece in PIECE_NUMBER.values()
    }
    for players in (2, 4)
}
HEAP_ITEMS = tuple(
    tuple(
        # From above a heap shows only its uppermost argument.
        tuple(Item(site, f"bar {colour}", level=i, seen=i == count - 1) for i in range(count))
        for count in range(ARGUMENTS + 1)
    )
    for site, colour in zip(HEAP_SITE, COLOURS, strict=True)
)
VOTE_ITEM = Item(ALTAR, "trilithon")


def layout(state: RatState) -> Layout:
    """The ring, the heaps, and the trilithon of the vote; hands and supplies are not part of it."""
    table = RING_ITEM[state.players]
    items = [table[piece][f] for f, piece in enumerate(state.ring) if piece != EMPTY]
    for colour, number in enumerate(state.heap):
        items += HEAP_ITEMS[colour][number]
    if state.vote:
        items.append(VOTE_ITEM)
    return Counter(items)


def supply(state: RatState, seat: int) -> Counter[str]:
    """Followers, spokesmen and arguments in front of a player."""
    left: Counter[str] = Counter()
    for colour in state.own(seat):
        left[BOX_KIND[colour]] = state.followers[colour]
        left[BOX_KIND[colour + SPOKESMAN]] = state.spokesmen[colour]
    for colour, number in enumerate(state.arguments[seat]):
        left[f"bar {COLOURS[colour]}"] = number
    return +left


def touches(state: RatState, move: Move) -> Collection[str]:
    """Sites that ``move`` changes."""
    step = decode(move.text)
    if step is None:
        return ()
    # Asked of thousands of moves at once, most of which put a piece on a field.
    if step.verb == "persuade":
        return _paid_site(state, step, [FIELD_NAME[step.field]])
    if step.verb == "seat":
        lifted = step.piece == NONE and not state.has_follower(step.seat)
        # A field that waits for its follower is named only where something changes now.
        sites = [] if lifted and step.pay == NONE else [FIELD_NAME[step.field]]
        if state.empty == 1 and not lifted:
            sites.append(ALTAR)
        return _paid_site(state, step, sites)
    if step.verb == "discuss":
        faction = faction_of(step.seat)
        return [HEAP_SITE[colour] for colour, _ in gains(step) if state.has_room(faction, colour)]
    if step.verb == "lift":
        target = state.pending[-1].field if state.pending else NONE
        return [FIELD_NAME[step.field], FIELD_NAME[target]] if target != NONE else ()
    return ()


def _paid_site(state: RatState, step: Step, sites: list[str]) -> list[str]:
    if step.pay != NONE and state.arguments[step.seat][step.pay]:
        sites.append(HEAP_SITE[step.pay])
    return sites
