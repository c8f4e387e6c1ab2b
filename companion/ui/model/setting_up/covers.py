"""What is drawn on the front of a game's box: its board in the middle of a match. Free of Kivy."""

from __future__ import annotations

from functools import lru_cache

from companion.ui.model.boxes import game_box
from companion.ui.model.scene import Scene
from rules.authors.playout import random_match
from rules.games import find_game

__all__ = ["cover_scene"]

MOVES = 36


@lru_cache(maxsize=16)
def cover_scene(game: str) -> Scene:
    """The board of ``game`` after some moves, the same every time."""
    rules, box = find_game(game), game_box(game)
    players = rules.players[-1]
    scene = Scene(box)
    options = rules.complete_options(players, {})
    for match, _moves, _choice in random_match(rules, players, options, "cover"):
        lying = tuple(
            item for item in match.layout.elements() if item.seen and item.site in box.sites
        )
        scene = Scene(box, match.colours, lying)
        if match.ply >= MOVES:
            break
    return scene
