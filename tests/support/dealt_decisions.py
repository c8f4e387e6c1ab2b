"""Matches of games with hidden cards, at decisions of their players."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rules.core import Actor
from rules.match import Match
from rules.testing.playout import pick


def decisions(
    game: str, players: int, seed: int, *, every: int = 7, physical: bool = False, most: int = 600
) -> Iterator[Match]:
    """A random match at some of its players' decisions; ``physical``: as a table logs it."""
    dealt, table = Match(game, players, seed=seed), Match(game, players, physical=True)
    random = Random(seed)
    for number in range(most):
        prompt = dealt.prompt
        if prompt is None:
            return
        if prompt.actor is Actor.PLAYER and number % every == 0:
            yield table if physical else dealt
        move = pick(dealt.state, dealt.legal_moves(), random)
        if prompt.actor is Actor.DEALER:
            answer = dealt.next_chance()
            assert answer is not None
            move = answer
        for shown in dealt.state.shown(move):
            table.push(shown)
        dealt.push(move)
