"""The craft of Dominion: buy lists compared by playouts at a fast table.

``lists`` holds what to buy, ``playing`` and ``habits`` what to play and answer. ``table``,
``effects`` and ``turns`` play matches by them, ``worlds`` deals what a seat does not know, and
``choosing`` compares.
"""

from rules.players.crafts.dominion.craft import DominionCraft

__all__ = ["DominionCraft"]
