"""The move texts of Trilithen Knallen (5.9), each built once, and what their words mean.

``MEANING`` gives the numbers behind a text: seat first for players' moves, then the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from rules.core import Actor, Move
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DAY,
    DAY_CARD,
    DIRECTIONS,
    DISPLAY,
    HUES,
    NEXT,
    PREVIOUS,
    RING,
    SPOTS,
)
from rules.hidden import UNSEEN

MEANING: dict[str, tuple[int, ...]] = {}
"""Numbers behind each move text except ``discard``, which has too many sets for a table.

bar: field, colour · draw: seat, card · start: seat · place: seat, colour, card, place on the
ring · ram: seat, colour, direction · flip, peek: seat, spot; of an illegal flip also the card
· show: spot, card ·
swap: seat, spot, spot · ride: seat, right cards · done: seat. An unseen card is -1.
"""

SEATS = range(HUES)


def _word(move: Move, *meaning: int) -> Move:
    MEANING[move.text] = meaning
    return move


# Set-up.
BAR = tuple(
    tuple(
        _word(Move.of(Actor.DEALER, "bar", f + 1, name), f, c) for c, name in enumerate(COLOURS)
    )
    for f in range(RING)
)  # fmt: skip
DRAW = tuple(
    tuple(_word(Move.of(Actor.DEALER, "draw", f"p{s}", name), s, c) for c, name in enumerate(DAY))
    for s in SEATS
)
DRAW_UNSEEN = tuple(_word(Move.of(Actor.DEALER, "draw", f"p{s}", UNSEEN), s, -1) for s in SEATS)
START = tuple(_word(Move.of(Actor.DEALER, "start", f"p{s}"), s) for s in SEATS)

# Play.
PLACE = tuple(
    tuple(
        tuple(
            (
                _word(Move.of(s, "place", colour, DAY[n], NEXT[n] + 1), s, c, n, n),
                _word(Move.of(s, "place", colour, DAY[n], PREVIOUS[n] + 1), s, c, n, PREVIOUS[n]),
            )
            for n in range(RING)
        )
        for c, colour in enumerate(COLOURS)
    )
    for s in SEATS
)
"""By seat, colour and card: the other pillar on the next field, or on the previous one."""
RAM = tuple(
    tuple(
        tuple(_word(Move.of(s, "ram", colour, way), s, c, w) for w, way in enumerate(DIRECTIONS))
        for c, colour in enumerate(COLOURS)
    )
    for s in SEATS
)
FLIP = tuple(tuple(_word(Move.of(s, "flip", a), s, i) for i, a in enumerate(SPOTS)) for s in SEATS)
FLIPPED = tuple(
    tuple(
        tuple(_word(Move.of(s, "flip", a, name), s, i, c) for c, name in enumerate(DISPLAY))
        for i, a in enumerate(SPOTS)
    )
    for s in SEATS
)
"""Physical table: a card turned up against the rules, and what it is."""
PEEK = tuple(tuple(_word(Move.of(s, "peek", a), s, i) for i, a in enumerate(SPOTS)) for s in SEATS)
SHOW = tuple(
    tuple(_word(Move.of(Actor.DEALER, "show", a, name), i, c) for c, name in enumerate(DISPLAY))
    for i, a in enumerate(SPOTS)
)
SHOW_UNSEEN = tuple(
    _word(Move.of(Actor.DEALER, "show", a, UNSEEN), i, -1) for i, a in enumerate(SPOTS)
)
SWAP = tuple(
    tuple(
        tuple(_word(Move.of(s, "swap", a, b), s, i, j) for j, b in enumerate(SPOTS))
        for i, a in enumerate(SPOTS)
    )
    for s in SEATS
)
"""By seat and both spots; those of a spot with itself are never handed out."""
for _seat in SEATS:
    for _spot in range(len(SPOTS)):
        del MEANING[SWAP[_seat][_spot][_spot].text]
RIDE = tuple(
    tuple(_word(Move.of(s, "ride", n), s, n) for n in range(len(DISPLAY) + 1)) for s in SEATS
)
"""Physical table: this many further cards were right, unseen by the record; all are turned back."""
DONE = tuple(_word(Move.of(s, "done"), s) for s in SEATS)


@lru_cache(maxsize=1 << 15)
def discard(seat: int, cards: tuple[int, ...]) -> Move:
    """The move that lays ``cards``, ascending, on the discard pile."""
    return Move.of(seat, "discard", ",".join(DAY[card] for card in cards))


def discarded(move: Move) -> tuple[int, ...] | None:
    """The cards of a ``discard``; None if its text is not in the canonical form."""
    names = move.args[0].split(",") if len(move.args) == 1 else []
    if not names or any(name not in DAY_CARD for name in names):
        return None
    cards = tuple(DAY_CARD[name] for name in names)
    return cards if all(a < b for a, b in pairwise(cards)) else None


def subsets(cards: Iterable[int], most: int) -> list[tuple[int, ...]]:
    """Every non-empty subset of ``cards`` with up to ``most`` members, each ascending."""
    found: list[tuple[int, ...]] = [()]
    for card in sorted(cards):
        found += [(*chosen, card) for chosen in found if len(chosen) < most]
    return found[1:]
