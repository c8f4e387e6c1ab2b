"""Pictures of tables before the simulated camera, and of what is read in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

import cv2
import numpy as np

from companion.camera.advising import advice_text
from companion.simulator import Camera, VirtualTable
from companion.simulator.objects import Glare, Light
from docs.gallery.contact_sheet import Picture
from rules.box import load_box
from tests.support.scenes.bare_pieces import LIGHTS, Table, laid
from tests.support.scenes.rolls import Alley, rolling_box
from tests.support.scenes.stickers import decoder_of, draw_scene, places_of
from vision.advice import Adviser
from vision.arrays import Points
from vision.camera.sources import Frame
from vision.overlay import annotate
from vision.pieces.sighting import BarePiece
from vision.rolls.following import RollTracker
from vision.rolls.path import Gate, gates_of
from vision.tracker import Tracker

LAID = {
    "A": "stone black 2", "H1": "megalith black", "R1": "megalith brown", "L1": "megalith black",
    "H5": "megalith brown", "R": "stone brown 5",
}  # fmt: skip
PAPER, PATH, TRACE = (255, 255, 255), (60, 220, 255), (40, 120, 30)
READ = (60, 230, 60)
BESIDE_PX, NEAR_PX = 6, 9
UNLIKELY = -3.0
"""Log likelihood below which nothing is asked about."""


@lru_cache(maxsize=1)
def table_photo() -> Picture:
    """A hand sets a stone on the virtual table."""
    box = load_box("knizia_stonehenge")
    table = VirtualTable(box, seed=7)
    for site, kind in LAID.items():
        table.put(kind, site)
    stone = next(p for p in table.pieces if p.kind == "stone black 4")
    next(islice(table.drag(stone.id, "F"), 8, None))
    return np.asarray(Camera.over(box, 800, 600, seed=7).render(table), np.uint8)


def camera_sees() -> Picture:
    """Drawing of ``watch --debug``: a hand, a corner covered, and a lamp that reflects."""
    box = load_box("knizia_stonehenge")
    laid_out = (
        ("A", "stone brown 5"), ("C", "stone black 2"), ("E", "stone black 4"),
        ("G", "stone black 1"), ("K", "stone brown 2"), ("O", "stone brown 1"),
        ("H2", "megalith black"), ("R5", "megalith brown"), ("R3", "megalith black"),
    )  # fmt: skip
    table, camera = VirtualTable(box, seed=5), Camera(1000, 750, 760.0, yaw=12.0, seed=5)
    for site, kind in laid_out:
        table.put(kind, site)
    for piece in table.pieces:
        if piece.stored:
            table.move(piece.id, 2000.0, 0.0)
    tracker = Tracker(box)
    tracker.look(Frame(camera.render(table), 0, "", 0.0), settled=True)
    table.hand = table.reaching(55.0, 10.0)
    table.light = Light(glare=Glare(*box.sites["D"].at, radius_mm=14.0, strength=0.8))
    seen = camera.render(table)
    corner = max(box.corners, key=lambda one: one.at[0] + one.at[1])
    x, y = corner.at
    half = 0.75 * corner.size
    card = [camera.board_to_px(x + a * half, y + b * half) for a, b in _SQUARE]
    cv2.fillConvexPoly(seen, np.round(card).astype(np.int32), (58, 74, 96), cv2.LINE_AA)
    frame = Frame(seen, 1, "", 1.0)
    sighting = replace(tracker.look(frame, settled=True), ms={"total": 20.0})
    notes = [advice_text(a, box, "en") for a in Adviser(box).advise(seen, sighting)]
    return annotate(frame, sighting, box, notes)


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def bare_pieces() -> Picture:
    """Pieces without stickers on a dim and warm table, each with its outline and its letter."""
    scene = laid(Table.DOLMEN, 4)
    seen, sighting = scene.picture(LIGHTS["dim and warm"]), scene.look(LIGHTS["dim and warm"])
    pose = sighting.pose
    assert pose is not None
    for piece in sighting.bare:
        outline = np.round(pose.project(piece.body_mm)).astype(np.int32)
        hull = cv2.convexHull(outline)
        cv2.polylines(seen, [hull], True, PAPER, 2, cv2.LINE_AA)
        right, top = int(hull[..., 0].max()), int(hull[..., 1].min())
        _write(seen, _letter(piece), (right - BESIDE_PX, top + BESIDE_PX), 0.6)
    return np.ascontiguousarray(seen[200:1000, 250:1350])


def _letter(piece: BarePiece) -> str:
    """Its colour, and what it is, where that is known: a druid that stands or lies, or a stone."""
    group, _space, colour = piece.kind.partition(" ")
    likely = [look[0] for look, score in piece.likely.items() if look and score > UNLIKELY]
    if len({one.kind for one in likely}) > 1:
        return f"{colour[0].upper()}?"
    lies = any(one.pose == "lying" for one in likely)
    return colour[0].upper() + ("" if group == "stone" else "-" if lies else "|")


def rolling_disc() -> Picture:
    """The path of a disc through two gates, as it was followed."""
    box = rolling_box()
    alley, tracker = Alley(11), Tracker(box)
    sighting = tracker.look(Frame(alley.picture(), 0, "", 0.0), settled=True)
    pose = tracker.pose
    assert pose is not None
    gates = gates_of(box, sighting.pieces)
    truth, frames = alley.roll(142)
    pictures, watcher = list(frames), RollTracker(box, pose, gates)
    told = [watcher.look(Frame(p, n, "", n / truth.fps)) for n, p in enumerate(pictures)]
    roll = next(filter(None, [*told, watcher.finish()]))
    seen = pictures[-1].copy()
    path = np.round(pose.project(_raised(roll.path[:, 1:]))).astype(np.int32)
    cv2.polylines(seen, [path], False, TRACE, 12, cv2.LINE_AA)
    for x, y in path.tolist():
        cv2.circle(seen, (x, y), 3, PATH, -1, cv2.LINE_AA)
    for gate in gates:
        _draw_gate(seen, pose.project(_ends(gate)), gate, gate.name in roll.verdicts[0].gates)
    return np.ascontiguousarray(seen[:, 120:1032])


def _raised(path: Points) -> Points:
    return np.column_stack([path, np.zeros(len(path))])


def _ends(gate: Gate) -> Points:
    return np.array([(*gate.left_mm, 0.0), (*gate.right_mm, 0.0)])


def _draw_gate(seen: Picture, ends: Points, gate: Gate, passed: bool) -> None:
    left, right = np.round(ends).astype(int).tolist()
    cv2.line(seen, left, right, PAPER, 3, cv2.LINE_AA)
    _write(seen, gate.name + (" +" if passed else ""), (right[0] + 24, right[1] - 8), 0.6)


def small_stickers() -> Picture:
    """Stickers of 12 px in hard light, enlarged: those that are read here, and by OpenCV."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    scene = draw_scene(1003, 12.0, "hard", dictionary, range(100))
    left, top, width, height, scale = 140, 720, 400, 200, 3
    part = scene.image[top : top + height, left : left + width]
    size = (width * scale, height * scale)
    seen = cv2.resize(part, size, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    peers = _found_by_opencv(scene.image, dictionary)
    decoder = decoder_of(dictionary, range(100))
    for answer in decoder.read(scene.image, places_of(scene, decoder.ids)):
        if answer.id is None:
            continue
        corners = (answer.corners + 0.5 - (left, top)) * scale
        cv2.polylines(seen, [np.round(corners).astype(np.int32)], True, READ, 2)
        x, y = corners.mean(axis=0)
        middle = answer.corners.mean(axis=0)
        found = any(n == answer.id and math.dist(at, middle) < NEAR_PX for n, at in peers)
        beside = (round(x) + 30, round(y) + 8)
        _write(seen, str(answer.id), beside, 0.7, PAPER if found else READ)
        if found:
            cv2.circle(seen, (round(x), round(corners[:, 1].max()) + 10), 4, PAPER, -1, cv2.LINE_AA)
    return seen


def _found_by_opencv(image: Picture, dictionary: cv2.aruco.Dictionary) -> list[tuple[int, Points]]:
    """Ids and centres that OpenCV, tuned for small stickers, finds in a doubled picture."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 4 * 0.6 * 12.0 / image.shape[1]
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    doubled = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    corners, ids, _ = detector.detectMarkers(doubled)
    if ids is None:
        return []
    centres = [np.reshape(c, (4, 2)).mean(axis=0) / 2 for c in corners]
    return [(int(n), centre) for n, centre in zip(np.ravel(ids), centres, strict=True)]


def _write(
    seen: Picture, text: str, at: tuple[int, int], scale: float,
    ink: tuple[int, int, int] = PAPER,
) -> None:  # fmt: skip
    for colour, width in (((0, 0, 0), 4), (ink, 2)):
        cv2.putText(seen, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, width, cv2.LINE_AA)


_DRAWN: dict[str, Callable[[], Picture]] = {
    "table.jpg": table_photo,
    "camera-sees.jpg": camera_sees,
    "bare-pieces.jpg": bare_pieces,
    "rolling-disc.jpg": rolling_disc,
    "small-stickers.jpg": small_stickers,
}
CAMERA_PICTURES = tuple(_DRAWN)


def camera_pictures(wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """Draws the pictures that are wanted."""
    for name, draw in _DRAWN.items():
        if name in wanted:
            yield name, draw()
