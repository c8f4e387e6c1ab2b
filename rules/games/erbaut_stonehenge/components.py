"""3.1 Board and cards of Erbaut Stonehenge! as tables.

Everything is a number in here. Sites: ring fields 1 … 30 are 0 … 29, D1 … D19 are 30 … 48,
T1 … T5 are 49 … 53. Cards: d1 n1 d2 n2 … d30 n30 are 0 … 59, t-white … t-red are 60 … 64.
"""

from __future__ import annotations

from rules.hidden import UNSEEN

# 3.1 Components. ES25: colours by seat; the first unused colour is the neutral one.
COLOURS = ("white", "blue", "green", "yellow", "red", "black")
BLACK = 5
PALETTE = COLOURS[:BLACK]
"""The colours that can be played."""
SEATS = range(4)
BARS = {3: 9, 4: 7}
"""Stone blocks of each player, by number of players."""
NEUTRAL_BARS = 10
DISCS = 10
HAND = 3
DISPLAY = 3

FIELDS = 30
DOLERITES = 19
TRILITHONS = 5
FIRST_D = FIELDS
FIRST_T = FIELDS + DOLERITES
SITE_NAMES = (
    *(str(n) for n in range(1, FIELDS + 1)),
    *(f"D{n}" for n in range(1, DOLERITES + 1)),
    *(f"T{n}" for n in range(1, TRILITHONS + 1)),
)
SITES = range(len(SITE_NAMES))
SITE = {name: site for site, name in enumerate(SITE_NAMES)}
YARDS = tuple(f"C{seat + 1}" for seat in SEATS)

NUMBER_CARDS = 2 * FIELDS
CARD_NAMES = (
    *(f"{half}{n}" for n in range(1, FIELDS + 1) for half in "dn"),
    *(f"t-{colour}" for colour in COLOURS[:TRILITHONS]),
)
CARDS = range(len(CARD_NAMES))
CARD = {name: card for card, name in enumerate(CARD_NAMES)}
CARD_COLOUR: tuple[int, ...] = (
    *((card >> 1) % 6 for card in range(NUMBER_CARDS)), *range(TRILITHONS),
)  # fmt: skip
"""The rim colour of a number, the dot of a trilithon card."""

NONE = -1
"""No building, no card, no player."""
HIDDEN = -2
"""A secret card on a real table."""
SUPPLY, LYING, STANDING = -1, -2, -3
"""Places of a druid that is on no site: in front of its player, or at the altar in one pose."""
DRUID_AT = {SUPPLY: "supply", LYING: "lying", STANDING: "standing"}

EMPTY, FACE_DOWN, OPEN, PILLARS_0, PILLARS_1, PILLARS_2, MARKED = range(7)
"""3.3 How far the project in a yard is."""
STAGE_NAMES = ("", "face-down", "open", "pillars-0", "pillars-1", "pillars-2", "marked")


def card_name(card: int) -> str:
    """The name of a card in move texts."""
    return UNSEEN if card == HIDDEN else CARD_NAMES[card]


def is_day(card: int) -> bool:
    """True if a number card is a day card."""
    return not card & 1


def is_trilithon(card: int) -> bool:
    """True if a card is a trilithon card."""
    return card >= NUMBER_CARDS


def fields_of(colour: int) -> range:
    """The ring fields of a colour."""
    return range(colour, FIELDS, 6)


# -- phases --------------------------------------------------------------------------------

(
    DEAL, LAY_OUT, LOT, BUILD, SHOW, REVEALED, DRAW, DEALT, REFILL, PROJECT, OCCUPY, RETURN, END,
    OVER,
) = range(14)  # fmt: skip
PHASE_NAMES = (
    "deal", "lay-out", "lot", "build", "show", "revealed", "draw", "dealt", "refill", "project",
    "occupy", "return", "end", "over",
)  # fmt: skip
"""``revealed`` is the occupying after a face-down card was turned up (ES9 may apply)."""
