"""The games: one module or package each, named after the game's id, with a ``GAME`` in it.

Other games register a ``rules.core.Game`` through the entry-point group ``heelstone.games``.

A game may be played on a board of your own. That is a game too, called ``<id>@<key>``; it exists
once its board's text has been given to ``game_on_board``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from rules.core import Game, GameError
from rules.errors import Where
from rules.near import hint

__all__ = [
    "add_games",
    "find_game",
    "game_ids",
    "game_on_board",
    "own_ids",
    "plays_on_boards",
    "shelf_order",
]


def _entries() -> Mapping[str, Any]:
    # Slow to load, and not needed before the games are asked for.
    from rules.plugins import GAMES, entries

    return entries(GAMES)


@cache
def game_ids() -> tuple[str, ...]:
    """Ids of all games there are, sorted."""
    return tuple(sorted(own_ids() | set(_entries())))


def shelf_order() -> tuple[str, ...]:
    """Ids of all games in the order of a shelf: first those on boards, which one knows, then what
    keeps score for others."""

    def stands_last(game_id: str) -> bool:
        try:
            return not find_game(game_id).watched
        except GameError:
            # A game from elsewhere that fails is left out where its front would be made.
            return False

    return tuple(sorted(game_ids(), key=stands_last))


@cache
def own_ids() -> frozenset[str]:
    """Ids of the games that come with Heelstone."""
    found = {module.name for module in pkgutil.iter_modules(__path__)}
    return frozenset(name for name in found if name[0] != "_")


def add_games(folder: str | Path) -> tuple[str, ...]:
    """Let ``find_game`` know the games of a package that lies in ``folder`` and is not installed;
    returns their ids. Programs started from here know them too.

    Raises GameError if nothing there names a game, or names one that Heelstone has.
    """
    from rules.plugins import add_folder

    games = add_folder(folder)
    game_ids.cache_clear()
    _find.cache_clear()
    return games


_ON_BOARDS: dict[str, Game[Any]] = {}


def game_on_board(game_id: str, text: str, where: Where) -> Game[Any]:
    """The game as played on a board of your own; its id is known from then on.

    ``text``: the board's file; ``where`` names it in messages. Raises GameError if the text is not
    a board of that game, or the game is played only on its own board.
    """
    on_board = _on_board(game_id)
    if on_board is None:
        raise GameError("own_board_only", game=game_id)
    game = on_board(text, where)
    return _ON_BOARDS.setdefault(game.id, game)


def plays_on_boards(game_id: str) -> bool:
    """True if a game can be played on boards of your own; raises GameError if there is none."""
    return _on_board(game_id.partition("@")[0]) is not None


def _on_board(game_id: str) -> Callable[[str, Where], Game[Any]] | None:
    find_game(game_id)
    module = None if game_id in _entries() else import_module(f"rules.games.{game_id}")
    return getattr(module, "on_board", None)


def find_game(game_id: str) -> Game[Any]:
    """The game with this id; raises GameError if there is none."""
    if game_id in _ON_BOARDS:
        return _ON_BOARDS[game_id]
    if "@" in game_id:
        raise GameError("board_not_here", game=game_id)
    return _find(game_id)


@cache
def _find(game_id: str) -> Game[Any]:
    if game_id not in game_ids():
        raise GameError("no_game", game=game_id, hint=hint(game_id, game_ids()))
    if game_id not in _entries():
        own: Game[Any] = import_module(f"rules.games.{game_id}").GAME
        return own
    from rules.plugins import load

    game = load(_entries()[game_id])
    if not isinstance(game, Game):
        found = game if isinstance(game, type) else type(game)
        raise GameError("entry_no_game", game=game_id, found=found.__name__)
    if getattr(game, "id", "") != game_id:
        raise GameError("entry_other_id", game=game_id, found=getattr(game, "id", ""))
    return game
