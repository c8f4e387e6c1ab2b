"""Endgames of Stonehenge: does the search find what an exact solver knows to win?

``python -m benchmarks.opponents.endgames --positions 500 --seconds 1``: positions with up to six
empty fields, from matches of weak play, in which some moves win and some lose.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from random import Random

from benchmarks.opponents.contest import wilson
from rules.games.knizia_stonehenge import GAME
from rules.players import Budget
from rules.players.crafts.knizia_stonehenge.position import MOST_EMPTY, Stones, winning
from rules.players.position import OVER
from rules.players.search import search


def positions(number: int, seed: int) -> Iterator[tuple[Stones, set[int]]]:
    """Positions, each with the stones that win, neither none nor all."""
    random = Random(seed)
    found = 0
    while found < number:
        position = Stones.of(GAME.setup(2, GAME.complete_options(2, {}), False))
        empty = random.randint(2, MOST_EMPTY)
        while len(position.empty) > empty and position.actor() != OVER:
            keys = position.keys()
            position.play(max(random.choice(keys), random.choice(keys), key=position.gain))
        if position.actor() == OVER:
            continue
        wins = set(winning(position))
        if wins and len(wins) < len(position.keys()):
            found += 1
            yield position, wins


def main() -> int:
    """Count how often the search agrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time a position")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = Random(given.seed)
    agreed = 0
    for position, wins in positions(given.positions, given.seed):
        budget = Budget(given.seconds, clock=time.thread_time)
        found = search(lambda _random, at=position: at.clone(), budget, random)  # type: ignore[misc]
        agreed += found.ranked[0].key in wins
    low, high = wilson(agreed, given.positions)
    print(f"{agreed} of {given.positions} endgames solved by the search alone: "
          f"{agreed / given.positions:.1%} ({low:.1%} to {high:.1%})")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
