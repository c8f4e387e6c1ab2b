"""``python -m benchmarks.opponents GAME --first archdruid --second random --matches 40``."""

from __future__ import annotations

import argparse
import sys

from benchmarks.opponents.big_money_ultimate import big_money_ultimate
from benchmarks.opponents.contest import Contestant, Standing, Thinking, by_chance, contest
from rules.games import find_game

RANDOM = "random"
OTHERS: dict[str, Contestant] = {RANDOM: by_chance, "big-money-ultimate": big_money_ultimate}
"""Players that do not think for a time; the second one plays Dominion only."""


SIDES = {"hoher_rat": 2}
"""Games of partners, who share the outcome: how many sides there are."""


def _contestant(name: str, seconds: float) -> Contestant:
    return OTHERS.get(name) or Thinking(name, seconds)


def main() -> int:
    """Play the contest that the arguments name."""
    parser = argparse.ArgumentParser(prog="benchmarks.opponents", description=__doc__)
    parser.add_argument("game")
    parser.add_argument(
        "--first",
        default="archdruid",
        help="a player, or " + " or ".join(OTHERS),
    )
    parser.add_argument("--second", default=RANDOM, help="who sits on all other seats")
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    game = find_game(given.game)
    players = given.players or max(2, min(game.players))
    options = dict(option.split("=", 1) for option in given.option)
    first, second = (_contestant(name, given.seconds) for name in (given.first, given.second))
    standing = Standing()
    for played in contest(
        game, players, first, second, given.matches, options=options, seed=given.seed,
        sides=SIDES.get(game.id, 0),
    ):  # fmt: skip
        standing.played.append(played)
        if sys.stderr.isatty():
            print(f"\r{standing.line()}", end="", flush=True, file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{given.game} {players}p {given.first} : {given.second}, {given.seconds:g} s a move")
    print(standing.line())
    for name, one in ((given.first, first), (given.second, second)):
        if isinstance(one, Thinking) and one.choices:
            print(
                f"{name}: {one.choices} choices, {one.spent_s / one.choices:.2f} s and "
                f"{one.playouts / one.choices:.0f} playouts each, "
                f"{one.playouts / max(one.spent_s, 1e-9):.0f} playouts a second"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
