"""Where computer players can sit: what they must know, and whether a table can let them know it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from rules.games import find_game
from rules.match import Match

__all__ = ["knows_game", "sits_at_table"]

LOOKED_AT = 12
"""So many moves are played to see whether anything is hidden in a game."""


def sits_at_table(game: str, players: int, options: Mapping[str, str]) -> bool:
    """Whether a computer player can sit at a table with real pieces; else only on a screen."""
    rules = find_game(game)
    complete = rules.complete_options(players, options)
    return not rules.keeps_ledger(complete) and rules.open_to_computers(complete)


def knows_game(game: str, players: int, options: Mapping[str, str]) -> bool:
    """Whether computer players can play it at all: they know what may be hidden in it, or nothing
    is."""
    rules = find_game(game)
    if rules.keeps_ledger(rules.complete_options(players, options)):
        return False
    return bool(rules.craft) or _open(game, players, tuple(sorted(options.items())))


@cache
def _open(game: str, players: int, options: tuple[tuple[str, str], ...]) -> bool:
    """Whether everybody sees everything, as far as a few moves tell."""
    match, random = Match(game, players, dict(options)), Random(1)
    for _ in range(LOOKED_AT):
        match.deal()
        state, rules = match.state, match.game
        if any(rules.view(state, seat) != state.to_json() for seat in range(players)):
            return False
        moves = match.legal_moves()
        if not moves:
            break
        match.push(rules.choose(state, moves, random))
    return True
