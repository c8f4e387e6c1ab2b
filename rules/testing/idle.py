"""What a game has and never used in any match: nothing is wrong with that, but it is odd."""

from __future__ import annotations

from typing import Any

from rules.box import load_box
from rules.core import Game
from rules.testing.report import Report

__all__ = ["check_idle"]

ASIDE = ("captured", "hand", "pile", "player area")
"""Kinds of sites beside the board where people put things as they like."""
MOST = 6
"""So many sites are named."""


def check_idle(game: Game[Any], report: Report) -> None:
    """Sites where nothing ever lay, and points that say no more than who won."""
    sites = load_box(game.box).for_game(game.id).sites.values()
    idle = [s.id for s in sites if s.id not in report.sites and (s.printed or s.kind not in ASIDE)]
    if idle and report.sites:
        named = ", ".join(idle[:MOST]) + (" …" if len(idle) > MOST else "")
        report.hint(
            f"nothing ever lay at {named}",
            "See that the box file and the layout spell it alike, or delete the place",
        )
    if game.counts_points and not report.pointed:
        report.hint(
            "points never said more than who won",
            "If the game counts none, say so, and nothing shows any: counts_points = False",
        )
