"""The games: one module or package each, named after the game's id, with a ``GAME`` in it.

Games of others register a ``rules.core.Game`` through the entry-point group ``heelstone.games``.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from rules.core import Game, GameError

__all__ = ["find_game", "game_ids"]


@cache
def _entries() -> dict[str, Any]:
    return {entry.name: entry for entry in entry_points(group="heelstone.games")}


@cache
def game_ids() -> tuple[str, ...]:
    """Ids of all games there are, sorted."""
    own = {module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_"}
    return tuple(sorted(own | set(_entries())))


@cache
def find_game(game_id: str) -> Game[Any]:
    """The game with this id; raises GameError if there is none."""
    if game_id not in game_ids():
        raise GameError(f"there is no game '{game_id}'; there are: {', '.join(game_ids())}")
    if game_id in _entries():
        game = _entries()[game_id].load()
    else:
        game = import_module(f"rules.games.{game_id}").GAME
    if not isinstance(game, Game):
        raise GameError(f"the entry point of '{game_id}' is no game but {type(game).__name__}")
    return game
