"""The screen beside an empty Kivy window: how soon it stands, how smoothly it moves, what it holds.

Every figure is taken from programs started afresh (``benchmarks.window``), in turns, so that a
machine that is busy meanwhile is busy for both. Drawn by software, as on a machine without a
graphics card.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Result
from companion.table_check import CheckFile

__all__ = ["results"]

ROUNDS = 5
PATIENCE_S = 120


def results() -> Iterator[Result]:
    """Time to the first useful frame, frame time while pieces move, and memory."""
    with tempfile.TemporaryDirectory() as scratch:
        # The first run of each writes its files and fills the cache; it does not count.
        folders = {name: Path(scratch) / name for name in ("empty", "app", "plain", "play")}
        # A shelf is shown only where the check of the table was offered before.
        folders["app"].mkdir()
        CheckFile(folders["app"]).keep((), time.time())
        runs: dict[str, list[dict[str, Any]]] = {"empty": [], "app": []}
        for number in range(ROUNDS + 1):
            for name, found in runs.items():
                run = _run(name, folders[name])
                if number:
                    found.append(run)
        starts = {name: statistics.median(r["start_s"] for r in found)
                  for name, found in runs.items()}  # fmt: skip
        yield _times("first useful frame: the shelf", starts["app"], "s",
                     "an empty Kivy window", starts["empty"], "≤ 2.0 times the peer")  # fmt: skip
        plain, play = (_run(name, folders[name]) for name in ("plain", "play"))
        slow = _high(play["frame_ms"])
        yield _times("frame while pieces move, 95 of 100 are faster", slow, "ms",
                     "as many plain rectangles", _high(plain["frame_ms"]), "≤ 16 ms")  # fmt: skip
        yield Result("longest frame: a move changes all words", max(play["built_ms"]), "ms",
                     "", None, None, "≤ 100 ms")  # fmt: skip
        memory = {name: statistics.median(r["resident_mb"] for r in found)
                  for name, found in runs.items()}  # fmt: skip
        yield _times("memory with the shelf shown", memory["app"], "MB", "an empty Kivy window",
                     memory["empty"], "≤ 2.0 times the peer")  # fmt: skip
        yield _times(f"memory after {play['moves']} moves", play["resident_mb"], "MB",
                     "an empty Kivy window", memory["empty"], "≤ 2.0 times the peer")  # fmt: skip


def _times(name: str, value: float, unit: str, peer: str, peer_value: float, aim: str) -> Result:
    """A figure of which less is better; its ratio says how many times the peer's it is."""
    return Result(name, value, unit, peer, peer_value, value / peer_value, aim)


def _high(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def _run(name: str, folder: Path) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    env = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "LIBGL_ALWAYS_SOFTWARE": "1"}
    command = [sys.executable, "-m", "benchmarks.window", name, str(folder)]
    start = time.monotonic()
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"the program '{name}' failed: {done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if "drawn_s" in told:
        told["start_s"] = told["drawn_s"] - start
    return told
