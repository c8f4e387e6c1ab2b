"""The craft of Der Hohe Rat."""

from rules.players.crafts.hoher_rat.craft import Council

__all__ = ["Council"]
