"""Board, cards and pieces of Opferroulette as tables; everything is a number in here.

Cards: d1 … d30 are 0 … 29, n1 … n30 are 30 … 59, t-white … t-red are 60 … 64. Fields are 1 … 30.
Pits: the day pit of field n is 2n - 2, its night pit 2n - 1.
"""

from __future__ import annotations

from rules.core import Actor, Item, Move
from rules.hidden import UNSEEN

# 6.1 Components; OR22: colours by seat, neutral offerings green (of two players only).
COLOURS = ("white", "blue", "green", "yellow", "red")
NEUTRAL_COLOUR = "green"
OFFERINGS = 10
HAND = 5
FIELDS = 30
BLACK = 0
FIELD_COLOURS = ("black", "white", "blue", "green", "yellow", "red")
"""Colour of a field or number card by its number mod 6."""

CLOCKWISE, ANTICLOCKWISE = 0, 1
FACINGS = ("cw", "ccw")

DAY = tuple(f"d{n}" for n in range(1, FIELDS + 1))
NIGHT = tuple(f"n{n}" for n in range(1, FIELDS + 1))
TRILITHONS = tuple(f"t-{colour}" for colour in COLOURS)
CARDS = (*DAY, *NIGHT, *TRILITHONS)
NUMBER_CARDS = len(DAY) + len(NIGHT)
CARD = {name: card for card, name in enumerate(CARDS)}
NUMBER = tuple(card % FIELDS + 1 for card in range(NUMBER_CARDS))
COLOUR = tuple(number % 6 for number in NUMBER)

PITS = tuple(f"{n}-{half}" for n in range(1, FIELDS + 1) for half in ("day", "night"))
PIT = {name: pit for pit, name in enumerate(PITS)}
PIT_OF_CARD = tuple(
    2 * (number - 1) + (card >= len(DAY)) for card, number in enumerate(NUMBER)
)  # fmt: skip


def _reach(facing: int, start: int, colour: int) -> int:
    step = 1 if facing == CLOCKWISE else -1
    field = start
    while True:
        # OR3: clockwise is ascending, 30 is followed by 1. OR2: the field left does not count.
        field = (field - 1 + step) % FIELDS + 1
        if field % 6 == colour:
            return field


NEXT = tuple(
    tuple(
        tuple(_reach(facing, start, colour) if start else 0 for colour in range(6))
        for start in range(FIELDS + 1)
    )
    for facing in (CLOCKWISE, ANTICLOCKWISE)
)
"""Field the ball rolls to, by facing, field left (0: no ball yet) and colour of the card."""

# -- moves, built once -----------------------------------------------------------------------


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

# -- what lies on the table ------------------------------------------------------------------

BALL_ITEM = tuple(
    tuple(Item(str(field), "figure grey", pose=pose) for field in range(FIELDS + 1))
    for pose in FACINGS
)
BACK_ITEM = Item("draw-pile", "card back", face="down", seen=False)
DISCARD_ITEM = tuple(Item("discard-pile", f"card {card}", seen=False) for card in CARDS)


def offering_items(pit: int, owners: tuple[int, ...], players: int) -> list[Item]:
    """The discs stacked in a pit; a camera sees the top one only."""
    top = len(owners) - 1
    return [
        Item(
            PITS[pit],
            f"disc {NEUTRAL_COLOUR if owner == players else COLOURS[owner]}",
            None if owner == players else owner,
            level,
            seen=level == top,
        )
        for level, owner in enumerate(owners)
    ]
