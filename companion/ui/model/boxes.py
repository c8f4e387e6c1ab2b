"""The box of a game as its screens show it: only the sites that the game uses. Free of Kivy."""

from __future__ import annotations

from functools import lru_cache

from companion.match.view import TableView
from rules.box import Box, load_box
from rules.games import find_game

__all__ = ["box_of", "game_box"]


@lru_cache(maxsize=32)
def game_box(game: str) -> Box:
    """The box of a game; the same object every time, so that drawings of it can be kept."""
    return load_box(find_game(game).box).for_game(game)


def box_of(view: TableView) -> Box:
    """The box a match is played with."""
    return game_box(view.game)
