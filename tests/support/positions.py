"""Positions of random matches, as a referee at a real table has them."""

from __future__ import annotations

from rules.core import Actor, Options
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import random_match

READINGS = 60


def referee_positions(
    game_id: str, seed: int, chosen: Options | None = None
) -> list[tuple[Match, str]]:
    """Positions of a physical match in which a player is asked, with what was really played."""
    game = find_game(game_id)
    players = game.players[seed % len(game.players)]
    options = game.complete_options(players, chosen or {})
    referee = Match(game, players, options, physical=True, seed=seed)
    found = []
    for match, _, move in random_match(game, players, options, seed):
        for shown in match.state.shown(move):
            prompt = referee.prompt
            if prompt is not None and prompt.actor is Actor.PLAYER:
                found.append((referee.clone(), shown.text))
            referee.push(shown)
        if len(found) > 3 * READINGS:
            break
    return found
