"""Does ``heelstone check`` find what is wrong with a game?

``python -m tests.endurance.mutations``: faults that authors make are planted into three sound
games, one at a time; each must be found, in a sentence that names it and says what to do.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from rules.games import find_game
from rules.testing.conformance import check_game
from tests.support.faulty_games import FAULTS, planted

GAMES = "knizia_stonehenge", "rollende_steine", "opferroulette"
"""One that is open, one of dexterity, one with hidden cards."""
WHOLE = {"an_objection_is_declared_that_never_comes"}
"""What only shows when every setting was tried."""
MATCHES = 4


def missed(fault: str, game_id: str) -> str | None:
    """Why a planted fault was not found in this game; empty: it was; None: it has no such part."""
    with planted(fault, find_game(game_id)) as game:
        if game is None:
            return None
        report = check_game(game, matches=None if fault in WHOLE else MATCHES)
    wanted = FAULTS[fault][1]
    if any(re.search(wanted, problem) for problem in report.problems):
        return ""
    return f"found instead: {report.problems[:2]}" if report.problems else "nothing was found"


def main(arguments: Sequence[str]) -> int:
    """Plant everything everywhere; 1 if more than one in twenty was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--faults", nargs="+", default=[*FAULTS])
    given = parser.parse_args(arguments)
    found = tried = 0
    for game_id in given.games:
        for fault in given.faults:
            told = missed(fault, game_id)
            if told is None:
                continue
            tried, found = tried + 1, found + (told == "")
            if told:
                print(f"{game_id}: {fault}: {told}", flush=True)
    print(f"{found} of {tried} planted faults found ({len(given.faults)} kinds)")
    return int(found < 0.95 * tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
