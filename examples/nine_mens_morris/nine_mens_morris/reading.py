"""What a picture of the board tells of turns that nobody saw: stones that came back, went on, or
were taken where they had just been laid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nine_mens_morris.state import FIELD, FIELDS, LINES, NEXT_TO, NOBODY, MorrisState
from rules.core import Board, Move

__all__ = ["implied", "leads_there"]

FEW = 4
"""So many stones that may have gone to and fro are followed: it comes to the same."""
BY_WAY_OF = 2.0
"""What speaks against a stone having been where it was neither before nor is now (natural-log
odds)."""
KINDS = {"stone white": 0, "stone black": 1}

_POINTS = range(len(FIELDS))


def implied(state: MorrisState, moves: Sequence[Move], board: Board) -> list[Move]:
    """Those of ``moves`` of which later ones leave no trace, where ``board`` shows that the other
    has gone on."""
    seat, lies = state.turn, _lies(board)
    if lies == state.points:
        return []
    if state.taking:
        return _laid_anew(state, moves, lies)
    come = [at for at in _POINTS if lies[at] == seat != state.points[at]]
    if state.hand[seat]:
        return _moved_on(state, moves, lies, come) if come else _taken_again(state, moves, lies)
    return [] if come else _to_and_fro(state, moves, lies)


def leads_there(
    state: MorrisState, moves: Sequence[Move], board: Board, *, flies: bool, before: bool
) -> Iterator[tuple[Move, float]]:
    """Those of the ``moves`` of stones that may have led to ``board``, each with what speaks
    against it: to where one lies now, or nearer to it, or where it was taken; there and back only
    if nothing else explains it.

    ``flies``: whether the seat may fly; ``before``: whether it has moved since the record, too.
    """
    seat, lies = state.turn, _lies(board)
    come = [at for at in _POINTS if lies[at] == seat != state.points[at]]
    lost = state.points.count(seat) > lies.count(seat)
    back = set(implied(state, moves, board))
    for move in moves:
        start, to = (FIELD[site] for site in move.args)
        if move in back:
            # Whoever flies may have come by way of another point instead.
            if not (flies and before):
                yield move, 0.0
        elif lies[to] == seat:
            yield move, 0.0 if lies[start] != seat else BY_WAY_OF
        elif lies[start] != seat and (
            lost or any(flies or _STEPS[to][at] < _STEPS[start][at] for at in come)
        ):
            yield move, BY_WAY_OF


def _to_and_fro(state: MorrisState, moves: Sequence[Move], lies: bytes) -> list[Move]:
    """1.3: a stone goes where it will come back from. If the other has lost a stone it closes a
    mill there, or here again; here it may do so just now, before a stone is taken."""
    seat = state.turn
    taken = state.points.count(1 - seat) > lies.count(1 - seat)
    plain: list[Move] = []
    there: list[Move] = []
    here: list[Move] = []
    for move in moves:
        start, to = (FIELD[site] for site in move.args)
        if lies[start] != seat or lies[to] != NOBODY:
            continue
        after = state.clone()
        after.shift(start, to)
        found = there if after.mills_at(to) else here if state.mills_at(start) else plain
        found.append(move)
    return [*there, *here] if taken else [*plain[:FEW], *here[:FEW]]


def _moved_on(
    state: MorrisState, moves: Sequence[Move], lies: bytes, come: Sequence[int]
) -> list[Move]:
    """1.3: the last stone, placed beside where it lies now."""
    if state.hand[state.turn] > 1:
        return []
    return [
        move
        for move in moves
        if lies[FIELD[move.args[0]]] == NOBODY
        and set(come).intersection(NEXT_TO[FIELD[move.args[0]]])
    ]


def _taken_again(state: MorrisState, moves: Sequence[Move], lies: bytes) -> list[Move]:
    """1.4: a stone is placed, and taken by the mill that the other closes then."""
    seat, points = state.turn, state.points
    closed = any(
        all(lies[at] == 1 - seat for at in line) and any(points[at] == NOBODY for at in line)
        for line in LINES
    )
    if not closed or points.count(seat) > lies.count(seat):
        return []
    return [move for move in moves if lies[FIELD[move.args[0]]] == NOBODY][:FEW]


def _laid_anew(state: MorrisState, moves: Sequence[Move], lies: bytes) -> list[Move]:
    """1.4: a stone is taken, and the other places the next one there."""
    other = 1 - state.turn
    if not state.hand[other] or state.points.count(other) > lies.count(other):
        return []
    return [move for move in moves if lies[FIELD[move.args[0]]] == other][:FEW]


def _lies(board: Board) -> bytes:
    """Whose stone was seen at each point."""
    return bytes(KINDS[board[site][0][0]] if board.get(site) else NOBODY for site in FIELDS)


def _steps_from(start: int) -> bytes:
    """How many steps away each point is."""
    steps, at = {start: 0}, [start]
    for here in at:
        for to in NEXT_TO[here]:
            if to not in steps:
                steps[to] = steps[here] + 1
                at.append(to)
    return bytes(steps[point] for point in _POINTS)


_STEPS = tuple(map(_steps_from, _POINTS))
