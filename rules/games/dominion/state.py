"""The position of a match: supply, trash, all players' cards, and the steps still to come.

The steps are on a stack of tuples, the next one last. A tuple begins with the name of a question or
of a step (both in ``effects``) and the seat affected; while the stack is empty the player whose
turn it is decides what to do (8.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self

from rules.core import Json, Move, Options, State
from rules.games.dominion.components import (
    BASIC,
    CARDS,
    KINGDOM,
    START_DECK,
    TENS,
    TREASURES,
    kingdom_of,
    layout_order,
    pile_sizes,
)
from rules.games.dominion.holdings import (
    CardsBeside,
    Counts,
    DealtCards,
    HeapedCards,
    Holdings,
    WatchedCards,
    read_cards,
)
from rules.games.dominion.moves import Market, market

Frame = tuple[Any, ...]

NOBODY = -1
QUIET_ROUNDS = 50

ASKED = {
    **dict.fromkeys(
        ("bureaucrat", "cellar", "chancellor", "fewer", "kingdom-choice", "kingdom-lot", "library",
         "militia", "mine", "moat", "moneylender", "remodel", "start", "throne-room"), "s"
    ),
    "draw": "sn", "look": "sn", "reveal": "sn", "chapel": "sn", "gain": "snc",
    "gain-treasure": "snc", "spy": "ss", "thief": "ss", "loot": "sC",
}  # fmt: skip
"""Names of questions, and what follows them on the stack: seat, number, card, Cards, Seats."""
PARTS = ASKED | {
    **dict.fromkeys(
        ("adventurer", "curse", "deal", "discard-revealed", "lay-out", "library-goes-on", "turn"),
        "s",
    ),
    "play": "sc", "attack": "scS",
}  # fmt: skip
"""The same of questions and steps."""


class DominionState(State):
    """Position of one match; lists are indexed by seat."""

    __slots__ = (
        "actions",
        "bought",
        "buying",
        "buys",
        "coins",
        "counting",
        "entered",
        "got",
        "keeps_ledger",
        "kingdom",
        "kingdom_option",
        "last_winners",
        "market",
        "over",
        "physical",
        "piles",
        "players",
        "quiet",
        "quiet_rounds",
        "seat",
        "seats",
        "stack",
        "swept",
        "trash",
        "treasures_first",
        "turns",
    )  # fmt: skip
    unwritten: ClassVar = ("swept", "got")

    def __init__(self, players: int, options: Options, physical: bool) -> None:
        self.players, self.physical = players, physical
        """Physical: supply and trash lie on a table, and what the program does not deal."""
        self.kingdom_option, self.last_winners = options["kingdom"], options["last_winners"]
        self.treasures_first = options["treasures_first"] == "on"
        self.quiet_rounds = options["quiet_rounds"] != "off"
        self.keeps_ledger = options["record"] != "turns"
        """DO31: only the cards that change hands are entered, or all players' cards at the end."""
        self.counting = options["record"] == "count"
        """DO32: only the final count is entered."""
        self.kingdom: list[str] = []
        """The ten kingdom cards, or those named so far (DO11)."""
        self.piles: Counts = {}
        """All 17 piles with their cards, including the empty ones."""
        self.trash: list[str] = []
        """The trash pile, its top last."""
        kind = self._kind_of_holdings
        self.seats: list[Holdings] = [kind() for _ in range(players)]
        self.seat = NOBODY
        """Seat whose turn it is."""
        self.turns = [0] * players
        """Completed turns (DO7)."""
        self.actions = self.buys = self.coins = 0
        self.buying = False
        """True if the action phase is over (DO12)."""
        self.bought = False
        """True if a card has been bought in this turn."""
        self.quiet = 0
        """DO29: turns ended since a card left the supply; -1 if one did in this turn."""
        self.over = ""
        """Reason why the match has ended; empty while it goes on."""
        self.entered: list[Move] = []
        """DO31: moves entered in this turn, if a ledger is kept."""
        self.swept: tuple[str, ...] = ()
        """Cards in the play area at the end of the last turn, which may still lie there; a matter
        of looking (8.7), not of the position …"""
        self.got = ""
        """… and the card that lay on top of the discards then."""
        self.stack: list[Frame] = []
        self.market: Market = market(())

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.players, other.physical = self.players, self.physical
        other.kingdom_option, other.last_winners = self.kingdom_option, self.last_winners
        other.treasures_first, other.quiet_rounds = self.treasures_first, self.quiet_rounds
        other.keeps_ledger, other.counting, other.entered = (
            self.keeps_ledger,
            self.counting,
            self.entered[:],
        )
        other.kingdom, other.piles, other.trash = (
            self.kingdom[:],
            self.piles.copy(),
            self.trash[:],
        )
        other.seats = [cards.clone() for cards in self.seats]
        other.seat, other.turns = self.seat, self.turns[:]
        other.actions, other.buys, other.coins = self.actions, self.buys, self.coins
        other.buying, other.bought = self.buying, self.bought
        other.quiet, other.over, other.swept, other.got = (
            self.quiet, self.over, self.swept, self.got
        )  # fmt: skip
        other.stack, other.market = self.stack[:], self.market
        return other

    # -- reading --------------------------------------------------------------------------

    @property
    def _kind_of_holdings(self) -> type[WatchedCards | DealtCards]:
        """The kind of holdings, by how much is known about the players' cards."""
        if self.keeps_ledger:
            return HeapedCards
        return WatchedCards if self.physical else DealtCards

    def holdings_from(self, data: Json) -> Holdings:
        """Read the cards of a seat back; raises StateError, KeyError or TypeError."""
        beside = self.physical and not self.keeps_ledger and "heap" in data
        return (CardsBeside if beside else self._kind_of_holdings).from_json(data)

    def deal_for(self, seats: Collection[int]) -> None:
        """The program deals for ``seats``, whose cards are not drawn yet."""
        for seat in seats:
            cards, self.seats[seat] = self.seats[seat], CardsBeside()
            if cards.owned:
                self.seats[seat].begin_with(cards.owned)

    def others(self, seat: int) -> list[int]:
        """DO2: the other players, clockwise from the left of ``seat``."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    # -- what comes next ------------------------------------------------------------------

    def do(self, *frames: Frame) -> None:
        """These are to happen next, in this order."""
        self.stack.extend(reversed(frames))

    def amend(self, name: str, change: Callable[[Frame], Frame]) -> None:
        """Change the next thing of this name that waits on the stack."""
        for place in range(len(self.stack) - 1, -1, -1):
            if self.stack[place][0] == name:
                self.stack[place] = change(self.stack[place])
                return

    # -- cards on their way ---------------------------------------------------------------

    def lay_out_supply(self) -> None:
        """8.1: 17 piles; all players get their first ten cards as a shuffled draw pile."""
        self.kingdom = layout_order(self.kingdom)
        self.piles = pile_sizes(self.players, self.kingdom)
        self.sort_market()
        for cards in self.seats:
            cards.begin_with(START_DECK)

    def begin_count(self) -> None:
        """DO32: no cards are owned yet, and the first player's are counted."""
        self.seat = 0
        for cards in self.seats:
            cards.begin_with({TENS: 0})

    def sort_market(self) -> None:
        """Update after the set of non-empty piles has changed."""
        self.market = market(tuple(card for card, left in self.piles.items() if left))

    def gain(self, seat: int, card: str, to: str = "discard") -> bool:
        """A card from the supply, to the discard pile unless stated; False if there is none.

        DO10: gaining from an empty pile is not possible.
        """
        left = self.piles.get(card, 0)
        if not left:
            return False
        self.piles[card] = left - 1
        if left == 1:
            self.sort_market()
        self.quiet = -1
        cards = self.seats[seat]
        cards.own(card)
        if to == "discard":
            cards.to_discard(card)
        elif to == "hand":
            cards.to_hand(card)
        else:
            cards.to_top(card)
        return True

    def put_in_trash(self, owner: int, card: str) -> None:
        """A card already taken from where it lay goes to the trash pile."""
        self.seats[owner].disown(card)
        self.trash.append(card)

    def gain_from_trash(self, seat: int, card: str) -> bool:
        """Thief: a card out of the trash; False if it is not there."""
        if card not in self.trash:
            return False
        # Of equal cards the uppermost: those below lay there before (DO24).
        del self.trash[len(self.trash) - 1 - self.trash[::-1].index(card)]
        cards = self.seats[seat]
        cards.own(card)
        cards.to_discard(card)
        return True

    # -- storing --------------------------------------------------------------------------

    def to_json(self) -> Json:
        """The whole position, in a canonical order."""
        return {
            "players": self.players,
            "options": {
                "kingdom": self.kingdom_option,
                "last_winners": self.last_winners,
                "treasures_first": "on" if self.treasures_first else "off",
                "quiet_rounds": str(QUIET_ROUNDS) if self.quiet_rounds else "off",
                "record": "count" if self.counting else "ledger" if self.keeps_ledger else "turns",
            },
            "physical": self.physical,
            "kingdom": self.kingdom[:],
            "supply": dict(self.piles),
            "trash": self.trash[:],
            "seats": [cards.to_json() for cards in self.seats],
            "turn": None if self.seat == NOBODY else self.seat,
            "turns": self.turns[:],
            "actions": self.actions,
            "buys": self.buys,
            "coins": self.coins,
            "phase": "buy" if self.buying else "action",
            "bought": self.bought,
            "quiet": self.quiet,
            "over": self.over,
            **({"entered": [move.text for move in self.entered]} if self.keeps_ledger else {}),
            "stack": [_listed(frame) for frame in self.stack],
        }

    def read(self, data: Json) -> None:
        self.kingdom = list(data["kingdom"])
        supply = data["supply"]
        # JSON written by others may be sorted; the piles have one order only.
        self.piles = {card: int(supply[card]) for card in (*BASIC, *self.kingdom) if supply}
        self.trash = read_cards(data["trash"])
        self.seats = [self.holdings_from(entry) for entry in data["seats"]]
        self.seat = NOBODY if data["turn"] is None else int(data["turn"])
        self.turns = [int(turns) for turns in data["turns"]]
        self.actions, self.buys, self.coins = (
            int(data[key]) for key in ("actions", "buys", "coins")
        )
        self.buying, self.bought = data["phase"] == "buy", bool(data["bought"])
        self.quiet, self.over = int(data["quiet"]), str(data["over"])
        self.entered = [Move.parse(text) for text in data.get("entered", ())]
        self.stack = [_frozen(frame) for frame in data["stack"]]
        self.sort_market()

    def problems(self) -> list[str]:
        """Cards lost or out of nowhere, numbers below zero, questions that cannot be asked."""
        if not len(self.seats) == len(self.turns) == self.players:
            return [f"there are {len(self.seats)} players"]
        found = [
            f"nothing is known of {frame}" for frame in self.stack if not _fits(frame, self.players)
        ]
        numbers = (self.actions, self.buys, self.coins, self.quiet + 1)
        if min(*numbers, *self.turns, *self.piles.values()) < 0:
            found.append(f"{self.actions} actions, {self.buys} buys, {self.coins} coins")
        if len({*self.kingdom} & {*KINGDOM}) != len(self.kingdom):
            found.append(f"these are no kingdom cards: {self.kingdom}")
        if self.seat not in range(NOBODY, self.players):
            found.append(f"it is the turn of nobody: {self.seat}")
        if self.over not in ("", "provinces", "piles", "quiet", "counted"):
            found.append(f"the match is over by '{self.over}'")
        for seat, cards in enumerate(self.seats):
            found += [f"p{seat}: {problem}" for problem in cards.problems()]
            if cards.everything() != Counter(cards.owned):
                found.append(f"p{seat}: owned {cards.owned} but there is {cards.everything()}")
        if self.piles:
            found += self._miscounted()
        elif kingdom_of(self.kingdom_option) and not self.counting:
            found.append("the supply is not laid out")
        if self.piles and not self.over and not self.stack and self.seat == NOBODY:
            found.append("it is nobody's turn")
        if self.over and self.stack:
            found.append("the match is over, but something is to happen")
        if self.stack and self.stack[-1][0] not in ASKED:
            found.append(f"nobody is asked about {self.stack[-1]}")
        return found

    def _miscounted(self) -> list[str]:
        there = Counter(self.piles)
        there.update(self.trash)
        for cards in self.seats:
            there.update(cards.owned)
        box = _box(self.players, tuple(self.kingdom))
        return [
            f"there are {there[card]} {card} instead of {box.get(card, 0)}"
            for card in there.keys() | box.keys()
            if there[card] != box.get(card, 0)
        ]


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _fits(frame: Frame, players: int) -> bool:
    """True if a frame is one that may be on the stack."""
    seats, parts = range(players), PARTS.get(frame[0], "")
    return len(parts) == len(frame) - 1 and all(
        part in seats if kind == "s"
        else isinstance(part, int) and part >= 0 if kind == "n"
        else part in CARDS if kind == "c"
        else isinstance(part, tuple) and {*part} <= (TREASURES if kind == "C" else {*seats})
        for kind, part in zip(parts, frame[1:], strict=True)
    )  # fmt: skip


@lru_cache(maxsize=256)
def _box(players: int, kingdom: tuple[str, ...]) -> Counts:
    """All cards of a match."""
    box = pile_sizes(players, list(kingdom))
    for card, number in START_DECK.items():
        box[card] += number * players
    return box


def _listed(value: Any) -> Any:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value


def seats_of(names: str) -> Sequence[int]:
    """``p0,p2`` as seats; none for ``none``."""
    return [] if names == "none" else [int(name[1:]) for name in names.split(",")]
