"""Reading of small stickers down to the least size, and how often nothing is read as something.

The pictures come from ``tests.support.scenes.stickers``; all readers see the same ones and are told
all they can be told: ours the places where stickers may lie, OpenCV's and the AprilTag library
how small they are. A sticker counts as read if its id was found where it lies; any other id there,
and any id where none lies, is a wrong one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np

from benchmarks.measure import Result
from companion.simulator.board_art import scene_texture
from rules.box import box_ids, load_box
from tests.support.scenes.stickers import (
    FAMILIES,
    ROAM,
    TESTING,
    Light,
    StickerScene,
    decoder_of,
    draw_scene,
    places_of,
    scenes,
)
from vision.arrays import Picture, Points
from vision.camera.sources import Frame, read_picture
from vision.stickers.direct import LEAST_PX_PER_MODULE, DirectDecoder, Place
from vision.tracker import Tracker

MANY, SOME = 2000, 250
"""Stickers per size where it matters most, and elsewhere."""
SIDES = (8, 10, 12, 14, 16, 20)
CRUCIAL = (12, 10)
IDS = range(100)
EMPTY_PLACES = 12_000
FOREIGN_SIDES = (12, 16)
UNSURE_OF = 1.5
"""Sides of a sticker around which an id counts as being there."""

Found = Sequence[tuple[int, Points]]
"""Ids and centres (px)."""
Reader = Callable[[Picture], Found]


@dataclass
class _Tally:
    stickers: int = 0
    right: int = 0
    wrong: int = 0

    def count(self, scene: StickerScene, found: Found, side: float) -> None:
        """Score what was found in one scene."""
        centres = np.array([centre for _, centre in found]).reshape(-1, 2)
        ids = np.array([sticker for sticker, _ in found])
        for field in scene.fields:
            middle = field.centre if field.corners is None else field.corners.mean(axis=0)
            near = np.linalg.norm(centres - middle, axis=1) < UNSURE_OF * side / 2
            here = set(ids[near].tolist())
            self.stickers += field.sticker is not None
            self.right += field.sticker in here
            self.wrong += bool(here - {field.sticker})


def recall(thorough: bool) -> Iterator[Result]:
    """Recall and wrong ids by size, in hard and in clean light."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    decoder = decoder_of(dictionary, IDS)
    lights: tuple[Light, ...] = ("hard", "clean")
    for light in lights:
        for side in SIDES:
            many = side in CRUCIAL and (thorough or light == "hard")
            ours, default, tuned = _Tally(), _Tally(), _Tally()
            count = MANY if many else SOME
            for scene in scenes(TESTING, side, light, count, dictionary, IDS):
                ours.count(scene, _direct(decoder, scene), side)
                default.count(scene, _opencv(dictionary, None)(scene.image), side)
                tuned.count(scene, _opencv(dictionary, side)(scene.image), side)
            name = f"4x4 stickers of {side} px, {light} light"
            aim = _aim(light, side)
            yield from _lines(name, ours, "cv2.aruco default", default, aim)
            yield from _lines(name, ours, "cv2.aruco tuned, × 2", tuned, aim, again=True)
    yield from _april_tags(SIDES if thorough else (12, 16))


def _aim(light: Light, side: float) -> str:
    if light == "hard" and side == 12:
        return "≥ 0.995"
    if light == "hard" and side == 10:
        return "≥ 0.80"
    return "≥ 0.995" if side >= 12 else "–"


def _lines(
    name: str, ours: _Tally, peer: str, theirs: _Tally, aim: str, again: bool = False
) -> Iterator[Result]:
    value, other = ours.right / ours.stickers, theirs.right / theirs.stickers
    ratio = value / other if other else None
    yield Result(f"{name}: recall", value, f"of {ours.stickers}", peer, other, ratio, aim)
    if not again:
        yield Result(
            f"{name}: wrong ids", ours.wrong, f"of {ours.stickers}", peer, theirs.wrong, None, "0"
        )


def _april_tags(sides: Sequence[float]) -> Iterator[Result]:
    """Our reader and the AprilTag library on AprilTag's own stickers of the same side."""
    try:
        library = import_module("pyapriltags")
    except ImportError:
        print(
            "pyapriltags is not installed, so nothing is compared with the AprilTag library; "
            "pip install 'heelstone[bench]' brings it",
            file=sys.stderr,
        )
        return
    for family, (name, count) in FAMILIES.items():
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
        detector = library.Detector(families=family, nthreads=2, quad_decimate=1.0)
        decoder = decoder_of(dictionary, range(count))

        def detect(image: Picture, detector: object = detector) -> Found:
            grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            return [(t.tag_id, t.center) for t in detector.detect(grey)]  # type: ignore[attr-defined]

        for side in sides:
            ours, theirs = _Tally(), _Tally()
            for scene in scenes(TESTING, side, "hard", SOME, dictionary, range(count)):
                ours.count(scene, _direct(decoder, scene), side)
                theirs.count(scene, detect(scene.image), side)
            peer = f"pyapriltags {family}"
            yield from _lines(f"{family} of {side} px, hard light", ours, peer, theirs, "> 1")


def _direct(decoder: DirectDecoder, scene: StickerScene) -> Found:
    answers = decoder.read(scene.image, places_of(scene, decoder.ids))
    return [(a.id, a.corners.mean(axis=0)) for a in answers if a.id is not None]


def _opencv(dictionary: cv2.aruco.Dictionary, side: float | None) -> Reader:
    """OpenCV's detector as it comes, or for stickers of ``side`` px in a doubled picture."""
    parameters = cv2.aruco.DetectorParameters()
    if side is not None:
        parameters.minMarkerPerimeterRate = 4 * 0.6 * side / 1920
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    scale = 1 if side is None else 2

    def detect(image: Picture) -> Found:
        if scale > 1:
            image = np.asarray(
                cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
            )
        corners, ids, _ = detector.detectMarkers(image)
        if ids is None:
            return []
        centres = [(np.reshape(c, (4, 2)).mean(axis=0) + 0.5) / scale - 0.5 for c in corners]
        return [(int(n), centre) for n, centre in zip(np.ravel(ids), centres, strict=True)]

    return detect


def false_accepts(pictures: Path) -> Iterator[Result]:
    """Ids read where nothing lies: drawn boards, textures, photographs, fields of the scenes."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    decoder = decoder_of(dictionary, IDS)
    chance = np.random.default_rng(TESTING[0])
    sources = _bare_pictures(chance, pictures, dictionary)
    each = EMPTY_PLACES // len(sources)
    places = accepted = 0
    for image, taken in sources.values():
        asked = _random_places(chance, image, taken, each, decoder.ids)
        places += len(asked)
        accepted += sum(answer.id is not None for answer in decoder.read(image, asked))
    yield Result(
        "ids read at empty places, of 100 allowed", 1e4 * accepted / places,
        f"per 10,000 ({accepted} of {places})", "", None, None, "≤ 1",
    )  # fmt: skip
    yield _foreign_stickers()


def _foreign_stickers() -> Result:
    """Stickers of other boxes at the sites of this one."""
    box = load_box("knizia_stonehenge")
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, box.dictionary))
    count = len(dictionary.bytesList)
    own = sorted(box.kind_of_sticker)
    others = [sticker for sticker in range(count) if sticker not in own]
    decoder = decoder_of(dictionary, range(count))
    shown = accepted = 0
    for side in FOREIGN_SIDES:
        for scene in scenes(TESTING[-100:], side, "hard", MANY // 4, dictionary, others):
            answers = decoder.read(scene.image, places_of(scene, own))
            shown += scene.stickers
            accepted += sum(answer.id is not None for answer in answers)
    return Result(
        f"stickers of other boxes read as one of {len(own)} allowed", accepted, f"of {shown}", "",
        None, None, "0",
    )  # fmt: skip


def _bare_pictures(
    chance: np.random.Generator, pictures: Path, dictionary: cv2.aruco.Dictionary
) -> Mapping[str, tuple[Picture, Points]]:
    """Pictures, and where there are stickers in them: n × 3, x, y and how far around, px."""
    found: dict[str, tuple[Picture, Points]] = {}
    none = np.zeros((0, 3))
    for name in box_ids():
        box = load_box(name)
        (x, y), scale = (box.size[0] / 2, box.size[1] / 2), 2.5
        image = np.clip(scene_texture(box, scale, (x, y), (0.0, 0.0)), 0, 255).astype(np.uint8)
        corners = [((c.at[0] + x) * scale, (y - c.at[1]) * scale, c.size * scale)
                   for c in box.corners]  # fmt: skip
        found[f"board {name}"] = (image, np.array(corners))
    for grain in (1, 2, 3, 5, 8, 13):
        rough = chance.integers(0, 256, (900 // grain, 1200 // grain, 3), dtype=np.uint8)
        found[f"grain {grain}"] = (_large(rough, cv2.INTER_LINEAR), none)
        blocks = chance.integers(0, 2, (900 // grain, 1200 // grain, 1), dtype=np.uint8) * 200
        found[f"blocks {grain}"] = (_large(np.repeat(blocks + 25, 3, axis=2)), none)
    for number, seed in enumerate(TESTING[-4:]):
        scene = draw_scene(seed, 16, "hard", dictionary, list(IDS))
        found[f"scene {number}"] = (scene.image, _around([
            f.corners for f in scene.fields if f.corners is not None
        ]))  # fmt: skip
    tracker = Tracker(load_box("knizia_stonehenge"))
    for path in sorted(pictures.glob("*.jpg"))[:12]:
        image = read_picture(path)
        tracker.forget()
        seen = tracker.look(Frame(image, 0, path.name, 0.0), settled=True)
        taken = [piece.corners_px for piece in seen.pieces]
        if seen.pose is not None:
            half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) / 2
            for corner in tracker.box.corners:
                taken.append(seen.pose.project(np.array(corner.at) + half * corner.size))
        found[path.name] = (image, _around(taken))
    return found


def _around(corners: Sequence[Points]) -> Points:
    """Centres and radii of stickers, n × 3 px, from their corners, 4 × 2 px each."""
    square = np.stack(corners)
    reach = np.linalg.norm(square[:, 0] - square[:, 2], axis=1)
    return np.column_stack([square.mean(axis=1), reach])


def _large(image: Picture, how: int = cv2.INTER_NEAREST) -> Picture:
    return np.asarray(cv2.resize(image, (1200, 900), interpolation=how), dtype=np.uint8)


def _random_places(
    chance: np.random.Generator, image: Picture, taken: Points, count: int, ids: Sequence[int]
) -> list[Place]:
    """Places of 2 to 6 px per module that keep clear of what is ``taken``."""
    height, width = image.shape[:2]
    places: list[Place] = []
    while len(places) < count:
        side = 6 * chance.uniform(LEAST_PX_PER_MODULE, 6.0)
        at = chance.uniform((1.5 * side, 1.5 * side), (width - 1.5 * side, height - 1.5 * side))
        if np.any(np.linalg.norm(taken[:, :2] - at, axis=1) < taken[:, 2] + 1.2 * side):
            continue
        across = np.array([[side, 0.0], [0.0, -side]])
        places.append(Place(at, across, 1.0, ROAM * 2**0.5, tuple(ids)))
    return places
