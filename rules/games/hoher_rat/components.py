"""2.1 The material of Der Hohe Rat as numbers, and what the box calls it.

Colours are 0 … 4 in the canonical order white, blue, green, yellow, red; black, which only fields
and cards have, is 5. Fields are 0 … 29 for the numbers 1 … 30. A follower (Anhänger) is the number
of its colour, a spokesman (Wortführer) that number plus five. Cards 0 … 31 are those of Pro
(d1 … d30 and two trilithon cards), 32 … 63 those of Contra.
"""

from __future__ import annotations

NONE = -1
"""No field, no piece, no payment."""

COLOURS = ("white", "blue", "green", "yellow", "red")
BLACK = 5
"""Colour of the black fields and cards."""
TRILITHON = 6
"""Colour of a trilithon card, as far as the rules go: none."""

FIELDS = 30
FIELD_NAME = tuple(str(n) for n in range(1, FIELDS + 1))
FIELD_COLOUR = tuple(f % 6 for f in range(FIELDS))
NEXT = tuple((f + 1) % FIELDS for f in range(FIELDS))
LAST = tuple((f - 1) % FIELDS for f in range(FIELDS))
"""The neighbours of a field; HR2: 30 and 1 are neighbours too."""

FACTIONS = ("pro", "contra")
NEITHER = 2
FACTION_COLOURS = ((0, 3), (1, 4))
"""Pro is white and yellow, Contra blue and red."""
SEAT_COLOURS = (0, 1, 3, 4)
"""HR19: colour of p0 … p3 in the game for four."""

FOLLOWERS = 10
ARGUMENTS = 10
"""Pieces of each colour."""

EMPTY = 10
SPOKESMAN = 5
"""Added to a colour, it makes the follower a spokesman."""
PIECE_NAME = (*COLOURS, *(f"{colour}-spokesman" for colour in COLOURS))
PIECE_COLOUR = (*range(5), *range(5), -1)
PIECE_FACTION = (0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 2)
"""Faction of a piece; NEITHER for green, which has no player, and for an empty field."""

DECK = 32
"""Cards of a faction."""
NUMBER_CARDS = 30
CARD_NAME = tuple(
    [f"d{n}" for n in range(1, 31)] + ["t-white", "t-yellow"]  # HR5: which trilithon cards
    + [f"n{n}" for n in range(1, 31)] + ["t-blue", "t-red"]
)  # fmt: skip
CARD_COLOUR = ((*FIELD_COLOUR, TRILITHON, TRILITHON)) * 2
CARD_FIELD = ((*range(FIELDS), -1, -1)) * 2
"""The field a number card names."""
HAND = 3
ARGUMENTS_FOR_SEAT = 3
"""2.4 2. (c): cost of a place on another field of the card's colour."""

HEAP_SITE = ("T1", "T2", "T3", "T4", "T5")
"""HR20: sites of the arguments of each colour."""
ALTAR = "altar"

FIELD_NUMBER = {name: field for field, name in enumerate(FIELD_NAME)}
COLOUR_NUMBER = {name: colour for colour, name in enumerate(COLOURS)}
PIECE_NUMBER = {
    PIECE_NAME[piece]: piece for piece in range(EMPTY) if PIECE_FACTION[piece] != NEITHER
}
CARD_NUMBER = {name: card for card, name in enumerate(CARD_NAME)}


def faction_of(seat: int) -> int:
    """p0 and p2 sit for Pro, p1 and p3 for Contra."""
    return seat & 1


def seat_of(colour: int, players: int) -> int:
    """The owner of the pieces of a colour."""
    if players == 2:
        return PIECE_FACTION[colour]
    return SEAT_COLOURS.index(colour)


def own_colours(seat: int, players: int) -> tuple[int, ...]:
    """The player's own colours."""
    return FACTION_COLOURS[seat] if players == 2 else (SEAT_COLOURS[seat],)


def _box_kind(piece: int) -> str:
    return f"{'figure' if piece >= SPOKESMAN else 'disc'} {COLOURS[PIECE_COLOUR[piece]]}"


BOX_KIND = tuple(_box_kind(piece) for piece in range(EMPTY))
"""The box's kind of each piece."""
