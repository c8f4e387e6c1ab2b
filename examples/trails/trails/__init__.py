"""Trails for Heelstone, a game whose table grows, in a package of its own."""

from __future__ import annotations

from trails.game import GAME

__all__ = ["GAME"]
