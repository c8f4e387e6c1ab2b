"""Programs that the screen benchmarks start afresh: ``python -m benchmarks.window NAME FOLDER``.

Each opens an off-screen window of 800 × 480 px, does what its name says, prints one line of JSON
and ends. Each is a program of its own, because Kivy can be started only once per process.

``empty``: nothing but a window, until its first frame is drawn.
``app``: Heelstone as the command ``heelstone`` starts it, until the shelf appears, and on until
everything postponed is there: the pictures on the boxes, and what the first match needs.
``seeing``: the same with a camera, until vision is loaded too.
``plain``: frames of as many moving rectangles as the play screen has things to draw.
``play``: frames of the play screen while pieces move.
``moves GAME``: every frame of 24 moves of a game that follow each other without a pause.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

SIZE = (800, 480)
MOVES = 24
LONG = 200
"""Moves after which memory is looked at again: leaks show."""
REST_S = 7.0
STILL = 3
"""Frames without any change after which a move is over."""
FRAMES = 400
RECTANGLES = 120
"""About what the play screen of the first game draws: a board, pieces, cards and words."""


def main(name: str, folder: Path, game: str = "") -> None:
    """Run one of the programs."""
    programs: dict[str, Callable[[Path], None]] = {
        "empty": _empty, "app": _app, "seeing": _seeing, "plain": _plain, "play": _play,
        "moves": partial(_moves, game=game),
    }  # fmt: skip
    programs[name](folder)


def resident_mb() -> float:
    """Memory of this process that is in RAM, MB (Linux)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not tell how much memory a program uses")


def _tell(**figures: Any) -> None:
    print(json.dumps(figures), flush=True)


def _prepare(folder: Path) -> None:
    from companion.ui import kivy_env

    kivy_env.prepare(folder, SIZE, offscreen=True)


def _empty(folder: Path) -> None:
    _prepare(folder)
    from kivy.app import App
    from kivy.uix.widget import Widget

    class Empty(App):  # type: ignore[misc]
        def build(self) -> Any:
            return Widget()

        def on_start(self) -> None:
            _when_drawn(self)

    Empty().run()


def _app(folder: Path) -> None:
    _start(folder, "")


def _seeing(folder: Path) -> None:
    _start(folder, '[camera]\nsource = "0"\n')


def _start(folder: Path, settings: str) -> None:
    """Start the program as the command ``heelstone`` does."""
    _prepare(folder)
    from companion.app.cli import main as heelstone
    from companion.ui.app import HeelstoneApp

    started = HeelstoneApp.on_start

    def on_start(app: Any) -> None:
        started(app)
        _when_drawn(app, _all_there)

    HeelstoneApp.on_start = on_start  # type: ignore[method-assign, assignment]
    file = folder / "heelstone.toml"
    file.write_text(settings, encoding="utf-8")
    code = heelstone(["--data", str(folder), "--settings", str(file), "--lang", "en"])
    if code != 0:
        raise RuntimeError(f"heelstone ended with {code}")


def _when_drawn(app: Any, then: Callable[[Any, dict[str, Any]], None] | None = None) -> None:
    """Report the time when the first whole frame is on the screen; then end, or go on."""
    from kivy.clock import Clock
    from kivy.core.window import Window

    from companion.ui.offscreen import finish_frame

    frames = 0
    Window.bind(on_flip=finish_frame)

    def again(*_: Any) -> None:
        Window.canvas.ask_update()

    def flipped(*_: Any) -> None:
        nonlocal frames
        frames += 1
        # Layouts of the first frame settle in the second.
        if frames == 2:
            Window.unbind(on_flip=flipped)
            told = {
                "drawn_s": time.monotonic(), "cpu_s": time.process_time(),
                "resident_mb": resident_mb(), "vision": "cv2" in sys.modules,
            }  # fmt: skip
            if then is None:
                _tell(**told)
                app.stop()
            else:
                then(app, told)
        else:
            Clock.schedule_once(again)

    Window.bind(on_flip=flipped)
    Clock.schedule_once(again)


def _all_there(app: Any, told: dict[str, Any]) -> None:
    """Go on until nothing is left to do later; every frame is timed meanwhile."""
    from kivy.clock import Clock

    from companion.ui import frame_queue

    before = time.monotonic()
    gaps: list[float] = []

    def look(*_: Any) -> None:
        nonlocal before
        now = time.monotonic()
        gaps.append((now - before) * 1e3)
        before = now
        if "pictures_s" not in told and not frame_queue.waiting():
            told["pictures_s"] = now
        if "pictures_s" in told and not any(t.name == "warming" for t in threading.enumerate()):
            told.update(
                ready_s=now, gap_ms=max(gaps), vision=("vision.tracker" in sys.modules),
                ready_mb=resident_mb(), ready_cpu_s=time.process_time(),
            )  # fmt: skip
            _tell(**told)
            app.stop()

    Clock.schedule_interval(look, 0)


def frame_ms() -> float:
    """The next frame in which something is drawn, until it is handed over to be shown."""
    from kivy.base import EventLoop
    from kivy.core.window import Window

    end = 0.0

    def flipped(*_: Any) -> None:
        nonlocal end
        end = time.perf_counter()

    Window.bind(on_flip=flipped)
    while True:
        start = time.perf_counter()
        EventLoop.idle()
        if end:
            Window.unbind(on_flip=flipped)
            return (end - start) * 1e3


def _plain(folder: Path) -> None:
    _prepare(folder)
    from companion.ui.offscreen import open_window

    window = open_window(SIZE, folder)
    from kivy.graphics import Color, Rectangle
    from kivy.uix.widget import Widget

    root, random = Widget(), Random(1)
    rectangles = []
    with root.canvas:
        for _ in range(RECTANGLES):
            Color(random.random(), random.random(), random.random())
            size = (random.uniform(8, 90), random.uniform(8, 90))
            at = (random.uniform(0, SIZE[0]), random.uniform(0, SIZE[1]))
            rectangles.append(Rectangle(pos=at, size=size))
    window.add_widget(root)
    times = []
    for number in range(FRAMES):
        moving = rectangles[number % RECTANGLES]
        moving.pos = (moving.pos[0] + 1, moving.pos[1])
        times.append(frame_ms())
    _tell(frame_ms=times[20:], resident_mb=resident_mb())


def begun(folder: Path, game: str) -> tuple[Any, Any, Any, Callable[[], None]]:
    """The program's house, its screens, the plan of a match of ``game`` that is shown there, and
    what plays a move of it."""
    _prepare(folder)
    from companion.app.application import Application
    from companion.settings.people import MatchSetup
    from companion.settings.settings import Settings
    from companion.ui.offscreen import open_window

    window = open_window(SIZE, folder)
    from kivy.base import EventLoop

    from companion.app.preload import settle_memory
    from companion.match.view import PlayMove
    from companion.settings.preferences import Preferences
    from companion.ui.app import HeelstoneApp
    from companion.ui.routes import PARTS, WAY, screen_class
    from rules.games import find_game
    from rules.testing.playout import pick

    house = Application(Settings(), folder, "en")
    plan = MatchSetup(game, find_game(game).players[0], physical=False)
    session = house.start(plan)
    # As the program does before a match can be begun.
    for part in PARTS:
        import_module(part)
    for way in WAY:
        screen_class(way)
    settle_memory()
    app = HeelstoneApp(house, Preferences(lang="en"), start=session, physical=False)
    window.add_widget(app.build())
    for _ in range(10):
        EventLoop.idle()
    random = Random(3)

    def move() -> None:
        now = house.session
        assert now is not None
        match = now.table.match
        chosen = pick(match.state, match.legal_moves(), random)
        now.post(PlayMove(chosen))
        now.settle()

    return house, app, plan, move


def _moves(folder: Path, game: str) -> None:
    house, app, plan, move = begun(folder, game)
    from kivy.base import EventLoop

    frames: list[tuple[float, float]] = []
    for _ in range(MOVES):
        if house.session.table.match.outcome is not None:
            app.play(house.start(plan))
        move()
        still = 0
        # Labels and layouts settle in the frames after the one that shows the move.
        while still < STILL:
            start, busy = time.perf_counter(), time.thread_time()
            EventLoop.idle()
            spent = (time.thread_time() - busy) * 1e3
            frames.append(((time.perf_counter() - start) * 1e3, spent))
            shown = app.screen.view is house.session.view
            still = still + 1 if shown and not app.screen.board.moving else 0
    _tell(
        frame_ms=[round(whole, 2) for whole, _ in frames],
        busy_ms=[round(spent, 2) for _, spent in frames],
    )
    house.close()


def _play(folder: Path) -> None:
    house, app, plan, move = begun(folder, "knizia_stonehenge")
    from kivy.base import EventLoop

    session, moving, built = house.session, [], []
    for _ in range(MOVES):
        move()
        # The first frames after a move rebuild the words.
        while app.screen.view is not session.view:
            built.append(frame_ms())
        while app.screen.board.moving:
            moving.append(frame_ms())
    told = {"frame_ms": moving, "built_ms": built, "resident_mb": resident_mb(), "moves": MOVES}
    for _ in range(MOVES, LONG):
        if session.table.match.outcome is not None:
            session = house.start(plan)
            app.play(session)
        move()
        while app.screen.view is not session.view:
            EventLoop.idle()
        EventLoop.idle()
    # People do not play that fast: what only the haste needed is given back when the table rests.
    rest = time.monotonic() + REST_S
    while time.monotonic() < rest:
        EventLoop.idle()
        time.sleep(0.02)
    _tell(**told, later_mb=resident_mb(), later_moves=LONG)
    house.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
