"""Stonehenge by Reiner Knizia (Blatz 1994), for two players.

Druid stones are set on the crossings of fifteen ley lines; the player who controls a line may put a
megalith at its end, and the eighth megalith wins. Section and ruling ids (1.2 … 1.8, KN1 … KN10)
are those of the rule pages in ``rules/languages/*/knizia_stonehenge.toml``.

Numbers on stones are open; in the variant *hidden stones* (1.7) they lie face down until a line
is full.
"""

from rules.games.knizia_stonehenge.game import KniziaStonehenge

__all__ = ["GAME"]

GAME = KniziaStonehenge()
