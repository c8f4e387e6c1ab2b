"""One player's cards: dealt by the program, or watched at a table."""

from rules.games.dominion.holdings.dealt import DealtCards
from rules.games.dominion.holdings.holdings import Counts, Holdings, add, read_cards, take
from rules.games.dominion.holdings.watched import WatchedCards

__all__ = ["Counts", "DealtCards", "Holdings", "WatchedCards", "add", "read_cards", "take"]
