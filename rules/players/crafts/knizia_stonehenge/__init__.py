"""The craft of Stonehenge by Reiner Knizia."""

from rules.players.crafts.knizia_stonehenge.craft import KniziaCraft

__all__ = ["KniziaCraft"]
