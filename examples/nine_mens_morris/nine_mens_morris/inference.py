"""Reads unseen turns from a picture of the board: stones that came back, went on, or were taken
where they had just been laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from nine_mens_morris.state import FIELD, FIELDS, LINES, NEXT_TO, NOBODY, MorrisState
from rules.core import Board, Inference, Json, Move

FEW = 4
"""Number of stones that may have gone to and fro and are followed: more come to the same."""
BY_WAY_OF = 2.0
"""Evidence against a stone having been where it was neither before nor is now (natural-log
odds)."""
TO_AND_FRO = 7.0
"""Evidence against several turns taken back while stones are moved (natural-log odds)."""
KINDS = {"stone white": 0, "stone black": 1}

_POINTS = range(len(FIELDS))


class MorrisInference(Inference[MorrisState]):
    """Inference of a match from pictures of the table, and of what hands have still to end."""

    def implied(self, state: MorrisState, moves: Sequence[Move], board: Board) -> list[Move]:
        """Steps without a trace, where ``board`` shows that the other has gone on. Every other one
        shows, even where there is only one."""
        seat, lies = state.turn, _lies(board)
        if lies == state.points:
            return []
        if state.taking:
            return _laid_anew(state, moves, lies)
        come = [at for at in _POINTS if lies[at] == seat != state.points[at]]
        if state.hand[seat]:
            return _moved_on(state, moves, lies, come) if come else _taken_again(state, moves, lies)
        return [] if come else _to_and_fro(state, moves, lies)

    def plausible(
        self, state: MorrisState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[tuple[Move, float]]:
        if state.taking or state.hand[state.turn]:
            return ((move, 0.0) for move in moves)
        flies, seat = state.flies(state.turn), state.turn
        before = any(move.player == seat for move in since)
        back = set(self.implied(state, moves, board))
        # Whoever flies may have come by way of another point instead.
        sure = not (flies and before)
        return _leads_there(state, moves, board, back, flies=flies, sure=sure)

    def unfinished(self, state: MorrisState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        """NM7: the player to move has lifted a stone of their own; it was not taken."""
        at = FIELD.get(site)
        return at is not None and not seen and not state.over and state.points[at] == state.turn

    def halfway(self, state: MorrisState, board: Board) -> bool:
        """1.4: whether the stone that a mill will take was lifted before the mill is closed, and
        perhaps the stone that will close it too."""
        lies = Counter((at, seen[0][0]) for at, seen in board.items() if seen and at in FIELD)
        must = Counter((item.site, item.kind) for item in state.layout())
        gone = must - lies
        if state.over or state.taking or lies - must or not 0 < gone.total() <= 2:
            return False
        for move in state.legal_moves():
            after = state.clone()
            after.apply(move)
            if not after.taking:
                continue
            lifted = {*(move.args[:-1])}
            may_go = {FIELDS[at] for at in after.takeable(1 - state.turn)}
            left = {site for site, _ in gone} - lifted
            if len(left) <= after.taking and left <= may_go:
                return True
        return False

    def taken_back(self, state: MorrisState, moves: Sequence[Move]) -> float:
        """1.3: once all are placed, stones go to and fro, and the other's move stands."""
        own_only = len({move.player for move in moves}) == 1
        return super().taken_back(state, moves) if own_only or any(state.hand) else TO_AND_FRO

    def essence(self, state: MorrisState) -> Json:
        """Position without how often it came about."""
        return [state.key(), state.hand, state.taking, state.over]


def _leads_there(
    state: MorrisState,
    moves: Sequence[Move],
    board: Board,
    back: set[Move],
    *,
    flies: bool,
    sure: bool,
) -> Iterator[tuple[Move, float]]:
    """The ``moves`` of stones that may have led to ``board``, each with the evidence against it: to
    where one lies now, or nearer to it, or where it was taken; there and back only if nothing else
    explains it.

    ``back``: those that go there and back, ``sure``: which are tried; ``flies``: whether the
    seat may fly.
    """
    seat, lies = state.turn, _lies(board)
    come = [at for at in _POINTS if lies[at] == seat != state.points[at]]
    lost = state.points.count(seat) > lies.count(seat)
    for move in moves:
        start, to = (FIELD[site] for site in move.args)
        if move in back:
            if sure:
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
    """Owner of the stone that was seen at each point."""
    return bytes(KINDS[board[site][0][0]] if board.get(site) else NOBODY for site in FIELDS)


def _steps_from(start: int) -> bytes:
    """Number of steps to each point."""
    steps, at = {start: 0}, [start]
    for here in at:
        for to in NEXT_TO[here]:
            if to not in steps:
                steps[to] = steps[here] + 1
                at.append(to)
    return bytes(steps[point] for point in _POINTS)


_STEPS = tuple(map(_steps_from, _POINTS))
