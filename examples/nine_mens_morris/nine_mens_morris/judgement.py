"""The standing of a seat, at a look: stones, mills and what may become one, room, and whose turn it
is."""

from __future__ import annotations

from nine_mens_morris.state import FIELDS, LINES, MILLS_OF, NEXT_TO, NOBODY, MorrisState

# What each is worth (natural-log odds of winning).
STONE = 0.8
MILL = 0.5
"""A closed mill."""
DOUBLE = 1.0
"""A stone of a closed mill that closes another one with its next step (Zwickmühle)."""
TWO = 0.15
"""Two stones on a line, and its third point is free."""
READY = 0.6
"""A mill that can be closed next, while the other is to move and there is another such mill."""
TURN = 1.1
"""… and it is the seat's own turn."""
CROSSING = 0.1
"""While stones are placed: each line that leads away from one."""
ROOM = 0.06
"""A point to go to."""
BLOCKED = 0.15
"""… and this is lost with a stone that cannot move."""
ROOM_TO_FLY = 10
"""Room of a seat that flies: it goes anywhere, with three stones at a time."""

_POINTS = range(len(FIELDS))


def standing(state: MorrisState, seat: int) -> float:
    """Standing of ``seat`` (natural-log odds of winning, as far as its own stones go)."""
    points, own_turn = state.points, state.turn == seat
    placing, stones = state.hand[seat] > 0, state.left(seat)
    flies = state.flying and not placing and stones == 3
    if state.taking and not own_turn:
        stones -= state.taking
    worth = STONE * stones
    ready = 0
    for line in LINES:
        a, b, c = line
        mine = (points[a] == seat) + (points[b] == seat) + (points[c] == seat)
        if mine == 3:
            worth += MILL
            if not placing:
                worth += DOUBLE * sum(_closes_another(points, seat, at) for at in line)
        elif mine == 2:
            free = a if points[a] == NOBODY else b if points[b] == NOBODY else c
            if points[free] != NOBODY:
                continue
            worth += TWO
            near = NEXT_TO[free]
            if placing or flies or any(points[at] == seat and at not in line for at in near):
                ready += 1
    if ready and own_turn and not state.taking:
        worth += TURN
    elif ready > 1:
        worth += READY
    if placing:
        worth += CROSSING * sum(len(NEXT_TO[at]) for at in _POINTS if points[at] == seat)
    return worth + (ROOM * ROOM_TO_FLY if flies else _mobility(points, seat))


def _closes_another(points: bytearray, seat: int, at: int) -> bool:
    """True if the stone on ``at`` closes a mill with its next step."""
    return any(
        points[to] == NOBODY
        and any(points[x] == seat == points[y] and at not in (x, y) for x, y in MILLS_OF[to])
        for to in NEXT_TO[at]
    )


def _mobility(points: bytearray, seat: int) -> float:
    room = blocked = 0
    for at in _POINTS:
        if points[at] == seat:
            free = sum(points[to] == NOBODY for to in NEXT_TO[at])
            room += free
            blocked += not free
    return ROOM * room - BLOCKED * blocked
