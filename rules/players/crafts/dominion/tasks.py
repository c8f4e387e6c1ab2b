"""Tasks for a turn of Dominion: cards that count, whatever may be drawn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import ClassVar

from rules.core import Move
from rules.games.dominion.components import ACTIONS, ATTACKS, COINS, COST, points_of
from rules.games.dominion.moves import BUY, PLAY
from rules.games.dominion.state import DominionState
from rules.players.player import Reason
from rules.players.tasks import Luck, Task

_MANY = 24
"""Number of action cards from which on only treasures and points are bought."""
_HAND_OF = 2
"""Least action cards in hand for an order to be found."""


class WithAHand(Task[DominionState]):
    """The order of the action cards is to be found; laying treasures and buying goes without
    saying (DO1)."""

    luck: ClassVar[Luck] = Luck.WORST

    def begins(self, state: DominionState, seat: int, moves: Sequence[Move]) -> bool:
        if state.seat != seat or state.stack or state.buying or state.seats[seat].play:
            return False
        actions = [move.args[0] for move in moves if _plays_action(move)]
        # The others' answers to an attack are theirs to decide.
        return len(actions) >= _HAND_OF and not ATTACKS.intersection(actions)

    def settle(self, state: DominionState, seat: int) -> Sequence[Move]:
        if state.stack or state.seat != seat:
            return ()
        hand = state.seats[seat].hand  # type: ignore[attr-defined]
        return [
            PLAY[seat][card] for card in sorted(COINS, key=lambda card: -COINS[card])
            for _ in range(hand.get(card, 0))
        ]  # fmt: skip

    def worth_a_look(
        self, state: DominionState, seat: int, moves: Sequence[Move]
    ) -> Sequence[Move]:
        return [move for move in moves if not self.ends(state, move)]

    def ends(self, state: DominionState, move: Move) -> bool:
        return not state.stack and not _plays_action(move)

    def first_idea(self, state: DominionState, seat: int, moves: Sequence[Move]) -> Move:
        """The dearest action card."""
        return max(filter(_plays_action, moves), key=lambda move: (COST[move.args[0]], move.text))

    def played(self, state: DominionState, moves: Sequence[Move], random: Random) -> Move | None:
        """The choice of a player who likes action cards, and sees to it that they can be played."""
        bought = [move for move in moves if move.verb == "buy"]
        laid = any(move.verb == "play" for move in moves)
        if state.stack or laid or not bought or state.coins >= COST["province"]:
            return None
        cards = sum(state.seats[state.seat].owned.get(card, 0) for card in ACTIONS)
        wanted = [move for move in bought if move.args[0] in ACTIONS]
        if not wanted or random.random() < cards / _MANY:
            return None
        return random.choices(wanted, [COST[move.args[0]] ** 2 for move in wanted])[0]

    def reason(self, state: DominionState, turn: Sequence[Move]) -> Reason:
        played = [move.args[0] for move in turn if _plays_action(move)]
        gained = [move.args[0] for move in turn if move.verb == "gain"]
        for card, code in _TURNS_ON.items():
            if card in played and (card != "remodel" or gained):
                return Reason(code)
        return Reason("more_actions" if len(played) > 1 else "coins_together")

    def same(self, state: DominionState) -> Hashable:
        return (
            state.seat, state.actions, state.buys, state.coins, state.buying, tuple(state.stack),
            repr([cards.to_json() for cards in state.seats]), tuple(state.piles.values()),
        )  # fmt: skip


class CoinsNow(WithAHand):
    """The most coins that a turn can bring."""

    name: ClassVar[str] = "coins_now"
    fewest: ClassVar[int] = 2

    def reached(self, state: DominionState, seat: int) -> int:
        return _coins(state, seat)


class _Buying(WithAHand):
    """The purchases count in the end."""

    def before(self, state: DominionState, seat: int) -> int:
        return self.counted(state.seats[seat].owned)

    def reached(self, state: DominionState, seat: int) -> int:
        owned = dict(state.seats[seat].owned)
        for card in self._bought(state, seat):
            owned[card] = owned.get(card, 0) + 1
        return self.counted(owned)

    def settle(self, state: DominionState, seat: int) -> Sequence[Move]:
        bought = self._bought(state, seat)
        return [*super().settle(state, seat), *(BUY[seat][card] for card in bought)]

    @abstractmethod
    def counted(self, owned: Mapping[str, int]) -> int:
        """Worth of cards for the task."""

    @abstractmethod
    def best_buys(self, state: DominionState, coins: int) -> list[str]:
        """The best that ``coins`` and the buys left can buy."""

    def _bought(self, state: DominionState, seat: int) -> list[str]:
        coins = _coins(state, seat)
        return self.best_buys(state, coins) if coins else []


class ProvinceNow(_Buying):
    """The most Provinces that a turn can bring."""

    name: ClassVar[str] = "province_now"

    def counted(self, owned: Mapping[str, int]) -> int:
        return owned.get("province", 0)

    def best_buys(self, state: DominionState, coins: int) -> list[str]:
        number = min(state.buys, coins // COST["province"], state.piles["province"])
        return ["province"] * number


class PointsNow(_Buying):
    """The most points that a turn can bring."""

    name: ClassVar[str] = "points_now"
    fewest: ClassVar[int] = 2

    def counted(self, owned: Mapping[str, int]) -> int:
        return sum(points_of(owned).values())

    def best_buys(self, state: DominionState, coins: int) -> list[str]:
        best: list[str] = []

        def buy(start: int, coins: int, bought: list[str]) -> None:
            nonlocal best
            if _points(bought) > _points(best):
                best = bought
            if len(bought) < state.buys:
                for at, card in enumerate(_BOUGHT[start:], start):
                    if COST[card] <= coins and bought.count(card) < state.piles[card]:
                        buy(at, coins - COST[card], [*bought, card])

        buy(0, coins, [])
        return best


TASKS = (ProvinceNow, PointsNow, CoinsNow)

_TURNS_ON = {
    "throne-room": "pays_twice",
    "remodel": "remade",
    "mine": "treasure_at_once",
    "feast": "feast_gains",
    "cellar": "draws_are_certain",
    "moneylender": "copper_pays",
}
"""Cards on which a turn turns, with reasons, the rarest first."""
CODES = (*_TURNS_ON.values(), "more_actions", "coins_together")
"""Reasons of whole turns."""
_BOUGHT = ("province", "duchy", "estate")


def _coins(state: DominionState, seat: int) -> int:
    """Coins to spend once all treasures are laid; none while a question is open."""
    if state.stack or state.seat != seat:
        return 0
    hand: Mapping[str, int] = state.seats[seat].hand  # type: ignore[attr-defined]
    return state.coins + sum(COINS[card] * hand.get(card, 0) for card in COINS)


def _points(cards: Sequence[str]) -> int:
    return sum(points_of({card: cards.count(card) for card in cards}).values())


def _plays_action(move: Move) -> bool:
    return move.verb == "play" and move.args[0] in ACTIONS
