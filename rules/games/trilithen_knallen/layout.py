"""The pieces at each site, those in front of players, and the sites that a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from rules.core import Item, Layout, Move
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DAY,
    DISCARDS,
    DISPLAY,
    FIRST_TRILITHON,
    HUES,
    NOBODY,
    PILE,
    RING,
    SPOTS,
    TRACK,
    TRACK_START,
)
from rules.games.trilithen_knallen.moves import MEANING
from rules.games.trilithen_knallen.state import GONE, WAITING, Phase, TrilithenState

TRACK_ITEM = tuple(
    tuple(
        tuple(Item(site, f"trilithon {colour}", seat) for site in (*TRACK, TRACK_START))
        for seat in range(HUES)
    )
    for colour in COLOURS
)
"""By colour, owner and place; the last place is beside the track."""
BAR_SITE = tuple(f"bar-{n}" for n in range(1, RING + 1))
BAR_ITEM = tuple(tuple(Item(site, f"bar {colour}") for colour in COLOURS) for site in BAR_SITE)
BACK_ITEM = tuple(Item(spot, "card back", face="down") for spot in SPOTS)
FACE_ITEM = tuple(tuple(Item(spot, f"card {card}") for card in DISPLAY) for spot in SPOTS)
PILE_ITEM = tuple(
    (
        Item(PILE, "card back", level=level, face="down"),
        Item(PILE, "card back", level=level, face="down", seen=False),
    )
    for level in range(RING)
)
"""By level, uppermost or not: a camera sees the top of a pile."""
DISCARD_ITEM = tuple(
    tuple(
        (
            Item(DISCARDS, f"card {card}", level=level),
            Item(DISCARDS, f"card {card}", level=level, seen=False),
        )
        for level in range(RING)
    )
    for card in DAY
)


_TURNING = (Phase.FLIP, Phase.SHOW, Phase.SWAP)


def layout(state: TrilithenState) -> Layout:
    """The pieces at each site; hands and supplies are not part of it."""
    # Nothing is there twice.
    return Counter(dict.fromkeys(_items(state), 1))


def _items(state: TrilithenState) -> Iterable[Item]:
    """The pieces at each site, one item per thing."""
    for field, colour in enumerate(state.bars):
        if colour != NOBODY:
            yield BAR_ITEM[field][colour]
    for colour in state.in_play:
        place = state.place_of[colour]
        if place != GONE:
            yield TRACK_ITEM[colour][state.owner(colour)][place]
    for spot, card in enumerate(state.card):
        yield FACE_ITEM[spot][card] if state.up[spot] else BACK_ITEM[spot]
    top = state.deck.pile_size - 1
    for level in range(top + 1):
        yield PILE_ITEM[level][level != top]
    top = len(state.deck.discards) - 1
    for level, card in enumerate(state.deck.discards):
        yield DISCARD_ITEM[card][level][level != top]


def supply(state: TrilithenState, seat: int) -> Counter[str]:
    """Structure points, bars (lives in the player's colour, and those won), and the hand."""
    left = Counter({f"disc {COLOURS[c]}": n for c, n in enumerate(state.points[seat])})
    left[f"bar {COLOURS[state.own[seat][0]]}"] += state.lives[seat]
    for loser, number in enumerate(state.won[seat]):
        left[f"bar {COLOURS[state.own[loser][0]]}"] += number
    left["card back"] = state.deck.hand_size(seat)
    return +left


def touches(state: TrilithenState, move: Move) -> Collection[str]:
    """Sites that ``move`` changes."""
    verb = move.verb
    if verb == "discard":
        return (DISCARDS,)
    if verb == "draw":
        return (PILE,) if state.deck.pile_size else (PILE, DISCARDS)
    meaning = MEANING[move.text]
    if verb == "flip" and len(meaning) > 2:
        return (SPOTS[meaning[1]],)
    if verb in ("flip", "peek", "ram", "start"):
        return ()
    if verb == "place":
        old = state.place_of[meaning[1]]
        new = TRACK[meaning[3]]
        return (new, DISCARDS) if old < WAITING else ((*TRACK, TRACK_START)[old], new, DISCARDS)
    if verb == "bar":
        return (f"bar-{meaning[0] + 1}",)
    if verb == "show" and state.phase is not Phase.LOOK:
        card = meaning[1]
        # A card tried out of turn may come when all fields have been found already.
        due = state.needed[state.right] if state.right < len(state.needed) else None
        right = card % HUES == due
        goes_on = right and state.right + 1 < len(state.needed)
        spot = SPOTS[meaning[0]]
        if goes_on or card >= FIRST_TRILITHON:
            return (spot,)
        return {spot, *_upset(state, move)}
    if verb == "swap":
        return {*move.args, *_upset(state, move)}
    return _upset(state, move)


def _upset(state: TrilithenState, move: Move) -> set[str]:
    """Spots turned back and track sites that change by the end of a turn."""
    after = state.clone()
    after.apply(move)
    sites = {SPOTS[spot] for spot, up in enumerate(state.up) if up and not after.up[spot]}
    for old, new in zip(state.place_of, after.place_of, strict=True):
        if old != new:
            sites |= {(*TRACK, TRACK_START)[place] for place in (old, new) if place >= WAITING}
    return sites
