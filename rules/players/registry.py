"""The players at hand: Heelstone's own by level, others by the entry points of packages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core import GameError
from rules.near import hint
from rules.players.levels import LEVELS, Searcher
from rules.players.player import Player

_OWN = {level.name: level for level in LEVELS}


def _entries() -> Mapping[str, Any]:
    # Slow to load, and not needed before players are asked for.
    from rules.plugins import PLAYERS, entries

    return entries(PLAYERS)


def player_names() -> tuple[str, ...]:
    """Heelstone's own players from weak to strong, then all others by name."""
    return (*_OWN, *sorted(set(_entries()) - set(_OWN)))


def find_player(name: str) -> Player:
    """The player with this name; raises GameError if there is none."""
    if name in _OWN:
        return Searcher(_OWN[name])
    if name not in _entries():
        raise GameError("no_player", player=name, hint=hint(name, player_names()))
    from rules.plugins import load

    player = load(_entries()[name])()
    if not callable(getattr(player, "choose", None)):
        raise GameError("entry_no_player", player=name, found=type(player).__name__)
    made: Player = player
    return made
