"""The decision that is due, its legal answers, and everything that hands could try."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.core import Actor, Move, Prompt
from rules.games.hoher_rat.components import (
    ARGUMENTS_FOR_SEAT,
    BLACK,
    CARD_COLOUR,
    CARD_FIELD,
    COLOURS,
    DECK,
    EMPTY,
    FACTION_COLOURS,
    FIELD_COLOUR,
    FIELDS,
    HAND,
    LAST,
    NEXT,
    NONE,
    PIECE_FACTION,
    PIECE_NUMBER,
    SPOKESMAN,
    TRILITHON,
    faction_of,
)
from rules.games.hoher_rat.moves import (
    CONSULT,
    CONSULT_UNSEEN,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    LIFT,
    PERSUADE,
    PONDER,
    RETURN,
    RETURN_UNSEEN,
    SEAT_FREE,
    SEAT_PAID,
    SEAT_SWAP,
    START,
    black_discussions,
    decode,
    discuss,
    discussions,
    may_pay,
    persuade,
    seat_move,
    trilithon_discussions,
)
from rules.games.hoher_rat.state import RatState, find_fronts

_PROMPTS = {
    (code, seat): Prompt(actor, seat, code, rule)
    for code, rule, actor in (
        ("deal", "2.2", Actor.DEALER),
        ("draw", "2.4", Actor.DEALER),
        ("reshuffle", "HR21", Actor.DEALER),
        ("give_back", "2.4", Actor.PLAYER),
        ("lift", "2.7", Actor.PLAYER),
    )
    for seat in range(4)
}
_START_PROMPT = Prompt(Actor.DEALER, None, "start", "HR1")
_TURN_PROMPTS = {
    (code, seat, players): Prompt(
        Actor.PLAYER, seat, code, "2.4",
        (("colours", ",".join(COLOURS[colour] for colour in FACTION_COLOURS[faction_of(seat)])),),
    )
    for code in ("turn", "persuade_or_done")
    for players in (2, 4)
    for seat in range(players)
}  # fmt: skip


def prompt(state: RatState) -> Prompt | None:
    """The decision that is due; None after the end."""
    if state.winner != NONE:
        return None
    if not state.pending:
        code = "persuade_or_done" if state.acted else "turn"
        return _TURN_PROMPTS[code, state.turn, state.players]
    pending = state.pending[-1]
    verb, seat = pending.verb, pending.seat
    if verb == "draw":
        if state.turn == NONE:
            return _PROMPTS["deal", seat]
        # HR21: the table has to reshuffle before this card can be drawn.
        return _PROMPTS["draw" if state.pile_size(seat & 1) else "reshuffle", seat]
    if verb == "start":
        return _START_PROMPT
    return _PROMPTS["give_back" if verb == "return" else "lift", seat]


def legal_moves(state: RatState) -> list[Move]:
    """The right answers: every legal move."""
    if state.winner != NONE:
        return []
    if state.pending:
        return _interruption(state)
    seat = state.turn
    found = [DONE[seat]]
    arguments = state.arguments[seat]
    if any(arguments):
        _add_persuasions(state, seat, arguments, found)
    if not state.acted:
        found.append(PONDER[seat])
        hand = state.holdable(seat)
        _add_discussions(state, seat, hand, found)
        _add_seats(state, seat, hand, found)
        if state.players == 4:
            if state.dealt[seat & 1]:
                row = CONSULT[seat]
                found += [row[card] for card in hand]
            else:
                found.append(CONSULT_UNSEEN[seat])
    return found


def _interruption(state: RatState) -> list[Move]:
    """Legal answers to what interrupts a turn or precedes the first."""
    verb, seat, _, source = state.pending[-1]
    if verb == "draw":
        if not state.dealt[seat & 1]:
            return [DRAW_UNSEEN[seat]]
        row = DRAW[seat]
        return [row[card] for card in state.drawable(seat & 1)]
    if verb == "start":
        return list(START[: state.players])
    if verb == "return":
        if not state.dealt[seat & 1]:
            return [RETURN_UNSEEN[seat]]
        row = RETURN[seat]
        return [row[card] for card in state.hands[seat]]
    # HR14: any of the player's followers but the one that persuades.
    own, row = state.own(seat), LIFT[seat]
    return [row[f] for f, piece in enumerate(state.ring) if piece in own and f != source]


def _add_discussions(state: RatState, seat: int, hand: tuple[int, ...], found: list[Move]) -> None:
    open_to = discussions(seat, hand)
    already = len(found)
    found += open_to.coloured
    if open_to.black or open_to.trilithons:
        room = tuple([min(2, number) for number in state.room(faction_of(seat))])
        if open_to.black:
            found += black_discussions(seat, open_to.black, room)
        for card in open_to.trilithons:
            found += trilithon_discussions(seat, card, room)
    if not state.may_hold_any(seat):
        # Cards that may be in hand one by one need not all be there together.
        found[already:] = [move for move in found[already:] if _together(state, move)]


def _add_seats(state: RatState, seat: int, hand: tuple[int, ...], found: list[Move]) -> None:
    ring, arguments = state.ring, state.arguments[seat]
    followers = state.mask(seat, state.followers)
    spokesmen = state.mask(seat, state.spokesmen)
    for card in hand:
        field = CARD_FIELD[card]
        if field == NONE:
            continue
        if ring[field] == EMPTY:
            found += SEAT_FREE[seat][followers][spokesmen][field]
        elif spokesmen and ring[field] in state.own(seat):
            found += SEAT_SWAP[seat][spokesmen][field]
        colour = CARD_COLOUR[card]
        for pay in range(5) if colour == BLACK else (colour,):
            if arguments[pay] >= ARGUMENTS_FOR_SEAT:
                for other, moves in SEAT_PAID[seat][followers][field][pay].items():
                    if ring[other] == EMPTY:
                        found += moves


def _add_persuasions(
    state: RatState, seat: int, arguments: Sequence[int], found: list[Move]
) -> None:
    if state.fronts is None:
        state.fronts = find_fronts(state)
    rows = PERSUADE[seat][state.mask(seat, state.followers)]
    for place, price, colour in state.fronts[seat & 1]:
        if colour != BLACK:
            if arguments[colour] >= price:
                found += rows[place][colour]
        else:
            for pay in range(5):
                if arguments[pay] >= price:
                    found += rows[place][pay]


def _together(state: RatState, move: Move) -> bool:
    step = decode(move.text)
    return step is not None and state.may_hold(step.seat, *step.cards)


# -- attempts of hands ----------------------------------------------------------------------


def pseudo_moves(state: RatState) -> Iterator[Move]:
    """Any piece to any field it could be meant for, by any player, and wrong cards too.

    The likelier an attempt, the earlier it comes: a reading takes the first that fits. Some come
    twice.
    """
    if state.winner != NONE:
        return
    if state.pending:
        yield from _while_pending(state)
        return
    for seat in range(state.players):
        yield from _persuasions(state, seat)
        yield from _seats(state, seat)
        yield DONE[seat]
        yield PONDER[seat]
        yield from _cards(state, seat)


def _while_pending(state: RatState) -> Iterator[Move]:
    verb, asked = state.pending[-1][:2]
    for seat in range(state.players):
        unseen = not state.dealt[seat & 1]
        yield DONE[seat]
        if verb == "lift":
            yield from LIFT[seat]
        elif verb == "draw":
            if state.turn != NONE:
                yield START[seat]
            if unseen:
                yield DRAW_UNSEEN[seat]
            else:
                yield from DRAW[seat][faction_of(seat) * DECK :][:DECK]
        elif verb == "return":
            if unseen:
                yield RETURN_UNSEEN[seat]
            else:
                hands = (*state.hands[asked], *state.hands[asked - 2])
                yield from (RETURN[seat][card] for card in hands)


def _persuasions(state: RatState, seat: int) -> Iterator[Move]:
    """A follower in the place of any neighbour, paid with whatever it should cost."""
    ring, own = state.ring, state.own(seat)
    standing = [field for field in range(FIELDS) if ring[field] != EMPTY]
    standing.sort(key=lambda field: PIECE_FACTION[ring[field]] != faction_of(seat))
    foreign = FACTION_COLOURS[1 - faction_of(seat)][0]
    mine = seat == state.turn
    for source in standing:
        pays = may_pay(FIELD_COLOUR[source])
        for field in (LAST[source], NEXT[source]):
            for piece in (*own, NONE):
                for pay in pays if mine else pays[:1]:
                    yield persuade(seat, source, field, piece, pay)
            if mine and ring[field] != EMPTY:
                yield persuade(seat, source, field, own[0] + SPOKESMAN, pays[0])
                yield persuade(seat, source, field, own[0], (pays[0] + 1) % 5)
                yield persuade(seat, source, field, foreign, pays[0])
    if mine:
        for source in standing:
            pays = may_pay(FIELD_COLOUR[source])
            across = (source + FIELDS // 2) % FIELDS
            yield persuade(seat, source, across, own[0], pays[0])
            for beside in (LAST[source], NEXT[source]):
                pay = may_pay(FIELD_COLOUR[beside])[0]
                yield persuade(seat, beside, source, own[0], pay)


def _seats(state: RatState, seat: int) -> Iterator[Move]:
    """A piece on any field by the card of that number; by the cards in hand on any field."""
    own = state.own(seat)
    spokesmen = tuple(colour + SPOKESMAN for colour in own)
    mine = seat == state.turn
    for field in range(FIELDS):
        free = mine or state.ring[field] == EMPTY
        for piece in (*own, *spokesmen, NONE) if free else spokesmen[-1:]:
            yield seat_move(seat, faction_of(seat) * DECK + field, field, piece)
    if not mine:
        return
    others = [piece for piece in PIECE_NUMBER.values() if piece not in (*own, *spokesmen)]
    for card in _tried_cards(state, seat):
        home = CARD_FIELD[card]
        for piece in others:
            yield seat_move(seat, card, max(home, 0), piece)
        colour = min(CARD_COLOUR[card], 4)
        for field in range(FIELDS):
            yield seat_move(seat, card, field, own[0])
            for piece in (*own, *spokesmen, NONE):
                yield seat_move(seat, card, field, piece, colour)
            if home != NONE and FIELD_COLOUR[field] == FIELD_COLOUR[home]:
                for pay in range(5):
                    yield seat_move(seat, card, field, own[-1], pay)


def _cards(state: RatState, seat: int) -> Iterator[Move]:
    """Discussions that go together and others; consultations."""
    cards = _tried_cards(state, seat)
    foreign = (1 - faction_of(seat)) * DECK
    for card in (*cards, foreign):
        yield discuss(seat, (card,))
        for colour in range(5):
            yield discuss(seat, (card,), (colour,))
        if CARD_COLOUR[card] in (BLACK, TRILITHON):
            for first in range(5):
                for second in range(first, 5):
                    yield discuss(seat, (card,), (first, second))
    for at, card in enumerate(cards):
        for other in cards[at + 1 :]:
            yield discuss(seat, (card, other))
    if len(cards) >= HAND:
        yield discuss(seat, (*cards[:HAND],))
    if state.dealt[seat & 1]:
        yield from (CONSULT[seat][card] for card in (*cards, foreign))
    else:
        yield CONSULT_UNSEEN[seat]


def _tried_cards(state: RatState, seat: int) -> list[int]:
    """Cards that a player may lay down, sorted: their own, and one or two that they cannot have."""
    if state.dealt[seat & 1]:
        hand = list(state.hands[seat])
        strange = [card for card in state.drawable(faction_of(seat)) if card not in hand][:1]
        return sorted(hand + strange)
    # Of the many cards they may have, a few of each sort; every legal move is tried anyway.
    possible = state.holdable(seat)
    deck = range(faction_of(seat) * DECK, (faction_of(seat) + 1) * DECK)
    strange = [card for card in deck if not state.may_hold(seat, card)][:2]
    return sorted({*possible[:1], *possible[-7:], *strange})
