"""Opferroulette (Sacrifice Roulette) by Jason Bulmahn, for two to five players.

The players are gods. A stone ball rolls round the ring of thirty fields and falls into pits,
where it crushes the offerings: save your own, crush those of the others. Section and ruling ids
(6.1 … 6.4, OR1 … OR22) are those of the rule pages in ``rules/languages/*/opferroulette.toml``.

In a physical match hands and pile are unknown: a card is bound when it is played or turned.
"""

from rules.games.opferroulette.game import Opferroulette

__all__ = ["GAME"]

GAME = Opferroulette()
