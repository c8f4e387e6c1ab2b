"""Every move of Opferroulette (6.3), built once."""

from __future__ import annotations

from rules.core import Actor, Move
from rules.games.opferroulette.components import CARDS, COLOURS, PITS
from rules.hidden import UNSEEN


def _table(verb: str) -> tuple[tuple[Move, ...], ...]:
    return tuple(tuple(Move.of(p, verb, card) for card in CARDS) for p in range(len(COLOURS)))


ROLL, ROLL_FALL, FALL, REVERSE = (_table(v) for v in ("roll", "roll-fall", "fall", "reverse"))
DONE = tuple(Move.of(p, "done") for p in range(len(COLOURS)))
PUT = tuple(tuple(Move.of(p, "offer", pit) for pit in PITS) for p in range(len(COLOURS)))
OFFER = tuple(
    tuple(Move.of(Actor.DEALER, "offer", f"p{p}", card) for card in CARDS)
    for p in range(len(COLOURS))
)
OFFER_NEUTRAL = tuple(Move.of(Actor.DEALER, "offer", "neutral", card) for card in CARDS)
BALL = tuple(Move.of(Actor.DEALER, "ball", card) for card in CARDS)
DRAW = tuple(
    tuple(Move.of(Actor.DEALER, "draw", f"p{p}", card) for card in CARDS)
    for p in range(len(COLOURS))
)
DRAW_UNSEEN = tuple(Move.of(Actor.DEALER, "draw", f"p{p}", UNSEEN) for p in range(len(COLOURS)))
START = tuple(Move.of(Actor.DEALER, "start", f"p{p}") for p in range(len(COLOURS)))
TURN = tuple(Move.of(Actor.DEALER, "turn", card) for card in CARDS)
