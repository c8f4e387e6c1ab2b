"""The pieces at each site, those in front of players, and the sites that a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rules.core import Item, Layout, Move
from rules.games.rollende_steine.components import COLOURS, GATES, NEUTRAL_SHARE
from rules.games.rollende_steine.state import RollendeSteineState

_BARE_ITEM = tuple(Item(gate, "trilithon") for gate in GATES)

_MARKED_ITEM = tuple(
    tuple(Item(gate, f"trilithon {colour}", seat) for gate in GATES)
    for seat, colour in enumerate(COLOURS)
)

_CUSHION_ITEM = tuple(
    Item("board", f"bar {colour}", seat) for seat, colour in enumerate(COLOURS)
)  # fmt: skip


def layout(state: RollendeSteineState) -> Layout:
    """Gates with the discs in their hollows, and how many cushions lie on the board.

    RS12: gates are things, not fields. Only course ``marked`` says where they stand.
    """
    gates = [
        _MARKED_ITEM[state.scorer[gate]][gate] if state.marked[gate] else _BARE_ITEM[gate]
        for gate in range(len(GATES))
    ]
    if state.course != "marked":
        gates = [item._replace(seen=False) for item in gates]
    layout = Counter(gates)
    for seat, number in enumerate(state.laid):
        if number:
            layout[_CUSHION_ITEM[seat]] = number
    return state.paint.layout(layout)


def supply(state: RollendeSteineState, seat: int) -> Counter[str]:
    """Own discs and cushions, and the neutral discs: of whatever colour they are (RS15), they
    count as the same number of each colour without a player."""
    players = len(state.own)
    chosen = state.paint.colours[:players]
    found = Counter(
        {f"disc {chosen[seat]}": state.own[seat], f"bar {chosen[seat]}": state.cushions[seat]}
    )
    spare = [colour for colour in COLOURS if colour not in chosen]
    left = state.neutral[seat]
    for colour in spare:
        number = min(left, NEUTRAL_SHARE[players] // len(spare))
        found[f"disc {colour}"] += number
        left -= number
    return +found


def touches(_state: RollendeSteineState, move: Move) -> Collection[str]:
    if move.verb == "score":
        return move.args[0].split(",")
    # 4.8: where a cushion lies is not part of the layout, only how many there are.
    return ("board",) if move.verb == "cushion" else ()
