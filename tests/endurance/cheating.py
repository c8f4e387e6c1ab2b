"""Computer players that look into others' cards are found out.

``python -m tests.endurance.cheating --positions 1000``: in so many positions of every game with
something hidden, what a seat cannot know changes places; with the same random numbers and the same
number of playouts the same move must be chosen, for the same reason and with the same chances.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from rules.core import Game
from rules.games import find_game
from rules.match import Match
from rules.players import Budget, Player, SeatView, find_player, player_names
from rules.testing.playout import random_match
from tests.support.leaks import HIDDEN
from tests.support.worlds import worlds

PLAYOUTS = 4


def hidden_games() -> list[tuple[Game[Any], dict[str, str]]]:
    """Every game in which something is hidden, and the options for it."""
    return [(find_game(name), dict(options)) for name, options in HIDDEN.items()]


def decisions(
    game: Game[Any], players: int, options: dict[str, str], random: Random
) -> Iterator[tuple[Match, int]]:
    """Matches at a player's decision between several moves, and whose it is; one position each."""
    while True:
        seed, stop = random.getrandbits(32), random.randrange(5, 160)
        for match, moves, _ in random_match(game, players, options, seed):
            player = moves[0].player
            if match.ply >= stop and len(moves) > 1 and player is not None:
                yield match, player
                break


def compared(game: Game[Any], options: dict[str, str], positions: int, seed: int) -> Iterator[str]:
    """Compare so many positions; yields a sentence for every choice that differs."""
    random = Random(seed)
    players: list[Player] = [find_player(name) for name in player_names()[:3]]
    found = 0
    streams = {
        number: decisions(game, number, options, random) for number in game.players if number > 1
    }
    while found < positions:
        number = random.choice(list(streams))
        match, seat = next(streams[number])
        other = next(iter(worlds(match, seat, 1, random)), None)
        if other is None:
            continue
        player = players[found % len(players)]
        found += 1
        legal = match.legal_moves()
        if other.legal_moves() != legal:
            yield f"{game.id}: what p{seat} may do depends on what it cannot know"
            continue
        choices = [
            player.choose(SeatView.of(one, seat), legal, Budget(playouts=PLAYOUTS), Random(found))
            for one in (match, other)
        ]
        if choices[0] != choices[1]:
            yield f"{game.id}: p{seat} plays {choices[0].move} or {choices[1].move}"


def main() -> int:
    """Compare, game by game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = 0
    for game, options in hidden_games():
        began = time.monotonic()
        for sentence in compared(game, options, given.positions, given.seed):
            wrong += 1
            print(sentence)
        print(
            f"{game.id}: {given.positions} positions, {time.monotonic() - began:.0f} s", flush=True
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
