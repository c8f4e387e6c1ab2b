"""Hidden things: zones, decks of cards, and the two kinds of chance."""

from rules.hidden.chance import Chance, Dealer, Referee
from rules.hidden.deck import Deck
from rules.hidden.zones import UNSEEN, Certainty, HiddenError, Zones

__all__ = [
    "UNSEEN", "Certainty", "Chance", "Dealer", "Deck", "HiddenError", "Referee", "Zones",
]  # fmt: skip
