"""1.5 When a line is controlled, and what an early claim on hidden stones proves (KN7)."""

from __future__ import annotations

from rules.core import Move
from rules.games.knizia_stonehenge.components import FIELDS_OF, UNKNOWN
from rules.games.knizia_stonehenge.moves import CLAIM
from rules.games.knizia_stonehenge.state import KniziaState


def claims(state: KniziaState, seat: int) -> list[Move]:
    """The lines that ``seat`` may claim."""
    row = CLAIM[seat]
    if state.hidden:
        return [row[line] for line in state.open_lines if controls(state, seat, line)]
    # The same as ``controls``, for all lines at once and for speed.
    mine, theirs = state.sums[seat], state.sums[1 - seat]
    free, last, reach = state.free, state.last, state.reach[1 - seat]
    found = []
    for line in state.open_lines:
        a, b = mine[line], theirs[line]
        if a >= b:
            k = free[line]
            if k:
                if a >= b + reach[k]:
                    found.append(row[line])
            elif a > b or last[line] != seat:
                found.append(row[line])
    return found


def controls(state: KniziaState, seat: int, line: int) -> bool:
    """True if ``seat`` may claim ``line``, as far as the claimant can know."""
    mine, theirs = state.sums[seat][line], state.sums[1 - seat][line]
    k = state.free[line]
    if k == 0:
        # 1.5 a: on equal sums the player who placed the last stone on the line loses it.
        if any(state.value[f] == UNKNOWN for f in FIELDS_OF[line]):
            return False
        return mine > theirs or (mine == theirs and state.last[line] != seat)
    if not state.hidden:
        # 1.5 b: equality is enough, since the opponent would have to place the last stone.
        return mine >= theirs + state.reach[1 - seat][k]
    return state.early and _best_proof(state, seat, line) >= worst(state, seat, line)


def worst(state: KniziaState, seat: int, line: int) -> int:
    """KN7: the most the opponent of ``seat`` could reach, whatever their hidden stones are."""
    other = 1 - seat
    unknown = len(state.face_down_on(line, other))
    unknown += min(state.free[line], state.stones_left(other))
    return visible_sum(state, other, line) + sum(state.unseen(other)[:unknown])


def visible_sum(state: KniziaState, seat: int, line: int) -> int:
    """The sum of the stones of ``seat`` on a line that lie face up."""
    return sum(
        state.value[f] for f in FIELDS_OF[line] if state.owner[f] == seat and state.faceup[f]
    )


def _best_proof(state: KniziaState, seat: int, line: int) -> int:
    """KN7: the most the claimant's stones on the line can show."""
    shown = visible_sum(state, seat, line)
    own = state.face_down_on(line, seat)
    if state.zones is None:
        return shown + sum(state.value[f] for f in own)
    return shown + sum(state.unseen(seat)[: len(own)])
