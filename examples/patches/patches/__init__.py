"""Patches for Heelstone, a game of pieces over several squares, in a package of its own."""

from __future__ import annotations

from patches.game import GAME

__all__ = ["GAME"]
