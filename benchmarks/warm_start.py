"""From a program that starts to the first true sighting: ``python -m benchmarks warm-start``.

Each start is a process of its own, with pieces on the virtual table below a lens that bulges. It is
told in processor time, without that for drawing the pictures, and by the clock, to which those and
the camera's rhythm belong. An unknown table is one whose state folder is empty; a known one was
seen before, so its lens is known. Nobody touches anything meanwhile.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result

GAME = "knizia_stonehenge"
PIECES = {"G": "stone black 3", "K": "stone brown 5", "D": "stone black 6", "L": "stone brown 1"}
ROUNDS = 5
MOMENTS = {
    "loaded_s": "all is loaded that a camera needs",
    "true_s": "first true sighting",
    "ready_s": "table checked: camera, light, sharpness, stickers, corners",
}


def results() -> Iterator[Result]:
    """Seconds of a table that was never seen, and of one that was."""
    with tempfile.TemporaryDirectory() as known:
        _started(known)
        for table in ("unknown", "known"):
            runs = []
            for _ in range(ROUNDS):
                with tempfile.TemporaryDirectory() as unknown:
                    runs.append(_started(known if table == "known" else unknown))
            for moment, name in MOMENTS.items():
                usual, wall = (
                    statistics.median(run[f"{moment}{clock}"] for run in runs)
                    for clock in ("", "_wall")
                )
                yield Result(
                    f"{table} table: {name}, processor time", usual, f"s ({wall:.2f} by the clock)",
                    "", None, None, "–",
                )  # fmt: skip


def _started(folder: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.warm_start", folder, str(time.monotonic())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def _start(folder: Path, began_s: float) -> dict[str, float]:
    """Open the table's camera as the program does, until its check would pass."""
    from companion.camera.owner import TableCamera
    from companion.settings.settings import CameraSettings
    from companion.setup.table_check import CAMERA_STEPS, CameraLook, camera_findings
    from companion.simulator import Camera
    from companion.support.finding import Verdict
    from rules.box import load_box

    told: dict[str, float] = {}
    drawing = [0.0]
    render = Camera.render

    def drawn(camera: Camera, *given: object) -> object:
        start = time.thread_time()
        try:
            return render(camera, *given)  # type: ignore[arg-type]
        finally:
            drawing[0] += time.thread_time() - start

    def mark(moment: str) -> None:
        told.setdefault(moment, time.process_time() - drawing[0])
        told.setdefault(f"{moment}_wall", time.monotonic() - began_s)

    camera = TableCamera(CameraSettings(source="virtual"), folder, load_box)
    simulator = camera.simulator
    simulator.lay(load_box(GAME))
    simulator.camera.k1 = -0.11
    for site, kind in PIECES.items():
        simulator.table.put(kind, site)
    Camera.render = drawn  # type: ignore[method-assign, assignment]
    camera.look_around(GAME)
    mark("loaded_s")
    while "ready_s" not in told:
        snapshot = camera.snapshot()
        seen = None if snapshot is None else snapshot.sighting
        if seen is not None and seen.table == PIECES and not seen.hand:
            mark("true_s")
        found = camera_findings(CameraLook(True, int(seen is not None), figures=seen))
        passed = len(found) == len(CAMERA_STEPS) and {f.verdict for f in found} == {Verdict.GOOD}
        if seen is not None and seen.still and passed:
            mark("ready_s")
        time.sleep(0.005)
    camera.close()
    return told


if __name__ == "__main__":
    print(json.dumps(_start(Path(sys.argv[1]), float(sys.argv[2]))))
