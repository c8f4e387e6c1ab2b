"""Trilithen Knallen by Nicolas and Volker Hesselmann, for two to five players.

Druids ride on trilithons round the outer ring and ram each other; how far a ram reaches depends
on turning up cards of the right colours from memory. Section and ruling ids (5.1 … 5.7, TK1 …
TK36) are those of the rule pages in ``rules/languages/*/trilithen_knallen.toml``.

``placing`` and ``ramming`` are the two halves of a turn. In a physical match hands and pile are
unknown: a day card is bound when it is played, a display card when it is turned up.
"""

from rules.games.trilithen_knallen.game import TrilithenKnallen

__all__ = ["GAME"]

GAME = TrilithenKnallen()
