"""What the ring tells of a turn: which moves can have led to it, and what went before them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rules.core import Board, Boards, Inference, Lies, Move, Thought
from rules.games.hoher_rat.components import (
    ARGUMENTS_FOR_SEAT,
    BOX_KIND,
    COLOURS,
    EMPTY,
    FIELD_COLOUR,
    FIELD_NAME,
    HAND,
    HEAP_SITE,
    LAST,
    NEXT,
    NONE,
    PIECE_COLOUR,
    PIECE_FACTION,
    PIECE_NUMBER,
    SPOKESMAN,
    faction_of,
    own_colours,
    seat_of,
)
from rules.games.hoher_rat.legality import others_for
from rules.games.hoher_rat.moves import (
    Step,
    cards_for,
    decode,
    discuss_unnamed,
    may_pay,
    seat_another,
    seat_move,
)
from rules.games.hoher_rat.state import RatState

PERSUADED_BACK = 1.0
"""What was persuaded is hardly ever persuaded back before anybody looks."""
MOST_NAMED = 4
"""A question has at most so many answers; beside the field's own card there may be four others."""
_PIECE = {BOX_KIND[piece]: piece for piece in PIECE_NUMBER.values()}
_VISIBLE = frozenset({"persuade", "seat"})


class RatInference(Inference[RatState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def plausible(
        self, state: RatState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """The moves that can have led to ``board``, and what speaks against each (natural log)."""
        changed, alone = _changed(state, board), len(moves) == 1
        # A follower is lifted and seated by one hand.
        lifts = state.turn != NONE and not state.has_follower(state.turn)
        if state.pending:
            for move in _answers(state, moves, changed):
                lifted = lifts and move.verb == "seat" and len(move.args) == 2
                yield Thought(move, covered=alone or lifted)
            return
        for move in moves:
            if move.verb == "done":
                yield Thought(move, covered=True)
            elif move.verb in _VISIBLE and (against := _against(state, move, changed)) is not None:
                lifted = lifts and move.verb == "seat" and len(move.args) == 2
                yield Thought(move, against, covered=alone or lifted)
        yield from _paid_seats(state, changed)
        # Nobody had a whole further turn of which nothing else shows.
        if sum(move.verb == "done" for move in since) < state.players:
            open_ended = _any_of(state, changed)
            for move in discussed(state, board):
                yield Thought(move, guessed=move in open_ended, covered=True)

    def fitting(self, state: RatState, moves: Sequence[Move], boards: Boards) -> Sequence[Move]:
        """The ``moves``, right or wrong, whose piece lies there, or was perhaps persuaded."""
        seen = {
            field: {_PIECE.get(look[0][0], EMPTY) if look else EMPTY for look in boards[name]}
            for field, name in enumerate(FIELD_NAME)
            if name in boards
        }
        return [move for move in moves if _may_lie(decode(move.text), seen)]

    def unentered(self, state: RatState) -> Iterable[RatState]:
        """After some discussions anybody may be in turn, with every argument there is room for."""
        if state.pending:
            return
        for seat in range(state.players):
            then = state.clone()
            then.turn, then.acted, then.unnamed = seat, False, ()
            then.deal_anew()
            for colour, room in enumerate(state.room(faction_of(seat))):
                # The heap is seen, and something is left of it.
                then.take(seat, colour, max(0, min(room, then.heap[colour] - 1)))
            yield then

    def may_lie(
        self, state: RatState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        """Heaps of arguments do not lie exactly on themselves: more than the uppermost shows. And
        nobody is judged while a piece is in the hand."""
        lifted = {FIELD_NAME[f] for f, now in _changed(state, board).items() if now == EMPTY}
        found = dict.fromkeys(lifted.intersection(sites), Lies.UNJUDGED)
        for site in {*HEAP_SITE}.intersection(sites):
            if _shows_more(state, site, board[site]):
                found[site] = Lies.FOR_NOW
        return found


def _may_lie(step: Step | None, seen: Mapping[int, Collection[int]]) -> bool:
    if step is None or step.verb not in _VISIBLE or step.piece == NONE or step.field not in seen:
        return True
    others = 1 - faction_of(step.seat)
    return any(p == step.piece or PIECE_FACTION[p] == others for p in seen[step.field])


def _shows_more(state: RatState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
    colour = HEAP_SITE.index(site)
    of_heap = all(kind == f"bar {COLOURS[colour]}" for kind, _ in seen)
    return of_heap and 0 < len(seen) <= state.heap[colour]


def discussed(state: RatState, board: Board) -> list[Move]:
    """Discussions that must have gone before what lies there: they bring what a persuasion takes,
    or the last argument of a heap."""
    if state.pending or (state.acted and not state.unnamed):
        return []
    room = state.room(faction_of(state.turn))
    found = {}
    for colour, site in enumerate(HEAP_SITE):
        left = state.heap[colour]
        if 0 < left <= min(HAND, room[colour]) and not board.get(site):
            found[(colour,) * left] = left
    for _, way in _missing(state, _changed(state, board)):
        found.update({colours: len(colours) for colours in way})
    likely = sorted(found, key=found.__getitem__)
    return [
        discuss_unnamed(state.turn, colours)
        for colours in likely
        if cards_for((*state.unnamed, *colours))
    ]


def _any_of(state: RatState, changed: dict[int, int]) -> set[Move]:
    """Discussions in whose place another one would have done as well, such as for arguments of any
    colour, or for a piece that was persuaded first: of a persuasion nobody sees what was paid, and
    from where."""
    found: set[Move] = set()
    for field, ways in _missing(state, changed):
        way = set(ways)
        beside = (changed.get(source, EMPTY) for source in (LAST[field], NEXT[field]))
        if len(way) > 1 or any(_is_own(state, piece) for piece in beside):
            found.update(discuss_unnamed(state.turn, colours) for colours in way)
    return found


def _missing(
    state: RatState, changed: dict[int, int]
) -> Iterator[tuple[int, Iterable[tuple[int, ...]]]]:
    """The field of each persuasion that shows, and the arguments of which some are missing for
    it."""
    room = state.room(faction_of(state.turn))
    for field, piece in changed.items():
        if _is_own(state, piece) and PIECE_FACTION[state.ring[field]] == 1 - state.turn % 2:
            yield field, _needed(state, field, room)


def _changed(state: RatState, board: Board) -> dict[int, int]:
    """The pieces on fields that the record has otherwise, EMPTY where none lies."""
    found = {}
    for field, before in enumerate(state.ring):
        look = board.get(FIELD_NAME[field], ())
        piece = _PIECE.get(look[0][0], EMPTY) if look else EMPTY
        if piece != before:
            found[field] = piece
    return found


def _is_own(state: RatState, piece: int) -> bool:
    return piece != EMPTY and state.turn != NONE and state.owns(state.turn, piece)


def _answers(state: RatState, moves: Sequence[Move], changed: dict[int, int]) -> list[Move]:
    """A follower that was lifted has left its field, and who begins has put something down."""
    verb = state.pending[-1].verb
    if verb == "lift":
        gone = {FIELD_NAME[field] for field, piece in changed.items() if piece == EMPTY}
        return [move for move in moves if move.args[0] in gone] or list(moves)
    if verb == "start":
        seats = {
            f"p{seat_of(PIECE_COLOUR[piece], state.players)}"
            for piece in changed.values()
            if piece != EMPTY
        }
        return [move for move in moves if move.args[0] in seats] or list(moves)
    return list(moves)


def _against(state: RatState, move: Move, changed: dict[int, int]) -> float | None:
    """What speaks against a move that shows; None if it cannot have been made."""
    step = decode(move.text)
    if step is None or step.field not in changed:
        return None
    if step.verb == "seat" and step.pay != NONE:
        return None  # See ``_paid_seats``.
    seen = changed[step.field]
    if seen == step.piece or (step.piece == NONE and _is_own(state, seen) and seen < SPOKESMAN):
        return 0.0
    if seen == EMPTY:
        return None
    # It may lie there no more.
    turned = PIECE_FACTION[seen] == 1 - faction_of(step.seat)
    return PERSUADED_BACK if step.verb == "persuade" or turned else None


def _paid_seats(state: RatState, changed: dict[int, int]) -> Iterator[Thought]:
    """2.4 2. (c): a follower on another field of the card's colour, perhaps persuaded since."""
    if state.acted:
        return
    seat = state.turn
    for field, seen in changed.items():
        others = others_for(state, seat, field) if state.ring[field] == EMPTY else []
        paid = [
            pay
            for pay in may_pay(FIELD_COLOUR[field])
            if state.arguments[seat][pay] >= ARGUMENTS_FOR_SEAT
        ]
        named = others if len(others) < MOST_NAMED else others[: MOST_NAMED - 2]
        for placed, against in _seated(state, seen) if others and paid else ():
            if len(paid) == 1:
                cards = (seat_move(seat, card, field, placed, paid[0]) for card in named)
                yield from (Thought(move, against) for move in cards)
            if len(paid) > 1 or named != others:
                another = (seat_another(seat, field, placed, pay) for pay in paid)
                yield from (Thought(move, against) for move in another)


def _seated(state: RatState, seen: int) -> Iterator[tuple[int, float]]:
    """Followers whose seating may have led to what is ``seen`` on an empty field, and what speaks
    against each."""
    if seen < SPOKESMAN and _is_own(state, seen):
        yield seen if state.has_follower(state.turn) else NONE, 0.0
    elif PIECE_FACTION[seen] == 1 - faction_of(state.turn):
        own = own_colours(state.turn, state.players)
        yield from ((colour, PERSUADED_BACK) for colour in own if state.followers[colour])


def _needed(state: RatState, field: int, room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The arguments that are missing for persuading the piece on a field, the fewest first."""
    for source in (LAST[field], NEXT[field]):
        if PIECE_FACTION[state.ring[source]] != faction_of(state.turn):
            continue
        price = state.price(source, field)
        missing = [
            (number, colour)
            for colour in may_pay(FIELD_COLOUR[source])
            if (number := price - state.arguments[state.turn][colour]) <= min(HAND, room[colour])
        ]
        for number, colour in sorted(missing):
            if number > 0:
                yield (colour,) * number
