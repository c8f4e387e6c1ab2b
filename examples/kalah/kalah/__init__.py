"""Kalah for Heelstone, a game of heaps in a package of its own."""

from __future__ import annotations

from kalah.game import GAME

__all__ = ["GAME"]
