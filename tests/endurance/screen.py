"""Evenings at the screen: ``python -m tests.endurance.screen``.

An evening is one match of each game with as many players as it takes, in one off-screen window and
with every output connected. What Kivy and the graphics driver hold is not seen by Python, so
resident memory is what counts. Screens, words and letters that appear for the first time stay; once
the same evening has been played often enough, memory must stand.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from companion.app.application import Application
from companion.match.session import Session
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.preferences import Preferences
from companion.settings.settings import Settings
from companion.ui.offscreen import open_window, tick
from hardware.settings import MOCK_RIG
from rules.games import find_game, game_ids
from tests.endurance.soak import Soaked, sample, tell

SIZE = (800, 480)
LONGEST_MATCH = 150
"""Moves of a match at most, so that no game takes the whole evening."""
MOST_FRAMES = 300
"""A screen that has not shown a move after so many frames never will."""


def evenings(count: int, warm_up: int, folder: Path, longest: int = LONGEST_MATCH) -> Soaked:
    """Play ``warm_up`` evenings and then ``count`` others, with ``longest`` moves a match.

    Raises RuntimeError when the screen does not show a move.
    """
    window = open_window(SIZE, folder)
    from companion.ui.app import HeelstoneApp

    found = Soaked()
    house = Application(Settings(rig=MOCK_RIG), folder, "de")
    try:
        app = HeelstoneApp(house, Preferences(animations=False), physical=False)
        window.add_widget(app.build())
        for evening in range(warm_up + count):
            for game in game_ids():
                session = house.start(
                    MatchSetup(game, max(find_game(game).players), physical=False)
                )
                app.play(session)
                house.begin()
                _play(app, session, longest, found)
            if evening >= warm_up - 1:
                sample(found)
        window.remove_widget(app.root_view)
    finally:
        house.close()
    return found


def _play(app: Any, session: Session, longest: int, found: Soaked) -> None:
    """One match, or its beginning."""
    # The same moves every evening, as far as the cards allow it.
    chance, table = random.Random(session.table.match.game.id), session.table
    for _ in range(longest):
        if table.match.outcome is not None:
            break
        legal = list(session.view.legal)
        move = table.match.state.choose(legal, chance)
        session.post(PlayMove(move))
        found.waiting = [*found.waiting[-100:], session.waiting]
        session.settle()
        found.moves += 1
        for _frame in range(MOST_FRAMES):
            tick(1)
            if app.screen.view is session.view:
                break
        else:
            raise RuntimeError(f"the screen does not show {move}")
    found.matches += 1


def main() -> int:
    """Play and print the figures; 1 if something leaked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=3)
    parser.add_argument("--warm-up", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return tell(evenings(given.evenings, given.warm_up, Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
