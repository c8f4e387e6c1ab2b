"""The cost of a look on one thread, stage by stage: ``python -m benchmarks look``.

A Raspberry Pi 4 needs four to six times as long as the machines this is run on. So that its
budget can be reckoned, everything here has one thread and is counted in processor time, the best
of many. The stages time themselves by the wall's clock, so theirs mean something only on a machine
that does nothing else. The table changes between looks: pieces come and are gone again. The peer
is OpenCV's default detector on the whole picture, in the same run and on one thread too.

Then hands, a cup and a cloth come over a path-traced table, below a camera that is moved between:
for each picture the lens is learnt anew, and it is looked at once more.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.measure import Result
from benchmarks.picture_sets import picture_set
from rules.box import load_box
from vision.arrays import Picture
from vision.camera.sources import Frame, read_picture
from vision.tracker import Tracker

PICTURES = Path(__file__).parent.parent / "tests" / "support" / "scenes" / "pictures"
BOX, BEFORE, AFTER = "knizia_stonehenge", "middle.jpg", "late.jpg"
SIZES = {
    "12 MP": ((4056, 3040), "≥ 8"),
    "1080p": ((1920, 1080), "≥ 1"),
    "720p": ((1280, 720), "≥ 1"),
}
PI_4 = (4, 6)
"""Factor by which a Raspberry Pi 4 takes longer, from and to."""
ROUNDS = 12
PEER = "cv2.aruco default, one thread"
OVER_BOARD = Path(__file__).parent / "pictures" / "over_board"
OVER_SIZES = {"12 MP": (4056, 3042), "1080 rows": (1440, 1080)}
OVER_ROUNDS = 3


def results() -> Iterator[Result]:
    """Per size of picture: a whole look beside the detector, and each of its stages."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for name, (size, aim) in SIZES.items():
            yield from _at(name, size, aim)
        for name, size in OVER_SIZES.items():
            yield from _over_board(name, size)
    finally:
        cv2.setNumThreads(threads)


def _at(name: str, size: tuple[int, int], aim: str) -> Iterator[Result]:
    box = load_box(BOX)
    views = [_framed(PICTURES / file, size) for file in (BEFORE, AFTER)]
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, box.dictionary))
    )
    tracker = Tracker(box)
    best = [float("inf")] * 2
    peer = float("inf")
    stages: list[dict[str, float]] = [{}, {}]
    for _ in range(ROUNDS):
        start = time.process_time()
        detector.detectMarkers(views[1])
        peer = min(peer, (time.process_time() - start) * 1e3)
        for turn, view in enumerate(views):
            start = time.process_time()
            seen = tracker.look(Frame(view, 0, "picture", 0.0), settled=True)
            best[turn] = min(best[turn], (time.process_time() - start) * 1e3)
            for stage, ms in seen.ms.items():
                stages[turn][stage] = min(stages[turn].get(stage, ms), ms)
    whole = sum(best) / 2
    yield Result(f"{name}: whole look", whole, "ms", PEER, peer, peer / whole, aim)
    yield Result(
        f"{name}: on a Raspberry Pi 4, reckoned at {PI_4[0]} to {PI_4[1]} times as long",
        whole * PI_4[0], f"to {whole * PI_4[1]:.0f} ms", "", None, None, "–",
    )  # fmt: skip
    for stage in stages[0]:
        if stage != "total":
            ms = (stages[0][stage] + stages[1][stage]) / 2
            yield Result(f"{name}: {stage}", ms, "ms", "", None, None, "–")


def _over_board(name: str, size: tuple[int, int]) -> Iterator[Result]:
    """Looks at a table with things over it: the first of all, those from where the camera was moved
    to, and others from there."""
    pictures = picture_set(OVER_BOARD)
    views = [_framed(shot.path, size) for shot in pictures.shots]
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, pictures.box.dictionary))
    )
    moved, again, theirs = ([float("inf")] * len(views) for _ in range(3))
    for _ in range(OVER_ROUNDS):
        tracker = Tracker(pictures.box)
        for n, view in enumerate(views):
            for ours in (moved, again):
                start = time.process_time()
                tracker.look(Frame(view, n, "picture", float(n)), settled=True)
                ours[n] = min(ours[n], (time.process_time() - start) * 1e3)
            start = time.process_time()
            detector.detectMarkers(view)
            theirs[n] = min(theirs[n], (time.process_time() - start) * 1e3)
    peer = statistics.median(theirs)
    for which, ms in (
        ("first look", moved[0]), ("camera was moved", statistics.median(moved[1:])),
        ("others", statistics.median(again)),
    ):  # fmt: skip
        what = f"things over the board, {name}: {which}"
        yield Result(what, ms, "ms", PEER, peer, peer / ms, "–")


def _framed(path: Path, size: tuple[int, int]) -> Picture:
    """A photograph as high as a picture of ``size``, with its edge going on at the sides."""
    image = read_picture(path)
    wide = round(image.shape[1] * size[1] / image.shape[0])
    how = cv2.INTER_CUBIC if size[1] > image.shape[0] else cv2.INTER_AREA
    scaled = cv2.resize(image, (wide, size[1]), interpolation=how)
    beside = max(size[0] - wide, 0)
    return np.asarray(
        cv2.copyMakeBorder(scaled, 0, 0, beside // 2, beside - beside // 2, cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )
