"""Effects of a thinking computer player on screen and eye: ``python -m benchmarks thinking``.

Frames of the play screen while pieces move, and looks at a photograph that changes, in turns: some
while no player thinks, some while the strongest one does, in its own process as at a table. The
turns are short and alternate, so that a machine that is busy otherwise is busy for both.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

from benchmarks.measure import Result

ROUNDS = 48
FRAMES, LOOKS = 30, 6
"""In each turn."""
PATIENCE_S = 900
ONE_CORE = {"LP_NUM_THREADS": "0"}
"""For frames drawn in software, which take all cores. A screen has a processor of its own for it,
so the core of the computer player must not be one of those that draw."""
AIM = "≤ 1.10 times the peer"
PEER = "nobody thinks"


def results() -> Iterator[Result]:
    """Medians and the slow end, while a computer player thinks and while none does."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.thinking", folder], env=os.environ | ONE_CORE,
            capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
    if done.returncode != 0:
        raise RuntimeError(f"the program failed: {done.stderr[-2000:]}")
    told: dict[str, dict[str, list[float]]] = json.loads(done.stdout.splitlines()[-1])
    for name, kind in (("frame while pieces move", "frames"), ("look at a board", "looks")):
        for words, of in (("median", statistics.median), ("95 of 100 are faster", _high)):
            with_it, without = of(told[kind]["thinks"]), of(told[kind]["rests"])
            yield Result(
                f"{name}, {words}", with_it, "ms", PEER, without, with_it / without, AIM
            )  # fmt: skip


def _high(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def _measure(folder: Path) -> None:
    """Take turns, and tell all times in ms."""
    from benchmarks.window import begun, frame_ms

    house, app, plan, move = begun(folder, "knizia_stonehenge")
    look = _eye()
    thinks = _Thinks()
    times: dict[str, dict[str, list[float]]] = {
        kind: {"thinks": [], "rests": []} for kind in ("frames", "looks")
    }
    for number in range(2 * ROUNDS):
        turn = ("rests", "thinks")[number % 2]
        if turn == "thinks":
            thinks.begin()
        frames: list[float] = []
        while len(frames) < FRAMES:
            if house.session.table.match.outcome is not None:
                app.play(house.start(plan))
            move()
            while app.screen.view is not house.session.view:
                frame_ms()
            while app.screen.board.moving and len(frames) < FRAMES:
                frames.append(frame_ms())
        times["frames"][turn] += frames
        for _ in range(LOOKS):
            start = time.perf_counter()
            look()
            times["looks"][turn].append((time.perf_counter() - start) * 1e3)
        thinks.end()
    thinks.close()
    house.close()
    print(json.dumps(times), flush=True)


class _Thinks:
    """The strongest player, asked about a whole match, which takes it as long as it may."""

    def __init__(self) -> None:
        from companion.players.engine_client import EngineClient
        from rules.match import Match
        from rules.players.engine_protocol import Question
        from rules.players.view import SeatView

        match = Match("knizia_stonehenge", 2)
        self._thinking = EngineClient()
        self._question = Question(
            "0", "archdruid", SeatView.of(match, 0), tuple(match.legal_moves()), 0.1, 1
        )  # fmt: skip
        self._ask(0.1)

    def begin(self) -> None:
        """Let it think from now on."""
        from dataclasses import replace

        self._thinking.ask(replace(self._question, id="long", seconds=500.0), lambda _answer: None)
        time.sleep(0.05)

    def end(self) -> None:
        """Let it rest; it really does when this returns."""
        self._thinking.stop()
        self._ask(0.0)

    def close(self) -> None:
        """End its process."""
        self._thinking.close()

    def _ask(self, seconds: float) -> None:
        from dataclasses import replace

        done = Event()
        question = replace(self._question, id=f"short {time.monotonic()}", seconds=seconds)
        self._thinking.ask(question, lambda _answer: done.set())
        done.wait(60)


def _eye() -> Callable[[], Any]:
    """A look at a board that changes."""
    from benchmarks.look import AFTER, BEFORE, BOX, PICTURES
    from rules.box import load_box
    from vision.camera.sources import Frame, read_picture
    from vision.tracker import Tracker

    pictures = [read_picture(PICTURES / name) for name in (BEFORE, AFTER)]
    tracker, number = Tracker(load_box(BOX)), 0

    def look() -> Any:
        nonlocal number
        number += 1
        return tracker.look(Frame(pictures[number % 2], 0, "picture", 0.0), settled=True)

    look()
    look()
    return look


if __name__ == "__main__":
    _measure(Path(sys.argv[1]))
