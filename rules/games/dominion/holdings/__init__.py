"""One player's cards: dealt by the program, watched at a table, or only counted."""

from rules.games.dominion.holdings.dealt import CardsBeside, DealtCards, HeapedCards
from rules.games.dominion.holdings.holdings import Counts, Holdings, add, read_cards, take
from rules.games.dominion.holdings.watched import WatchedCards

__all__ = [
    "CardsBeside",
    "Counts",
    "DealtCards",
    "HeapedCards",
    "Holdings",
    "WatchedCards",
    "add",
    "read_cards",
    "take",
]
