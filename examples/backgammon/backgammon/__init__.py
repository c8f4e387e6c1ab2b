"""Backgammon for Heelstone, a game of heaps and dice in a package of its own.

Section and ruling ids (1.1 … 1.10, BG1 … BG3) are those of the rule pages in
``text/backgammon.*.toml``.
"""

from __future__ import annotations

from backgammon.game import GAME

__all__ = ["GAME"]
