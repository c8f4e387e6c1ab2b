"""The program of ``tests.endurance.boards``: a whole Heelstone with its window off-screen, whose Pi
camera is a stand-in that holds as many buffers as a real one."""

from __future__ import annotations

import json
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from tests.support.fake_picamera2 import Bench, FakePicamera2, FakeRequest, Job

SIZE = (800, 480)
PATIENCE_S = 120.0
"""Maximum time for a move."""


class LiveBench(Bench):
    """A camera above a table whose pictures come from another process, at the camera's pace."""

    def __init__(self, line: Connection, file: Path) -> None:
        super().__init__()
        self.line, self.file = line, file

    def __call__(self, camera_num: int = 0) -> FakePicamera2:
        return LivePi(self, camera_num)


class LivePi(FakePicamera2):
    """Takes a picture at most every twentieth of a second."""

    bench: LiveBench

    def configure(self, config: dict[str, Any]) -> None:
        super().configure(config)
        streams = [config[name] for name in ("main", "lores", "raw") if config.get(name)]
        size = sum(stream.get("framesize", 15 << 20) for stream in streams)
        # Written to, so that they are there.
        self.buffers = [np.ones(size, np.uint8) for _ in range(config["buffer_count"])]
        width, height = config["main"]["size"]
        self.bench.line.send((width, height))
        self.bench.line.recv()
        self.view = np.memmap(self.bench.file, np.uint8, "r", shape=(height, width, 3))
        self.due_s = time.monotonic()

    def capture_request(self, wait: bool | None = None) -> Job:
        return LiveJob(self)


class LiveJob(Job):
    camera: LivePi

    def get_result(self, timeout: float | None = None) -> FakeRequest:
        assert timeout is not None
        left = self.camera.due_s - time.monotonic()
        time.sleep(min(max(left, 0.0), timeout))
        if left > timeout:
            raise TimeoutError
        self.camera.due_s = time.monotonic() + 0.05
        self.camera.bench.eye.step()
        return LiveRequest(self.camera)


class LiveRequest(FakeRequest):
    camera: LivePi

    def make_buffer(self, name: str) -> Any:
        if name == "main":
            self.camera.bench.full_pictures += 1
            return np.array(self.camera.view).ravel()
        (width, height), stride = self._stream(name)
        view, plane = self.camera.view, np.zeros((height * 3 // 2, stride), np.uint8)
        rows = np.linspace(0, view.shape[0] - 1, height).astype(int)
        columns = np.linspace(0, view.shape[1] - 1, width).astype(int)
        plane[:height, :width] = view[rows[:, None], columns, 1]
        return plane.ravel()


def main(folder: Path, line: Connection, game: str, moves: int, seconds: float, more: str) -> None:
    """Play, and print the figures."""
    bench = LiveBench(line, folder / "picture")
    library = ModuleType("picamera2")
    library.Picamera2 = bench  # type: ignore[attr-defined]
    sys.modules["picamera2"] = library
    file = folder / "settings.toml"
    file.write_text(
        f'{more}\n[camera]\nsource = "pi"\nbare = []\n[players]\nseconds = {seconds}\n'
        "[manners]\ncommit_s = 0.3\nquiet_s = 0.3\n"
    )
    from companion.app.application import Application
    from companion.settings.people import MatchSetup
    from companion.settings.settings import load_settings
    from companion.ui.offscreen import open_window

    window = open_window(SIZE, folder)
    from companion.app.preload import settle_memory
    from companion.settings.preferences import Preferences
    from companion.ui.app import HeelstoneApp

    house = Application(load_settings(file), folder, "en")
    for step in house.steps_ahead():
        step()
    settle_memory()
    plan = MatchSetup(game, 2, computers=("", "archdruid"))
    session = house.start(plan)
    app = HeelstoneApp(house, Preferences(lang="en"), start=session, physical=True)
    window.add_widget(app.build())
    player = _Player(house, line, moves)
    try:
        player.play()
        told = {**player.told(), "pictures": bench.full_pictures}
    finally:
        house.close()
    print(json.dumps(told), flush=True)


class _Player:
    """A player at the table, who lays their own moves and the computer's."""

    def __init__(self, house: Any, line: Connection, moves: int) -> None:
        self._house, self._line, self._moves = house, line, moves
        self._frames: list[tuple[float, float]] = []
        self._entered = 0
        self._chance = Random(7)
        self._laid: Any = None

    def play(self) -> None:
        match = self._house.session.table.match
        self._lay(match.layout)
        self._house.begin()
        self._frames_until(lambda: self._house.session.view.state == "settled")
        # Screens are built only once.
        self._frames.clear()
        while self._house.session.table.match.ply < self._moves:
            if self._house.session.table.match.outcome is not None:
                break
            self._move()

    def told(self) -> dict[str, Any]:
        """Figures: frames in ms on the clock and of this thread's processor time."""
        walls, busy = zip(*self._frames, strict=True)
        eyes, view = self._house.eyes, self._house.session.view
        height, width = eyes.snapshot().frame.image.shape[:2]
        return {
            "ply": view.ply, "entered": self._entered, "frames": len(walls),
            "p95_ms": round(float(np.percentile(walls, 95)), 1),
            "p95_busy_ms": round(float(np.percentile(busy, 95)), 1),
            "longest_ms": round(max(walls)), "looks": eyes.frames,
            "look_p95_ms": round(float(np.percentile(eyes.see_ms, 95)), 1),
            "picture": f"{width} × {height}",
        }  # fmt: skip

    def _move(self) -> None:
        from companion.match.view import PlayMove, waits_to_be_set
        from rules.match import Entry
        from rules.testing.playout import pick

        session = self._house.session
        view, match = session.view, session.table.match
        if view.thinks is not None or waits_to_be_set(view):
            if waits_to_be_set(view):
                self._lay(match.layout)
            self._frames_until(
                lambda: (
                    (session.view.thinks is None and not waits_to_be_set(session.view))
                    or (waits_to_be_set(session.view) and session.view.ply != view.ply)
                )
            )
            return
        move = pick(match.state, match.legal_moves(), self._chance)
        after = match.clone()
        after.play(Entry(move))
        ply = view.ply
        if after.layout != match.layout:
            self._lay(after.layout)
            if self._frames_until(lambda: session.view.ply > ply, 20.0):
                return
        self._entered += 1
        session.post(PlayMove(move))
        self._frames_until(lambda: session.view.ply > ply)

    def _lay(self, layout: Any) -> None:
        if layout != self._laid:
            self._laid = layout
            self._line.send(layout)
            self._frames_until(self._line.poll)
            self._line.recv()

    def _frames_until(self, done: Any, patience_s: float = PATIENCE_S) -> bool:
        """Draw until that, and note how long each frame took in which something was drawn."""
        from kivy.base import EventLoop
        from kivy.core.window import Window

        drawn = [0.0]

        def flipped(*_: Any) -> None:
            drawn[0] = time.perf_counter()

        Window.bind(on_flip=flipped)
        end_s = time.monotonic() + patience_s
        try:
            while not done():
                if time.monotonic() > end_s:
                    if patience_s == PATIENCE_S:
                        view = self._house.session.view
                        raise RuntimeError(f"nothing happens after {view.ply} moves: {view.state}")
                    return False
                drawn[0] = 0.0
                start, busy = time.perf_counter(), time.thread_time()
                EventLoop.idle()
                if drawn[0]:
                    spent = (time.thread_time() - busy) * 1e3
                    self._frames.append(((drawn[0] - start) * 1e3, spent))
                else:
                    time.sleep(0.01)
        finally:
            Window.unbind(on_flip=flipped)
        return True


if __name__ == "__main__":
    _, scratch, number, name, many, long, further = sys.argv
    main(Path(scratch), Connection(int(number)), name, int(many), float(long), further)
