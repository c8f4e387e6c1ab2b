"""A ram as a picture tells it: its direction, the cards that were turned up in it, and how far it
came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rules.core import Board, Move
from rules.games.trilithen_knallen.components import (
    FIRST_TRILITHON,
    HUES,
    SPOT,
    SPOTS,
    UNBOUND,
)
from rules.games.trilithen_knallen.courses import Course, Ring, next_shows, next_turn, this_turn
from rules.games.trilithen_knallen.moves import FLIP, RAM, SHOW, SWAP
from rules.games.trilithen_knallen.prompts import legal_moves, rides
from rules.games.trilithen_knallen.seen import faces_up, standing, top_card
from rules.games.trilithen_knallen.state import TrilithenState

SOURCES = 2
"""How many spots are followed from which an unknown trilithon card may have come."""


def likely_flips(ring: Ring, board: Board) -> list[Move]:
    """Cards that lie face up, and where the trilithon cards among them may have come from."""
    state = ring.state
    if not _may_be_of_this_ram(ring, board):
        return []
    row, faces = FLIP[state.turn], {SPOT[site]: card for site, card in faces_up(board)}
    right: dict[Move, None] = {}
    wrong: dict[Move, None] = {}
    for spot, card in faces.items():
        if spot >= len(state.up) or (card in state.card and state.up[state.card.index(card)]):
            continue
        fits = card % HUES == state.needed[state.right]
        moves = {row[source]: None for source in _sources(state, card, spot, faces)}
        if fits and not right:
            right = moves
        elif not fits:
            wrong |= moves
    # Two of one colour may have been turned up in either order, and a wrong card comes last.
    return list(right or wrong)


def _sources(
    state: TrilithenState, card: int, spot: int, faces: Mapping[int, int]
) -> Sequence[int]:
    """Places at which a card that lies face up may have been turned up: elsewhere, if a trilithon
    card has changed places with it, or is one (TK31)."""
    if card in state.card:
        return [state.card.index(card)]
    swapped = [other for other, one in faces.items() if one >= FIRST_TRILITHON]
    if card < FIRST_TRILITHON:
        return [spot, *(other for other in swapped if not state.up[other])]
    # What it has changed places with may lie open now where it came from.
    known = [s for s, one in faces.items() if one in state.card and state.card.index(one) != s]
    down = [
        source
        for source, bound in enumerate(state.card)
        if bound == UNBOUND and not state.up[source] and source != spot
    ]
    return [*dict.fromkeys((*(s for s in known if not state.up[s]), *down))][:SOURCES]


def _may_be_of_this_ram(ring: Ring, board: Board) -> bool:
    """True if the cards that lie face up may have been turned up in the ram that is under way.

    Once somebody has played another card this ram is over: by these cards, if they are not that
    player's, and as far as a course leads from which that player goes on.
    """
    state = ring.state
    if not _played_since(state, board):
        return True
    faces = {SPOT[site]: card for site, card in faces_up(board)}
    if any(card >= FIRST_TRILITHON for card in faces.values()):
        return True
    new = {spot: card for spot, card in faces.items() if not state.up[spot]}
    top, hues = top_card(board), new_hues(state, board)
    if top is not None and hues and next_shows(ring, standing(board), top, hues):
        return False
    fresh = [card for spot, card in new.items() if spot not in state.turned_back]
    unread = sum(not board.get(site) for site in SPOTS[: len(state.up)])
    ends = {one.right - state.right for one in _courses(ring, board)}
    ends = ends or {*range(len(state.needed) - state.right + 1)}
    return _end_ram(state, list(new.values()), unread, ends) or _end_ram(state, fresh, unread, ends)


def _played_since(state: TrilithenState, board: Board) -> bool:
    """True if the next player's card lies on the pile."""
    return top_card(board) not in (None, *state.deck.discards[-1:])


def _end_ram(
    state: TrilithenState, cards: Sequence[int], unread: int, ends: Collection[int]
) -> bool:
    """True if ``cards`` and ``unread`` others are all that are needed next, or the first of them
    and a wrong one; so many are right as one of the ``ends`` says."""
    found, needed = Counter(card % HUES for card in cards), state.needed[state.right :]
    for right in ends:
        due = Counter(needed[:right])
        wrong, missing = (found - due).total(), (due - found).total()
        last = right < len(needed)
        if wrong <= last and missing + (last - wrong) <= unread:
            return True
    return False


def likely_rides(ring: Ring, board: Board) -> list[Move]:
    """Rides with which a course ends that leads to where all stand; else none at all."""
    state = ring.state
    found = rides(state)
    # What lies face up in the turn that is under way was not turned back.
    if not _played_since(state, board) and likely_flips(ring, board):
        return []
    reached = {one.right - state.right for one in _courses(ring, board)}
    return [found[number] for number in sorted(reached) or (0,)] if found else []


def likely_rams(ring: Ring, board: Board) -> list[Move]:
    state = ring.state
    ways = {(one.state.rammer, one.way) for one in _courses(ring, board)}
    offered = [(colour, way) for colour, way, _, _ in state.rams]
    leading = [one for one in offered if one in ways]
    return [RAM[state.turn][colour][way] for colour, way in leading or offered[:1]]


def _courses(ring: Ring, board: Board) -> list[Course]:
    """The courses of the ram that lead to where all stand; where there are none, those that lead to
    where the player's own stand: others that moved since have hardly moved these."""
    state, top, seen = ring.state, top_card(board), standing(board)
    courses = this_turn(ring, seen, None)
    if top is not None and _played_since(state, board):
        courses = [*courses, *next_turn(ring, seen, top, new_hues(state, board))]
    own = {colour: seen[colour] for colour in state.own[state.turn] if colour in seen}
    if len(state.survivors()) == 2:
        return courses  # Before a third turn could hide the rest, the same player moves again.
    # A rammer that is not seen tells nothing of how far it came.
    return courses or [one for one in this_turn(ring, own, None) if one.state.rammer in own]


def new_hues(state: TrilithenState, board: Board) -> list[int]:
    """Colours of the cards that lie face up and that the record has face down."""
    down = {SPOTS[spot] for spot, up in enumerate(state.up) if not up}
    return [card % HUES for site, card in faces_up(board) if site in down]


def likely_shows(state: TrilithenState, board: Board) -> list[Move]:
    spot = state.spot
    legal = legal_moves(state)
    faces = {SPOT[site]: card for site, card in faces_up(board)}
    # A trilithon card that lies there now has changed places with the card that lay there.
    moved = faces.get(spot, 0) >= FIRST_TRILITHON
    seen = {c for at, c in faces.items() if moved or c >= FIRST_TRILITHON or at == spot}
    shown = [move for move in (SHOW[spot][card] for card in seen) if move in legal]
    return shown or legal


def likely_swaps(state: TrilithenState, board: Board) -> list[Move]:
    spot, row = state.spot, SWAP[state.turn][state.spot]
    card = state.card[spot]
    there = [SPOT[site] for site, seen in faces_up(board) if seen == card and SPOT[site] != spot]
    return [row[other] for other in there] or legal_moves(state)
