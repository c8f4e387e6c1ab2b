"""3.1, 3.11 Board, cards and move texts of Erbaut Stonehenge! as tables.

Everything is a number in here. Sites: ring fields 1 … 30 are 0 … 29, D1 … D19 are 30 … 48,
T1 … T5 are 49 … 53. Cards: d1 n1 d2 n2 … d30 n30 are 0 … 59, t-white … t-red are 60 … 64.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.core import Actor, Item, Move
from rules.hidden import UNSEEN

# 3.1 Components. ES25: colours by seat; the first colour nobody plays is the neutral one.
COLOURS = ("white", "blue", "green", "yellow", "red", "black")
BLACK = 5
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
"""Nothing built, no card, no player."""
HIDDEN = -2
"""A card on a real table that nobody may see."""
SUPPLY, LYING, STANDING = -1, -2, -3
"""Where a druid is, if on no site: before his player, or at the altar in one pose."""
DRUID_AT = {SUPPLY: "supply", LYING: "lying", STANDING: "standing"}

EMPTY, FACE_DOWN, OPEN, PILLARS_0, PILLARS_1, PILLARS_2, MARKED = range(7)
"""3.3 How far the project in a yard is."""
STAGE_NAMES = ("", "face-down", "open", "pillars-0", "pillars-1", "pillars-2", "marked")


def is_day(card: int) -> bool:
    """Whether a number card is a day card."""
    return not card & 1


def is_trilithon(card: int) -> bool:
    """Whether a card is a trilithon card."""
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


# -- moves, built once ----------------------------------------------------------------------


class Step(NamedTuple):
    """What a move text says."""

    op: int
    seat: int = NONE
    """Who acts; for what is dealt, who gets it."""
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
"""Step of every move text but thefts, which ``decode`` reads."""


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

# -- what lies on the table -----------------------------------------------------------------

BLOCK_ITEM = {
    players: tuple(
        tuple(
            Item(SITE_NAMES[f], f"bar {COLOURS[owner]}", owner if owner < players else None)
            for f in range(FIELDS)
        )
        for owner in range(players + 1)
    )
    for players in BARS
}
"""By number of players and owner; one more than the last seat are the neutral bars."""
DOLERITE_ITEM = tuple(
    tuple(Item(name, f"disc {COLOURS[p]}", p) for name in SITE_NAMES[FIRST_D:FIRST_T])
    for p in SEATS
)
TRILITHON_ITEM = tuple(
    tuple(
        (Item(name, "trilithon", p), Item(name, f"trilithon {COLOURS[p]}", p))
        for name in SITE_NAMES[FIRST_T:]
    )
    for p in SEATS
)
"""Without and with the disc on the capstone (ES14)."""
DRUID_ITEM = tuple(
    tuple(Item(name, f"figure {COLOURS[p]}", p, pose="standing") for name in SITE_NAMES)
    for p in SEATS
)
ALTAR_ITEM = tuple(
    {at: Item("altar", f"figure {COLOURS[p]}", p, pose=DRUID_AT[at]) for at in (LYING, STANDING)}
    for p in SEATS
)
YARD_CARD_ITEM = tuple(
    tuple(Item(YARDS[p], f"card {name}", p) for name in CARD_NAMES) for p in SEATS
)
YARD_BACK_ITEM = tuple(Item(YARDS[p], "card back", p, face="down") for p in SEATS)
PILLAR_ITEM = tuple(Item(YARDS[p], "pillar", p) for p in SEATS)
CAPSTONE_ITEM = tuple(
    (Item(YARDS[p], "trilithon", p), Item(YARDS[p], f"trilithon {COLOURS[p]}", p)) for p in SEATS
)
DISPLAY_ITEM = tuple(Item("display", f"card {name}") for name in CARD_NAMES)
PILE_ITEM = Item("draw-pile", "card back", face="down")
