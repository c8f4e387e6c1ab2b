"""7.11 What may have happened without a trace, and what hands have still to end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress, islice

from rules.core import Board, Inference, Lies, Move, Thought
from rules.core.inference import lifted
from rules.games.dolmengoetter.components import COLOURS, TOP, UNKNOWN
from rules.games.dolmengoetter.layout import layout
from rules.games.dolmengoetter.state import ACTION, RIGHTS, START, STONE, DolmenState


class DolmenInference(Inference[DolmenState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def plausible(
        self, state: DolmenState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """A refusal looks like a dolmen of any value that was counted and put away at once."""
        covered = _covered(state, moves, board)
        for move in moves:
            keeps = state.phase == RIGHTS and move.verb == "keep"
            counted = keeps and _is_counted(state, state.board.circle[move.args[0]], board)
            yield Thought(move, guessed=counted, covered=move in covered)

    def may_lie(
        self, state: DolmenState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        """7.10: a dolmen of a later player, while an earlier one still decides, is waited for."""
        if state.phase == ACTION:
            return lifted(state, sites, board, partial(_ways_of_druids, state, sites))
        if state.phase != RIGHTS:
            return {}
        asked = state.rights[0][2]
        later = {
            (state.board.circle_ids[circle], state.paint.kind(f"dolmen {COLOURS[owner]} back"))
            for _, circle, owner, _ in state.rights
            if owner != asked
        }
        return {
            site: Lies.BEGUN for site in sites
            if len(board[site]) == 1 and (site, board[site][0][0]) in later
        }  # fmt: skip


def _ways_of_druids(state: DolmenState, sites: Collection[str]) -> Iterator[Move]:
    """Walks and flights of a player's own druids from some ``sites``: of those to where all lies as
    it should one stands for all. Nothing else is lifted: stones and dolmens come from in front of
    the players."""
    tables, free, seat, places = state.tables, state.free, state.turn, state.board.place
    here = [places[site] for site in sites if site in places]
    elsewhere = (place for place in compress(range(len(places)), free) if place not in here)
    there = [*(place for place in here if free[place]), *islice(elsewhere, 1)]
    for place in state.druids[seat]:
        if place in here:
            for row in (tables.walks(seat, place), tables.flights(seat, place)):
                yield from (row[to] for to in there)


def _covered(state: DolmenState, moves: Sequence[Move], board: Board) -> list[Move]:
    """7.10: the next player's druid closes what is still open, one decision after the other, and
    the first druid of all tells who begins."""
    if state.phase == START:
        return _beginners(state, moves, board)
    if state.phase == STONE:
        return [move for move in moves if move.verb == "keep"]
    if state.phase != RIGHTS:
        return []
    if len(state.rights) > 1 and not _druid_has_moved(state, board):
        return []
    _, circle, owner, level = state.rights[0]
    closing = [state.tables.refuse[owner][circle]]
    if not _scores_at_once(state, circle) and _shows_nothing(state, circle, owner, level):
        closing.append(state.tables.dolmen[owner][circle][level][UNKNOWN])
    return closing


def _beginners(state: DolmenState, moves: Sequence[Move], board: Board) -> list[Move]:
    """7.4: druids are placed one each in turn, so nobody has more than whoever began."""
    number = Counter(kind for seen in board.values() for kind, _ in seen)
    seats = COLOURS[: state.players]
    druids = [number[state.paint.kind(f"druid {colour}")] for colour in seats]
    most = max(druids)
    return [move for move in moves if most and druids[int(move.args[0][1:])] == most]


def _shows_nothing(state: DolmenState, circle: int, owner: int, level: int) -> bool:
    """7.11: a dolmen under a pile, or on top of the owner's own colour."""
    pile = state.piles[circle]
    return bool(pile) and (level != TOP or pile[0][0] == owner)


def _is_counted(state: DolmenState, circle: int, board: Board) -> bool:
    """True if a dolmen put there would have been counted by now: nothing of the pile lies on the
    full circle."""
    if _scores_at_once(state, circle):
        return True
    stones = [any(kind.startswith("stone") for kind, _ in board.get(place, ()))
              for place in state.board.circles[state.board.circle_ids[circle]]]  # fmt: skip
    return all(stones) and not board.get(state.board.circle_ids[circle])


def _scores_at_once(state: DolmenState, circle: int) -> bool:
    return state.filled[circle] == state.board.size[circle]


def _druid_has_moved(state: DolmenState, board: Board) -> bool:
    """True if a druid stands elsewhere or has lain down; not every picture tells a pose."""
    poses = {(item.site, item.kind): item.pose for item in state.paint.layout(layout(state))}
    return any(
        (site, kind) not in poses or (pose and pose != poses[site, kind])
        for site, seen in board.items()
        for kind, pose in seen
        if kind.startswith("druid")
    )
