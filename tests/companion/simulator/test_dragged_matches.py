"""Matches at the virtual table, every piece dragged by a finger in the window.

Touches go through Kivy to the camera's picture and to the supply below it; the camera's pictures
go through vision, session and journal; what no picture shows is touched on the play screen. In
the test run matches are played for some moves; ``--long`` plays them whole.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.demo.whole import WholeMatch
from companion.journal.entries import FINISHED
from companion.journal.store import Journal
from tests.support.dragging import DraggingFinger
from tests.support.ui_harness import need_screen, texts

THOROUGH, LONG = pytest.mark.thorough, pytest.mark.long
TABLES = [
    # Game, size of the window, language, moves of the hands; None: to the end.
    # A piece is dragged in every run where the table is a screen of the app.
    pytest.param("rollende_steine", (800, 480), "en", 1, marks=THOROUGH),
    pytest.param("rollende_steine", (800, 480), "en", 2, marks=THOROUGH),
    pytest.param("dolmengoetter", (1280, 720), "de", 3, marks=THOROUGH),
    pytest.param("rollende_steine", (800, 480), "en", None, marks=LONG),
    pytest.param("dolmengoetter", (1280, 720), "de", None, marks=LONG),
    pytest.param("knizia_stonehenge", (720, 1280), "de", None, marks=LONG),
]


@pytest.mark.parametrize(("game", "size", "lang", "most"), TABLES)
def test_a_match_is_played_by_dragging_pieces(
    game: str, size: tuple[int, int], lang: str, most: int | None, tmp_path: Path
) -> None:
    need_screen()
    finger = DraggingFinger(game, tmp_path, size, lang)
    try:
        match = WholeMatch(finger.stage, seed=7, hands=finger)
        tally = match.play(most)
        print(f"{game}: {tally}, {finger.touches} touches, {finger.stage.eyes.frames} frames")
        assert tally.wrong == 0
        assert tally.asked == 0, tally.notes
        assert tally.read + tally.alike > 0
        assert finger.touches >= tally.steps
        if most is None:
            finger._show(table=False)
            assert finger.view.outcome == match.truth.outcome
            assert finger.word("screens.new_match") in texts(finger.screen)
            with Journal(tmp_path / "journal.db") as journal:
                summary = next(s for s in journal.matches() if s.header.id == finger.view.match_id)
                assert summary.status == FINISHED
                assert journal.load(summary.header.id).outcome == match.truth.outcome
    finally:
        finger.close()
