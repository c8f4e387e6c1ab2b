"""Seats for computer players: what they must know, and whether a table can let them know it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from random import Random

from rules.games import find_game
from rules.match import Match

LOOKED_AT = 12
"""Number of moves that are played to see whether anything is hidden in a game."""


def lies_open(game: str, players: int, options: Mapping[str, str]) -> bool:
    """True if all that a player must know lies open on a table with real pieces."""
    rules = find_game(game)
    complete = rules.complete_options(players, options)
    return not rules.keeps_ledger(complete) and rules.open_to_computers(complete)


def sits_at_table(
    game: str, players: int, options: Mapping[str, str], seats: Collection[int]
) -> bool:
    """True if computer players can sit on ``seats`` of a table with real pieces; else only on a
    screen."""
    rules = find_game(game)
    deals = rules.deals_for(players, rules.complete_options(players, options), seats)
    return deals or lies_open(game, players, options)


def dealt_at_table(
    game: str, players: int, options: Mapping[str, str], seats: Collection[int]
) -> tuple[int, ...]:
    """The computer players on ``seats`` of a table with real pieces for whom the program deals: all
    if what they must know does not lie open, else none."""
    if lies_open(game, players, options) or not sits_at_table(game, players, options, seats):
        return ()
    return tuple(sorted(seats))


def knows_game(game: str, players: int, options: Mapping[str, str]) -> bool:
    """True if computer players can play it at all: they know what may be hidden in it, or nothing
    is."""
    rules = find_game(game)
    if rules.keeps_ledger(rules.complete_options(players, options)):
        return False
    return bool(rules.craft) or _open(game, players, tuple(sorted(options.items())))


@cache
def _open(game: str, players: int, options: tuple[tuple[str, str], ...]) -> bool:
    """True if all seats see everything, as far as a few moves tell."""
    match, random = Match(game, players, dict(options)), Random(1)
    for _ in range(LOOKED_AT):
        match.deal()
        state = match.state
        if any(state.view(seat) != state.to_json() for seat in range(players)):
            return False
        moves = match.legal_moves()
        if not moves:
            break
        match.push(state.choose(moves, random))
    return True
