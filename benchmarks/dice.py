"""Faces of dice on photographs: ``python -m benchmarks.dice FOLDER [--side PX …] [--spoilt]``.

``FOLDER`` has the repositories that ``pictures/dice.toml`` names, as ``OWNER+NAME``; pictures that
are not there are left out. Each is shrunk or enlarged until the upper face of a die has ``--side``
px, as a camera over a table would show it, once for each size of dice in it. Counted are faces read
right, unread and wrong, and those read where none was labelled (*false*). ``--spoilt`` spoils what
the camera would show: blur, noise, light.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from benchmarks.spoilt import SPOILS, Spoil, spoilt
from vision.arrays import Picture
from vision.camera.sources import read_picture
from vision.pieces.dice import faces

SIDES_PX = (24, 32, 40)
"""Dice of 16 mm over 60 to 70 cm of table at 1080p have 25 to 40 px."""
NEAR = 0.35
"""Distance in sides from the middle of a die within which its face is read."""
ALIKE = 1.08
"""Dice whose sides differ by less than this ratio are of one size."""
LABELS = Path(__file__).parent / "pictures" / "dice.toml"


@dataclass(frozen=True, slots=True)
class Die:
    """A die that was labelled; px of its photograph."""

    x: float
    y: float
    side: float
    value: int
    kind: str = ""

    @property
    def sort(self) -> str:
        """The group it is counted in."""
        sorts = ("clear", "tight", "aslant")
        return next((sort for sort in sorts if sort in self.kind), "ordinary")

    def near(self, at: tuple[float, float], side: float) -> bool:
        """True if ``at`` is in the middle of it, or of a face as large as ``side`` px."""
        return math.dist((self.x, self.y), at) < NEAR * max(self.side, side)


def judged(
    picture: Picture, dice: Sequence[Die], side_px: float, spoil: Spoil
) -> Iterator[tuple[str, str]]:
    """The fate of each die, and each face read where there is none, with its sort."""
    for group in _sizes(dice):
        side = float(np.median([die.side for die in group]))
        scale = side_px / side
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        resized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way)
        small = spoilt(np.asarray(resized), spoil)
        found = [
            ((face.at[0] / scale, face.at[1] / scale), face.value)
            for face in faces(small, side_px, light_pips="light" in group[0].kind).read
        ]
        for die in group:
            read = [value for at, value in found if die.near(at, die.side)]
            how = "unread" if not read else "right" if read == [die.value] else "wrong"
            yield how, die.sort
        for at, value in found:
            there = [die.value for die in dice if die.near(at, side)]
            if value not in there:
                yield ("wrong, as of another size" if there else "false"), "ordinary"


def _sizes(dice: Iterable[Die]) -> list[list[Die]]:
    """Dice of about one size and one sort of pips together."""
    groups: list[list[Die]] = []
    for die in sorted(dice, key=lambda die: ("light" in die.kind, die.side)):
        first = groups[-1][0] if groups else None
        same = first is not None and ("light" in first.kind) == ("light" in die.kind)
        if first is not None and same and die.side <= first.side * ALIKE:
            groups[-1].append(die)
        else:
            groups.append([die])
    return groups


def main(arguments: Sequence[str]) -> int:
    """Prints the counts of each repository and side."""
    parser = argparse.ArgumentParser(prog="benchmarks.dice", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--side", type=int, nargs="+", default=SIDES_PX)
    parser.add_argument("--spoilt", action="store_true", help="spoil the pictures, too")
    parser.add_argument("--each", action="store_true", help="name the pictures with errors")
    given = parser.parse_args(arguments)
    spoils = [*SPOILS] if given.spoilt else [*SPOILS][:1]
    for source in tomllib.loads(LABELS.read_text(encoding="utf-8"))["photographs"]:
        counts: dict[tuple[int, str], Counter[tuple[str, str]]] = defaultdict(Counter)
        start = time.process_time()
        for name, rows in source["dice"].items():
            path = given.folder / source["repository"].replace("/", "+") / name
            if not path.is_file():
                continue
            stored, dice = read_picture(path), [Die(*row) for row in rows]
            wider = cv2.resize(stored, None, fx=source.get("stretch", 1.0), fy=1.0)
            picture = np.asarray(wider, dtype=np.uint8)
            for side, spoil in product(given.side, spoils):
                found = Counter(judged(picture, dice, side, SPOILS[spoil]))
                counts[side, spoil] += found
                if given.each and any(how != "right" for how, _ in found):
                    print(f"  {name}, {side} px, {spoil}: {dict(found)}")
        apart = "" if source["chosen_on"] else ", kept apart"
        print(f"{source['repository']}{apart}: {time.process_time() - start:.1f} s")
        for (side, spoil), some in counts.items():
            told = ", ".join(f"{sort} {how} {n}" for (how, sort), n in sorted(some.items()))
            print(f"  {side} px, {spoil}: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
