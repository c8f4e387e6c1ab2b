"""The virtual table as a camera's source, and pieces dragged on it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.app.demo.whole import WholeMatch
from companion.journal.entries import FINISHED
from companion.journal.store import Journal
from companion.match.view import TableState
from companion.settings.people import MatchSetup
from companion.settings.settings import load_settings
from companion.simulator.source import Simulator
from rules.box import load_box
from tests.support.dragging import DraggingFinger
from tests.support.ui_harness import need_screen, texts
from tests.support.waiting import PATIENCE_S

GAME = "knizia_stonehenge"


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def lying(simulator: Simulator) -> dict[str | None, str]:
    return {piece.site: piece.kind for piece in simulator.table.pieces if piece.site}


def test_an_ordinary_table_plays_with_what_another_program_lays_on_the_virtual_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "settings.toml").write_text('[camera]\nsource = "virtual"\n')
    house = Application(load_settings(tmp_path / "settings.toml"), tmp_path / "state", "en")
    try:
        session = house.start(MatchSetup(GAME, 2))
        house.begin()
        until(lambda: session.view.state is TableState.SETTLED)
        piece = {"site": "G", "kind": "stone black 4"}
        kept = tmp_path / "state" / "virtual-table.json"
        kept.write_text(json.dumps({"box": GAME, "pieces": [piece]}))
        until(lambda: session.view.ply == 1)
        assert session.view.last is not None and session.view.last.text == "p0 place 4 G"
        snapshot = house.camera.snapshot()
        assert snapshot is not None and snapshot.frame.image.shape == (1200, 1600, 3)
    finally:
        house.close()


@pytest.fixture
def simulator(tmp_path: Path) -> Simulator:
    simulator = Simulator(tmp_path / "table.json")
    simulator.lay(load_box(GAME))
    return simulator


def test_pieces_outlive_the_program_and_the_camera(simulator: Simulator, tmp_path: Path) -> None:
    simulator.table.put("stone brown 3", "A")
    simulator.table.put("megalith brown", "L1")
    source = simulator.open()
    assert source.read(1.0) is not None
    source.close()
    assert source.ended and source.read(0.0) is None
    simulator.lay(load_box(GAME))
    again = Simulator(tmp_path / "table.json")
    again.lay(load_box(GAME))
    assert again.open().read(1.0) is not None
    assert lying(again) == lying(simulator) == {"A": "stone brown 3", "L1": "megalith brown"}


def test_a_board_of_another_box_is_bare(simulator: Simulator, tmp_path: Path) -> None:
    simulator.table.put("stone brown 3", "A")
    assert simulator.open().read(1.0) is not None
    other = Simulator(tmp_path / "table.json")
    other.lay(load_box("dolmengoetter"))
    assert other.open().read(1.0) is not None
    assert lying(other) == {}


def test_what_a_hand_holds_lies_nowhere(simulator: Simulator, tmp_path: Path) -> None:
    piece = simulator.table.put("stone brown 3", "A")
    simulator.table.lift(piece.id)
    assert simulator.open().read(1.0) is not None
    assert json.loads((tmp_path / "table.json").read_text())["pieces"] == []


def test_a_hand_waits_until_its_picture_has_been_looked_at(simulator: Simulator) -> None:
    source, looked = simulator.open(), threading.Event()
    assert source.read(1.0) is not None

    def hand() -> None:
        simulator.look()
        looked.set()

    threading.Thread(target=hand, daemon=True).start()
    frame = source.read(1.0)
    assert frame is not None and not looked.wait(0.05)
    # Who asks for the next picture has done with this one.
    later = source.read(1.0)
    assert looked.wait(PATIENCE_S) and later is not None and later.index == frame.index + 1


def test_a_table_at_rest_delivers_ten_pictures_a_second(simulator: Simulator) -> None:
    source = simulator.open()
    frames = [source.read() for _ in range(3)]
    times = [frame.time_s for frame in frames if frame is not None]
    assert times[2] - times[1] >= 0.09
    assert source.read(0.0) is None


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
            assert finger.word("ending.rematch") in texts(finger.screen)
            with Journal(tmp_path / "journal.db") as journal:
                summary = next(s for s in journal.matches() if s.header.id == finger.view.match_id)
                assert summary.status == FINISHED
                assert journal.load(summary.header.id).outcome == match.truth.outcome
    finally:
        finger.close()
