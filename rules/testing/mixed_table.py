"""Tables with real cards where the program deals for some seats (``Game.deals_for``): what a match
there must have in common with one in which it deals for all."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any

from rules.core import Actor, Game, GameError, Move
from rules.match import Match
from rules.testing.playout import random_match

STORED_EVERY = 25
"""Moves between two positions that are stored and read back."""


def dealt_seats(game: Game[Any], players: int, options: Mapping[str, str]) -> list[tuple[int, ...]]:
    """All groups of seats for which the program can deal while others have real cards."""
    groups = (c for number in range(1, players) for c in combinations(range(players), number))
    return [seats for seats in groups if game.deals_for(players, options, seats)]


def check_beside(
    game: Game[Any], players: int, options: Mapping[str, str], seed: int, dealt: Collection[int]
) -> str | None:
    """Deal a match, and replay what ``dealt`` seats did, and of the others what a table would show
    of it; the problem found, or None."""
    mixed = Match(game, players, options, physical=True, seed=seed, dealt=dealt)
    where = f"Dealt to {list(dealt)}, seed {seed}, {players} players, {dict(options)}"
    whole: Match | None = None
    for match, moves, move in random_match(game, players, options, seed):
        whole, here = match, f"{where}, move {match.ply}"
        own = _whose(move, players) in dealt
        if own and sorted(m.text for m in mixed.legal_moves()) != sorted(m.text for m in moves):
            return f"{here}: whose cards are dealt may do something else than in a dealt match"
        for shown in (move,) if own else match.state.shown(move):
            try:
                mixed.push(shown)
            except GameError as error:
                return f"{here}: '{move}' shown as '{shown}' is refused: {error}"
        if match.ply % STORED_EVERY == 0:
            stored = json.loads(json.dumps(mixed.state.to_json()))
            if game.from_json(stored).to_json() != stored:
                return f"{here}: the position is not read back as it was stored"
    if whole is not None and mixed.outcome != whole.outcome:
        return f"{where}: outcome {whole.outcome} became {mixed.outcome}"
    return None


def _whose(move: Move, players: int) -> int | None:
    """The seat that plays, or whose cards are drawn; None if neither."""
    if move.actor is Actor.PLAYER:
        return move.player
    seats = {f"p{seat}": seat for seat in range(players)}
    return seats.get(move.args[0]) if len(move.args) > 1 else None
