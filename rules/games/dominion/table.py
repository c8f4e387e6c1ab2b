"""8.7 The table in a turn, beside the record of it: what is new, gone or open.

A hand of cards is laid in a fan, the card that it buys goes on the discard pile while the coins
still lie, and then everything is swept up in one go, hand and all, with any card on top. So much of
a turn is seen only while it lasts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rules.core import Board, Move
from rules.games.dominion.components import ACTIONS, COINS, TREASURES
from rules.games.dominion.holdings import CardsBeside
from rules.games.dominion.layout import BACK, pile_site
from rules.games.dominion.state import DominionState, Frame

HAND, MOST_DRAWN = 5, 3
"""Cards drawn at the end of a turn, and by an action (8.4)."""
MOST_TAKEN = 4
"""Cards of one kind that a turn hardly brings more of."""
MORE_ACTIONS = {
    "cellar": 1, "festival": 2, "laboratory": 1, "market": 1, "spy": 1, "village": 2,
}  # fmt: skip
"""Actions that actions bring (8.4)."""
BONUS = {
    "moneylender": 3, "militia": 2, "chancellor": 2, "woodcutter": 2, "festival": 2, "market": 1,
}  # fmt: skip
"""Coins of actions (8.4)."""


class Table:
    """The table in a turn; ``board`` shows it."""

    def __init__(self, state: DominionState, board: Board, moves: Sequence[Move] = ()) -> None:
        self.state, self.board, self.moves = state, board, moves
        # While cards are drawn at the end of a turn, that turn is over to the eye.
        over = bool(state.stack) and state.stack[0][0] == "turn"
        self.stack: list[Frame] = [] if over else state.stack
        self.seat: int = state.stack[0][1] if over else state.seat
        if state.over:
            self.seat = (state.seat + 1) % state.players  # nobody's turn; the last one is over
        self.cards = state.seats[self.seat]
        self.play, self.discard = f"play-p{self.seat}", f"discard-p{self.seat}"
        self.last = (self.seat - 1) % state.players
        self.next = (self.seat + 1) % state.players
        self.coins, self.buys, self.buying, self.acts = (
            (0, 1, False, 1) if over else (state.coins, state.buys, state.buying, state.actions)
        )
        self.lying = self.kinds(self.play)
        """Cards in the play area of the player whose turn it is."""
        self.played = Counter(self.cards.play)
        self.top = self.top_of(self.seat)

    def next_turn(self) -> Table:
        """The same in the turn of the player who comes next."""
        state = self.state.clone()
        state.stack, state.seat = [], self.next
        state.actions, state.buys, state.coins, state.buying, state.bought = 1, 1, 0, False, False
        return Table(state, self.board, self.moves)

    @property
    def laid(self) -> Counter[str]:
        """Cards that lie in the play area and have still to be played, by the record."""
        return self.lying - self.played

    @property
    def gone(self) -> Counter[str]:
        """Cards that were played, by the record, and lie there no more."""
        return self.played - self.lying

    def kinds(self, site: str) -> Counter[str]:
        """The kinds seen at ``site``."""
        return Counter(kind for kind, _ in self.board.get(site, ()))

    def top_of(self, seat: int) -> str:
        """The card seen on a discard pile; empty if there is none."""
        look = self.board.get(f"discard-p{seat}", ())
        return look[0][0] if look else ""

    @property
    def trash(self) -> str:
        """The card seen on the trash; empty if there is none."""
        look = self.board.get("trash", ())
        return look[0][0] if look else ""

    def may_follow(self, cards: Collection[str]) -> bool:
        """True if one of ``cards`` lies there that has still to be played, for the first or the
        second time."""
        again = any(frame[0] == "play" and frame[2] in cards for frame in self.stack)
        return again or any(card in cards for card in self.laid)

    def has_run_out(self, card: str) -> bool:
        """True if the pile of ``card`` is bare, and had one card left."""
        bare = not self.board.get(pile_site(self.state, card), (None,))
        return bare and self.state.piles[card] == 1

    def may_run_out(self, site: str) -> bool:
        """True if ``site`` is a bare pile of which one turn may have taken all."""
        left = (n for card, n in self.state.piles.items() if pile_site(self.state, card) == site)
        return not self.board.get(site, (None,)) and 0 < next(left, 0) <= MOST_TAKEN

    def newly_laid(self, card: str) -> bool:
        """True if ``card`` was laid to be played; a Feast may lie on the trash already."""
        if self.lying[card] > self.played[card]:
            return True
        return bool(card == "feast" and card == self.trash)

    def newly_got(self, seat: int, card: str) -> bool:
        """True if ``card`` lies on a discard pile on which another one lay."""
        cards = self.state.seats[seat]
        if isinstance(cards, CardsBeside):
            return card == self.top_of(seat) != cards.heap != ""
        if card == BACK and not cards.face and cards.discard_size():
            return False
        # Until hands have shuffled, what lay there before lies there still.
        lay = cards.face or (cards.shuffled if card else "")
        return card == self.top_of(seat) != lay

    def turned_up(self, owner: int) -> set[str]:
        """Cards that ``owner`` may have revealed, wherever they went since."""
        shown, known = self.kinds(f"aside-p{owner}"), Counter(self.state.seats[owner].aside)
        more = shown - known
        if known and known <= shown and more:
            return set(more)  # Those before it lie there still.
        found = set(shown)
        if any(frame[0] == "adventurer" for frame in self.stack):
            return found  # the treasures are in the hand already
        tops = {self.top_of(owner): owner, self.top_of(self.seat): self.seat}
        found.update(card for card, seat in tops.items() if self.newly_got(seat, card))
        found |= {self.trash} - set(self.state.trash[-1:])
        # The Thief's booty was among the two.
        booty = (found & TREASURES) - set(self.state.seats[owner].aside)
        return booty if booty and any(frame[0] == "loot" for frame in self.stack) else found

    def may_top(self, seat: int, card: str) -> bool:
        """DO17: the hand goes down in one packet, and any card of it may be on top."""
        return card == BACK or card in self.state.seats[seat].owned

    @property
    def cleaned_up(self) -> bool:
        """True if the discard pile may be what it is after the clean-up of this turn."""
        if not self.top:
            nothing = not self.cards.hand_size() + len(self.played)
            return nothing or self.shuffled or self.cards.discard_size() > 0
        same = self.top == (self.cards.face or (BACK if self.cards.discard_size() else ""))
        return self.may_top(self.seat, self.top) and not (same and self._lies_still(self.top))

    def _lies_still(self, card: str) -> bool:
        """True if a card on top can only have lain there before: there is no other, and the pile
        was not shuffled meanwhile."""
        return self.cards.owned.get(card) == 1 and not self.shuffled

    @property
    def shuffled(self) -> bool:
        """True if this turn and its end may take more than the draw pile holds."""
        drawn = HAND + (MOST_DRAWN if not ACTIONS.isdisjoint(self.cards.owned) else 0)
        return self.cards.draw_size() < drawn

    @property
    def bought_nothing(self) -> bool:
        """True if a turn that was cleared away can hardly have brought anything."""
        if self.stack:
            return False
        if self.buying and not self.cards.hand_size():
            return self.coins < 2
        if self.played:
            more = self.top in TREASURES and self.top not in self.played
            return self.state.bought and self.coins < 2 and not more
        return False


def coins_of(cards: Mapping[str, int]) -> int:
    """The coins that cards bring by themselves."""
    return sum(n * (COINS.get(card, 0) or BONUS.get(card, 0)) for card, n in cards.items())


def watched(state: DominionState) -> bool:
    """True if real cards lie there and each turn is recorded."""
    return state.physical and not state.keeps_ledger and bool(state.piles)
