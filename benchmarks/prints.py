"""Printed stickers on photographs by others: ``python -m benchmarks.prints FOLDER [--side PX …]``.

``FOLDER`` has the repositories that ``pictures/prints.toml`` names, as ``OWNER+NAME``; those that
are not there are left out. Where a marker lies, and its id, is told by OpenCV in the photograph as
it is; then the photograph is shrunk until its markers have ``--side`` px, and read at places that
are told as roughly as in play: aside by up to a third of a side and at any turn.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from benchmarks.spoilt import SPOILS, spoilt
from tests.support.scenes.stickers import ROAM, decoder_of
from vision.arrays import Picture, Points
from vision.camera.sources import read_picture
from vision.stickers.direct import Place

SIDES_PX = (10.0, 12.5, 14.0, 16.0)
SIZES_ALIKE = (0.9, 1.15)
"""Ratios to the asked side that count as it, because a board is seen aslant."""
MOST = 0.75
"""Largest scale that is measured: what is shrunk less is not as sharp as a photograph."""
LIST = Path(__file__).parent / "pictures" / "prints.toml"


def _markers(picture: Picture, dictionary: cv2.aruco.Dictionary) -> Iterator[tuple[int, Points]]:
    """Ids that OpenCV finds, and their corners, 4 × 2 px."""
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    for number, square in zip([] if ids is None else np.ravel(ids), corners, strict=True):
        yield int(number), np.reshape(square, (4, 2)).astype(float)


def _place(corners: Points, ids: Sequence[int], chance: np.random.Generator) -> Place:
    """The place where the marker of these corners may lie, as play would say it."""
    top_left, top_right, bottom_right, bottom_left = corners
    right = (top_right - top_left + bottom_right - bottom_left) / 2
    up = (top_left - bottom_left + top_right - bottom_right) / 2
    across = np.column_stack([right, up])
    turn = chance.uniform(0, 2 * np.pi)
    turned = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    aside = across @ chance.uniform(-ROAM, ROAM, 2)
    return Place(corners.mean(axis=0) + aside, across @ turned, 1.0, ROAM * 2**0.5, tuple(ids))


def measure(folder: Path, sides: Sequence[float]) -> Counter[tuple[str, str, float, str]]:
    """Markers counted by source, fault of the picture, side (px) and ``right``, ``unread`` or
    ``wrong``."""
    counts: Counter[tuple[str, str, float, str]] = Counter()
    chance = np.random.default_rng(1)
    for source in tomllib.loads(LIST.read_text(encoding="utf-8"))["photographs"]:
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, source["dictionary"]))
        decoder = decoder_of(dictionary, range(source["ids"]))
        home = folder / source["repository"].replace("/", "+")
        for path in sorted(path for name in source["files"] for path in home.glob(name)):
            picture = read_picture(path)
            found = list(_markers(picture, dictionary))
            sizes = [abs(cv2.contourArea(c.astype(np.float32))) ** 0.5 for _, c in found]
            for side in sides if found else ():
                scale = side / float(np.median(sizes))
                low, high = (ratio * side / scale for ratio in SIZES_ALIKE)
                told = [f for f, size in zip(found, sizes, strict=True) if low < size < high]
                if scale > MOST:
                    continue
                small = cv2.resize(
                    picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
                )  # fmt: skip
                places = [_place((c + 0.5) * scale - 0.5, decoder.ids, chance) for _, c in told]
                for fault, spoil in SPOILS.items():
                    shown = spoilt(np.asarray(small), spoil)
                    answers = decoder.read(shown, places) if places else []
                    for (number, _), answer in zip(told, answers, strict=True):
                        how = "right" if answer.id == number else "wrong"
                        how = "unread" if answer.id is None else how
                        counts[source["repository"], fault, side, how] += 1
    return counts


def main() -> int:
    """Print the counts; 1 if anything was read wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prints", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--side", type=float, nargs="+", default=SIDES_PX, help="px")
    asked = parser.parse_args()
    counts = measure(asked.folder, asked.side)
    for name, fault, side in sorted({key[:3] for key in counts}):
        told = (f"{counts[name, fault, side, how]:4} {how}" for how in ("right", "unread", "wrong"))
        print(f"{name}, {fault}, {side:g} px: {', '.join(told)}")
    return int(any(how == "wrong" for *_, how in counts))


if __name__ == "__main__":
    sys.exit(main())
