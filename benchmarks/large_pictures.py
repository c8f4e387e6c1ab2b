"""The cost of twelve megapixels: a still picture, a move, and memory.

The pictures are the tests' photographs of a table, enlarged to 4056 × 3040 px, what the Raspberry
Pi HQ camera delivers. The peer is OpenCV's default detector on the whole picture, measured in turn:
medians over some rounds of the best of some calls each. That detector may use every core, and does;
on a busy machine, where it gets few of them, the ratios flatter us.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.measure import Result
from rules.box import load_box
from vision.arrays import Picture
from vision.camera.sources import Frame, read_picture
from vision.motion.gate import Gate
from vision.pieces.known_places import KnownPlaces
from vision.pieces.sighting import Sighting
from vision.stickers.reader import StickerReader
from vision.tracker import Tracker

SIZE = (4056, 3040)
BOX = "knizia_stonehenge"
BEFORE, AFTER = "middle.jpg", "late.jpg"
MOVED = 4
PEER = "cv2.aruco default on the whole picture"
LOOKS = 12
"""Pictures that the table of the memory benchmark is shown."""
MOST_MB = 250


def costs(pictures: Path, rounds: int) -> Iterator[Result]:
    """A still picture, four sites after a move, and the whole look, beside the default detector."""
    box = load_box(BOX)
    before, after = _large(pictures / BEFORE), _large(pictures / AFTER)
    noise = np.random.default_rng(1)
    still = [_grainy(after, noise) for _ in range(3)]
    gate = Gate()
    tracker = Tracker(box)
    _look(tracker, before)
    seen = _look(tracker, after)
    pose = seen.pose
    if pose is None:
        raise RuntimeError(f"the board in {pictures / AFTER} was not found: {seen.reason}")
    places = KnownPlaces(box, StickerReader(box), ())
    new = [site for site in seen.table if site not in _look(Tracker(box), before).table][:MOVED]
    fresh = places.read(after, pose, new)
    if any(fresh[site].id is None for site in new):
        raise RuntimeError(f"not all of the sites {', '.join(new)} could be read")
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, box.dictionary))
    )
    turn = [0]

    def step() -> None:
        turn[0] += 1
        gate.step(still[turn[0] % len(still)])

    def move() -> None:
        step()
        places.read(after, pose, new)

    def whole() -> None:
        turn[0] += 1
        _look(tracker, after if turn[0] % 2 else before)

    contenders: dict[str, tuple[Callable[[], object], int]] = {
        "": (lambda: detector.detectMarkers(after), 3),
        "still picture of 12 MP": (step, 20),
        f"{MOVED} sites that changed in 12 MP, gate included": (move, 12),
        "whole look at 12 MP after a move": (whole, 6),
    }
    aims = ["", "≥ 400", "≥ 25", "> 1"]
    spans: dict[str, list[float]] = {name: [] for name in contenders}
    # In turn, so that a busy machine slows all of them alike; and the best of some, because what
    # another program takes of a few milliseconds is no cost of theirs.
    for _ in range(rounds):
        for name, (call, times) in contenders.items():
            best = float("inf")
            for _ in range(times):
                start = time.perf_counter()
                call()
                best = min(best, (time.perf_counter() - start) * 1e3)
            spans[name].append(best)
    median = {name: statistics.median(values) for name, values in spans.items()}
    peer = median.pop("")
    for (name, value), aim in zip(median.items(), aims[1:], strict=True):
        yield Result(name, value, "ms", f"{PEER}, ms", peer, peer / value, aim)


def memory(pictures: Path) -> Iterator[Result]:
    """Peak memory of a process that does nothing but watch a table at 12 MP."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(LOOKS):
            image = _large(pictures / (AFTER if number % 3 else BEFORE))
            cv2.imwrite(str(Path(folder) / f"{number:02}.jpg"), image)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.large_pictures", folder],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    yield Result(
        "memory of a tracker at 12 MP, peak", float(done.stdout), "MB", "", None, None,
        f"< {MOST_MB}",
    )  # fmt: skip


def _watch(folder: str) -> float:
    """Look at every picture of a folder, settled and live; peak resident memory in MB."""
    from vision.camera.sources import open_source

    tracker = Tracker(load_box(BOX))
    for settled in (True, False):
        for frame in open_source(folder):
            seen = tracker.look(frame, settled)
            if seen.board != "found":
                raise RuntimeError(f"the board was not found: {seen.reason}")
    return _peak_mb()


def _peak_mb() -> float:
    """The high-water mark of this process's resident memory.

    Not ``getrusage``: its figure is inherited from the process that started this one.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return float(line.split()[1]) / 1024
    raise RuntimeError("this system does not tell its peak memory in /proc/self/status")


def _large(path: Path) -> Picture:
    image = cv2.resize(read_picture(path), SIZE, interpolation=cv2.INTER_CUBIC)
    return np.asarray(image, dtype=np.uint8)


def _grainy(image: Picture, chance: np.random.Generator) -> Picture:
    grain = chance.integers(-4, 5, image.shape, dtype=np.int16)
    return np.asarray(np.clip(image + grain, 0, 255), dtype=np.uint8)


def _look(tracker: Tracker, image: Picture) -> Sighting:
    return tracker.look(Frame(image, 0, "picture", 0.0), settled=True)


if __name__ == "__main__":
    print(_watch(sys.argv[1]))
