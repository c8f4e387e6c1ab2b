"""6.1 Board, cards and pieces of Opferroulette as tables; everything is a number in here.

Cards: d1 … d30 are 0 … 29, n1 … n30 are 30 … 59, t-white … t-red are 60 … 64. Fields are 1 … 30.
Pits: the day pit of field n is 2n - 2, its night pit 2n - 1.
"""

from __future__ import annotations

# 6.1 Components; OR22: colours by seat, neutral offerings green (of two players only).
COLOURS = ("white", "blue", "green", "yellow", "red")
NEUTRAL_COLOUR = "green"
SEAT = {f"p{seat}": seat for seat in range(len(COLOURS))}
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


def pits_hit(field: int, card: int) -> tuple[int, ...]:
    """6.3: the pits that a fall on a field hits, by the card turned for it."""
    day, night = 2 * (field - 1), 2 * field - 1
    if card >= NUMBER_CARDS:
        return (day, night)
    return (day,) if card < len(DAY) else (night,)
