"""The craft of Erbaut Stonehenge!: what a site, a card, a theft and a sabotage are worth in points
of glory, and who may hold which card."""

from rules.players.crafts.erbaut_stonehenge.craft import ErbautCraft

__all__ = ["ErbautCraft"]
