"""Every move of Dominion, built once (8.6), and what kind of answer each is."""

from __future__ import annotations

from functools import lru_cache

from rules.core import Actor, Move
from rules.games.dominion.components import (
    ACTIONS,
    CARDS,
    COST,
    COUNTED,
    DEAREST,
    RARELY_BOUGHT,
    TREASURES,
    UNSCORED,
)
from rules.hidden import UNSEEN

SEATS = range(4)
SEAT_NAMES = tuple(f"p{seat}" for seat in SEATS)

Row = tuple[dict[str, Move], ...]
"""Moves by seat and card."""


def _row(verb: str) -> Row:
    return tuple({card: Move.of(seat, verb, card) for card in CARDS} for seat in SEATS)


def _owner_row(verb: str) -> tuple[Row, ...]:
    return tuple(
        tuple({card: Move.of(s, verb, f"p{owner}", card) for card in CARDS} for owner in SEATS)
        for s in SEATS
    )


def _dealt(verb: str) -> Row:
    return tuple(
        {card: Move.of(Actor.DEALER, verb, f"p{seat}", card) for card in CARDS} for seat in SEATS
    )


PLAY, BUY, GAIN = _row("play"), _row("buy"), _row("gain")
DISCARD, TRASH, TOPDECK, ASIDE = _row("discard"), _row("trash"), _row("topdeck"), _row("aside")
NAME = _row("kingdom")
TAKE = _row("take")
"""DO31, Thief: out of the trash."""
COUNT, UNCOUNT = (
    tuple({card: Move.of(seat, verb, card) for card in (*COUNTED, *UNSCORED)} for seat in SEATS)
    for verb in ("count", "uncount")
)
"""DO32: one more of a player's cards, or one fewer."""
FEWER = tuple({other: Move.of(seat, "fewer", f"p{other}") for other in SEATS} for seat in SEATS)
"""DO32: answers that name the seat with fewer turns."""
SPY_DISCARD, SPY_KEEP, STEAL = _owner_row("discard"), _owner_row("keep"), _owner_row("trash")
GAIN_FOR = _owner_row("gain")
"""DO31: gains of another player in the actor's turn."""
DONE = tuple(Move.of(seat, "done") for seat in SEATS)
NONE = tuple(Move.of(seat, "none") for seat in SEATS)
KEEP = tuple(Move.of(seat, "keep") for seat in SEATS)
SHOW_MOAT = tuple(Move.of(seat, "show", "moat") for seat in SEATS)
DISCARD_DECK = tuple(Move.of(seat, "discard", "deck") for seat in SEATS)
DISCARD_UNSEEN = tuple(Move.of(seat, "discard", UNSEEN) for seat in SEATS)
"""DO22: of several cards laid down in one packet only the top one is seen."""

DRAW, REVEAL = _dealt("draw"), _dealt("reveal")
DRAW_UNSEEN = tuple(Move.of(Actor.DEALER, "draw", f"p{seat}", UNSEEN) for seat in SEATS)
LOT_KINGDOM = {card: Move.of(Actor.DEALER, "kingdom", card) for card in CARDS}
START = tuple(Move.of(Actor.DEALER, "start", f"p{seat}") for seat in SEATS)

PLAY_TREASURE: Row = tuple({c: row[c] for c in CARDS if c in TREASURES} for row in PLAY)
PLAY_ANY: Row = tuple({c: row[c] for c in CARDS if c in TREASURES | ACTIONS} for row in PLAY)

CARD_MOVES: dict[str, Row] = {
    "play": PLAY,
    "buy": BUY,
    "gain": GAIN,
    "discard": DISCARD,
    "trash": TRASH,
    "topdeck": TOPDECK,
    "aside": ASIDE,
}
"""The moves that name one card of the actor's own or of the supply."""


def _shapes() -> dict[str, str]:
    shapes: dict[str, str] = {}
    for verb, table in CARD_MOVES.items():
        shapes.update((move.text, verb) for row in table for move in row.values())
    for verb, by_seat in (
        ("discard owner", SPY_DISCARD),
        ("keep owner", SPY_KEEP),
        ("trash owner", STEAL),
        ("gain owner", GAIN_FOR),
    ):
        shapes.update(
            (move.text, verb) for rows in by_seat for row in rows for move in row.values()
        )
    for verb, moves in (
        ("done", DONE),
        ("none", NONE),
        ("keep", KEEP),
        ("show", SHOW_MOAT),
        ("discard deck", DISCARD_DECK),
        ("discard", DISCARD_UNSEEN),
        ("draw", DRAW_UNSEEN),
        ("start", START),
        ("fewer", tuple(move for row in FEWER for move in row.values())),
        ("kingdom", tuple(LOT_KINGDOM.values())),
    ):
        shapes.update((move.text, verb) for move in moves)
    for verb, table in (
        ("kingdom", NAME),
        ("take", TAKE),
        ("count", COUNT),
        ("uncount", UNCOUNT),
        ("draw", DRAW),
        ("reveal", REVEAL),
    ):
        shapes.update((move.text, verb) for row in table for move in row.values())
    return shapes


_SHAPES = _shapes()


def shape(move: Move) -> str:
    """The kind of answer that ``move`` is; empty if there is no such move in Dominion.

    The verb tells, except for ``discard``, ``keep`` and ``trash``, which name an owner or the draw
    pile in some questions.
    """
    found = _SHAPES.get(move.text)
    if found is not None:
        return found
    if move.verb == "show" and len(move.args) == 1 and move.player in SEATS:
        cards = move.args[0].split(",")
        if cards == sorted(cards) and all(card in COST for card in cards):
            return "show"
    return ""


def show_hand(seat: int, cards: list[str]) -> Move:
    """The whole hand, in alphabetical order (Bureaucrat)."""
    return Move.of(seat, "show", ",".join(sorted(cards)))


class Market:
    """The piles that are not empty, sorted out once for every set of them."""

    __slots__ = ("buys", "dear", "dearest", "up_to")

    def __init__(self, piles: tuple[str, ...]) -> None:
        self.up_to = tuple(
            tuple(card for card in piles if COST[card] <= cost) for cost in range(DEAREST + 1)
        )
        """Cards by the most they may cost."""
        self.buys = tuple(tuple([row[c] for c in cards] for cards in self.up_to) for row in BUY)
        """By seat and coins: the purchases."""
        self.dear = tuple(_dear(cards) for cards in self.up_to)
        """By coins: the dearest of them, leaving out cards that are never wanted."""
        self.dearest = tuple(tuple([row[c] for c in cards] for cards in self.dear) for row in BUY)
        """The same as purchases, by seat and coins."""


def _dear(cards: tuple[str, ...]) -> list[str]:
    wanted = [card for card in cards if card not in RARELY_BOUGHT]
    most = max((COST[card] for card in wanted), default=0)
    return [card for card in wanted if COST[card] == most]


@lru_cache(maxsize=4096)
def market(piles: tuple[str, ...]) -> Market:
    """The market of these non-empty piles."""
    return Market(piles)
