"""The craft of Trilithen Knallen."""

from rules.players.crafts.trilithen_knallen.craft import Demolition

__all__ = ["Demolition"]
