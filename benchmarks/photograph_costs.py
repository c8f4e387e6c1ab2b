"""Photographs of a table with known truth, at three sizes: is all of it read, and how fast?

They are those of the tests, or those in the folder that ``HEELSTONE_PHOTOS`` names. Their truth
is beside them: ``truth.json`` (tables and hands) or ``match.json`` (a whole match, so that the
readings count too).
"""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.measure import Result
from rules.box import Box, load_box
from rules.match import Match
from rules.reading.reading import Status, read
from vision.arrays import Picture
from vision.camera.sources import Frame, SourceError, read_picture
from vision.tracker import Tracker

BOX = "knizia_stonehenge"
HEIGHTS = {"at full size": None, "at 1080p": 1080, "at 720p": 720}
MEANT = {
    "setup": Status.SETTLED, "turn": Status.MOVE, "end": Status.SETTLED,
    "hand": Status.UNCLEAR, "illegal": Status.ILLEGAL,
}  # fmt: skip
"""Expected reading of each kind of pictures of a match."""
PEER = "plain ArucoDetector of the same picture, ms"


@dataclass(frozen=True)
class _Entry:
    path: Path
    hand: bool
    table: dict[str, str]
    meant: Status | None


def photograph_costs(folder: Path) -> Iterator[Result]:
    """Right pictures and milliseconds; decoding of the files is left out on both sides."""
    entries = _truth(folder)
    for size, height in HEIGHTS.items():
        yield from _at_size(entries, size, height)


def _at_size(entries: list[_Entry], size: str, height: int | None) -> Iterator[Result]:
    box = load_box(BOX)
    tracker, match = Tracker(box), Match(BOX, 2, physical=True)
    plain = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, box.dictionary))
    )
    ours: list[float] = []
    theirs: list[float] = []
    right = rightly_read = pieces = by_plain = 0
    for number, entry in enumerate(entries):
        image = _resized(read_picture(entry.path), height)
        start = time.perf_counter()
        seen = tracker.look(Frame(image, number, entry.path.name, float(number)), settled=True)
        reading = read(match, seen)
        ours.append((time.perf_counter() - start) * 1e3)
        if reading.status is Status.MOVE:
            for move in reading.moves:
                match.push(move)
        right += seen.hand == entry.hand and (entry.hand or seen.table == entry.table)
        rightly_read += reading.status is entry.meant
        start = time.perf_counter()
        _, ids, _ = plain.detectMarkers(image)
        theirs.append((time.perf_counter() - start) * 1e3)
        if not entry.hand:
            pieces += len(entry.table)
            found = [] if ids is None else [int(n) for n in np.ravel(ids)]
            by_plain += _pieces_among(box, found, entry)
    count = len(entries)
    yield Result(
        f"photographs {size}: tables right", right / count, f"of {count}", "", None, None, "1"
    )
    yield Result(
        f"photographs {size}: pieces that ArucoDetector finds", by_plain / pieces,
        f"of {pieces}", "", None, None, "–",
    )  # fmt: skip
    if all(entry.meant is not None for entry in entries):
        yield Result(
            f"photographs {size}: readings right", rightly_read / count, f"of {count}", "", None,
            None, "1",
        )  # fmt: skip
    peer = statistics.median(theirs)
    aim = "> 1" if height is None else "–"
    for name, value, wanted in (
        (f"photographs {size}: first to its reading", ours[0], "–"),
        (f"photographs {size}: further to their readings", statistics.median(ours[1:]), aim),
    ):
        yield Result(name, value, "ms", PEER, peer, peer / value, wanted)


def _pieces_among(box: Box, ids: list[int], entry: _Entry) -> int:
    """Number of the pieces on a table that are among the stickers found."""
    kinds = Counter(box.kind_of_sticker[n].id for n in ids if n in box.kind_of_sticker)
    return (kinds & Counter(entry.table.values())).total()


def _truth(folder: Path) -> list[_Entry]:
    match, pictures = folder / "match.json", folder / "truth.json"
    if match.is_file():
        frames = json.loads(match.read_text(encoding="utf-8"))["frames"]
        return [
            _Entry(folder / f["frame"], f["kind"] == "hand", f["table"], MEANT.get(f["kind"]))
            for f in frames
        ]
    if pictures.is_file():
        shown = json.loads(pictures.read_text(encoding="utf-8"))["pictures"]
        return [_Entry(folder / p["picture"], p["hand"], p["table"], None) for p in shown]
    raise SourceError(
        f"there is no match.json or truth.json in '{folder}'; set HEELSTONE_PHOTOS to a folder "
        "of photographs with their truth, or leave it unset for the tests' own"
    )


def _resized(image: Picture, height: int | None) -> Picture:
    if height is None:
        return image
    width = image.shape[1] * height // image.shape[0]
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))
