"""Random matches: for ``simulate``, for the conformance suite, for benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any

from rules.core import Actor, Game, GameError, Move, State
from rules.match import Match

# The settings a game is tried in: numbers of players and options, the most telling first.

RUNGS = 50
CANDIDATES = 60


def ladder(game: Game[Any], most: int = RUNGS) -> list[tuple[int, dict[str, str]]]:
    """Numbers of players, each with complete options that ``game`` accepts; at most ``most``.

    The defaults for the fewest players come first. Each further rung is the one that brings the
    most pairs of values together for the first time, so that a few rungs already try every number
    of players and most values, and all of them most pairs.
    """
    random = Random(game.id)
    left = list(product(game.players, product(*game.options.values())))
    rungs: list[tuple[int, dict[str, str]]] = []
    met: set[Any] = set()
    best = left[0]
    while left and len(rungs) < most:
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


MOVE_LIMIT = 200_000
"""A random match longer than this is considered endless."""


def random_match(
    game: Game[Any],
    players: int,
    options: Mapping[str, str],
    seed: int | str,
    *,
    physical: bool = False,
    limit: int = MOVE_LIMIT,
    decide: Callable[[Match, list[Move]], Move | None] | None = None,
) -> Iterator[tuple[Match, list[Move], Move]]:
    """Play a random match; yields before each move: the match, its legal moves, the choice.

    The match yielded is always the same object; after the last step it is over. ``decide`` chooses
    among the legal moves, or returns None to leave it to chance. Raises GameError if there is no
    end within ``limit`` moves.
    """
    match = Match(game, players, options, physical=physical, seed=seed)
    random = Random(f"{game.id}/{seed}")
    while match.outcome is None:
        if match.ply >= limit:
            raise GameError("no_end", game=game.id, moves=limit, seed=seed, players=players)
        moves = match.state.legal_moves()
        if not moves:
            raise GameError("no_move", game=game.id, moves=match.ply, seed=seed)
        chosen = None if decide is None else decide(match, moves)
        move = pick(match.state, moves, random) if chosen is None else chosen
        yield match, moves, move
        match.push(move)


def pick(state: State, moves: list[Move], random: Random) -> Move:
    """A random choice for the actor: by the players' chooser, or by the weights of chance."""
    if len(moves) == 1:
        return moves[0]
    if moves[0].actor is Actor.PLAYER:
        return state.choose(moves, random)
    return random.choices(moves, weights=state.weights(moves))[0]
