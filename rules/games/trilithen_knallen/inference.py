"""Moves that may have led to what lies on the table.

A turn leaves few traces: the trilithon stands elsewhere and the card that put it there lies on the
discard pile, until the next one covers it. Of the display a picture shows what still lies face up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log

from rules.core import Board, Boards, Inference, Json, Lies, Move, Thought
from rules.games.trilithen_knallen.components import NEXT, NOBODY, PREVIOUS, RING, SPOT, UNBOUND
from rules.games.trilithen_knallen.courses import (
    Course,
    Ring,
    next_turn,
    placed,
    skip_leads,
    this_turn,
)
from rules.games.trilithen_knallen.moves import (
    DONE,
    MEANING,
    PLACE,
    RAM,
    START,
    discard,
)
from rules.games.trilithen_knallen.placing import may_be_stuck
from rules.games.trilithen_knallen.prompts import legal_moves
from rules.games.trilithen_knallen.ram_seen import (
    likely_flips,
    likely_rams,
    likely_rides,
    likely_shows,
    likely_swaps,
    new_hues,
)
from rules.games.trilithen_knallen.seen import faces_up, standing, top_card
from rules.games.trilithen_knallen.state import FREE, Phase, TrilithenState
from rules.games.trilithen_knallen.unfinished import begins, may_lie

MOST_TURNS = 3
"""The number of turns of which no course leads to what is seen that are followed."""

UNUSUAL = 2.0
"""Natural-log odds against what happens seldom."""

TWICE = UNUSUAL + log(15)
"""The same card of fifteen was turned up, unseen, before the one that is seen."""


class TrilithenInference(Inference[TrilithenState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def may_lie(
        self, state: TrilithenState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        found: dict[str, Lies] = {}
        for site in sites:
            kinds = [kind for kind, _ in board[site]]
            if may_lie(state, site, kinds):
                found[site] = Lies.FOR_NOW
            elif begins(state, site, kinds):
                # All cards that are turned back begin the same end of a ram.
                ending = site in SPOT and Lies.BEGUN in found.values()
                found[site] = Lies.FOR_NOW if ending else Lies.BEGUN
        return found

    def plausible(
        self, state: TrilithenState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """The ``moves`` that may have been made after ``since``, each with what speaks against
        it."""
        offered, ring = set(moves), Ring.of(state)
        found = [move for move in _likely(ring, board, offered, since) if move in offered]
        if state.phase is Phase.SHOW and since:
            # Whoever turned a card up just now left it as it is seen; what was turned back is a
            # ride.
            seen = {card for _, card in faces_up(board)}
            found = [move for move in found if MEANING[move.text][1] in seen]
        covered = state.phase is not Phase.BARS
        return [
            Thought(
                move,
                _rarity(state, move, since),
                _stands_for_many(ring, move, board),
                covered,
                _seconds(move),
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


def _likely(
    ring: Ring, board: Board, offered: Collection[Move], since: Sequence[Move]
) -> Sequence[Move]:
    """The moves that may have led to ``board``, if they are among the legal ones, ``offered``."""
    state, phase = ring.state, ring.state.phase
    if phase is Phase.PLACE:
        return _placings(ring, board, offered, sum(move.verb == "place" for move in since))
    if phase is Phase.RAM:
        return likely_rams(ring, board)
    if phase is Phase.FLIP:
        return likely_flips(ring, board) + likely_rides(ring, board)
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
    if verb == "place":
        # The record has had it played before: one of the two was another one.
        unusual = MEANING[move.text][2] in state.deck.discards
    return UNUSUAL if unusual else 0.0


def _seconds(move: Move) -> float | None:
    """Every card that is right is turned, looked at and turned back."""
    return 1.0 + 1.5 * int(move.args[0]) if move.verb == "ride" else None


def _stands_for_many(ring: Ring, move: Move, board: Board) -> bool:
    """True if a card that is turned back by now may have been another one, or a trilithon may have
    been placed elsewhere as well: it rammed, or may have, somebody who has moved since, and no
    course of two turns explains where all stand."""
    state = ring.state
    if move.verb == "show" and state.phase is Phase.SHOW:
        return MEANING[move.text][1] not in {card for _, card in faces_up(board)}
    if move.verb != "place" or state.phase is not Phase.PLACE:
        return False
    _, colour, card, place = MEANING[move.text]
    top, seen = top_card(board), standing(board)
    if top in (None, card, *state.deck.discards[-1:]):
        return False
    touching = {state.ring[field] for field in (NEXT[NEXT[place]], PREVIOUS[place])}
    moved = (seen.get(c) not in (None, state.place_of[c]) for c in touching - {FREE, colour})
    if seen.get(colour) == place and not any(moved):
        return False
    return not (this_turn(ring, seen, None) or (top is not None and next_turn(ring, seen, top, ())))


def _in_doubt(spot: str, boards: Boards) -> bool:
    kinds = {kind for look in boards.get(spot, ()) for kind, _ in look}
    return "card back" in kinds and len(boards[spot]) > 1


def _came_up(move: Move, boards: Boards) -> bool:
    """True if the card that a flip names is seen."""
    kinds = {kind for look in boards.get(move.args[0], ()) for kind, _ in look}
    return len(move.args) == 1 or f"card {move.args[1]}" in kinds


def _placings(ring: Ring, board: Board, offered: Collection[Move], before: int) -> list[Move]:
    """Placements with which a course of this turn begins or, if none came ``before``, a course of
    this one and the next; else those by the card on top, and those that left a trilithon where it
    stands."""
    state, top, seen = ring.state, top_card(board), standing(board)
    seat = state.turn
    if top is not None and [top] == state.deck.discards[-2:-1]:
        return []  # Nobody goes on before the last card lies there.
    played = None if top in state.deck.discards[-1:] else top
    own = state.placeable(seat)
    by_top = [
        move
        for colour in own
        for move in (PLACE[seat][colour][played] if played is not None else ())
        if move in offered
    ]
    stand = [(colour, seen[colour]) for colour in own if colour in seen]
    now = by_top if len(state.waiting(seat)) < 2 and by_top else offered
    found = _beginning(this_turn(ring, seen, played if by_top else None), seat)
    found = [move for move in found if move in now]
    if played is not None and not before:
        # Or that card is the next player's.
        earlier = _beginning(next_turn(ring, seen, played, new_hues(state, board)), seat)
        found += [move for move in earlier if move in offered and move not in by_top]
    if not found and before < MOST_TURNS:
        either = [move for colour, place in stand for move in _either(seat, colour, place)]
        found = [*(() if before else by_top), *(move for move in either if move in offered)]
        found += _skips(state, seen, top)
        if not before and played is not None and len(state.survivors()) == 2:
            # The third turn is the same player's again: what stood there meanwhile is gone.
            found += _gone_since(state, seen, offered)
    return [*dict.fromkeys(found)]


def _gone_since(
    state: TrilithenState, seen: Mapping[int, int], offered: Collection[Move]
) -> list[Move]:
    """For each trilithon that has moved one placement that nobody sees any more, in the way of
    nobody and ramming nobody, if there is any: it stands for all of them."""
    seat = state.turn
    standing = {field for place in seen.values() for field in (place, NEXT[place])}
    free = [place for place in range(RING) if standing.isdisjoint((place, NEXT[place]))]
    found = []
    for colour in state.placeable(seat):
        if seen.get(colour) != state.place_of[colour]:
            moves = (
                PLACE[seat][colour][place][0]
                for place in free
                if not placed(state, colour, place).reaches()
            )
            found += [move for move in moves if move in offered][:1]
    return found


def _beginning(courses: Sequence[Course], seat: int) -> list[Move]:
    """The placements with which ``courses`` begin."""
    begun = dict.fromkeys((one.colour, one.start) for one in courses)
    return [move for colour, start in begun for move in _either(seat, colour, start)]


def _either(seat: int, colour: int, place: int) -> tuple[Move, Move]:
    """Either pillar may stand on the number of the card."""
    rows = PLACE[seat][colour]
    return rows[place][0], rows[NEXT[place]][1]


def _skips(state: TrilithenState, seen: Mapping[int, int], top: int | None) -> list[Move]:
    seat = state.turn
    if state.placed:
        rams = [RAM[seat][colour][way] for colour, way, _, _ in state.rams]
        return [DONE[seat], *rams] if may_be_stuck(state) else []
    if top is None or not skip_leads(state, seen, top) or not may_be_stuck(state):
        return []
    # A card that has put a trilithon down was not thrown away.
    thrown = not {top, PREVIOUS[top]} & set(seen.values())
    return [DONE[seat], *([discard(seat, (top,))] if thrown else [])]


def _starts(state: TrilithenState, board: Board) -> list[Move]:
    """TK25: the lot is seen by who places first."""
    seen = standing(board)
    return [
        START[seat]
        for seat in range(state.players)
        if not seen.keys().isdisjoint(state.waiting(seat))
    ]
