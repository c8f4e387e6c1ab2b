"""The pieces at each site, those in front of players, and the sites that a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from rules.core import Item, Layout, Move
from rules.games.opferroulette.components import (
    CARD,
    CARDS,
    COLOUR,
    COLOURS,
    FACINGS,
    FIELDS,
    NEUTRAL_COLOUR,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
    OFFERINGS,
    PIT_OF_CARD,
    PITS,
    pits_hit,
)
from rules.games.opferroulette.state import OpferrouletteState

BALL_ITEM = tuple(
    tuple(Item(str(field), "figure grey", pose=pose) for field in range(FIELDS + 1))
    for pose in FACINGS
)
BACK_ITEM = Item("draw-pile", "card back", face="down", seen=False)
DISCARDS = "discard-pile"
DISCARD_ITEM = tuple(Item(DISCARDS, f"card {card}") for card in CARDS)
OPEN = 8
"""Number of the cards last played that lie side by side; the others are below them."""


def layout(state: OpferrouletteState) -> Layout:
    """The pieces at each site; hands and supplies are not part of it."""
    items: Layout = Counter()
    for pit, owners in enumerate(state.pits):
        if owners:
            # Hashes of its items are known; ``Counter.update`` would work them out anew.
            dict.update(items, _offerings(pit, owners, state.players))
    if state.ball:
        items[BALL_ITEM[state.facing][state.ball]] = 1
    if pile := state.deck.pile_size:
        items[BACK_ITEM] = pile
    discards = state.deck.discards
    for card in discards[-OPEN:]:
        items[DISCARD_ITEM[card]] = 1
    return items


@lru_cache(maxsize=4096)
def _offerings(pit: int, owners: tuple[int, ...], players: int) -> Layout:
    """The discs stacked in a pit; a camera sees only the top one."""
    top = len(owners) - 1
    return Counter(
        Item(
            PITS[pit],
            disc_of(owner, players),
            None if owner == players else owner,
            level,
            seen=level == top,
        )
        for level, owner in enumerate(owners)
    )


def disc_of(owner: int, players: int) -> str:
    """The box's kind of an offering; the neutral owner is ``players``."""
    return f"disc {NEUTRAL_COLOUR if owner == players else COLOURS[owner]}"


def supply(state: OpferrouletteState, seat: int) -> Counter[str]:
    """The favourite, offerings not yet placed, those crushed, and the hand face down."""
    placed = state.own_left[seat] + sum(row[seat] for row in state.crushed)
    left = Counter({f"figure {COLOURS[seat]}": 1, f"disc {COLOURS[seat]}": OFFERINGS - placed})
    for owner, number in enumerate(state.crushed[seat]):
        colour = NEUTRAL_COLOUR if owner == state.players else COLOURS[owner]
        left[f"disc {colour}"] += number
    left["card back"] = state.deck.hand_size(seat)
    return +left


def touches(state: OpferrouletteState, move: Move) -> Collection[str]:
    """Sites that ``move`` changes."""
    verb, args = move.verb, move.args
    if move.player is not None:
        if verb == "offer":
            return args
        if verb == "done":
            return ()
        if verb == "fall":
            return (DISCARDS,)
        if verb == "reverse":
            return (str(state.ball), DISCARDS)
        card = CARD[args[0]]
        if card >= NUMBER_CARDS:
            return (DISCARDS,)
        reached = NEXT[state.facing][state.ball][COLOUR[card]]
        return (str(state.ball), str(reached), DISCARDS)
    if verb == "turn":
        hit = [PITS[pit] for pit in pits_hit(state.ball, CARD[args[0]]) if state.pits[pit]]
        return (*hit, "draw-pile", DISCARDS)
    if verb == "draw":
        return ("draw-pile",) if state.deck.pile_size else ("draw-pile", DISCARDS)
    if verb == "start" or CARD[args[-1]] >= NUMBER_CARDS:
        return ()
    if verb == "ball":
        return (str(NUMBER[CARD[args[0]]]), "draw-pile")
    return (PITS[PIT_OF_CARD[CARD[args[1]]]],)
