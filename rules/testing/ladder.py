"""The settings a game is tried in: numbers of players and options, the most telling first."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

from rules.core import Game, GameError

__all__ = ["ladder"]

RUNGS = 50
CANDIDATES = 60


def ladder(game: Game[Any]) -> list[tuple[int, dict[str, str]]]:
    """Numbers of players, each with complete options that ``game`` accepts; at most ``RUNGS``.

    The defaults for the fewest players come first. Each further rung is the one that brings the
    most pairs of values together for the first time, so that a few rungs already try every number
    of players and most values, and all of them most pairs.
    """
    random = Random(game.id)
    left = list(product(game.players, product(*game.options.values())))
    rungs: list[tuple[int, dict[str, str]]] = []
    met: set[Any] = set()
    best = left[0]
    while left and len(rungs) < RUNGS:
        if met:
            candidates = random.sample(left, min(CANDIDATES, len(left)))
            best = max(candidates, key=lambda setting: len(_pairs(*setting) - met))
        left.remove(best)
        players, values = best
        try:
            options = game.complete_options(players, dict(zip(game.options, values, strict=True)))
        except GameError:
            continue  # a combination that the game refuses is not a setting
        met |= _pairs(players, values)
        rungs.append((players, options))
    return rungs


def _pairs(players: int, values: tuple[str, ...]) -> set[Any]:
    """Every pair of the values, each with its place; a value alone if there is just one."""
    return set(combinations(enumerate((players, *values)), min(2, 1 + len(values))))
