"""pyminion's BigMoneyUltimate at our table (github.com/evanofslack/pyminion, 0.4.0).

What ``pyminion/bots/examples/big_money_ultimate.py`` does, line by line:

- ``action_priority`` yields ``smithy`` alone;
- ``treasure_phase_decision`` of every pyminion bot lays all treasures;
- ``buy_priority`` yields, for the money there is, in this order: a Province with more than 15 coins
  in the whole deck, a Duchy below 5 Provinces, an Estate below 3, Gold, a Duchy below 7, a Smithy
  for every 11 treasures, Silver. The first of them whose pile is not empty is bought;
- ``discard_decision`` and ``topdeck_decision`` of every pyminion bot take the first cards of the
  hand. A hand there lies in the order in which it was drawn from a shuffled pile; ours has none,
  so the cards are drawn by lot here, which is the same as far as chance goes.

Without Smithy among the ten kingdom cards pyminion stops with an error; here it is not bought then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from rules.core import Move
from rules.games.dominion.components import COINS
from rules.games.dominion.holdings import DealtCards
from rules.games.dominion.moves import BUY, DONE, PLAY
from rules.games.dominion.state import DominionState
from rules.match import Match


def big_money_ultimate(match: Match, seat: int, random: Random) -> Move:
    """The move that it plays now; a ``Contestant``."""
    state = match.state
    assert isinstance(state, DominionState)
    moves = match.legal_moves()
    if state.stack:
        return random.choices(moves, [_copies(state, seat, move) for move in moves])[0]
    legal = set(moves)
    for card in ("smithy", *COINS):
        if PLAY[seat][card] in legal:
            return PLAY[seat][card]
    card = purchase(state.coins, state.seats[seat].owned, state.piles)
    return BUY[seat][card] if card else DONE[seat]


def purchase(money: int, owned: Mapping[str, int], supply: Mapping[str, int]) -> str:
    """The card that it buys with this much money; empty if none."""
    return next((card for card in _buy_priority(money, owned, supply) if supply.get(card)), "")


def _buy_priority(money: int, owned: Mapping[str, int], supply: Mapping[str, int]) -> Iterator[str]:
    deck_money = sum(coins * owned.get(card, 0) for card, coins in COINS.items())
    treasures = sum(owned.get(card, 0) for card in COINS)
    provinces = supply["province"]
    if deck_money > 15 and money >= 8:
        yield "province"
    if provinces < 5 and money >= 5:
        yield "duchy"
    if provinces < 3 and money >= 2:
        yield "estate"
    if money >= 6:
        yield "gold"
    if provinces < 7 and money >= 5:
        yield "duchy"
    if owned.get("smithy", 0) < treasures / 11 and money >= 4:
        yield "smithy"
    if money >= 3:
        yield "silver"


def _copies(state: DominionState, seat: int, move: Move) -> int:
    """Equal cards of a hand are one move, but each of them may lie first."""
    if move.verb not in ("discard", "topdeck"):
        return 1
    return sum(1 for card in _hand(state, seat) if card == move.args[0])


def _hand(state: DominionState, seat: int) -> list[str]:
    cards = state.seats[seat]
    assert isinstance(cards, DealtCards)
    return [card for card, number in cards.hand.items() for _ in range(number)]
