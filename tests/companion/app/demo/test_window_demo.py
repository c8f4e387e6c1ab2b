"""The program in a real window: the demo's table is played by a mouse, the app by taps.

Needs an X server that draws nowhere (Xvfb) and something that moves a mouse (xdotool).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.journal.store import Journal
from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from tests.support.needed import needs

GAME = "knizia_stonehenge"
PATIENCE_S = 90.0

FREE_TABLE = f"""
import sys, threading, time
from pathlib import Path
from companion.app.demo.stage import Stage
from companion.app.demo.window import play_in_window
stage = Stage({GAME!r}, Path(sys.argv[1]), "de")

def tell(picture):
    stage.look()
    picture("window", stage.view)
    threading.Thread(target=close_when_told, daemon=True).start()

def close_when_told():
    from kivy.app import App
    from kivy.clock import Clock

    while not (stage.out / "close").exists():
        time.sleep(0.1)
    Clock.schedule_once(lambda _passed: App.get_running_app().stop())

play_in_window(stage, "de", tell)
stage.close()
"""
"""The demo without its story: a picture, and then people may play."""

pytestmark = needs("Xvfb", "xdotool")


class Screen:
    """An X server of its own, and a mouse in it."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", f"{size[0]}x{size[1]}x24", "+extension",
             "GLX"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert self.server.stdout is not None
        number = self.server.stdout.readline().decode().strip()
        self.env = {**os.environ, "DISPLAY": f":{number}", "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.env.pop("SDL_VIDEODRIVER", None)

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, *command], env=self.env, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )  # fmt: skip

    def mouse(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self.env, check=True, timeout=20)

    def click(self, x: float, y: float) -> None:
        self.mouse("mousemove", str(round(x)), str(round(y)), "sleep", "0.1", "click", "1")

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.mouse("mousemove", str(round(start[0])), str(round(start[1])), "sleep", "0.2",
                   "mousedown", "1", "sleep", "0.4")  # fmt: skip
        for step in range(1, 6):
            x, y = (a + (b - a) * step / 5 for a, b in zip(start, end, strict=True))
            self.mouse("mousemove", str(round(x)), str(round(y)), "sleep", "0.1")
        self.mouse("sleep", "0.4", "mouseup", "1")


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> Iterator[Screen]:
    screen = Screen(request.param)
    yield screen
    screen.server.terminate()
    screen.server.wait(timeout=10)


@contextlib.contextmanager
def running(program: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def wait_for(program: subprocess.Popen[bytes], done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        if program.poll() is not None:
            said = program.stdout.read().decode()[-2000:] if program.stdout else ""
            pytest.fail(f"the program ended before {what}: {said}")
        assert time.monotonic() < deadline, f"not within {PATIENCE_S:.0f} s: {what}"
        time.sleep(0.2)


def moves_in(journal: Path) -> list[str]:
    """The moves of the latest match that is not finished."""
    if not journal.exists():
        return []
    with Journal(journal) as record:
        open_matches = record.unfinished()
        if not open_matches:
            return []
        return [entry.move.text for entry in record.load(open_matches[0].header.id).log]


@pytest.mark.parametrize("screen", [(1280, 720)], indirect=True)
def test_a_piece_dragged_by_the_mouse_becomes_a_move(screen: Screen, tmp_path: Path) -> None:
    box = load_box(GAME)
    camera, table = Camera.over(box, seed=7), VirtualTable(box, seed=7)
    stone = next(piece for piece in table.pieces if piece.kind == "stone black 4")
    with running(screen.start("-c", FREE_TABLE, str(tmp_path))) as program:
        wait_for(program, (tmp_path / "window.png").exists, "the window's picture")
        wait_for(program, (tmp_path / "journal.db").exists, "the match of the onlookers")
        time.sleep(3)
        left, top, width, height = picture_place()

        def seen(at: tuple[float, float]) -> tuple[float, float]:
            u, v = camera.board_to_px(*at)
            return (left + u / camera.width * width, top + v / camera.height * height)

        for _attempt in range(3):
            screen.drag(seen(stone.at), seen(box.sites["G"].at))
            time.sleep(4)
            if moves_in(tmp_path / "journal.db"):
                break
        assert moves_in(tmp_path / "journal.db") == ["p0 place 4 G"]
        (tmp_path / "close").touch()
        assert program.wait(timeout=30) == 0


def picture_place() -> tuple[float, float, float, float]:
    """Place of the camera's picture in the window of 1280 × 720 px: left, top, width, height."""
    left = round(1280 * 0.61)
    return (left + 15.6, 91.4, 1280 - left - 31.2, (1280 - left - 31.2) * 0.75)


@pytest.mark.parametrize("screen", [(800, 480)], indirect=True)
def test_the_app_starts_plays_by_taps_and_resumes_after_a_kill(
    screen: Screen, tmp_path: Path
) -> None:
    main = "import sys; from companion.app.cli import main; sys.exit(main())"
    app = ("-c", main, "--data", str(tmp_path), "--lang", "de")
    journal = tmp_path / "journal.db"
    with running(screen.start(*app)) as program:
        wait_for(program, journal.exists, "the journal")
        time.sleep(5)
        # No check of the table, the first box of the shelf, the seats as they are, all set out.
        keys = ((177, 437), (114, 166), (557, 437), (544, 437))
        wait_for(program, lambda: tapped(screen, journal, *keys), "a match")
        # Who begins is asked first; then a druid goes to the place at the left.
        wait_for(program, lambda: tap_until(screen, journal, (502, 176), 1), "the first move")
        wait_for(program, lambda: tap_until(screen, journal, (36, 142), 2), "the second move")
    before = moves_in(journal)
    assert len(before) == 2
    with running(screen.start(*app)) as program:
        time.sleep(5)
        screen.click(660, 440)
        wait_for(program, lambda: tap_until(screen, journal, (427, 142), 3), "the third move")
    assert moves_in(journal)[:2] == before


def tapped(screen: Screen, journal: Path, *places: tuple[int, int]) -> bool:
    """Touch one place after the other; whether a match has begun by that."""
    for place in places:
        screen.click(*place)
        time.sleep(2)
    with Journal(journal) as record:
        return bool(record.unfinished())


def tap_until(screen: Screen, journal: Path, place: tuple[int, int], count: int) -> bool:
    """Touch a place; whether there are so many moves then."""
    if len(moves_in(journal)) < count:
        screen.click(*place)
        time.sleep(1.5)
    return len(moves_in(journal)) >= count
