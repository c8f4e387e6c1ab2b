"""The screen beside an empty Kivy window: time to appear, smoothness, and use of resources.

Every figure is taken from programs started afresh (``benchmarks.window``), in turns, so that a
machine that is busy meanwhile is busy for both. Drawn by software, as on a machine without a
graphics card.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Result
from companion.setup.table_check import CheckFile
from rules.games import game_ids

ROUNDS = 5
PATIENCE_S = 180
TRIES = 3
TIMES = ("frame_ms", "busy_ms")
EMPTY = "an empty Kivy window"


def results() -> Iterator[Result]:
    """Time to the first useful frame, frame time while pieces move, and memory."""
    with tempfile.TemporaryDirectory() as scratch:
        # The first run of each writes its files and fills the cache; it is not counted.
        names = ("empty", "app", "seeing", "plain", "play")
        folders = {name: Path(scratch) / name for name in names}
        for name in ("app", "seeing"):
            # A shelf is shown only where the check of the table was offered before.
            folders[name].mkdir()
            CheckFile(folders[name]).keep((), time.time())
        runs: dict[str, list[dict[str, Any]]] = {"empty": [], "app": [], "seeing": []}
        for number in range(ROUNDS + 1):
            for name, found in runs.items():
                run = _run(name, folders[name])
                if number:
                    found.append(run)

        def usual(name: str, figure: str) -> float:
            return float(statistics.median(run[figure] for run in runs[name]))

        empty_s, empty_mb = usual("empty", "drawn_s"), usual("empty", "resident_mb")
        yield _times("first useful frame: the shelf", usual("app", "drawn_s"), "s",
                     EMPTY, empty_s, "≤ 2.0 times the peer")  # fmt: skip
        yield _times("the same in processor time", usual("app", "cpu_s"), "s",
                     EMPTY, usual("empty", "cpu_s"), "≤ 2.0 times the peer")  # fmt: skip
        shutil.rmtree(folders["app"] / "shelf")
        new = _run("app", folders["app"])
        yield _plain("the same before any shelf was kept", new["drawn_s"], "s", "≤ 1 s")
        yield _plain("and its boxes have their pictures", new["pictures_s"], "s", "≤ 3 s")
        yield _plain("all is loaded that a match needs", usual("app", "ready_s"), "s", "≤ 3 s")
        yield _plain("with a camera: vision too", usual("seeing", "ready_s"), "s", "≤ 3 s")
        yield _plain("longest wait for a frame meanwhile", usual("seeing", "gap_ms"), "ms",
                     "≤ 100 ms")  # fmt: skip
        plain, play = (_run(name, folders[name]) for name in ("plain", "play"))
        slow = _high(play["frame_ms"])
        yield _times("frame while pieces move, 95 of 100 are faster", slow, "ms",
                     "as many plain rectangles", _high(plain["frame_ms"]), "≤ 16 ms")  # fmt: skip
        yield _plain("longest frame: a move changes all words", max(play["built_ms"]), "ms",
                     "≤ 100 ms")  # fmt: skip
        for name, found_mb in (
            ("memory with the shelf shown", usual("app", "resident_mb")),
            ("memory when a match can begin", usual("app", "ready_mb")),
            ("memory with a camera, vision loaded", usual("seeing", "ready_mb")),
            (f"memory after {play['moves']} moves", play["resident_mb"]),
            (f"memory after {play['later_moves']} moves", play["later_mb"]),
        ):
            yield _times(name, found_mb, "MB", EMPTY, empty_mb, "≤ 2.0 times the peer")


def every_game() -> Iterator[Result]:
    """The longest frame of 24 moves without a pause, for each game: what a hand may have to wait.

    The processor time of the thread that draws tells more where others use the machine as well.
    """
    with tempfile.TemporaryDirectory() as scratch:
        for game in game_ids():
            # The first run translates to bytecode; a machine that is busy is so for one of three.
            runs = [_run("moves", Path(scratch) / "moves", game) for _ in range(TRIES + 1)][1:]
            frame, busy = (min(max(run[figure]) for run in runs) for figure in TIMES)
            yield _plain(f"longest frame after a move: {game}", frame, "ms", "≤ 100 ms")
            yield _plain("  of it, time of the drawing thread", busy, "ms", "≤ 60 ms")


def _plain(name: str, value: float, unit: str, aim: str) -> Result:
    """A figure without a peer."""
    return Result(name, value, unit, "", None, None, aim)


def _times(name: str, value: float, unit: str, peer: str, peer_value: float, aim: str) -> Result:
    """A figure where less is better; its ratio says how many times the peer's it is."""
    return Result(name, value, unit, peer, peer_value, value / peer_value, aim)


def _high(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def _run(name: str, folder: Path, *more: str) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    env = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "LIBGL_ALWAYS_SOFTWARE": "1"}
    # As an installed program: translated to bytecode once, not in every start.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    env["PYTHONPYCACHEPREFIX"] = str(folder.parent / "bytecode")
    command = [sys.executable, "-m", "benchmarks.window", name, str(folder), *more]
    start = time.monotonic()
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"the program '{name}' failed: {done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    for figure in ("drawn_s", "pictures_s", "ready_s"):
        if figure in told:
            told[figure] -= start
    return told
