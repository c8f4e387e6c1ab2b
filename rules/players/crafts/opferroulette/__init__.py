"""The craft of Opferroulette: where the ball can be rolled to, what a fall there hits, and what is
still in the pile."""

from rules.players.crafts.opferroulette.craft import OpferrouletteCraft

__all__ = ["OpferrouletteCraft"]
