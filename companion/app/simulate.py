"""``heelstone simulate``: a match without people, decision by decision, as other programs replay
it. Seats without a computer player decide at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

from rules.core import Actor, Game, Move
from rules.match import Match
from rules.players import Budget, Player, SeatView, find_player
from rules.testing.playout import random_match

SECONDS = 0.2
"""Default time for a decision, seconds."""


def simulate(
    game: Game[Any],
    players: int,
    options: Mapping[str, str],
    seed: int,
    company: Mapping[int, str] | None = None,
    seconds: float = SECONDS,
) -> Iterator[dict[str, Any]]:
    """The records of one match: its start, every decision with all legal moves, its end.

    ``company``: computer players by seat; they think about a decision for ``seconds`` at most.

    ``state`` is the whole position after what the record describes.
    """
    start = Match(game, players, options, seed=seed)
    yield {
        "game": game.id,
        "players": players,
        "seed": seed,
        "options": dict(start.options),
        "state": start.state.to_json(),
    }
    # random_match plays a move only when it is asked for the next, so each record waits for it.
    waiting: dict[str, Any] | None = None
    match = start
    deciders = {seat: find_player(name) for seat, name in (company or {}).items()}
    decide = partial(_decide, deciders, seconds, Random(seed)) if deciders else None
    for match, moves, move in random_match(game, players, options, seed, decide=decide):
        if waiting is not None:
            waiting["state"] = match.state.to_json()
            yield waiting
        prompt = match.prompt
        assert prompt is not None
        waiting = {
            "actor": prompt.actor.value,
            "player": prompt.player,
            "moves": sorted(m.text for m in moves),
            "move": move.text,
        }
    if waiting is not None:
        waiting["state"] = match.state.to_json()
        yield waiting
    outcome = match.outcome
    assert outcome is not None
    yield {"outcome": outcome.to_json(), "state": match.state.to_json()}


def _decide(
    deciders: Mapping[int, Player], seconds: float, random: Random, match: Match, moves: list[Move]
) -> Move | None:
    """Choice of the computer player to move; None if none is."""
    seat = moves[0].player
    if moves[0].actor is not Actor.PLAYER or seat is None or seat not in deciders:
        return None
    view = SeatView.of(match, seat)
    return deciders[seat].choose(view, moves, Budget(seconds), random).move
