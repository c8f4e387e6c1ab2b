"""Rendered rolls of a disc over the anthology board, with known truth.

The board, its trilithons and the hand are those of the virtual table; the disc on its edge is
drawn here, smeared over the time a frame is exposed, and hidden by the capstones it rolls below.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulator import Camera, Hand, Light, VirtualTable
from companion.simulator.hand_art import draw_hand
from companion.simulator.piece_art import Patch
from rules.box import Box, load_box
from vision.arrays import Picture, Points
from vision.rolls.path import OPEN_SHARE, PILLAR_SHARE

RADIUS, THICK = 9.0, 5.0
COLOURS = ("disc white", "disc blue", "disc green", "disc yellow", "disc red")
GATES = ("G1", "G2", "G3", "G4", "G5")
RUN_UP = (-203.0, -140.0)
HALF_MM = 260.0
EXPOSED = 0.5
"""Share of a frame's time in which light is collected."""

KINDS = (
    "straight", "straight", "curve", "curve", "double", "beside", "short", "side", "bounce",
    "stuck",
)  # fmt: skip
"""Ways to roll, each as often as it is named."""

Mask = npt.NDArray[np.float32]


def rolling_box() -> Box:
    """The box with the sites of Rollende Steine."""
    return load_box("stonehenge_anthology").for_game("rollende_steine")


@dataclass(frozen=True)
class Truth:
    """The truth about a rendered roll."""

    what: str
    crossed: bool
    gates: tuple[str, ...]
    """Gates it went fully through, in order."""
    speed: float
    """mm/s at the start."""
    fps: int


class Alley:
    """A board with five trilithons and a camera above it."""

    def __init__(self, seed: int, size: tuple[int, int] = (1152, 864)) -> None:
        random = Random(seed)
        box = load_box("stonehenge_anthology")
        self.table = VirtualTable(box, seed=seed)
        for gate in GATES:
            self.table.put("trilithon", gate)
        self.table.light = Light(
            brightness=random.uniform(0.7, 1.1), kelvin=random.choice((2900, 4200, 5500, 7000))
        )
        self.camera = Camera.over(box, *size, seed=seed)
        self.camera.tilt = random.uniform(0, 6)
        self.still: Picture = np.asarray(self.camera._laid_table(self.table))
        self.beams = np.zeros(self.still.shape[:2], dtype=np.uint8)
        self.openings: dict[str, tuple[Points, Points, float]] = {}
        for gate in GATES:
            piece = self.table.at(gate)[0]
            kind = box.kinds[piece.kind]
            turn = math.radians(piece.angle_deg)
            along = np.array([math.cos(turn), math.sin(turn)])
            self.openings[gate] = (np.array(piece.at), along, kind.size[0])
            w, d = kind.size[0] / 2, kind.size[1] / 2
            rim = [piece.to_board(x, y) for x, y in ((-w, -d), (w, -d), (w, d), (-w, d))]
            beam = np.array([(*p, z) for p in rim for z in (0.72 * kind.height, kind.height)])
            hull = cv2.convexHull(self.camera.project(beam).astype(np.float32))
            cv2.fillConvexPoly(self.beams, np.round(hull * 16).astype(np.int32), (255,), 8, 4)

    def picture(self) -> Picture:
        """The board without a disc, as the camera sees it."""
        return np.asarray(self.camera._develop(self.still.copy()))

    # -- rolls ----------------------------------------------------------------------------

    def roll(self, seed: int) -> tuple[Truth, Iterator[Picture]]:
        """A roll and its frames, from the board at rest to the disc at rest."""
        random = Random(seed)
        fps = random.choice((30, 60))
        speed = random.uniform(300, 2000)
        what = random.choice(KINDS)
        for attempt in count(1):
            if attempt % 60 == 0:
                # Not every board has room for every way.
                what = random.choice(KINDS)
            path = self._way(random, what)
            truth = self._truth(path, what, speed, fps)
            if truth is not None:
                return truth, self._frames(random, path, truth)
        raise AssertionError

    def _way(self, random: Random, what: str) -> Points:
        """Points a millimetre apart, n × 2 mm."""
        start = np.array([random.uniform(-150, 150), random.uniform(-238, -215)])
        gate = random.choice(GATES)
        middle, along, wide = self.openings[gate]
        if what == "short":
            goal = start + np.array([random.uniform(-40, 40), random.uniform(30, 60)])
            return _line(start, goal)
        if what == "side":
            goal = np.array([random.choice((-1, 1)) * 300.0, start[1] + random.uniform(-20, 120)])
            return _line(start, goal)
        if what == "double":
            pair = random.choice((("G1", "G2"), ("G5", "G4"), ("G2", "G3"), ("G4", "G3")))
            first, second = (self.openings[name][0] for name in pair)
            way = (second - first) / float(np.linalg.norm(second - first))
            knee = first - way * random.uniform(60, 120) + np.array([random.uniform(-8, 8), 0])
            beyond = second + way * random.uniform(30, 100)
            return np.concatenate([_bend(start, knee, first), _line(first, beyond)])
        room = wide * OPEN_SHARE / 2 - THICK / 2 - 0.5
        aim = middle + along * random.uniform(-room, room)
        if what == "beside":
            aim = middle + along * random.choice((-1, 1)) * random.uniform(36, 60)
        if what == "bounce":
            pillar = middle + along * random.choice((-1, 1)) * (wide * 0.34)
            before = pillar + (start - pillar) * (19 / float(np.linalg.norm(pillar - start)))
            away = np.array([random.uniform(-60, 60), -random.uniform(20, 70)])
            return np.concatenate([_line(start, before), _line(before, before + away)])
        if what == "straight" and abs(start[0] - aim[0]) > 130:
            start[0] = aim[0] + random.uniform(-100, 100)
        heading = (aim - start) / float(np.linalg.norm(aim - start))
        if what != "straight":
            turn = math.radians(random.uniform(-28, 28))
            heading = np.array([
                heading[0] * math.cos(turn) - heading[1] * math.sin(turn),
                heading[0] * math.sin(turn) + heading[1] * math.cos(turn),
            ])  # fmt: skip
        knee = aim - heading * random.uniform(50, 90)
        if what == "stuck":
            return _bend(start, knee, aim)
        beyond = aim + heading * random.uniform(30, 330)
        return np.concatenate([_bend(start, knee, aim), _line(aim, beyond)])

    def _truth(self, path: Points, what: str, speed: float, fps: int) -> Truth | None:
        """None if the disc would hit a pillar on its way, or if what it did is a matter of luck."""
        gates: list[tuple[int, str]] = []
        for name, (middle, along, wide) in self.openings.items():
            forth = np.array([-along[1], along[0]])
            off = path - middle
            side, beside = off @ forth, off @ along
            inner, outer = wide * OPEN_SHARE / 2, wide * (OPEN_SHARE / 2 + PILLAR_SHARE)
            within = np.abs(side) < 0.41 * 17 + RADIUS * 0.8
            low, high = inner - THICK / 2, outer + THICK / 2 + 1
            hits = within & (np.abs(beside) > low) & (np.abs(beside) < high)
            if what != "bounce" and bool(hits.any()):
                return None
            if bool((within & (np.abs(beside) < inner)).any()):
                if what == "bounce":
                    return None
                if what == "stuck":
                    continue
                first = int(np.flatnonzero(within & (np.abs(beside) < inner))[0])
                if side[-1] * side[0] > 0:
                    return None
                if abs(float(side[-1])) < 16 + RADIUS:
                    return None
                gates.append((first, name))
        top = float(path[:, 1].max()) - RADIUS - RUN_UP[1]
        out = np.abs(path[-1]).max() > HALF_MM
        if abs(top) < 7 and not out:
            return None
        # A disc that never left the push zone cannot be told from one that was put down there.
        if float(path[-1, 1]) < RUN_UP[0] + RADIUS and top < 0:
            return None
        if what == "stuck" and gates:
            return None
        names = tuple(name for _, name in sorted(gates))
        return Truth(what, bool(top > 0 or out), names, speed, fps)

    # -- pictures -------------------------------------------------------------------------

    def _frames(self, random: Random, path: Points, truth: Truth) -> Iterator[Picture]:
        colour = random.choice(COLOURS)
        length = float(len(path) - 1)
        leaves = np.abs(path[-1]).max() > HALF_MM
        # Friction is such that the disc comes to rest at the end of its way.
        time = (1.0 if leaves else 2.0) * length / truth.speed
        hand = self._hand(path[0], path[min(20, len(path) - 1)] - path[0])
        for _ in range(6):
            yield self.picture()
        reach = 8
        for step in range(reach):
            yield self._shot(path, [0.0], colour, hand, 160.0 * (1 - (step + 1) / reach))
        frames = math.ceil(time * truth.fps)
        for number in range(frames):
            parts = max(1, round(truth.speed / truth.fps * EXPOSED / 4))
            moments = [(number + EXPOSED * p / parts) / truth.fps for p in range(parts)]
            ways = [_way_at(t, time, length, leaves) for t in moments]
            yield self._shot(path, ways, colour, hand, number * 260.0 / truth.fps)
        still = round((1.2 if truth.what == "short" else 0.6) * truth.fps)
        for number in range(still):
            ends = [] if leaves else [length]
            gone = (frames + number) * 260.0 / truth.fps
            fallen = min(1.0, number / (0.15 * truth.fps)) if seed_even(truth) else 0.0
            yield self._shot(path, ends, colour, hand, gone, fallen)

    def _hand(self, at: Points, along: Points) -> list[Patch]:
        back = at - along / max(float(np.linalg.norm(along)), 1e-6) * 16
        hand = Hand(float(back[0]), float(back[1]), 12.0, -90.0)
        size = (self.camera.width, self.camera.height)
        patches = draw_hand(
            hand,
            lambda points: self.camera.project(points, self.table.nudge),
            self.table.light,
            lambda colours, cover, x, y: self.camera._expose(
                colours, cover, x, y, self.table.light
            ),
            self.camera.blur,
            size,
        )
        return [p for p in patches if p is not None]

    def _shot(
        self, path: Points, ways: list[float], colour: str, hand: list[Patch], back_mm: float,
        fallen: float = 0.0,
    ) -> Picture:  # fmt: skip
        frame = self.still.copy()
        if back_mm < 400:
            scale = float(np.linalg.norm(self.camera.project(np.array([[10.0, 0, 0]]))
                                         - self.camera.project(np.zeros((1, 3))))) / 10  # fmt: skip
            for patch in hand:
                moved = replace(patch, y=patch.y + round(back_mm * scale))
                moved.lay(frame)
        if ways:
            self._draw(frame, path, ways, colour, fallen)
        return np.asarray(self.camera._develop(frame))

    def _draw(
        self, frame: Picture, path: Points, ways: list[float], colour: str, fallen: float
    ) -> None:
        discs, shades = [], []
        cast = np.array(self.table.light.cast)
        for way in ways:
            n = min(int(way), len(path) - 2)
            at = path[n] + (path[n + 1] - path[n]) * (way - n)
            heading = path[min(n + 4, len(path) - 1)] - path[max(n - 3, 0)]
            solid = _disc(at, heading, fallen)
            ground = solid[:, :2] + solid[:, 2:] * cast
            shadow = np.column_stack([ground, np.zeros(len(solid))])
            discs.append(self.camera.project(solid))
            shades.append(self.camera.project(shadow))
        every = np.concatenate([*discs, *shades])
        low = np.floor(every.min(axis=0)).astype(int) - 4
        high = np.ceil(every.max(axis=0)).astype(int) + 4
        low, high = np.maximum(low, 0), np.minimum(high, (frame.shape[1], frame.shape[0]))
        if (high - low).min() < 2:
            return
        part = frame[low[1] : high[1], low[0] : high[0]]
        shade = cv2.GaussianBlur(_cover(shades, low, part.shape[:2]), (0, 0), 1.5)
        cover = cv2.GaussianBlur(_cover(discs, low, part.shape[:2]), (0, 0), 0.6)
        hidden = self.beams[low[1] : high[1], low[0] : high[0]] > 0
        cover = np.where(hidden, 0, cover)[..., None]
        shade = np.where(hidden, 0, shade)[..., None]
        text = self.table.box.kinds[colour].colour
        paint = np.array([int(text[i : i + 2], 16) for i in (5, 3, 1)], dtype=np.float32)
        light = self.table.light
        paint = paint * np.array(light.tint) * light.brightness * 0.85
        mixed = part * (1 - 0.45 * shade) * (1 - cover) + paint * cover
        frame[low[1] : high[1], low[0] : high[0]] = np.clip(mixed, 0, 255).astype(np.uint8)


def seed_even(truth: Truth) -> bool:
    """True if the disc falls over at the end; half of them do."""
    return int(truth.speed) % 2 == 0


def _way_at(t: float, time: float, length: float, leaves: bool) -> float:
    share = min(t / time, 1.0)
    return length * (share if leaves else share * (2 - share))


def _line(a: Points, b: Points) -> Points:
    steps = max(int(np.linalg.norm(b - a)), 2)
    return np.asarray(a + (b - a) * np.linspace(0, 1, steps)[:, None])


def _bend(a: Points, knee: Points, b: Points) -> Points:
    """A quadratic Bézier curve, its points about a millimetre apart."""
    fine = np.linspace(0, 1, 400)[:, None]
    curve = (1 - fine) ** 2 * a + 2 * fine * (1 - fine) * knee + fine**2 * b
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    at = np.linspace(0, along[-1], max(int(along[-1]), 2))
    return np.column_stack([np.interp(at, along, curve[:, 0]), np.interp(at, along, curve[:, 1])])


def _disc(at: Points, heading: Points, fallen: float) -> Points:
    """Rim points of both faces, n × 3 mm; ``fallen`` from 0 (on its edge) to 1 (flat)."""
    heading = heading / max(float(np.linalg.norm(heading)), 1e-6)
    axle = np.array([-heading[1], heading[0]])
    turn = np.linspace(0, 2 * math.pi, 20, endpoint=False)
    lean = fallen * math.pi / 2
    up = RADIUS * np.sin(turn)
    height = RADIUS * math.cos(lean) + THICK / 2 * math.sin(lean)
    points = []
    for half in (-THICK / 2, THICK / 2):
        across = up * math.sin(lean) + half * math.cos(lean)
        z = height + up * math.cos(lean) - half * math.sin(lean)
        flat = at + np.outer(RADIUS * np.cos(turn), heading) + np.outer(across, axle)
        points.append(np.column_stack([flat, z]))
    return np.concatenate(points)


def _cover(shapes: list[Points], low: npt.NDArray[np.int64], size: tuple[int, ...]) -> Mask:
    """Share of the exposure in which each pixel is covered."""
    total = np.zeros(size, dtype=np.float32)
    for shape in shapes:
        mask = np.zeros(size, dtype=np.uint8)
        hull = cv2.convexHull((shape - low).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
        total += mask
    return total / (255.0 * len(shapes))


@lru_cache(maxsize=2)
def alley(seed: int) -> Alley:
    """One board per seed: drawing it takes longest."""
    return Alley(seed)
