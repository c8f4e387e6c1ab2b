"""2.9 Move texts: every move built once, and read back once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from rules.core import Actor, Move
from rules.games.hoher_rat.components import (
    BLACK,
    CARD_COLOUR,
    CARD_NAME,
    CARD_NUMBER,
    COLOUR_NUMBER,
    COLOURS,
    FACTION_COLOURS,
    FIELD_COLOUR,
    FIELD_NAME,
    FIELD_NUMBER,
    FIELDS,
    HAND,
    LAST,
    NEXT,
    NONE,
    PIECE_NAME,
    PIECE_NUMBER,
    SPOKESMAN,
    TRILITHON,
    faction_of,
)
from rules.hidden import UNSEEN

SEATS = range(4)
HIDDEN = -1
"""A secret card."""
UNNAMED, ANOTHER = "cards", "another"
"""Words for unnamed cards: those of a discussion, and the one that paid for a seat."""


class Step(NamedTuple):
    """The meaning of a move text."""

    verb: str
    seat: int
    cards: tuple[int, ...] = ()
    field: int = NONE
    """Field where a piece goes (``seat``, ``persuade``) or comes from (``lift``)."""
    source: int = NONE
    """FROM of a persuasion."""
    piece: int = NONE
    """NONE: no follower is left in supply, one of the ring will be lifted."""
    pay: int = NONE
    """Colour of the arguments paid."""
    colours: tuple[int, ...] = ()
    """Colours named in a discussion."""


# -- reading ------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def decode(text: str) -> Step | None:
    """The step a move text stands for, None if no rule knows such a text."""
    move = Move.parse(text)
    if move.actor is Actor.DEALER:
        return _dealt(move)
    if move.player not in SEATS:
        return None
    seat, args = move.player, move.args
    assert seat is not None
    match move.verb, args:
        case "done" | "ponder", ():
            return Step(move.verb, seat)
        case "consult" | "return", (name,):
            if name == UNSEEN:
                return Step(move.verb, seat, (HIDDEN,))
            return Step(move.verb, seat, (CARD_NUMBER[name],)) if name in CARD_NUMBER else None
        case "lift", (name,) if name in FIELD_NUMBER:
            return Step("lift", seat, field=FIELD_NUMBER[name])
        case "discuss", ("cards", words):
            return _unnamed_discussion(seat, words.split(","))
        case "seat", ("another", field, *rest) if field in FIELD_NUMBER:
            found = _piece_and_pay(rest)
            if found is not None and found[1] != NONE:
                return Step("seat", seat, (HIDDEN,), FIELD_NUMBER[field], NONE, *found)
        case "discuss", (names, *rest) if len(rest) < 2:
            return _discussion(seat, names.split(","), rest[0].split(",") if rest else [])
        case "seat", (card, field, *rest) if card in CARD_NUMBER and field in FIELD_NUMBER:
            found = _piece_and_pay(rest)
            if found is not None:
                return Step(
                    "seat", seat, (CARD_NUMBER[card],), FIELD_NUMBER[field],
                    piece=found[0], pay=found[1],
                )  # fmt: skip
        case "persuade", (source, field, *rest) if (
            source in FIELD_NUMBER and field in FIELD_NUMBER and source != field
        ):
            found = _piece_and_pay(rest)
            if found is not None and found[1] != NONE:
                return Step(
                    "persuade", seat, (), FIELD_NUMBER[field], FIELD_NUMBER[source],
                    piece=found[0], pay=found[1],
                )  # fmt: skip
    return None


def _dealt(move: Move) -> Step | None:
    match move.verb, move.args:
        case "start", (("p0" | "p1" | "p2" | "p3") as who,):
            return Step("start", int(who[1]))
        case "draw", (("p0" | "p1" | "p2" | "p3") as who, name):
            if name == UNSEEN:
                return Step("draw", int(who[1]), (HIDDEN,))
            if name in CARD_NUMBER:
                return Step("draw", int(who[1]), (CARD_NUMBER[name],))
    return None


def _discussion(seat: int, names: list[str], words: list[str]) -> Step | None:
    if not all(name in CARD_NUMBER for name in names) or len(names) > HAND:
        return None
    if not all(word in COLOUR_NUMBER for word in words) or len(words) > 2:
        return None
    cards = tuple(CARD_NUMBER[name] for name in names)
    colours = tuple(COLOUR_NUMBER[word] for word in words)
    # Sets have one canonical order, so that one choice has one text.
    if list(cards) != sorted(set(cards)) or list(colours) != sorted(colours):
        return None
    return Step("discuss", seat, cards, colours=colours)


def _unnamed_discussion(seat: int, words: list[str]) -> Step | None:
    if not all(word in COLOUR_NUMBER for word in words):
        return None
    colours = tuple(COLOUR_NUMBER[word] for word in words)
    if list(colours) != sorted(colours) or not cards_for(colours):
        return None
    return Step("discuss", seat, (HIDDEN,), colours=colours)


def cards_for(colours: Sequence[int]) -> int:
    """Number of cards that bring these arguments in one discussion; 0 if none do."""
    if len(set(colours)) == 1:
        return len(colours) if len(colours) <= HAND else 0
    return 1 if len(colours) == 2 else 0  # A trilithon card.


def _piece_and_pay(rest: list[str]) -> tuple[int, int] | None:
    piece = pay = NONE
    if rest and rest[-1].startswith("pay="):
        colour = rest.pop()[len("pay=") :]
        if colour not in COLOUR_NUMBER:
            return None
        pay = COLOUR_NUMBER[colour]
    if rest:
        name = rest.pop(0)
        if name not in PIECE_NUMBER:
            return None
        piece = PIECE_NUMBER[name]
    return None if rest else (piece, pay)


# -- writing ------------------------------------------------------------------------------


def names_of(cards: Sequence[int]) -> str:
    """Cards as one argument."""
    return ",".join(CARD_NAME[card] for card in cards)


def words_of(colours: Sequence[int]) -> str:
    """Colours as one argument."""
    return ",".join(COLOURS[colour] for colour in colours)


@lru_cache(maxsize=1 << 16)
def discuss(seat: int, cards: tuple[int, ...], colours: tuple[int, ...] = ()) -> Move:
    """``pN discuss CARDS [COLOURS]``."""
    named = (words_of(colours),) if colours else ()
    return Move.of(seat, "discuss", names_of(cards), *named)


@lru_cache(maxsize=1 << 16)
def seat_move(seat: int, card: int, field: int, piece: int, pay: int = NONE) -> Move:
    """``pN seat CARD FIELD [PIECE] [pay=COLOUR]``."""
    return Move.of(seat, "seat", CARD_NAME[card], FIELD_NAME[field], *_tail(piece, pay))


def discuss_unnamed(seat: int, colours: Sequence[int]) -> Move:
    """``pN discuss cards COLOURS``: all that is known is what the cards brought."""
    return Move.of(seat, "discuss", UNNAMED, words_of(sorted(colours)))


def seat_another(seat: int, field: int, piece: int, pay: int) -> Move:
    """``pN seat another FIELD [PIECE] pay=COLOUR``: with another card of the field's colour."""
    return Move.of(seat, "seat", ANOTHER, FIELD_NAME[field], *_tail(piece, pay))


@lru_cache(maxsize=1 << 16)
def persuade(seat: int, source: int, field: int, piece: int, pay: int) -> Move:
    """``pN persuade FROM TO [PIECE] pay=COLOUR``."""
    names = (FIELD_NAME[source], FIELD_NAME[field])
    return Move.of(seat, "persuade", *names, *_tail(piece, pay))


def _tail(piece: int, pay: int) -> tuple[str, ...]:
    words: tuple[str, ...] = () if piece == NONE else (PIECE_NAME[piece],)
    return words if pay == NONE else (*words, f"pay={COLOURS[pay]}")


# Tables of moves. "Masks" say which of a faction's two colours are meant: 1 its first colour,
# 2 its second, 3 both; 0 stands for "no follower left in supply" where a follower is asked for.
Moves = tuple[Move, ...]

DONE = tuple(Move.of(seat, "done") for seat in SEATS)
PONDER = tuple(Move.of(seat, "ponder") for seat in SEATS)
START = tuple(Move.of(Actor.DEALER, "start", f"p{seat}") for seat in SEATS)
DRAW = tuple(tuple(Move.of(Actor.DEALER, "draw", f"p{s}", c) for c in CARD_NAME) for s in SEATS)
DRAW_UNSEEN = tuple(Move.of(Actor.DEALER, "draw", f"p{seat}", UNSEEN) for seat in SEATS)
CONSULT = tuple(tuple(Move.of(seat, "consult", card) for card in CARD_NAME) for seat in SEATS)
CONSULT_UNSEEN = tuple(Move.of(seat, "consult", UNSEEN) for seat in SEATS)
RETURN = tuple(tuple(Move.of(seat, "return", card) for card in CARD_NAME) for seat in SEATS)
RETURN_UNSEEN = tuple(Move.of(seat, "return", UNSEEN) for seat in SEATS)
LIFT = tuple(tuple(Move.of(seat, "lift", field) for field in FIELD_NAME) for seat in SEATS)


def _colours(seat: int, mask: int) -> tuple[int, ...]:
    first, second = FACTION_COLOURS[faction_of(seat)]
    return ((), (first,), (second,), (first, second))[mask]


def _followers(seat: int, mask: int) -> tuple[int, ...]:
    return _colours(seat, mask) or (NONE,)


def _spokesmen(seat: int, mask: int) -> tuple[int, ...]:
    return tuple(colour + SPOKESMAN for colour in _colours(seat, mask))


def _card_for(seat: int, field: int) -> int:
    return faction_of(seat) * 32 + field


SEAT_FREE: tuple[tuple[tuple[tuple[Moves, ...], ...], ...], ...] = tuple(
    tuple(
        tuple(
            tuple(
                tuple(
                    seat_move(seat, _card_for(seat, field), field, piece)
                    for piece in (*_followers(seat, mask), *_spokesmen(seat, spokesmen))
                )
                for field in range(FIELDS)
            )
            for spokesmen in range(4)
        )
        for mask in range(4)
    )
    for seat in SEATS
)
"""``seat`` (a) by seat, mask of followers, mask of spokesmen, field."""

SEAT_SWAP: tuple[tuple[tuple[Moves, ...], ...], ...] = tuple(
    tuple(
        tuple(
            tuple(
                seat_move(seat, _card_for(seat, field), field, piece)
                for piece in _spokesmen(seat, spokesmen)
            )
            for field in range(FIELDS)
        )
        for spokesmen in range(4)
    )
    for seat in SEATS
)
"""``seat`` (b) by seat, mask of spokesmen, field."""

SAME_COLOUR = tuple(
    tuple(f for f in range(FIELDS) if FIELD_COLOUR[f] == FIELD_COLOUR[field] and f != field)
    for field in range(FIELDS)
)
"""The other fields of a field's colour."""


def may_pay(colour: int) -> tuple[int, ...]:
    """Arguments that pay for a field or card colour: black takes any."""
    return tuple(range(5)) if colour == BLACK else (colour,)


SEAT_PAID: tuple[tuple[tuple[tuple[dict[int, Moves], ...], ...], ...], ...] = tuple(
    tuple(
        tuple(
            tuple(
                {
                    other: tuple(
                        seat_move(seat, _card_for(seat, field), other, piece, pay)
                        for piece in _followers(seat, mask)
                    )
                    for other in SAME_COLOUR[field]
                    if pay in may_pay(FIELD_COLOUR[field])
                }
                for pay in range(5)
            )
            for field in range(FIELDS)
        )
        for mask in range(4)
    )
    for seat in SEATS
)
"""``seat`` (c) by seat, mask of followers, the card's field, payment, field."""

PERSUADE: tuple[tuple[tuple[tuple[Moves, ...], ...], ...], ...] = tuple(
    tuple(
        tuple(
            tuple(
                tuple(persuade(seat, source, field, piece, pay) for piece in _followers(seat, mask))
                if pay in may_pay(FIELD_COLOUR[source])
                else ()
                for pay in range(5)
            )
            for source in range(FIELDS)
            for field in (LAST[source], NEXT[source])
        )
        for mask in range(4)
    )
    for seat in SEATS
)
"""``persuade`` by seat, mask of followers, 2 · FROM (+ 1 if TO follows it), payment."""


# 2.4 1. Discuss. The choices of a hand are looked up, since they are needed every turn.


class Discussions(NamedTuple):
    """The cards of a hand that can be discussed with."""

    coloured: Moves
    """Sets with cards of one colour: legal whatever the supply."""
    black: tuple[int, ...]
    trilithons: tuple[int, ...]


@lru_cache(maxsize=1 << 14)
def discussions(seat: int, hand: tuple[int, ...]) -> Discussions:
    """The discussions open to a sorted hand of cards."""
    by_colour: dict[int, list[int]] = {}
    for card in hand:
        by_colour.setdefault(CARD_COLOUR[card], []).append(card)
    black = tuple(by_colour.pop(BLACK, ()))
    trilithons = tuple(by_colour.pop(TRILITHON, ()))
    found: list[Move] = []
    for cards in by_colour.values():
        found += _coloured_discussions(seat, tuple(cards), black)
    return Discussions(tuple(found), black, trilithons)


@lru_cache(maxsize=1 << 14)
def _coloured_discussions(seat: int, cards: tuple[int, ...], black: tuple[int, ...]) -> Moves:
    """Sets of 1–3 cards of a colour and black ones, at least one of them coloured."""
    both = sorted((*cards, *black))
    return tuple(
        discuss(seat, chosen)
        for number in range(1, HAND + 1)
        for chosen in combinations(both, number)
        if not set(chosen).isdisjoint(cards)
    )


@lru_cache(maxsize=1 << 13)
def black_discussions(seat: int, black: tuple[int, ...], room: tuple[int, ...]) -> Moves:
    """Sets of black cards alone, once for every colour with room (HR23)."""
    named: list[tuple[int, ...]] = [(colour,) for colour in range(5) if room[colour]]
    return tuple(
        discuss(seat, cards, colours)
        for number in range(1, HAND + 1)
        for cards in combinations(black, number)
        for colours in named or [()]
    )


@lru_cache(maxsize=1 << 13)
def trilithon_discussions(seat: int, card: int, room: tuple[int, ...]) -> Moves:
    """A trilithon card alone with the colours it may bring (HR23)."""
    return tuple(discuss(seat, (card,), colours) for colours in trilithon_gains(room))


def trilithon_gains(room: Sequence[int]) -> list[tuple[int, ...]]:
    """Two arguments where there is room for two, else one, else none."""
    open_colours = [colour for colour in range(5) if room[colour]]
    pairs = [(a, b) for a in open_colours for b in open_colours if a < b]
    pairs += [(colour, colour) for colour in open_colours if room[colour] > 1]
    return [*pairs] or [(colour,) for colour in open_colours] or [()]


def gains(step: Step) -> list[tuple[int, int]]:
    """Colours and numbers of arguments asked for; HR6 cuts them to the room there is."""
    if step.cards == (HIDDEN,) or {CARD_COLOUR[card] for card in step.cards} == {TRILITHON}:
        return [(colour, step.colours.count(colour)) for colour in dict.fromkeys(step.colours)]
    colours = {CARD_COLOUR[card] for card in step.cards} - {BLACK, TRILITHON}
    named = tuple(colours) or step.colours
    return [(named[0], len(step.cards))] if len(named) == 1 else []
