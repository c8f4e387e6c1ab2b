"""Dominion by Donald X. Vaccarino (Hans im Glück 2008), base game, first edition, 2–4 players.

Buy cards, shuffle them into your own deck, turn them into Provinces. Section and ruling ids
(8.1 … 8.6, DO1 … DO30) are those of the rule pages in ``rules/languages/*/dominion.toml``;
``8.4-witch`` is the page of a card.

``cards.toml`` holds the cards as data, ``effects`` what each does. ``questions`` is what a question
is and what chance answers, ``card_questions`` what the cards ask; ``turn`` is the turn itself, and
``holdings`` are a player's cards.
"""

from rules.games.dominion.game import Dominion

__all__ = ["GAME"]

GAME = Dominion()
