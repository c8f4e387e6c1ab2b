"""Moves that may have led to what lies on the table.

A turn leaves few traces: the trilithon stands elsewhere and the card that put it there lies on the
discard pile, until the next one covers it. Of the display a picture shows what still lies face up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log

from rules.core import Board, Boards, Inference, Json, Lies, Move, Thought
from rules.games.trilithen_knallen.components import NEXT, NOBODY, PREVIOUS, RING, STEP, UNBOUND
from rules.games.trilithen_knallen.moves import (
    DONE,
    MEANING,
    PLACE,
    RAM,
    START,
    discard,
)
from rules.games.trilithen_knallen.placing import may_be_stuck, places
from rules.games.trilithen_knallen.prompts import legal_moves
from rules.games.trilithen_knallen.ram_seen import (
    likely_flips,
    likely_rams,
    likely_rides,
    likely_shows,
    likely_swaps,
    ram_leads_to,
    success_shows,
    told_by_next_turn,
)
from rules.games.trilithen_knallen.seen import agrees, faces_up, standing, top_card
from rules.games.trilithen_knallen.state import FREE, Phase, TrilithenState
from rules.games.trilithen_knallen.unfinished import begins, may_lie

MOST_ALIKE = 4
"""How many placements are followed that lead to the same end."""

UNUSUAL = 2.0
"""Natural-log odds against what happens seldom."""

TWICE = UNUSUAL + log(15)
"""The same card of fifteen was turned up, unseen, before the one that is seen."""

FARTHEST = RING // 2
"""No ram reaches farther."""


class TrilithenInference(Inference[TrilithenState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def seconds(self, state: TrilithenState, move: Move) -> float:
        """Every card that is right is turned, looked at and turned back."""
        if move.verb == "ride":
            return 1.0 + 1.5 * int(move.args[0])
        return super().seconds(state, move)

    def may_lie(
        self, state: TrilithenState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        found = {}
        for site in sites:
            kinds = [kind for kind, _ in board[site]]
            if may_lie(state, site, kinds):
                found[site] = Lies.FOR_NOW
            elif begins(state, site, kinds):
                found[site] = Lies.BEGUN
        return found

    def plausible(
        self, state: TrilithenState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """The ``moves`` that may have been made after ``since``, each with what speaks against
        it."""
        offered = set(moves)
        found = [move for move in _likely(state, board, offered) if move in offered]
        if state.phase is Phase.SHOW and since:
            # Whoever turned a card up just now left it as it is seen; what was turned back is a
            # ride.
            seen = {card for _, card in faces_up(board)}
            found = [move for move in found if MEANING[move.text][1] in seen]
        covered = state.phase is not Phase.BARS
        return [
            Thought(
                move, _rarity(state, move, since), _stands_for_many(state, move, board), covered
            )
            for move in found
        ]

    def fitting(
        self, state: TrilithenState, moves: Sequence[Move], boards: Boards
    ) -> Sequence[Move]:
        """The ``moves`` that the picture does not leave in doubt altogether: a card may be
        badly seen, but then nobody concludes that it was turned up."""
        return [
            move
            for move in moves
            if move.verb != "flip"
            or (not _in_doubt(move.args[0], boards) and _came_up(move, boards))
        ]

    def essence(self, state: TrilithenState) -> Json:
        """The part of a position that matters for going on.

        Not what the display hid, for nobody may rely on what was turned back (TK23), and not the
        cards that others have covered: a number on either pillar was as good.
        """
        display = [card if up else UNBOUND for card, up in zip(state.card, state.up, strict=True)]
        ram = (state.rammer, state.direction, state.right) if state.rammer != NOBODY else ()
        return (
            state.phase,
            state.turn,
            state.bars,
            state.place_of,
            state.points,
            state.lives,
            state.won,
            state.placed,
            ram,
            state.spot,
            display,
            state.deck.discards[-1:],
            len(state.deck.discards),
        )

    def told_later(self, states: Sequence[TrilithenState]) -> bool:
        """True if a ram is under way in some of ``states``, and over in others because of the last
        card: the next one that is turned up tells the direction, or the next trilithon."""
        under_way = [state for state in states if state.phase is Phase.FLIP and any(state.up)]
        over = [state for state in states if state.phase is Phase.PEEK or _just_ended(state)]
        return bool(under_way) and len(under_way) + len(over) == len(states)


def _likely(state: TrilithenState, board: Board, offered: Collection[Move]) -> Sequence[Move]:
    """The moves that may have led to ``board``, if they are among the legal ones, ``offered``."""
    phase = state.phase
    if phase is Phase.PLACE:
        return _placings(state, board, offered)
    if phase is Phase.RAM:
        return likely_rams(state, board)
    if phase is Phase.FLIP:
        # Where somebody else's ram explains everything, what lies face up is no part of this one.
        rammed = told_by_next_turn(state, board, success_shows)
        return rammed or likely_flips(state, board) + likely_rides(state, board)
    if phase is Phase.SHOW:
        return likely_shows(state, board)
    if phase is Phase.SWAP:
        return likely_swaps(state, board)
    if phase is Phase.PEEK:
        return [DONE[state.owner(state.target)]]
    if phase is Phase.START:
        return _starts(state, board)
    return legal_moves(state)


def _rarity(state: TrilithenState, move: Move, since: Sequence[Move]) -> float:
    """Cards are seldom turned up and back without being seen, and turns seldom skipped."""
    verb = move.verb
    if verb == "flip":
        # A card that lies face up shows that it was turned up once, and no more than that.
        return TWICE if any(m.verb == "flip" and m.args == move.args for m in since) else 0.0
    unusual = verb in ("ride", "discard") or (verb == "done" and state.phase is Phase.PLACE)
    return UNUSUAL if unusual else 0.0


def _stands_for_many(state: TrilithenState, move: Move, board: Board) -> bool:
    """True if a card that is turned back by now may have been another one, or a trilithon may have
    been placed elsewhere as well: the next player's card covers the number, and it rammed, or may
    have, somebody who has moved since."""
    if move.verb == "show" and state.phase is Phase.SHOW:
        return MEANING[move.text][1] not in {card for _, card in faces_up(board)}
    if move.verb != "place" or state.phase is not Phase.PLACE:
        return False
    _, colour, card, place = MEANING[move.text]
    top, seen = top_card(board), standing(board)
    if top in (None, card, *state.deck.discards[-1:]):
        return False
    after = _placed(state, colour, place)
    rammed = [target for c, _, target, _ in after.reaches() if c == colour]
    # It may have come as far as it stands by a ram, too.
    touching = {state.ring[ahead] for ahead in _ahead(place)} - {FREE, colour}
    stands = seen.get(colour) == place
    both = touching if stands else {*rammed, *touching, *([colour] if rammed else [])}
    moved = any(seen.get(c) not in (None, after.place_of[c]) for c in both)
    return moved and _rams_told(state, colour, board, top) != 1


def _rams_told(state: TrilithenState, colour: int, board: Board, top: int | None) -> int:
    """The number of rams of ``colour`` that lead to where all are seen, but for whoever the card on
    ``top`` has placed since."""
    seen = standing(board)
    rest = {c: place for c, place in seen.items() if c == colour or top not in _fields(place)}
    if colour not in rest or len(rest) == len(seen):
        return 0
    found = 0
    for start in {*_before_a_ram(state, board, colour, rest[colour])}:
        after = _placed(state, colour, start)
        rams = [way for c, way, _, _ in after.reaches() if c == colour]
        found += sum(ram_leads_to(after, colour, way, rest) for way in rams)
    return found


def _placed(state: TrilithenState, colour: int, place: int) -> TrilithenState:
    """``state`` with a trilithon that has just been placed."""
    after = state.clone()
    after.place_of[colour] = place
    after.settle()
    after.placed += (colour,)
    return after


def _is_free(state: TrilithenState, place: int, colour: int) -> bool:
    return {state.ring[place], state.ring[NEXT[place]]} <= {FREE, colour}


def _fields(place: int) -> tuple[int, int]:
    return place, NEXT[place]


def _in_doubt(spot: str, boards: Boards) -> bool:
    kinds = {kind for look in boards.get(spot, ()) for kind, _ in look}
    return "card back" in kinds and len(boards[spot]) > 1


def _came_up(move: Move, boards: Boards) -> bool:
    """True if the card that a flip names is seen."""
    kinds = {kind for look in boards.get(move.args[0], ()) for kind, _ in look}
    return len(move.args) == 1 or f"card {move.args[1]}" in kinds


def _just_ended(state: TrilithenState) -> bool:
    return state.phase is Phase.PLACE and not state.placed and bool(state.turned_back)


def _placings(state: TrilithenState, board: Board, offered: Collection[Move]) -> list[Move]:
    seat, top, seen = state.turn, top_card(board), standing(board)
    rows = PLACE[seat]
    tried: dict[Move, None] = {}
    if top is not None:
        by_top = [move for colour in state.placeable(seat) for move in rows[colour][top]]
        by_top = [move for move in by_top if move in offered]
    else:
        by_top = _shuffled_away(state)
    if by_top:
        whole_turn = [move for move in by_top if _turn_leads_to(state, move, seen)]
        if whole_turn:
            return whole_turn[:MOST_ALIKE]
        tried.update(dict.fromkeys(by_top))
    for colour in state.placeable(seat):
        place = seen.get(colour)
        if place is None:
            continue
        for start in (place, *_before_a_ram(state, board, colour, place)):
            # Either pillar may stand on the number of the card.
            either = rows[colour][start][0], rows[colour][NEXT[start]][1]
            fits = [move for move in either if move in offered]
            # Which of the two it was is seen as long as no other card covers it.
            tried.update(dict.fromkeys(fits if top in _fields(start) else fits[:1]))
    return list(tried) + _skips(state, board)


def _shuffled_away(state: TrilithenState) -> list[Move]:
    """TK16: any card, if those of this turn may have become the pile already."""
    drawn = state.full_hand() - state.deck.hand_size(state.turn) + 1
    return places(state) if state.deck.pile_size < drawn else []


def _skips(state: TrilithenState, board: Board) -> list[Move]:
    seat, top, seen = state.turn, top_card(board), standing(board)
    mine = state.placeable(seat)
    moved = any(state.place_of[c] >= 0 and seen.get(c) != state.place_of[c] for c in mine)
    if moved or not may_be_stuck(state):
        return []
    tried = [DONE[seat]]
    # A card that has put a trilithon down was not thrown away.
    if top is not None and not {top, PREVIOUS[top]} & set(seen.values()):
        tried.append(discard(seat, (top,)))
    if state.placed:
        tried += [RAM[seat][colour][way] for colour, way, _, _ in state.rams]
    return tried


def _turn_leads_to(state: TrilithenState, move: Move, seen: Mapping[int, int]) -> bool:
    """True if all stand where they are ``seen`` when the turn has taken some course."""
    _, colour, _, place = MEANING[move.text]
    after = _placed(state, colour, place)
    if agrees(after, seen):
        return True
    return any(ram_leads_to(after, c, way, seen) for c, way, _, _ in after.reaches())


def _before_a_ram(
    state: TrilithenState, board: Board, colour: int, place: int
) -> Iterable[int]:  # fmt: skip
    """Where it may have materialised, if it stands at ``place`` after ramming somebody who has
    slid away since."""
    for way, ahead in enumerate(_ahead(place)):
        target = state.ring[ahead]
        if target in (FREE, colour):
            continue
        for steps in _slides(board, target, state.place_of[target], way):
            start = (place - STEP[way] * steps) % RING
            if _is_free(state, start, colour):
                yield start


def _ahead(place: int) -> tuple[int, int]:
    """The fields that a trilithon touches, in the directions of a ram."""
    return NEXT[NEXT[place]], PREVIOUS[place]


def _slides(board: Board, target: int, stood: int, way: int) -> Iterable[int]:
    """How far a ram may have reached that pushed a trilithon away from where it stood."""
    seen = standing(board)
    now = seen.get(target)
    if now is None:
        return range(1, FARTHEST)
    slid = (now - stood) * STEP[way] % RING
    # TK7: it may have been stopped by the next one.
    stopped = (now + 2 * STEP[way]) % RING in seen.values()
    return range(slid, FARTHEST if stopped else slid + 1) if 0 < slid < FARTHEST else ()


def _starts(state: TrilithenState, board: Board) -> list[Move]:
    """TK25: the lot is seen by who places first."""
    seen = standing(board)
    return [
        START[seat]
        for seat in range(state.players)
        if not seen.keys().isdisjoint(state.waiting(seat))
    ]
