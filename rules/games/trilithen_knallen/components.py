"""5.1 Components of Trilithen Knallen as tables; everything is a number in here.

Fields 1 … 30 are 0 … 29. A trilithon standing on fields n and n + 1 has the place n - 1, so 30 and
1 are place 29. Day cards d1 … d30 are 0 … 29 like the fields they name. Display cards: n1–n5 are
0 … 4, n7–n11 are 5 … 9, n13–n17 are 10 … 14, t-white … t-red are 15 … 19; so the colour of a
display card is its number mod 5.
"""

from __future__ import annotations

from functools import lru_cache

# 5.1 Components; TK24: colours by seat, two players have two trilithons each.
COLOURS = ("white", "blue", "green", "yellow", "red")
RING = 30
POINTS = 10
HUES = len(COLOURS)

NOBODY = -1


@lru_cache(maxsize=512)
def trilithons_of(chosen: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """TK24: the colours of each seat's trilithons; two players each take a second one."""
    left = [colour for colour in COLOURS if colour not in chosen]
    second = left if len(chosen) == 2 else []
    return tuple(
        tuple(COLOURS.index(colour) for colour in (own, *second[seat : seat + 1]))
        for seat, own in enumerate(chosen)
    )


HAND = {2: 6, 3: 4, 4: 4, 5: 4}

CLOCKWISE, ANTICLOCKWISE = 0, 1
DIRECTIONS = ("cw", "ccw")
STEP = (1, -1)
NEXT = tuple((field + 1) % RING for field in range(RING))
PREVIOUS = tuple((field - 1) % RING for field in range(RING))

# -- cards -----------------------------------------------------------------------------------

DAY = tuple(f"d{n}" for n in range(1, RING + 1))
DAY_CARD = {name: card for card, name in enumerate(DAY)}
NIGHT = tuple(f"n{n}" for n in range(1, 18) if n % 6)
TRILITHONS = tuple(f"t-{colour}" for colour in COLOURS)
DISPLAY = (*NIGHT, *TRILITHONS)
DISPLAY_CARD = {name: card for card, name in enumerate(DISPLAY)}
FIRST_TRILITHON = len(NIGHT)
UNBOUND = -1
"""The card at a spot that was never turned up or looked at."""


def display_of(simple: bool, changing: int) -> list[int]:
    """5.2, 5.7: the cards of the display; TK30: the highest of a colour is replaced."""
    numbers = range(2 * HUES if simple else 3 * HUES)
    highest = numbers[-1] - HUES
    return [
        FIRST_TRILITHON + card % HUES if card > highest and card % HUES < changing else card
        for card in numbers
    ]


SPOTS = tuple(f"A{n}" for n in range(1, len(NIGHT) + 1))
SPOT = {name: spot for spot, name in enumerate(SPOTS)}

# -- what lies on the table ------------------------------------------------------------------

TRACK = tuple(f"track-{n}" for n in range(1, RING + 1))
TRACK_START = "track-start"
PILE, DISCARDS = "draw-pile", "discard-pile"


def front(place: int, direction: int) -> int:
    """The first field ahead of a trilithon."""
    return (place + 2 if direction == 0 else place - 1) % RING
