"""A ram as a picture tells it: its direction, the cards that were turned up in it, and how far it
came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from rules.core import Board, Move
from rules.games.trilithen_knallen.components import (
    FIRST_TRILITHON,
    HUES,
    NEXT,
    PREVIOUS,
    RING,
    SPOT,
    SPOTS,
    STEP,
    UNBOUND,
)
from rules.games.trilithen_knallen.moves import FLIP, RAM, SHOW, SWAP
from rules.games.trilithen_knallen.prompts import legal_moves, rides
from rules.games.trilithen_knallen.ramming import advance, announce, strike
from rules.games.trilithen_knallen.seen import Standing, agrees, faces_up, standing, top_card
from rules.games.trilithen_knallen.state import FREE, TrilithenState

Shows = Callable[[TrilithenState, int, int, Standing, Counter[int]], bool]
"""True if a ram of a colour in a direction shows in where all stand, and in the colours of the
cards that lie face up."""

SOURCES = 2
"""How many spots are followed from which an unknown trilithon card may have come."""


def ram_leads_to(
    state: TrilithenState, colour: int, way: int, seen: Mapping[int, int]
) -> bool:  # fmt: skip
    after = state.clone()
    announce(after, colour, way)
    start, fields = after.place_of[colour], len(after.needed) - 1
    for steps in range(fields + 1):
        after.place_of[colour] = (start + STEP[way] * steps) % RING
        if agrees(after, seen):
            return True
    after.place_of[colour] = start
    strike(after)
    return agrees(after, seen)


def likely_flips(state: TrilithenState, board: Board) -> list[Move]:
    """Cards that lie face up, and where the trilithon cards among them may have come from."""
    if not _may_be_of_this_ram(state, board):
        return []
    row = FLIP[state.turn]
    right: dict[Move, None] = {}
    wrong: dict[Move, None] = {}
    for site, card in faces_up(board):
        spot = SPOT[site]
        if spot >= len(state.up) or (state.up[spot] and state.card[spot] == card):
            continue
        fits = card % HUES == state.needed[state.right]
        # TK31: a trilithon card changed places, so it was turned up elsewhere.
        sources = [spot] if card < FIRST_TRILITHON else _sources(state, card, spot)
        for source in sources:
            if not state.up[source]:
                (right if fits else wrong)[row[source]] = None
    # Two of one colour may have been turned up in either order, and a wrong card comes last.
    return list(right)[:1] or list(wrong)


def _may_be_of_this_ram(state: TrilithenState, board: Board) -> bool:
    """True if the cards that lie face up may have been turned up in the ram that is under way.

    Once somebody has played another card this ram is over: by these cards, if they are not that
    player's.
    """
    if top_card(board) in (None, *state.deck.discards[-1:]):
        return True
    faces = {SPOT[site]: card for site, card in faces_up(board)}
    if any(card >= FIRST_TRILITHON for card in faces.values()):
        return True
    new = {spot: card for spot, card in faces.items() if not state.up[spot]}
    fresh = [card for spot, card in new.items() if spot not in state.turned_back]
    unread = sum(not board.get(site) for site in SPOTS[: len(state.up)])
    return _end_ram(state, list(new.values()), unread) or _end_ram(state, fresh, unread)


def _end_ram(state: TrilithenState, cards: Sequence[int], unread: int) -> bool:
    """True if ``cards`` and ``unread`` others are all that are needed next, or the first of them
    and a wrong one."""
    found, needed = Counter(card % HUES for card in cards), state.needed[state.right :]
    for right in range(len(needed) + 1):
        due = Counter(needed[:right])
        wrong, missing = (found - due).total(), (due - found).total()
        last = right < len(needed)
        if wrong <= last and missing + (last - wrong) <= unread:
            return True
    return False


def _sources(state: TrilithenState, card: int, spot: int) -> list[int]:
    if card in state.card:
        return [source for source in (state.card.index(card),) if not state.up[source]]
    down = [
        source
        for source, bound in enumerate(state.card)
        if bound == UNBOUND and not state.up[source] and source != spot
    ]
    return down[:SOURCES]


def likely_rides(state: TrilithenState, board: Board) -> list[Move]:
    """Rides after which the next turn explains all that is seen. Else as far as the rammer has
    come, not at all, or all the way: where it is seen somebody may have pushed it since."""
    found = rides(state)
    if not found:
        return []
    told = told_by_next_turn(state, board, _beginning_shows)
    if told:
        return told
    way, start = STEP[state.direction], state.place_of[state.rammer]
    there = standing(board).get(state.rammer)
    last = len(found) - 1
    come = [
        number for number in range(last) if (start + way * (state.right + number)) % RING == there
    ]
    return [found[number] for number in dict.fromkeys((*come, 0, last))]


def told_by_next_turn(state: TrilithenState, board: Board, shows: Shows) -> list[Move]:
    """The rides with which the ram under way may have ended, its cards turned back, so that a ram
    in the next turn explains where all stand and what lies face up."""
    top, faces = top_card(board), Counter(card % HUES for _, card in faces_up(board))
    if top is None or top in state.deck.discards[-1:] or not faces:
        return []
    seen = standing(board)
    return [
        move
        for number, move in enumerate(rides(state))
        if _turn_shows(_after_ram(state, number), top, seen, faces, shows)
    ]


def _after_ram(state: TrilithenState, further: int) -> TrilithenState:
    """The next player's turn, if so many ``further`` cards were right."""
    after = state.clone()
    if state.right + further == len(state.needed):
        strike(after)
    else:
        advance(after, state.right + further)
    if len(after.survivors()) > 1:
        after.turn = after.next_seat()
    after.placed = ()
    return after


def _turn_shows(
    state: TrilithenState, card: int, seen: Standing, faces: Counter[int], shows: Shows
) -> bool:
    """True if all stand as ``seen`` and the colours ``faces`` lie open after a turn in which
    ``card`` was played and somebody was rammed."""
    for colour in state.placeable(state.turn):
        for start in (card, PREVIOUS[card]):
            if {state.ring[start], state.ring[NEXT[start]]} <= {FREE, colour}:
                after = state.clone()
                after.place_of[colour] = start
                after.settle()
                after.placed = (colour,)
                if any(shows(after, c, way, seen, faces) for c, way, _, _ in after.reaches()):
                    return True
    return False


def _beginning_shows(
    state: TrilithenState, colour: int, way: int, seen: Standing, faces: Counter[int]
) -> bool:
    """True if the first cards of a ram lie face up, and nobody has moved yet."""
    if not agrees(state, seen):
        return False
    after = state.clone()
    announce(after, colour, way)
    number = faces.total()
    return number < len(after.needed) and faces == Counter(after.needed[:number])


def success_shows(
    state: TrilithenState, colour: int, way: int, seen: Standing, faces: Counter[int]
) -> bool:
    """True if all cards of a ram lie face up, and all stand where it has brought them."""
    after = state.clone()
    announce(after, colour, way)
    if faces.total() != len(after.needed) or faces != Counter(after.needed):
        return False
    strike(after)
    return agrees(after, seen)


def likely_rams(state: TrilithenState, board: Board) -> list[Move]:
    seen = standing(board)
    leading = [one for one in state.rams if ram_leads_to(state, one[0], one[1], seen)]
    return [RAM[state.turn][colour][way] for colour, way, _, _ in leading or state.rams]


def likely_shows(state: TrilithenState, board: Board) -> list[Move]:
    spot = state.spot
    legal = legal_moves(state)
    seen = {card for site, card in faces_up(board) if card >= FIRST_TRILITHON or SPOT[site] == spot}
    shown = [move for move in (SHOW[spot][card] for card in seen) if move in legal]
    return shown or legal


def likely_swaps(state: TrilithenState, board: Board) -> list[Move]:
    spot, row = state.spot, SWAP[state.turn][state.spot]
    card = state.card[spot]
    there = [SPOT[site] for site, seen in faces_up(board) if seen == card and SPOT[site] != spot]
    return [row[other] for other in there] or legal_moves(state)
