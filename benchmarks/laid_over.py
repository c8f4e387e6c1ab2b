"""Hands and other things laid over pictures of tables: ``python -m benchmarks.laid_over HANDS``.

``HANDS``: a folder with pictures and masks of hands, labelled in ``pictures/others.toml``. More
folders with boards by others that are labelled there come with ``--boards``, more sets of pictures
with ``--sets``. With ``--labels`` another file says what they show, and our own tables are left
out. Every thing is laid over a picture of each kind of table, and each table is looked
at in three ways: before the thing comes, below it, and when it is gone; with ``--unshown``, below
it alone.

A thing is *missed* if no hand is told while it is over the board, a hand *false* if one is told
when it is gone. What lies on the board counts as in the benchmark ``photographs``. With ``--alone``
no thing comes: tables that nobody has shown empty are looked at for some seconds. With
``--exposure`` the camera changes its exposure and white balance with each picture.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.cut_outs import (
    PER_MM,
    RARE,
    SKINS,
    SLEEVES,
    THINGS,
    Hand,
    arm,
    hands,
    laid,
    painted,
)
from benchmarks.photographs import HOWS, OWN, folders, judged
from benchmarks.picture_sets import Loose, PictureSet, Shot, mapped, picture_set
from companion.boards.picture import BoardPictureError
from rules.box import Box, Point
from tests.support.scenes.go_board import GO, STICKER_IDS, Lattice, go_board, rows_to_table, wood
from vision.arrays import Floats, Picture, floats, points
from vision.board.flat_board import corner_stickers
from vision.board.pose import BoardFinder, BoardPose
from vision.camera.sources import Frame, read_picture
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

OTHERS = Path(__file__).parent / "pictures" / "others.toml"
"""Labels of the pictures by others."""
WIDE = 1280
"""Most px of a picture's width."""
NO_CAMERA_PX = 2.0
"""Most deviation of drawn stickers from where a camera would see them."""
NEARER = 1.15
"""Things over the board are larger than on it."""
BLUR_MM = (0.0, 0.0, 4.0, 12.0, 26.0)
GRAIN = 2.0
"""Noise of each picture, grey levels."""
BETWEEN_S = 5.0
EXPOSURES, TINTS, BENDS = (0.6, 1.6), (0.85, 1.18), (0.85, 1.2)
"""Light of a picture by which an exposure multiplies it, in all channels and in each, and the power
of its curve."""
ALONE_S = (0.0, 1.0, 3.0, 6.0)
"""Times at which a table without a thing over it is looked at, s."""


@dataclass(frozen=True, slots=True)
class Board:
    """A picture of a table without anything over it."""

    name: str
    box: Box
    bare: tuple[str, ...]
    shot: Shot
    image: Picture
    lattice: Lattice = GO

    @property
    def crowded(self) -> bool:
        """True if bare pieces touch."""
        return len(self.shot.table) > min(60, 0.4 * len(self.lattice.spots))


@dataclass
class Tally:
    """Findings about the pictures of one group."""

    things: int = 0
    missed: int = 0
    false: int = 0
    lost: int = 0
    sites: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By ``below`` (free places while the thing is there), ``after``, or ``none told``, which are
    those while the thing was missed, and right, undecided, wrong."""

    def cells(self) -> list[str]:
        """The columns of the table."""
        counts = [
            " / ".join(str(self.sites[when, how]) for how in HOWS)
            for when in ("below", "after", "none told")
        ]
        return [str(self.things), str(self.missed), str(self.false), str(self.lost), *counts]


HEAD = (
    "| group | things | missed | false hands afterwards | board lost | pieces with it: right / "
    "undecided / wrong | pieces afterwards | while none was told |\n"
    "|---|---|---|---|---|---|---|---|"
)


def boards(
    sets: Sequence[Path], others: Path | None, labels: dict[str, Any], part: str
) -> Iterator[Board]:
    """Tables: the fullest picture and one in the middle of each set, and those by others."""
    for folder in folders(sets) if sets else ():
        pictures = picture_set(folder)
        clear = [s for s in pictures.shots if not s.hand and not s.thing]
        ranked = sorted(clear, key=lambda shot: len(shot.table))
        for shot in (ranked[-1], ranked[len(ranked) // 2])[: 1 + (len(ranked) > 2)]:
            box = pictures.box
            if box.id == "go_board":
                try:
                    box = mapped(box, _owners(pictures) or shot)
                except BoardPictureError:
                    continue
            yield Board(f"{pictures.name} {shot.path.stem}", box, pictures.bare, shot,
                        _small(read_picture(shot.path)))  # fmt: skip
    for entry in labels["boards"].get(part, ()) if others else ():
        yield from _with_stickers(others / entry["picture"], entry)


def unlabelled(others: Path, labels: dict[str, Any], part: str) -> Iterator[Board]:
    """Boards by others of which only the corners were labelled."""
    for entry in labels.get("unlabelled", {}).get(part, ()):
        if (others / entry["picture"]).exists():
            yield from _with_stickers(others / entry["picture"], entry)


def _owners(pictures: PictureSet) -> Shot | None:
    return next((s for s in pictures.shots if s.path.name == pictures.own_board), None)


def _with_stickers(path: Path, entry: dict[str, Any]) -> Iterator[Board]:
    """A board by others with stickers drawn beside it."""
    lattice = Lattice.of(entry.get("rows", ()), **entry.get("lattice", {}))
    plain = go_board(lattice=lattice)
    image = read_picture(path)
    border = round(0.28 * max(image.shape[:2]))
    edge = np.median(image.reshape(-1, 3), axis=0).tolist()
    image = np.asarray(cv2.copyMakeBorder(image, border, border, border, border,
                                          cv2.BORDER_CONSTANT, value=edge), np.uint8)  # fmt: skip
    corners = floats(entry["corners_px"]) + border
    scale = WIDE / image.shape[1]
    image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
                                  if scale < 1 else cv2.INTER_CUBIC), np.uint8)  # fmt: skip
    corners = floats((corners + 0.5) * scale - 0.5)
    mm = floats([lattice.at(*end) for end in lattice.corners])
    if entry.get("of_fields"):
        mm = floats(mm + np.sign(mm) * lattice.pitch / 2)
    plane = cv2.getPerspectiveTransform(mm, corners)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for corner in plain.corners:
        half, (x, y) = corner.size / 2, corner.at
        marker = cv2.aruco.generateImageMarker(words, corner.id, 240)
        whole = cv2.copyMakeBorder(marker, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255,))
        whole = (whole * 0.82 + 20).astype(np.uint8)
        reach = half * 320 / 240
        square = floats([(x - reach, y + reach), (x + reach, y + reach), (x + reach, y - reach),
                         (x - reach, y - reach)])  # fmt: skip
        px = cv2.perspectiveTransform(square[None], plane)[0]
        to = cv2.getPerspectiveTransform(floats([(0, 0), (320, 0), (320, 320), (0, 320)]), px)
        size = (image.shape[1], image.shape[0])
        drawn = cv2.warpPerspective(whole, to, size, flags=cv2.INTER_AREA)
        there = cv2.warpPerspective(np.full((320, 320), 1.0, np.float32), to, size)[..., None]
        image = (image * (1 - there) + drawn[..., None] * there).astype(np.uint8)
    places = floats([site.at for site in plain.sites.values()])
    px = cv2.perspectiveTransform(places[None], plane)[0]
    sites = {name: (float(u), float(v)) for name, (u, v) in zip(plain.sites, px, strict=True)}
    table = rows_to_table([" ".join(row) for row in entry.get("rows", ())], lattice)
    shot = Shot(path, False, table=table, sites_px=sites)
    pose = BoardFinder(plain).find(corner_stickers(image, plain), (image.shape[1], image.shape[0]))
    if pose.error_px > NO_CAMERA_PX:
        print(f"{path.name}: bent, no camera sees stickers like that", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "board.png"
        cv2.imwrite(str(copy), image)
        try:
            box = mapped(plain, replace(shot, path=copy), lattice)
        except BoardPictureError:
            print(f"{path.name}: not mapped", file=sys.stderr)
            return
    assert len(STICKER_IDS) == len(box.corners)
    yield Board(path.stem, box, ("stone",), shot, image, lattice)


def _small(image: Picture) -> Picture:
    scale = min(WIDE / image.shape[1], 1)
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True)
class Case:
    """A thing over a table."""

    board: Board
    thing: str
    """A hand's skin, or another of ``THINGS``."""
    sleeve: str
    """Of a hand; other things may be ``alike``: in the colour of the board below their middle."""
    hand: Hand | None
    seed: int


def cases(
    tables: Sequence[Board], cut: Sequence[Hand], number: int, seed: int, skins: Sequence[str],
    things: Sequence[str] = (),
) -> Iterator[Case]:  # fmt: skip
    """Things over tables, drawn by lot, each skin, sleeve and thing about as often; or nothing but
    some ``things``, every other one in a colour of the board."""
    chance = np.random.default_rng(seed)
    skins, sleeves, order = list(skins), list(SLEEVES), []
    for n in range(number):
        if n % len(tables) == 0:
            order = chance.permutation(len(tables)).tolist()
        board = tables[order[n % len(tables)]]
        if things:
            yield Case(board, things[n % len(things)], "alike" if n // len(things) % 2 else "",
                       None, seed * 1000 + n)  # fmt: skip
            continue
        if n % 5 == 4:
            yield Case(board, THINGS[n // 5 % len(THINGS)], "", None, seed * 1000 + n)
            continue
        if n % len(skins) == 0:
            chance.shuffle(skins)
            chance.shuffle(sleeves)
        hand = cut[int(chance.integers(len(cut)))]
        yield Case(board, skins[n % len(skins)], sleeves[(n + n // 11) % len(sleeves)], hand,
                   seed * 1000 + n)  # fmt: skip


def scene(case: Case, pose: BoardPose) -> tuple[Picture, frozenset[str], tuple[Loose, ...]]:
    """The picture of a case, the places that its thing hides, and the pieces beside all places of
    which it hides nothing."""
    chance = np.random.default_rng(case.seed)
    box = case.board.box
    if case.hand is None:
        thing = painted(case.thing, chance, _dye(case, pose) if case.sleeve else "")
    else:
        thing = arm(case.hand, case.thing, case.sleeve, chance)
    places = [site.at for site in box.sites.values() if box.is_on_board(site.at)]
    x, y = places[int(chance.integers(len(places)))]
    # From the side of the board that is nearest, or where players sit.
    sides = [0, 0, 180, 90 if x > 0 else -90]
    turn = float(sides[int(chance.integers(4))] + chance.uniform(-35, 35))
    blur = BLUR_MM[int(chance.integers(len(BLUR_MM)))] * pose.px_per_mm()
    at = np.round(pose.project(np.array([(x, y)]))[0]).astype(int)
    light = float(np.median(case.board.image)) / 255
    dimmed = np.clip(light / 0.6, 0.45, 1.1) * chance.uniform(0.85, 1.1)
    thing[..., :3] *= chance.uniform(0.9, 1.1) if case.sleeve == "alike" else dimmed
    found, over = laid(
        floats(case.board.image / 255), thing, (int(at[0]), int(at[1])), turn=turn,
        scale=NEARER * pose.px_per_mm() / PER_MM, blur_px=blur,
        shadow=float(chance.uniform(0.1, 0.5)),
    )  # fmt: skip

    def hides(at_mm: Point, reach: float) -> bool:
        ring = [(at_mm[0] + dx * reach, at_mm[1] + dy * reach)
                for dx in (-1, -0.5, 0, 0.5, 1) for dy in (-1, -0.5, 0, 0.5, 1)]  # fmt: skip
        px = np.round(pose.project(np.array(ring))).astype(int)
        px = np.clip(px, 0, np.array([over.shape[1], over.shape[0]]) - 1)
        return bool(over[px[:, 1], px[:, 0]].any())

    hidden = frozenset(
        site.id for site in box.sites.values()
        if hides(site.at, site.radius or max(site.size or (20.0, 20.0)) / 2)
    )  # fmt: skip
    loose = tuple(
        one for one in case.board.shot.loose
        if not hides(one.at_mm, max(box.kinds[one.kind].size) / 2)
    )  # fmt: skip
    return grained(found, chance), hidden, loose


def _dye(case: Case, pose: BoardPose) -> str:
    """The usual colour of the board of a case, #rrggbb."""
    rim = points(case.board.box.rim)
    (x0, y0), (x1, y1) = rim.min(axis=0), rim.max(axis=0)
    spots = [(x, y) for x in np.linspace(x0, x1, 60) for y in np.linspace(y0, y1, 60)]
    px = np.round(pose.project(points(spots))).astype(int)
    size = np.array(case.board.image.shape[1::-1])
    px = px[((px >= 0) & (px < size)).all(axis=1)]
    blue, green, red = np.median(case.board.image[px[:, 1], px[:, 0]], axis=0).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def grained(image: Floats, chance: np.random.Generator) -> Picture:
    """A picture as a camera takes it, from 0 to 1."""
    noisy = image * 255 + GRAIN * chance.standard_normal(image.shape, dtype=np.float32)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def exposed(image: Picture, chance: np.random.Generator) -> Picture:
    """A picture with another exposure and white balance, drawn by lot."""
    gain = chance.uniform(*EXPOSURES) * chance.uniform(*TINTS, 3)
    light = np.clip((image / 255) ** 2.2 * gain, 0, 1) ** (chance.uniform(*BENDS) / 2.2)
    return np.rint(light * 255).astype(np.uint8)


def look(
    case: Case, unshown: bool, keep: Path | None = None, exposure: bool = False
) -> tuple[Tally, list[str]]:
    """The findings of one case, and what is not right."""
    board, chance = case.board, np.random.default_rng(case.seed + 7)
    box = _never_shown(board) if unshown else board.box
    tracker = Tracker(box, bare=board.bare)
    finder = Tracker(box, bare=board.bare)
    tally, faults = Tally(things=1), list[str]()
    first = finder.look(Frame(board.image, 0, "", 0.0), settled=True)
    if first.pose is None:
        tally.lost += 1
        return tally, [f"{board.name}: board not found"]
    image, hidden, loose = scene(case, first.pose)
    clear = grained(floats(board.image / 255), chance)
    name = f"{board.name} | {case.thing} {case.sleeve} | {case.seed}"
    if exposure:
        image = exposed(image, chance)
    if not unshown:
        tracker.look(Frame(clear, 0, "", 0.0), settled=True)
    seen = tracker.look(Frame(image, 1, "", BETWEEN_S), settled=True)
    if seen.board == "lost":
        tally.lost += 1
    else:
        shot = replace(board.shot, hand=True, covered=hidden, loose=loose)
        reaches = bool(hidden)
        tally.missed += reaches and not seen.hand
        when = "below" if seen.hand else "none told"
        wrong = _judge(tally, board, shot, seen, when)
        if (reaches and not seen.hand) or wrong:
            faults.append(f"{name}: hand {seen.hand}, wrong {len(wrong)} {wrong[:12]}")
    if not unshown:
        again = grained(floats(board.image / 255), chance)
        again = exposed(again, chance) if exposure else again
        after = tracker.look(Frame(again, 2, "", 2 * BETWEEN_S), settled=True)
        tally.false += after.hand
        wrong = _judge(tally, board, board.shot, after, "after")
        if after.hand or wrong:
            faults.append(f"{name}: afterwards hand {after.hand}, wrong {len(wrong)} {wrong[:12]}")
    if keep and faults:
        keep.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(keep / f"{case.seed}.png"), image)
    return tally, faults


def _never_shown(board: Board) -> Box:
    box = board.box
    if not box.outline or box.id != "go_board":
        return box
    return replace(box, outline=wood({s.id: s.at for s in box.sites.values()}, board.lattice))


def alone(board: Board) -> list[bool]:
    """True for each of the ``ALONE_S`` at which a hand is told though there is none."""
    tracker, chance = Tracker(_never_shown(board), bare=board.bare), np.random.default_rng(7)
    pictures = [grained(floats(board.image / 255), chance) for _ in ALONE_S]
    return [
        tracker.look(Frame(picture, 0, "", at_s), settled=True).hand
        for picture, at_s in zip(pictures, ALONE_S, strict=True)
    ]


def _judge(tally: Tally, board: Board, shot: Shot, seen: Sighting, when: str) -> list[str]:
    wrong = []
    for site, what, how in judged(board.box, board.bare, shot, seen):
        if how == "wrong":
            belief = seen.sites.get(site)
            told = seen.table.get(site, "empty") if belief else "-"
            wrong.append(f"{site} {shot.table.get(site, 'empty')}→{told}")
        if what == "piece" or how == "wrong":
            tally.sites[when, how] += 1
    return wrong


def main() -> int:
    """Print what was told, by kind of table, skin, sleeve and thing."""
    parser = argparse.ArgumentParser(prog="benchmarks.laid_over")
    parser.add_argument("hands", type=Path)
    parser.add_argument("--boards", type=Path, help="folder of boards by others")
    parser.add_argument("--sets", type=Path, nargs="*", default=[])
    parser.add_argument("--labels", type=Path, help="file in place of pictures/others.toml")
    parser.add_argument("--part", default="chosen_on", help="of the labels")
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skins", nargs="*", default=list(SKINS), choices=SKINS, metavar="SKIN")
    parser.add_argument("--only", type=int, nargs="*", help="seeds of single cases")
    parser.add_argument("--alone", action="store_true", help="no thing comes")
    parser.add_argument("--unshown", action="store_true", help="no look before the thing came")
    parser.add_argument("--exposure", action="store_true", help="another in each picture")
    parser.add_argument("--keep", type=Path, help="folder for pictures of what is not right")
    parser.add_argument("--things", nargs="*", choices=[*THINGS, *RARE], help="these, no hands")
    given = parser.parse_args()
    labels = tomllib.loads((given.labels or OTHERS).read_text())
    cut = hands(given.hands, labels["hands"][given.part])
    sets = [*(() if given.labels else OWN), *given.sets]
    tables = list(boards(sets, given.boards, labels, given.part))
    if given.alone:
        tables += unlabelled(given.boards, labels, given.part) if given.boards else ()
        for board in tables:
            told = alone(board)
            print(f"{board.name}: hand {told}", flush=True)
        return 0
    groups: dict[str, Tally] = {}
    things = given.things or ()
    for case in cases(tables, cut, given.number, given.seed, given.skins, things):
        if given.only and case.seed not in given.only:
            continue
        tally, faults = look(case, given.unshown, given.keep, given.exposure)
        kind = "crowded" if case.board.crowded else "sparse"
        hand = case.hand is not None
        names = ["all", f"board {case.board.name}", f"table {kind}",
                 f"skin {case.thing}" if hand else case.thing]  # fmt: skip
        if hand:
            names += ["hands", f"sleeve {case.sleeve}"]
        for name in names:
            sum_ = groups.setdefault(name, Tally())
            sum_.things += tally.things
            sum_.missed += tally.missed
            sum_.false += tally.false
            sum_.lost += tally.lost
            sum_.sites += tally.sites
        for fault in faults:
            print(fault, flush=True)
    print(HEAD)
    for name in sorted(groups):
        print(f"| {name} | {' | '.join(groups[name].cells())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
