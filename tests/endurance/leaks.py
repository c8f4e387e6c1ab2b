"""Does anything tell a secret? ``python -m tests.endurance.leaks [--matches 1000] [GAME …]``.

Plays matches of every game, in all its settings, and compares, at random moments, all that goes to
everybody and to one seat – phones, spectators, the stream and those who come back to it, the
house's broker, the club, the log, tips – with what goes there in worlds that its reader cannot tell
apart: as played, after moves were taken back, beside computer players. A phone asks as an attacker
would, and its answers must also take the same work. Ends with 1 if anything differed, or if a game
with secrets was never tried in another world.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from rules.games import find_game, game_ids
from rules.testing.playout import ladder
from tests.support.leaks import HIDDEN, Found, look_for_leaks, sent_anywhere, sent_later


def search(games: tuple[str, ...], number: int) -> Found:
    """The match of this number: the games in turn, each in one of its settings after the other."""
    game = games[number % len(games)]
    settings = ladder(find_game(game))
    players, options = settings[(number // len(games)) % len(settings)]
    chosen = {**options, **HIDDEN.get(game, {})}
    if number // len(games) % 4 == 3:
        return look_for_leaks(game, players, number, sent_later, options=chosen, later=True)
    return look_for_leaks(game, players, number, sent_anywhere, options=chosen)


def _main() -> int:
    parser = argparse.ArgumentParser(description="Does anything tell a secret?")
    parser.add_argument("games", nargs="*", default=game_ids(), metavar="GAME")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first match")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    began, found, games = time.monotonic(), Found(), tuple(args.games)
    numbers = range(args.first, args.first + args.matches)
    with ProcessPoolExecutor(args.workers) as workers:
        for one in workers.map(partial(search, games), numbers, chunksize=4):
            found.add(one)
            for leak in one.leaks:
                print(leak, flush=True)
    for game in games:
        worlds, hands = found.worlds.get(game, 0), found.other_hands.get(game, 0)
        print(f"{game}: {worlds} other worlds, in {hands} of them other hands just then")
    spent = time.monotonic() - began
    told = f"{found.answers} answers compared, {len(found.leaks)} leaks, {spent:.0f} s"
    print(f"{found.matches} matches, {told}")
    untried = [game for game in games if game in HIDDEN and not found.other_hands.get(game)]
    return 1 if found.leaks or untried else 0


if __name__ == "__main__":
    sys.exit(_main())
