"""``heelstone simulate``: a random match, decision by decision, as other programs replay it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.authors.playout import random_match
from rules.core import Game
from rules.match import Match

__all__ = ["simulate"]


def simulate(
    game: Game[Any], players: int, options: Mapping[str, str], seed: int
) -> Iterator[dict[str, Any]]:
    """The records of one match: its start, every decision with all legal moves, its end.

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
    for match, moves, move in random_match(game, players, options, seed):
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
