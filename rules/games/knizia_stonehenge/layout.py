"""The pieces at each site, those in front of players, and the sites that a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rules.core import Item, Layout, Move
from rules.games.knizia_stonehenge.components import COLOURS, FIELDS, LINE_IDS, MEGALITHS, VALUES
from rules.games.knizia_stonehenge.state import NOBODY, KniziaState

_STONE_ITEM = tuple(
    tuple(tuple(Item(f, f"stone {c} {v}", p) for f in FIELDS) for v in range(7))
    for p, c in enumerate(COLOURS)
)
_BACK_ITEM = tuple(
    tuple(Item(f, f"stone {c} back", p, face="down") for f in FIELDS) for p, c in enumerate(COLOURS)
)
_MEGALITH_ITEM = tuple(
    tuple(Item(line, f"megalith {c}", p) for line in LINE_IDS) for p, c in enumerate(COLOURS)
)


def layout(state: KniziaState) -> Layout:
    """The pieces at each site; supplies are not part of it."""
    items: list[Item] = []
    owner, value = state.owner, state.value
    for f in state.order:
        seat = owner[f]
        # A stone that must still be shown by hand lies face down until then.
        if state.faceup[f]:
            items.append(_STONE_ITEM[seat][value[f]][f])
        else:
            items.append(_BACK_ITEM[seat][f])
    items += [
        _MEGALITH_ITEM[seat][line] for line, seat in enumerate(state.claimed) if seat != NOBODY
    ]
    return state.paint.layout(Counter(items))


def supply(state: KniziaState, seat: int) -> Counter[str]:
    """Stones and megaliths that a player has still to put down."""
    colour = state.paint.colours[seat]
    left = Counter({f"megalith {colour}": MEGALITHS - state.megaliths[seat]})
    if state.hidden:
        left[f"stone {colour} back"] = state.stones_left(seat)
    else:
        for value in VALUES:
            left[f"stone {colour} {value}"] = state.count[seat][value]
    return +left


def touches(move: Move) -> Collection[str]:
    """Sites that ``move`` changes, with open stones; hidden ones turn others up."""
    return move.args[1:] if move.verb == "place" else move.args
