"""Programs that the screen benchmarks start afresh: ``python -m benchmarks.window NAME FOLDER``.

Each opens an off-screen window of 800 × 480 px, does what its name says, prints one line of JSON
and ends. A program of its own each, because Kivy is started once per process.

``empty``: nothing but a window, until its first frame stands.
``app``: Heelstone as ``heelstone`` starts it, until the shelf stands.
``plain``: frames of as many moving rectangles as the play screen has things to draw.
``play``: frames of the play screen while pieces move.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

SIZE = (800, 480)
MOVES = 24
FRAMES = 400
RECTANGLES = 120
"""About what the play screen of the first game draws: a board, pieces, cards and words."""


def main(name: str, folder: Path) -> None:
    """Run one of the programs."""
    programs: dict[str, Callable[[Path], None]] = {
        "empty": _empty, "app": _app, "plain": _plain, "play": _play,
    }  # fmt: skip
    programs[name](folder)


def resident_mb() -> float:
    """Memory of this process that lies in RAM, MB (Linux)."""
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
    from companion.settings import Settings
    from companion.shell import run_app

    _prepare(folder)
    from companion.ui.app import HeelstoneApp

    started = HeelstoneApp.on_start

    def on_start(app: Any) -> None:
        started(app)
        _when_drawn(app)

    HeelstoneApp.on_start = on_start  # type: ignore[method-assign, assignment]
    run_app(Settings(), folder, "en")


def _when_drawn(app: Any) -> None:
    """Tell the time and end when the first whole frame stands on the screen."""
    from kivy.clock import Clock
    from kivy.core.window import Window

    frames = 0

    def again(*_: Any) -> None:
        Window.canvas.ask_update()

    def flipped(*_: Any) -> None:
        nonlocal frames
        frames += 1
        # Layouts of the first frame come to rest in the second.
        if frames == 2:
            _tell(drawn_s=time.monotonic(), resident_mb=resident_mb())
            app.stop()
        else:
            Clock.schedule_once(again)

    Window.bind(on_flip=flipped)
    Clock.schedule_once(again)


def _frame_ms() -> float:
    """The next frame in which something is drawn, from its beginning to its end."""
    from kivy.base import EventLoop
    from kivy.core.window import Window

    drawn = False

    def flipped(*_: Any) -> None:
        nonlocal drawn
        drawn = True

    Window.bind(on_flip=flipped)
    while True:
        start = time.perf_counter()
        EventLoop.idle()
        if drawn:
            Window.unbind(on_flip=flipped)
            return (time.perf_counter() - start) * 1e3


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
        times.append(_frame_ms())
    _tell(frame_ms=times[20:], resident_mb=resident_mb())


def _play(folder: Path) -> None:
    _prepare(folder)
    from companion.people import Plan
    from companion.settings import Settings
    from companion.shell import House
    from companion.ui.offscreen import open_window

    window = open_window(SIZE, folder)
    from companion.ui.app import HeelstoneApp
    from companion.view import TapMove
    from rules.playout import pick

    house = House(Settings(), folder, "en")
    session = house.start(Plan("knizia_stonehenge", 2, physical=False))
    app = HeelstoneApp(house, "en", "night", start=session, physical=False, motion=True)
    window.add_widget(app.build())
    for _ in range(10):
        _frame_ms()
    random, moving, built, still = Random(3), [], [], 0
    for _ in range(MOVES):
        match = session.table.match
        if match.outcome is not None:
            break
        move = pick(match.game, match.state, match.legal_moves(), random)
        session.post(TapMove(move.text))
        session.settle()
        # The first frames after a move build the words anew.
        while app.screen.view is not session.view:
            built.append(_frame_ms())
        while app.screen.board.moving:
            moving.append(_frame_ms())
        still += 1
    _tell(frame_ms=moving, built_ms=built, resident_mb=resident_mb(), moves=still)
    house.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
