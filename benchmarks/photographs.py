"""Pictures of tables with known truth: ``python -m benchmarks photographs``.

Or a few sets only: ``python -m benchmarks.photographs [FOLDER …] [--live SECONDS] [--each]``.

Folders hold one set each (``benchmarks.picture_sets`` says how) or several folders with one.
Without any, the sets kept in the project are taken, and those that ``HEELSTONE_PHOTOS`` names
(folders separated as in PATH).

A site is *right* if the look that truly lies there is the only likely one, *undecided* if it counts
as hidden or others are nearly as likely, else *wrong*. Values on equal pieces without stickers
cannot be seen and do not count. What is under a hand or a thing counts only if it is told wrong. A
picture is read whole if all of it is right, or if it shows a hand and one was seen.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from benchmarks.measure import Result
from benchmarks.picture_sets import PictureSet, Run, Shot, picture_set, runs
from rules.box import Box, Site
from rules.reading.sighting import Look, SiteBelief
from vision.arrays import Picture
from vision.camera.lens import Lens
from vision.camera.sources import Frame, SourceError, read_picture
from vision.pieces.sighting import BarePiece, Sighting
from vision.tracker import Tracker

ROOT = Path(__file__).parent.parent
OWN = (ROOT / "tests" / "support" / "scenes" / "pictures", ROOT / "benchmarks" / "pictures")
NEARLY = 2.5
"""Looks whose log likelihood is less than this below the best are nearly as likely."""
NEAR_MM = 12.0
"""Distance up to which a piece beside every site may be seen from where it lies."""
PER_SECOND = 10
"""Frames a second of a live camera."""
GRAIN = 1.5
"""Noise between frames of a live camera, grey levels."""
HOWS = ("right", "undecided", "wrong")


@dataclass
class Tally:
    """The results of the pictures of one run."""

    pictures: int = 0
    lost: int = 0
    """Pictures in which the board was not found."""
    false_hands: int = 0
    missed_hands: int = 0
    whole: int = 0
    sites: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By ``piece`` or ``empty`` and right, undecided, wrong."""
    off_mm: list[float] = field(default_factory=list)
    """Per picture, how far the worst field is from where it is taken to be."""

    def cells(self) -> list[str]:
        """The columns of the table."""
        found = [f"{self.sites[what, how]}" for what in ("piece", "empty") for how in HOWS]
        off = f"{np.median(self.off_mm):.1f} / {max(self.off_mm):.1f}" if self.off_mm else "–"
        return [
            str(self.pictures), str(self.lost), str(self.false_hands), str(self.missed_hands),
            " / ".join(found[:3]), " / ".join(found[3:]), str(self.whole), off,
        ]  # fmt: skip


HEAD = (
    "| set | looked at | pictures | board lost | false hands | missed hands "
    "| pieces right / undecided / wrong | empty right / undecided / wrong | read whole "
    "| worst field, mm (median / most) |\n|---|---|---|---|---|---|---|---|---|---|"
)


def folders(named: Iterable[Path] = ()) -> list[Path]:
    """The folders of all sets: those in ``named``, else our own and the environment's."""
    given = list(named)
    if not given:
        more = os.environ.get("HEELSTONE_PHOTOS", "")
        given = [*OWN, *(Path(part) for part in more.split(os.pathsep) if part)]
    return [one for folder in given for one in _sets_in(folder)]


def _sets_in(folder: Path) -> list[Path]:
    if any((folder / name).is_file() for name in ("match.json", "truth.json")):
        return [folder]
    return sorted(one.parent for one in folder.glob("*/*.json")
                  if one.name in ("match.json", "truth.json"))  # fmt: skip


def tallies(
    pictures: PictureSet, live_s: float = 0.0, each: bool = False
) -> Iterator[tuple[str, Tally]]:
    """Look at a set, and tell the results. ``live_s``: show every picture this long, as a camera
    does, and judge what is believed in the end. ``each``: say what is wrong in each."""
    with tempfile.TemporaryDirectory() as workplace:
        for run in runs(pictures, Path(workplace)):
            yield run.name, _tally(pictures, run, live_s, each)


def _tally(pictures: PictureSet, run: Run, live_s: float, each: bool) -> Tally:
    tally = Tally()

    def lens_of(_size: tuple[int, int]) -> Lens | None:
        return run.lens

    for box, shots in run.parts:
        tracker = Tracker(box, lens_of=lens_of, bare=pictures.bare)
        for number, shot in enumerate(shots):
            image = read_picture(shot.path)
            seen = _live(tracker, image, number, live_s) if live_s else _once(tracker, image)
            _count(tally, box, pictures.bare, shot, seen, f"{run.name}: " if each else None)
    for shot in run.unmapped:
        tally.pictures += 1
        tally.lost += 1
        for site in pictures.box.sites:
            tally.sites["piece" if site in shot.table else "empty", "undecided"] += 1
    return tally


def _once(tracker: Tracker, image: Picture) -> Sighting:
    return tracker.look(Frame(image, 0, "", 0.0), settled=True)


def _live(tracker: Tracker, image: Picture, number: int, seconds: float) -> Sighting:
    """A picture as a camera shows it for some seconds, with a little noise."""
    chance = np.random.default_rng(number)
    grain = chance.normal(0, GRAIN, (image.shape[0] + 16, image.shape[1] + 16, 1))
    grain = np.rint(grain).astype(np.int16)
    frames = max(round(seconds * PER_SECOND), 1)
    for count in range(frames):
        down, across = chance.integers(0, 16, 2)
        here = grain[down : down + image.shape[0], across : across + image.shape[1]]
        noisy = cv2.add(image, np.repeat(here, 3, axis=2), dtype=cv2.CV_8U)
        time_s = number * (seconds + 1.0) + count / PER_SECOND
        frame = Frame(np.asarray(noisy, dtype=np.uint8), count, "", time_s)
        seen = tracker.look(frame, settled=False)
    return seen


def _count(
    tally: Tally, box: Box, bare: Sequence[str], shot: Shot, seen: Sighting, say: str | None
) -> None:
    tally.pictures += 1
    tally.lost += seen.board == "lost"
    false = seen.hand and not shot.hand and not shot.thing
    missed = shot.hand and not seen.hand and seen.board != "lost"
    tally.false_hands += false
    tally.missed_hands += missed
    told = list(judged(box, bare, shot, seen))
    tally.sites.update((what, how) for _, what, how in told)
    right = all(how == "right" for _, _, how in told)
    wrong = any(how == "wrong" for _, _, how in told)
    stopped = seen.hand and bool(shot.hand or shot.thing)
    whole = seen.board != "lost" and not false and not missed and (right or (stopped and not wrong))
    tally.whole += whole
    off = _off_mm(box, shot, seen)
    if off is not None:
        tally.off_mm.append(off)
    if say is not None and not whole:
        faults = [f"{site} {how}" for site, _, how in told if how != "right"]
        marks = [mark for mark, on in (("false hand", false), ("missed hand", missed),
                 (f"lost: {seen.reason}", seen.board == "lost")) if on]  # fmt: skip
        tail = f" … {len(faults)}" if len(faults) > 12 else ""
        print(f"{say}{shot.path.name}: {', '.join([*marks, *faults[:12]])}{tail}", flush=True)


def judged(
    box: Box, bare: Sequence[str], shot: Shot, seen: Sighting
) -> Iterator[tuple[str, str, str]]:
    """Site, ``piece`` or ``empty``, and right, undecided or wrong, for every site that counts."""
    for name, site in box.sites.items():
        if box.keeps_supplies(site):
            continue
        if not _counts(site) and name not in shot.table:
            continue
        true = _truth(box, shot.table.get(name, ""))
        how = _verdict(box, bare, true, seen.sites.get(name))
        if name in shot.covered and how != "wrong":
            continue
        yield name, "piece" if true else "empty", how
    for loose in shot.loose:
        at: list[tuple[float, frozenset[str]]] = [
            (math.dist(p.at_mm, loose.at_mm), frozenset([p.kind])) for p in seen.pieces
        ]
        at += [(math.dist(p.at_mm, loose.at_mm), _nearly(p)) for p in seen.bare]
        away, kinds = min(at, key=lambda one: one[0], default=(math.inf, frozenset[str]()))
        near = {_class(box, bare, kind) for kind in kinds}
        how = "right" if len(near) == 1 else "undecided"
        if _class(box, bare, loose.kind) not in near:
            how = "wrong"
        yield loose.kind, "piece", "undecided" if away > NEAR_MM else how


def _nearly(piece: BarePiece) -> frozenset[str]:
    """The kinds that a piece without a sticker may be."""
    return frozenset(
        glimpse.kind for look, score in piece.likely.items() if score > -NEARLY for glimpse in look
    )


def _counts(site: Site) -> bool:
    """True if an empty site is worth counting: one with room for a single piece."""
    return site.room == 1 and bool(site.takes)


def _truth(box: Box, text: str) -> tuple[str, ...]:
    """Kinds in the text of a look; poses are left out."""
    return tuple(
        sorted(
            next(part[:end] for end in range(len(part), 0, -1) if part[:end] in box.kinds)
            for part in text.split(" + ")
            if part
        )
    )


def _class(box: Box, bare: Sequence[str], kind: str) -> str:
    """The visible part of a kind: without a sticker its colour and its group."""
    known = box.kinds[kind]
    stickered = known.stickers or known.lying_stickers
    if stickered and not {kind, known.group, "*"} & set(bare):
        return kind
    return f"{known.colour} {known.group}"


def _verdict(
    box: Box, bare: Sequence[str], true: tuple[str, ...], belief: SiteBelief | None
) -> str:
    if belief is None or belief.occluded:
        return "undecided"
    least = belief.looks[belief.best] - NEARLY

    def classes(kinds: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(_class(box, bare, kind) for kind in kinds))

    def of(look: Look) -> tuple[str, ...]:
        return classes(glimpse.kind for glimpse in look)

    near = {of(look) for look, score in belief.looks.items() if score > least}
    wanted = classes(true)
    return "wrong" if wanted not in near else "right" if len(near) == 1 else "undecided"


def _off_mm(box: Box, shot: Shot, seen: Sighting) -> float | None:
    """Distance of the worst field from where the pose has it, mm."""
    if seen.pose is None or not shot.sites_px:
        return None
    names = [name for name in shot.sites_px if name in box.sites]
    mm = seen.pose.on_board(np.array([shot.sites_px[n] for n in names], dtype=np.float64))
    at = np.array([box.sites[n].at for n in names])
    return float(np.linalg.norm(mm - at, axis=1).max())


def results() -> Iterator[Result]:
    """Per set and run: false hands, missed hands, and the shares that were told right."""
    for folder in folders():
        pictures = picture_set(folder)
        for run, tally in tallies(pictures):
            name = f"{pictures.name}, {run}"
            yield Result(f"{name}: read whole", tally.whole, f"of {tally.pictures}", "", None, None,
                         f"{tally.pictures}")  # fmt: skip
            for what, count in (("false hands", tally.false_hands), ("missed hands",
                                tally.missed_hands), ("board lost", tally.lost)):  # fmt: skip
                yield Result(f"{name}: {what}", count, "", "", None, None, "0")
            for what in ("piece", "empty"):
                total = sum(tally.sites[what, how] for how in HOWS)
                for how, aim in zip(HOWS, (str(total), "few", "0"), strict=True):
                    count = tally.sites[what, how]
                    yield Result(f"{name}: {what} {how}", count, f"of {total}", "", None, None, aim)


def main() -> int:
    """Print the table of the sets named."""
    parser = argparse.ArgumentParser(prog="benchmarks.photographs")
    parser.add_argument("folder", nargs="*", type=Path)
    parser.add_argument("--live", type=float, default=0.0, metavar="SECONDS",
                        help="show every picture so long, as a live camera does")  # fmt: skip
    parser.add_argument("--each", action="store_true", help="name what is not right in each")
    given = parser.parse_args()
    print(HEAD, flush=True)
    for folder in folders(given.folder):
        try:
            pictures = picture_set(folder)
        except SourceError as error:
            print(f"{folder}: {error}", file=sys.stderr)
            continue
        if pictures.missing:
            print(f"{folder}: {pictures.missing} pictures are not there yet", file=sys.stderr)
        for run, tally in tallies(pictures, given.live, given.each):
            print(f"| {' | '.join([pictures.name, run, *tally.cells()])} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
