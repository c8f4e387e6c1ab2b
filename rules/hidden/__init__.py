"""Hidden things: zones, pools, the two kinds of chance, and decks of cards."""

from rules.hidden.hidden import UNSEEN, Certainty, Chance, Dealer, HiddenError, Referee, Zones

__all__ = ["UNSEEN", "Certainty", "Chance", "Dealer", "HiddenError", "Referee", "Zones"]
