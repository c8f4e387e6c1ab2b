"""The games that a camera can watch: those with a board."""

from __future__ import annotations

from rules.games import find_game, game_ids

WATCHED = tuple(game for game in game_ids() if find_game(game).watched)
