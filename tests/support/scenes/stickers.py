"""Boards full of small stickers, as a camera would see them, with the truth about each place.

What is drawn: a board with fields in rows, on most of them a coloured piece with a sticker at any
angle and not quite in the middle, on the others nothing but the board's own art. What the camera
does to it: a little perspective, then in ``hard`` light a slope of brightness, soft shadows with a
rim, a reflection, blur of 0.75 px, noise of 3.5 grey levels and JPEG at quality 88; in ``clean``
light 0.55 px of blur, noise of 1.5 and JPEG at quality 95.

Every scene follows from its seed. Limits of ``vision.stickers.direct`` were chosen by scenes of the
seeds in ``TUNING``; benchmarks and tests measure with those in ``TESTING`` and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np

from vision.arrays import Floats, Picture, Points, floats
from vision.stickers.direct import DirectDecoder, Place

TUNING = range(900_000, 901_000)
TESTING = range(1000, 9000)

SIZE = (1920, 1080)
"""Width and height of a scene, px."""
PITCH_PX, PITCH_SIDES = 120, 5
"""Distance of fields: in px, or in sides of large stickers."""
ROAM = 0.3
"""Share of their side up to which stickers lie beside the middle of the field, along x and y."""
EMPTY_SHARE = 0.4
FINE = 4
"""Factor by which stickers are drawn finer, then averaged."""
TEXTURE = 16
"""Number of px per module of the texture that is drawn."""

Light = Literal["hard", "clean"]


@dataclass(frozen=True, eq=False)
class Field:
    """One place of a scene."""

    centre: Points
    """Its middle in px, (2,)."""
    across: Points
    """Px per unit of the board along its x and y (the columns), 2 × 2; a sticker's side is one
    unit. y points up on the board."""
    sticker: int | None
    """The id that lies here; None if the place is empty."""
    corners: Points | None
    """Corners of the black square, 4 × 2 px."""


@dataclass(frozen=True, eq=False)
class StickerScene:
    """A picture and what it shows."""

    image: Picture
    fields: tuple[Field, ...]

    @property
    def stickers(self) -> int:
        """Number of stickers in it."""
        return sum(field.sticker is not None for field in self.fields)


def scenes(
    seeds: Sequence[int], side: float, light: Light, stickers: int,
    dictionary: cv2.aruco.Dictionary, ids: Sequence[int],
) -> Iterator[StickerScene]:  # fmt: skip
    """Scenes of one kind until they hold at least ``stickers`` stickers together."""
    shown = 0
    for seed in seeds:
        if shown >= stickers:
            return
        scene = draw_scene(seed, side, light, dictionary, ids)
        shown += scene.stickers
        yield scene
    if shown < stickers:
        raise ValueError(f"{len(seeds)} seeds are too few for {stickers} stickers")


def draw_scene(
    seed: int, side: float, light: Light, dictionary: cv2.aruco.Dictionary, ids: Sequence[int]
) -> StickerScene:
    """One scene; ``side``: of the stickers' black squares in px."""
    chance = np.random.default_rng([seed, round(side * 100), light == "hard"])
    board = _board_art(chance)
    warp = _homography(chance)
    fields = []
    pitch = max(PITCH_PX, PITCH_SIDES * side)
    columns, rows = int(SIZE[0] / pitch), int(SIZE[1] / pitch)
    for row in range(rows):
        for column in range(columns):
            at = np.array([(column + 0.5) / columns, (row + 0.5) / rows]) * SIZE
            empty = chance.random() < EMPTY_SHARE
            sticker = None if empty else int(ids[int(chance.integers(len(ids)))])
            fields.append(_draw_field(board, chance, warp, at, side, sticker, dictionary))
    return StickerScene(_expose(board, chance, light), tuple(fields))


def _homography(chance: np.random.Generator) -> Points:
    """From the flat board (px) to the picture: a camera that is not quite straight above."""
    width, height = SIZE
    rim = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    seen = rim + chance.uniform(-0.025, 0.025, (4, 2)).astype(np.float32) * width
    inward = (rim + 0.08 * (np.array([width, height]) / 2 - rim)).astype(np.float32)
    seen = (inward + (seen - rim)).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(rim, seen), dtype=np.float64)


def _board_art(chance: np.random.Generator) -> Picture:
    """A board without pieces: its colour, grain and lines."""
    width, height = SIZE
    colour = chance.uniform(70, 190, 3)
    ground = np.empty((height, width, 3), dtype=np.float32)
    ground[:] = colour
    coarse = chance.normal(0, 10, (height // 40, width // 40, 3)).astype(np.float32)
    ground += cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC)
    fine = chance.normal(0, 6, (height // 3, width // 3, 3)).astype(np.float32)
    ground += cv2.resize(fine, SIZE, interpolation=cv2.INTER_LINEAR)
    board = _picture(ground)
    for _ in range(60):
        ink = tuple(float(v) for v in chance.uniform(10, 245, 3))
        first, second = (chance.uniform(0, 1, (2, 2)) * SIZE).round().astype(int).tolist()
        cv2.line(board, first, second, ink, int(chance.integers(1, 6)), cv2.LINE_AA)
    return board


def _draw_field(
    board: Picture, chance: np.random.Generator, warp: Points, at: Points, side: float,
    sticker: int | None, dictionary: cv2.aruco.Dictionary,
) -> Field:  # fmt: skip
    """Draw one field and what lies there; ``at``: on the flat board, px."""
    centre = _through(warp, at[None])[0]
    across = (_through(warp, at + np.array([[1.0, 0.0], [0.0, -1.0]])) - centre).T
    # Perspective or not, stickers are as large in the picture as was asked for.
    across *= side / abs(float(np.linalg.det(across))) ** 0.5
    ink = tuple(float(v) for v in chance.uniform(20, 235, 3))
    reach = int(np.ceil(1.8 * np.linalg.norm(across, axis=0).max()))
    left, top = (np.round(centre).astype(int) - reach).tolist()
    tile = 2 * reach + 1
    part = board[top : top + tile, left : left + tile]
    if part.shape[:2] != (tile, tile):
        raise ValueError("a field reaches out of the picture; stickers of this size do not fit")
    fine = _picture(cv2.resize(part, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR))

    def place(units: Points) -> Points:
        """Units of the board around the field → pixels of ``fine``."""
        px = centre + units @ across.T - (left, top)
        return np.asarray((px + 0.5) * FINE - 0.5, dtype=np.float64)

    def polygon(units: Points, colour: tuple[float, ...]) -> None:
        cv2.fillPoly(fine, [np.round(place(units) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    round_ = np.linspace(0, 2 * np.pi, 40)
    circle = np.column_stack([np.cos(round_), np.sin(round_)])
    polygon(circle * chance.uniform(1.2, 1.7), ink)
    corners = None
    if sticker is None:
        _draw_mark(fine, chance, place)
    else:
        shift = chance.uniform(-ROAM, ROAM, 2)
        turn = chance.uniform(0, 2 * np.pi)
        body = tuple(float(v) for v in chance.uniform(15, 240, 3))
        polygon(shift + circle * chance.uniform(1.0, 1.15), body)
        cosine, sine = np.cos(turn), np.sin(turn)
        square = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
        turned = shift + square @ np.array([[cosine, sine], [-sine, cosine]])
        _stick(fine, chance, place(shift + (turned - shift) * 8 / 6), sticker, dictionary)
        corners = (place(turned) + 0.5) / FINE - 0.5 + (left, top)
    board[top : top + tile, left : left + tile] = cv2.resize(
        fine, (tile, tile), interpolation=cv2.INTER_AREA
    )
    return Field(centre, np.asarray(across, dtype=np.float64), sticker, corners)


def _draw_mark(
    fine: Picture, chance: np.random.Generator, place: Callable[[Points], Points]
) -> None:
    """Draws the print of an empty field: a letter, a ring, a cross, a square, or nothing."""
    kind = int(chance.integers(5))
    ink = tuple(float(v) for v in chance.uniform(10, 245, 3))
    middle = place(np.zeros((1, 2)))[0]
    unit = float(np.linalg.norm(place(np.array([[1.0, 0.0]]))[0] - middle))
    x, y = (round(float(v)) for v in middle)
    thick = max(1, round(unit * float(chance.uniform(0.04, 0.15))))
    if kind == 0:
        letter = "ABCDEFGHJKMNPQRSTUWX8"[int(chance.integers(21))]
        corner = (round(x - 0.35 * unit), round(y + 0.35 * unit))
        scale = unit / 30
        cv2.putText(fine, letter, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, thick)
    elif kind == 1:
        cv2.circle(fine, (x, y), round(0.5 * unit), ink, thick, cv2.LINE_AA)
    elif kind == 2:
        half = round(0.5 * unit)
        cv2.line(fine, (x - half, y - half), (x + half, y + half), ink, thick, cv2.LINE_AA)
        cv2.line(fine, (x - half, y + half), (x + half, y - half), ink, thick, cv2.LINE_AA)
    elif kind == 3:
        half = round(0.55 * unit)
        cv2.rectangle(fine, (x - half, y - half), (x + half, y + half), ink, thick, cv2.LINE_AA)


def _picture(values: Any) -> Picture:
    return np.asarray(np.clip(np.round(values), 0, 255), dtype=np.uint8)


def _stick(
    fine: Picture, chance: np.random.Generator, rim: Points, sticker: int,
    dictionary: cv2.aruco.Dictionary,
) -> None:  # fmt: skip
    """Draw a sticker whose white rim has its outer corners at ``rim`` (4 × 2 px of ``fine``)."""
    modules = dictionary.markerSize + 2
    drawn = dictionary.generateImageMarker(sticker, modules * TEXTURE, borderBits=1)
    texture = np.pad(np.asarray(drawn), TEXTURE, constant_values=255)
    black, white = chance.uniform(18, 45), chance.uniform(205, 240)
    grey = floats(black + (white - black) * (texture / 255.0))
    # Smoothed to what FINE can show, or the averaging would alias.
    across = float(np.linalg.norm(rim[1] - rim[0])) / len(texture)
    grey = floats(cv2.GaussianBlur(grey, (0, 0), max(0.4 / across, 0.3)))
    end = len(texture) - 0.5
    source = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], dtype=np.float32)
    left, top = np.maximum(np.floor(rim.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.ceil(rim.max(axis=0)).astype(int) + 3
    below = fine[top:bottom, left:right]
    rim = rim - np.array([left, top])
    warp = cv2.getPerspectiveTransform(source, rim.astype(np.float32))
    size = (below.shape[1], below.shape[0])
    shown = cv2.warpPerspective(
        grey, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros(below.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(rim * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = (mask / np.float32(255.0))[..., None]
    below[:] = _picture(below * (1 - share) + share * shown[..., None])


def _through(warp: Points, px: Points) -> Points:
    seen = np.column_stack([px, np.ones(len(px))]) @ warp.T
    return np.asarray(seen[:, :2] / seen[:, 2:], dtype=np.float64)


def _expose(board: Picture, chance: np.random.Generator, light: Light) -> Picture:
    """Picture that a camera takes of it."""
    width, height = SIZE
    hard = light == "hard"
    x, y = np.meshgrid(np.linspace(-1, 1, width // 8), np.linspace(-1, 1, height // 8))
    towards = chance.uniform(0, 2 * np.pi)
    slope = 0.35 if hard else 0.1
    gain = 0.85 + slope * (x * np.cos(towards) + y * np.sin(towards))
    glare = np.zeros_like(gain)
    if hard:
        for _ in range(3):
            a, b = chance.uniform(-1, 1, 2)
            angle, wide = chance.uniform(0, np.pi), chance.uniform(0.15, 0.5)
            across = (x - a) * np.cos(angle) + (y - b) * np.sin(angle)
            # Soft edge of a lamp's shadow: 20 to 60 px.
            soft = chance.uniform(0.02, 0.06)
            inside = 1 / (1 + np.exp((np.abs(across) - wide / 2) / soft))
            gain *= 1 - chance.uniform(0.3, 0.6) * inside
        a, b = chance.uniform(-0.8, 0.8, 2)
        distance = np.hypot(x - a, (y - b) * height / width)
        glare = 110 * np.exp(-((distance / chance.uniform(0.15, 0.35)) ** 2))
    full = [
        floats(cv2.resize(floats(part), SIZE, interpolation=cv2.INTER_LINEAR))[..., None]
        for part in (gain, glare)
    ]
    seen = floats(cv2.GaussianBlur(board * full[0] + full[1], (0, 0), 0.75 if hard else 0.55))
    seen += chance.normal(0, 3.5 if hard else 1.5, seen.shape).astype(np.float32)
    _, data = cv2.imencode(".jpg", _picture(seen), [cv2.IMWRITE_JPEG_QUALITY, 88 if hard else 95])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


FAMILIES = {"tag25h9": ("DICT_APRILTAG_25h9", 35), "tag36h11": ("DICT_APRILTAG_36h11", 100)}
"""AprilTag families: OpenCV's name for them, and how many ids are drawn."""


def decoder_of(dictionary: cv2.aruco.Dictionary, ids: Sequence[int]) -> DirectDecoder:
    """A decoder for some stickers of a dictionary, without a floor for their size."""
    return DirectDecoder({n: _pattern(dictionary, n) for n in ids}, least_px_per_module=0.0)


def _pattern(dictionary: cv2.aruco.Dictionary, sticker: int) -> Floats:
    drawn = np.asarray(dictionary.generateImageMarker(sticker, dictionary.markerSize + 2))
    return np.asarray(np.pad(drawn > 127, 1, constant_values=True), dtype=np.float32)


def places_of(scene: StickerScene, ids: Sequence[int]) -> list[Place]:
    """Places as a reader may know them: where stickers can lie, how large, and which."""
    roam = ROAM * 2**0.5
    return [Place(f.centre, f.across, 1.0, roam, tuple(ids)) for f in scene.fields]
