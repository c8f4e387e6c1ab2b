"""A match played by two processes: what a game lists in the order of a set is listed otherwise by
each, and then the same seed is another match.

    python -m rules.testing.determinism knizia_stonehenge
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any
from zlib import crc32

from rules.core import Game
from rules.games import find_game
from rules.testing.playout import ladder, random_match
from rules.testing.report import Report

MATCHES, MOVES = 3, 60
PATIENCE_S = 60.0


def check_elsewhere(game: Game[Any], report: Report) -> None:
    """Let another process play the same moves."""
    command = [sys.executable, "-m", "rules.testing.determinism", game.id]
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": path},
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        report.add(f"another process cannot play the game: {''.join(last)}", "Mend the code there")
    elif done.stdout.strip() != digest(game):
        report.add(
            "another process plays another match with the same seed",
            "Let legal_moves and pseudo_moves keep one order: sort what comes out of a set",
        )


def digest(game: Game[Any]) -> str:
    """A number for the legal moves of some matches, in their order."""
    told = 0
    for number, (players, options) in enumerate(ladder(game, MATCHES)):
        for match, moves, _ in random_match(game, players, options, number):
            if match.ply >= MOVES:
                break
            tried = [move.text for move in match.state.pseudo_moves()]
            told = crc32(repr(([move.text for move in moves], tried)).encode(), told)
    return f"{told:08x}"


if __name__ == "__main__":
    print(digest(find_game(sys.argv[1])))
