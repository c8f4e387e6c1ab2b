"""What a player knows of playing Stonehenge by Reiner Knizia."""

from rules.players.crafts.knizia_stonehenge.craft import KniziaCraft

__all__ = ["KniziaCraft"]
