"""The craft of Dominion: buy lists compared by playouts at a fast table.

``lists`` holds what to buy and ``habits`` how to play, ``table``, ``effects`` and ``turns`` play
matches by them, ``worlds`` deals what a seat does not know, and ``choosing`` compares.
"""

from rules.players.crafts.dominion.craft import DominionCraft

__all__ = ["DominionCraft"]
