"""Speed of seeing: from a picture to a reading, beside a plain ArUco pass over the same picture.

The pictures are those of the tests, or those in the folder that ``HEELSTONE_PHOTOS`` names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from benchmarks.measure import Result
from rules.box import load_box
from rules.match import Match
from rules.reading import Status, read
from vision.sources import open_source
from vision.tracker import Tracker

__all__ = ["results"]

OWN = Path(__file__).parent.parent / "tests" / "vision" / "pictures"


def results() -> Iterator[Result]:
    """Median milliseconds per photograph, decoding of the file left out on both sides."""
    folder = Path(os.environ.get("HEELSTONE_PHOTOS", OWN))
    box = load_box("knizia_stonehenge")
    tracker, match = Tracker(box), Match("knizia_stonehenge", 2, physical=True)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, box.dictionary))
    plain = cv2.aruco.ArucoDetector(dictionary)
    ours: list[float] = []
    theirs: list[float] = []
    first = 0.0
    source = open_source(str(folder))
    for frame in source:
        start = time.perf_counter()
        reading = read(match, tracker.look(frame, True))
        span = (time.perf_counter() - start) * 1e3
        if reading.status is Status.MOVE:
            for move in reading.moves:
                match.push(move)
        if first:
            ours.append(span)
        else:
            first = span
        start = time.perf_counter()
        plain.detectMarkers(frame.image)
        theirs.append((time.perf_counter() - start) * 1e3)
    source.close()
    peer = sorted(theirs)[len(theirs) // 2]
    for name, value in (
        ("first photograph to reading", first),
        ("further photographs to reading, median", sorted(ours)[len(ours) // 2]),
    ):
        yield Result(name, value, "ms", "plain ArucoDetector ms", peer, peer / value, "> 1")
