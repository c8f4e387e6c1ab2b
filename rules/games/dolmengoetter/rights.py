"""Dolmens (7.6): which rights a stone earns, and why one earns none."""

from __future__ import annotations

from rules.core import Objection
from rules.games.dolmengoetter.components import TOP, UNDER
from rules.games.dolmengoetter.state import NOBODY, DolmenState, Right, majority


def put_stone(state: DolmenState, seat: int, place: int) -> list[int]:
    """A stone of ``seat`` goes on a place and opens rights; the full circles without any."""
    state.occ[place] = 1 + seat
    state.free[place] = 0
    state.stones[seat] -= 1
    state.stones_left -= 1
    state.stone = place
    rights: list[Right] = []
    full: list[int] = []
    count, filled, maj, size = state.count, state.filled, state.maj, state.board.size
    for circle in state.board.circles_of[place]:
        row = count[circle]
        row[seat] += 1
        filled[circle] = total = filled[circle] + 1
        if total < 3:
            continue
        most = max(row)
        owner, level = NOBODY, TOP
        if most < total:
            before = maj[circle]
            if row.count(most) == 1:
                # 7.6 Maj: ahead of every other colour. 1 and DG1: it must be new.
                after = row.index(most)
                maj[circle] = after
                if after != before:
                    owner = after
                elif state.bonus and total == size[circle] and after != seat:
                    # 7.6, 3 and DG7: an old majority when somebody else fills the circle.
                    owner = after
            else:
                maj[circle] = NOBODY
                # 7.6, 2 and DG3: the new stone's colour is among the strongest.
                if row[seat] == most and most >= state.tie_min:
                    owner, level = seat, UNDER
        if owner != NOBODY and state.dolmens[owner]:
            rights.append(((owner - seat) % state.players, circle, owner, level))
        elif total == size[circle]:
            full.append(circle)
    if len(rights) > 1:
        # DG6: the mover first, then clockwise.
        rights.sort()
    state.rights = rights
    return full


def why_no_right(state: DolmenState, seat: int, circle: int) -> Objection:
    """Why ``seat`` has no open right in a circle: what the last stone did there (7.6)."""
    name = state.board.circle_ids[circle]
    stone = state.stone
    if stone == NOBODY or circle not in state.board.circles_of[stone]:
        return Objection.of("7.6", "no_new_stone", circle=name, player=seat)
    for _, there, owner, _ in state.rights:
        if there == circle:
            return Objection.of("7.6", "right_of_other", circle=name, owner=owner, player=seat)
    row, total = state.count[circle], state.filled[circle]
    mover = state.occ[stone] - 1
    most = max(row)
    if total < 3:
        return Objection.of("7.6", "too_few_stones", circle=name, number=total)
    if most == total:
        return Objection.of("DG15", "one_colour", circle=name, owner=mover)
    after = state.maj[circle]
    if after != NOBODY:
        before = row[:]
        before[mover] -= 1
        filled = total == state.board.size[circle]
        if after == majority(before) and not (state.bonus and filled and after != mover):
            return Objection.of("DG1", "majority_kept", circle=name, owner=after)
        owner = after
    elif row[mover] < most:
        return Objection.of("DG3", "not_in_tie", circle=name, owner=mover)
    elif most < state.tie_min:
        return Objection.of("DG3", "tie_too_small", circle=name, owner=mover)
    else:
        owner = mover
    if owner != seat:
        return Objection.of("7.6", "right_of_other", circle=name, owner=owner, player=seat)
    return Objection.of("7.6", "right_used", circle=name, player=seat)
