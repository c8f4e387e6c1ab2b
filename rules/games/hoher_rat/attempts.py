"""What hands could try now, allowed or not, so that it can be refused with its reason."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core import Move
from rules.games.hoher_rat import notation
from rules.games.hoher_rat.material import (
    BLACK,
    CARD_COLOUR,
    CARD_FIELD,
    DECK,
    EMPTY,
    FACTION_COLOURS,
    FIELD_COLOUR,
    FIELDS,
    HAND,
    LAST,
    NEXT,
    PIECE_FACTION,
    PIECE_NUMBER,
    SPOKESMAN,
    TRILITHON,
    faction_of,
)
from rules.games.hoher_rat.notation import NONE
from rules.games.hoher_rat.state import RatState


def attempts(state: RatState) -> Iterator[Move]:
    """Any piece to any field it could be meant for, by anybody, and wrong cards too.

    The likelier an attempt the earlier it comes: a reading takes the first that fits. Some come
    twice.
    """
    if state.pending:
        yield from _while_pending(state)
        return
    for seat in range(state.players):
        yield from _persuasions(state, seat)
        yield from _seats(state, seat)
        yield notation.DONE[seat]
        yield notation.PONDER[seat]
        yield from _cards(state, seat)


def _while_pending(state: RatState) -> Iterator[Move]:
    verb, asked = state.pending[-1][:2]
    unseen = state.zones is not None
    for seat in range(state.players):
        yield notation.DONE[seat]
        if verb == "lift":
            yield from notation.LIFT[seat]
        elif verb == "draw":
            if state.turn != NONE:
                yield notation.START[seat]
            if unseen:
                yield notation.DRAW_UNSEEN[seat]
            else:
                yield from notation.DRAW[seat][faction_of(seat) * DECK :][:DECK]
        elif verb == "return":
            if unseen:
                yield notation.RETURN_UNSEEN[seat]
            else:
                hands = (*state.hands[asked], *state.hands[asked - 2])
                yield from (notation.RETURN[seat][card] for card in hands)


def _persuasions(state: RatState, seat: int) -> Iterator[Move]:
    """A follower in the place of any neighbour, paid with whatever it should cost."""
    ring, own = state.ring, state.own(seat)
    standing = [field for field in range(FIELDS) if ring[field] != EMPTY]
    standing.sort(key=lambda field: PIECE_FACTION[ring[field]] != faction_of(seat))
    foreign = FACTION_COLOURS[1 - faction_of(seat)][0]
    mine = seat == state.turn
    for source in standing:
        pays = notation.may_pay(FIELD_COLOUR[source])
        for field in (LAST[source], NEXT[source]):
            for piece in (*own, NONE):
                for pay in pays if mine else pays[:1]:
                    yield notation.persuade(seat, source, field, piece, pay)
            if mine and ring[field] != EMPTY:
                yield notation.persuade(seat, source, field, own[0] + SPOKESMAN, pays[0])
                yield notation.persuade(seat, source, field, own[0], (pays[0] + 1) % 5)
                yield notation.persuade(seat, source, field, foreign, pays[0])
        if mine:
            across = (source + FIELDS // 2) % FIELDS
            yield notation.persuade(seat, source, across, own[0], pays[0])
            for beside in (LAST[source], NEXT[source]):
                pay = notation.may_pay(FIELD_COLOUR[beside])[0]
                yield notation.persuade(seat, beside, source, own[0], pay)


def _seats(state: RatState, seat: int) -> Iterator[Move]:
    """A piece on any field by the card of that number; by the cards in hand on any field."""
    own = state.own(seat)
    spokesmen = tuple(colour + SPOKESMAN for colour in own)
    mine = seat == state.turn
    for field in range(FIELDS):
        free = mine or state.ring[field] == EMPTY
        for piece in (*own, *spokesmen, NONE) if free else spokesmen[-1:]:
            yield notation.seat_move(seat, faction_of(seat) * DECK + field, field, piece)
    if not mine:
        return
    others = [piece for piece in PIECE_NUMBER.values() if piece not in (*own, *spokesmen)]
    for card in _tried_cards(state, seat):
        home = CARD_FIELD[card]
        for piece in others:
            yield notation.seat_move(seat, card, max(home, 0), piece)
        colour = min(CARD_COLOUR[card], 4)
        for field in range(FIELDS):
            yield notation.seat_move(seat, card, field, own[0])
            for piece in (*own, *spokesmen, NONE):
                yield notation.seat_move(seat, card, field, piece, colour)
            if home != NONE and FIELD_COLOUR[field] == FIELD_COLOUR[home]:
                for pay in range(5):
                    yield notation.seat_move(seat, card, field, own[-1], pay)


def _cards(state: RatState, seat: int) -> Iterator[Move]:
    """Discussions that go together and others; consultations."""
    cards = _tried_cards(state, seat)
    foreign = (1 - faction_of(seat)) * DECK
    for card in (*cards, foreign):
        yield notation.discuss(seat, (card,))
        for colour in range(5):
            yield notation.discuss(seat, (card,), (colour,))
        if CARD_COLOUR[card] in (BLACK, TRILITHON):
            for first in range(5):
                for second in range(first, 5):
                    yield notation.discuss(seat, (card,), (first, second))
    for at, card in enumerate(cards):
        for other in cards[at + 1 :]:
            yield notation.discuss(seat, (card, other))
    if len(cards) >= HAND:
        yield notation.discuss(seat, cards[:HAND])
    if state.zones is None:
        yield from (notation.CONSULT[seat][card] for card in (*cards, foreign))
    else:
        yield notation.CONSULT_UNSEEN[seat]


def _tried_cards(state: RatState, seat: int) -> list[int]:
    """Cards somebody may lay down, sorted: his own, and one or two that he cannot have."""
    if state.zones is None:
        hand = list(state.hands[seat])
        strange = [card for card in state.drawable(faction_of(seat)) if card not in hand][:1]
        return sorted(hand + strange)
    # Of the many cards he may have, a few of each sort; every legal move is tried anyway.
    possible = state.holdable(seat)
    deck = range(faction_of(seat) * DECK, (faction_of(seat) + 1) * DECK)
    strange = [card for card in deck if not state.may_hold(seat, card)][:2]
    return sorted({*possible[:1], *possible[-7:], *strange})
