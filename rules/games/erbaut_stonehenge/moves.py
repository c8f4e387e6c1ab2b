"""3.11 Every move of Erbaut Stonehenge!, built once, and the step that its text stands for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.core import Actor, Move, MoveSyntaxError
from rules.games.erbaut_stonehenge.components import (
    CARD,
    CARD_NAMES,
    FIRST_T,
    HIDDEN,
    NONE,
    NUMBER_CARDS,
    SEATS,
    SITE_NAMES,
    TRILITHONS,
    YARDS,
    fields_of,
)
from rules.hidden import UNSEEN


class Step(NamedTuple):
    """The meaning of a move text."""

    op: int
    seat: int = NONE
    """Seat that acts; of a dealt card, the seat that gets it."""
    a: int = NONE
    """Card or site; the other player of a theft or sabotage."""
    b: int = NONE
    """Card paid for a theft or sabotage."""
    c: int = NONE
    """Second card paid for a theft."""


(
    OP_BUILD, OP_ATONE, OP_TAKE, OP_DRAW, OP_OCCUPY, OP_DISCARD, OP_PLAY, OP_STEAL, OP_SABOTAGE,
    OP_BLOCKED, OP_DONE, OP_DEAL, OP_DISPLAY, OP_START, OP_SHOW,
) = range(15)  # fmt: skip

STEPS: dict[str, Step] = {}
"""Step of every move text except thefts, which ``decode`` reads."""


def _known(move: Move, op: int, seat: int = NONE, a: int = NONE, b: int = NONE) -> Move:
    STEPS[move.text] = Step(op, seat, a, b)
    return move


def _plain(verb: str, op: int) -> tuple[Move, ...]:
    return tuple(_known(Move.of(p, verb), op, p) for p in SEATS)


def _named(verb: str, op: int, names: tuple[str, ...]) -> tuple[tuple[Move, ...], ...]:
    return tuple(
        tuple(_known(Move.of(p, verb, name), op, p, a) for a, name in enumerate(names))
        for p in SEATS
    )


def _unseen(verb: str, op: int) -> tuple[Move, ...]:
    return tuple(_known(Move.of(p, verb, UNSEEN), op, p, HIDDEN) for p in SEATS)


_NUMBERS = CARD_NAMES[:NUMBER_CARDS]

BUILD_MOVE = _plain("build", OP_BUILD)
ATONE_MOVE = _plain("atone", OP_ATONE)
DRAW_MOVE = _plain("draw", OP_DRAW)
BLOCKED_MOVE = _plain("blocked", OP_BLOCKED)
DONE_MOVE = _plain("done", OP_DONE)
TAKE_MOVE = _named("take", OP_TAKE, CARD_NAMES)
OCCUPY_MOVE = _named("occupy", OP_OCCUPY, SITE_NAMES)
PLAY_MOVE = _named("play", OP_PLAY, _NUMBERS)
PLAY_UNSEEN = _unseen("play", OP_PLAY)
DISCARD_MOVE = _named("discard", OP_DISCARD, _NUMBERS)
DISCARD_UNSEEN = _unseen("discard", OP_DISCARD)
SABOTAGE_MOVE = tuple(
    tuple(
        tuple(
            _known(Move.of(p, "sabotage", f"p{m}", name), OP_SABOTAGE, p, m, card)
            for card, name in enumerate(_NUMBERS)
        )
        for m in SEATS
    )
    for p in SEATS
)
DEAL_MOVE = tuple(
    tuple(
        _known(Move.of(Actor.DEALER, "draw", f"p{p}", name), OP_DEAL, p, card)
        for card, name in enumerate(CARD_NAMES)
    )
    for p in SEATS
)
DEAL_UNSEEN = tuple(
    _known(Move.of(Actor.DEALER, "draw", f"p{p}", UNSEEN), OP_DEAL, p, HIDDEN) for p in SEATS
)
DISPLAY_MOVE = tuple(
    _known(Move.of(Actor.DEALER, "draw", "display", name), OP_DISPLAY, NONE, card)
    for card, name in enumerate(CARD_NAMES)
)
START_MOVE = tuple(_known(Move.of(Actor.DEALER, "start", f"p{p}"), OP_START, p) for p in SEATS)
SHOW_MOVE = tuple(
    tuple(
        _known(Move.of(Actor.TABLE, "show", YARDS[p], name), OP_SHOW, p, card)
        for card, name in enumerate(_NUMBERS)
    )
    for p in SEATS
)

STEAL_UNSEEN = tuple(tuple(Move.of(p, "steal", f"p{m}", UNSEEN) for m in SEATS) for p in SEATS)
"""Physical table: a theft whose price lay open, but not for the record."""
STEPS.update(
    (move.text, Step(OP_STEAL, p, m, HIDDEN, HIDDEN))
    for p, row in enumerate(STEAL_UNSEEN)
    for m, move in enumerate(row)
)

_SEAT = {f"p{seat}": seat for seat in SEATS}


@lru_cache(maxsize=1 << 15)
def steal_move(seat: int, other: int, first: int, second: int) -> Move:
    """``pN steal pM CARD,CARD``; the cards in canonical order."""
    return Move.of(seat, "steal", f"p{other}", f"{CARD_NAMES[first]},{CARD_NAMES[second]}")


@lru_cache(maxsize=1 << 15)
def decode(text: str) -> Step | None:
    """The step a move text stands for, None if no rule knows such a text."""
    if text in STEPS:
        return STEPS[text]
    move = Move.parse(text)
    match move.verb, move.args:
        case "steal", (who, pair) if move.player in SEATS and who in _SEAT:
            cards = [CARD.get(name, NUMBER_CARDS) for name in pair.split(",")]
            other = _SEAT[who]
            if len(cards) == 2 and cards[0] < cards[1] < NUMBER_CARDS and other != move.player:
                assert move.player is not None
                return Step(OP_STEAL, move.player, other, cards[0], cards[1])
    return None


# Moves by sets of free sites: bit i of a mask is the i-th field of the colour, or T(i+1).
OCCUPY_RING = tuple(
    tuple(
        tuple(
            tuple(row[site] for i, site in enumerate(fields_of(colour)) if mask >> i & 1)
            for mask in range(32)
        )
        for colour in range(6)
    )
    for row in OCCUPY_MOVE
)
OCCUPY_TRILITHON = tuple(
    tuple(tuple(row[FIRST_T + i] for i in range(TRILITHONS) if mask >> i & 1) for mask in range(32))
    for row in OCCUPY_MOVE
)


def step_of(move: Move) -> Step:
    """The step a move stands for; raises MoveSyntaxError if no rule knows the move."""
    step = decode(move.text)
    if step is None:
        raise MoveSyntaxError("no_move_of", move=move.text, game="erbaut_stonehenge")
    return step
