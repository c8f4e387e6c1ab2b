"""Boards and pieces as lit pictures: wood, stone and felt, with light from the upper left.

A picture is a map of colours and one of heights; the light is worked out from the heights. The
grain is the same in every run. Free of Kivy; numpy and OpenCV are loaded with the first board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]
Px = tuple[float, float]
Rgb = Sequence[float]

_TILE: Final = 256
"""Side of a tile of grain, px."""
GRAIN: Final = {"wood": (0.13, 0.25), "stone": (0.09, 0.5), "felt": (0.13, 0.35)}
"""Change of a surface's colour by its grain, and of its height in px; others are smooth."""
_UPPER_LEFT: Final = (-0.55, -0.83)
"""Direction of the light: x to the right, y down."""
_RELIEF: Final = 0.55
"""Strength of the light on slopes."""
_SHADOW: Final = 0.55
"""Strength of a piece's shadow."""
_UNEVEN: Final = 0.3
"""Difference between neighbours of one height, px."""
_GAP: Final = 0.12
"""Gaps at the edge of a board up to twice this share of its smaller side are filled."""
_SHIFT: Final = 4
"""Bits below the pixel in OpenCV's corners."""


@dataclass(frozen=True, slots=True)
class Part:
    """A surface of a picture, over those before it."""

    points: Sequence[Px]
    """Corners in px of the picture, y down."""
    tone: Rgb
    surface: str = ""
    rise: float = 0.0
    """Its height over the board, px; below it with a minus."""
    width: float = 0.0
    """Of a line along the corners; 0: it is an area."""
    closed: bool = True
    alpha: float = 1.0


@lru_cache(maxsize=8)
def grain(surface: str) -> Floats:
    """A tile of grain, from -1 to 1 about 0, whose edges fit."""
    chance = np.random.default_rng(len(surface) * 7919 + ord(surface[0]))

    def noise(rows: int, columns: int) -> Floats:
        small = chance.standard_normal((rows, columns)).astype(np.float32)
        size = (3 * _TILE, 3 * _TILE)
        large = cv2.resize(np.tile(small, (3, 3)), size, interpolation=cv2.INTER_CUBIC)
        return np.asarray(large[_TILE : 2 * _TILE, _TILE : 2 * _TILE], dtype=np.float32)

    if surface == "wood":
        rows = np.arange(_TILE, dtype=np.float32)[:, None] / _TILE
        rings = np.sin(2 * np.pi * (9 * rows + 0.55 * noise(4, 2)))
        mixed = 0.45 * rings + 0.5 * noise(128, 6) + 0.3 * noise(256, 24)
    elif surface == "stone":
        mixed = 0.7 * noise(10, 10) + 0.5 * noise(40, 40) + 0.45 * noise(128, 128)
    else:
        mixed = 0.75 * noise(256, 256) + 0.3 * noise(100, 100)
    return np.asarray(np.clip(mixed / (2 * mixed.std()), -1, 1), dtype=np.float32)


def board_picture(
    size: tuple[int, int], parts: Sequence[Part], slab: Part, edge: float, shade: float
) -> Pixels:
    """The board that holds all ``parts``, RGBA with straight alpha, rows from the top.

    ``slab``: tone and surface of the board itself, which reaches ``edge`` px beyond its parts;
    ``shade``: strength of its shadow.
    """
    wide, high = size
    covers = [_cover(size, part) for part in parts]
    board = _slab(size, covers, edge)
    bumps, colours = _surface(slab, (0, 0, wide, high), 0)
    heights = np.asarray(board * 4 + bumps, dtype=np.float32)
    for number, (part, (box, cover)) in enumerate(zip(parts, covers, strict=True), 1):
        x0, y0, x1, y1 = box
        if x1 <= x0 or y1 <= y0:
            continue
        there = np.s_[..., y0:y1, x0:x1]
        bumps, tones = _surface(part, box, number)
        colours[there] += (tones - colours[there]) * (cover * part.alpha)
        level = 4 + part.rise + (number % 3 - 1) * _UNEVEN + bumps
        heights[there] += (level - heights[there]) * cover
    shadow = _shifted(board, (3.0, 5.0), 5.0) * shade
    return _lit(colours, heights, board, shadow)


def piece_picture(size: tuple[int, int], parts: Sequence[Part], fall: float, dome: float) -> Pixels:
    """A piece of ``parts`` with its shadow to the lower right, RGBA with straight alpha.

    ``fall``: how far the shadow falls, px; ``dome``: how far the middle lies above the rim.
    """
    wide, high = size
    colours = np.zeros((3, high, wide), dtype=np.float32)
    heights, body = (np.zeros((high, wide), dtype=np.float32) for _ in range(2))
    for number, part in enumerate(parts):
        box, cover = _cover(size, part)
        there = np.s_[..., box[1] : box[3], box[0] : box[2]]
        bumps, tones = _surface(part, box, number)
        if number == 0:
            colours[:] = _tone(part)
        colours[there] += (tones - colours[there]) * cover
        heights[there] += (part.rise + bumps - heights[there]) * cover
        body[there] = np.maximum(body[there], cover)
    heights += cv2.GaussianBlur(body, (0, 0), max(min(size) * 0.13, 0.5)) * dome
    shadow = _shifted(body, (fall * 0.7, fall), max(fall * 0.5, 0.8)) * _SHADOW
    return _lit(colours, heights, body, shadow)


def _cover(size: tuple[int, int], part: Part) -> tuple[tuple[int, int, int, int], Floats]:
    """Left, top, right and bottom of a part in the picture, and how much of each pixel it has."""
    points = np.asarray(part.points, dtype=np.float32)
    reach = part.width / 2 + 2
    (x0, y0), (x1, y1) = points.min(axis=0) - reach, points.max(axis=0) + reach
    left, top = max(int(x0), 0), max(int(y0), 0)
    right, bottom = min(int(x1) + 1, size[0]), min(int(y1) + 1, size[1])
    if right <= left or bottom <= top:
        return (0, 0, 0, 0), np.zeros((0, 0), dtype=np.float32)
    # Pixels are counted from their middles.
    fixed = np.round((points - (left, top) - 0.5) * (1 << _SHIFT)).astype(np.int32)
    mask = np.zeros((bottom - top, right - left), dtype=np.uint8)
    if part.width:
        _stroke(mask, fixed, part)
    else:
        cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, _SHIFT)
    return (left, top, right, bottom), np.asarray(mask / np.float32(255), dtype=np.float32)


def _stroke(mask: Pixels, fixed: Any, part: Part) -> None:
    """A line; OpenCV knows whole widths only, so that it is drawn larger and made smaller."""
    fine = 3
    large = np.zeros((mask.shape[0] * fine, mask.shape[1] * fine), dtype=np.uint8)
    corners = (fixed + (1 << (_SHIFT - 1))) * fine - (1 << (_SHIFT - 1))
    thick = max(round(part.width * fine), 1)
    cv2.polylines(large, [corners], part.closed, 255, thick, cv2.LINE_AA, _SHIFT)
    cv2.resize(large, mask.shape[::-1], dst=mask, interpolation=cv2.INTER_AREA)


def _slab(size: tuple[int, int], covers: Sequence[Any], edge: float) -> Floats:
    """All that lies on the board, with the gaps between filled and its corners round."""
    coarse = 2
    small = np.zeros((size[1] // coarse + 1, size[0] // coarse + 1), dtype=np.uint8)
    for (x0, y0, x1, y1), cover in covers:
        if x1 <= x0 or y1 <= y0:
            continue
        there = small[y0 // coarse : -(-y1 // coarse), x0 // coarse : -(-x1 // coarse)]
        own = cv2.resize(cover, there.shape[::-1], interpolation=cv2.INTER_AREA)
        there[own > 0.5] = 255
    gap, out = min(size) * _GAP / coarse, edge / coarse
    room = int(gap + out) + 3
    wider = cv2.copyMakeBorder(small, room, room, room, room, cv2.BORDER_CONSTANT)
    away = cv2.distanceTransform(255 - wider, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    near = (away <= gap + out).astype(np.uint8)
    inside = cv2.distanceTransform(near, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    inside = inside[room:-room, room:-room] - gap
    full = (small.shape[1] * coarse, small.shape[0] * coarse)
    large = cv2.resize(inside * coarse, full, interpolation=cv2.INTER_CUBIC)[: size[1], : size[0]]
    soft = cv2.GaussianBlur(large, (0, 0), 2.0)
    return np.asarray(np.clip(soft, 0, 1), dtype=np.float32)


def _surface(part: Part, box: tuple[int, int, int, int], number: int) -> tuple[Any, Floats]:
    """Heights of the grain of a part, and its colours without light, as three planes; neighbours of
    one surface differ a little."""
    if part.surface not in GRAIN or box[2] <= box[0] or box[3] <= box[1]:
        rows, columns = box[3] - box[1], box[2] - box[0]
        return 0.0, np.broadcast_to(_tone(part), (3, rows, columns))
    laid = _laid(part.surface, box, number)
    strength, high = GRAIN[part.surface]
    shift = ((number * 5) % 7 - 3) * 0.012 if number else 0.0
    return high * laid, np.asarray(_tone(part) * (1 + shift + strength * laid), dtype=np.float32)


def _tone(part: Part) -> Floats:
    return np.asarray(part.tone[:3], dtype=np.float32)[:, None, None]


def _laid(surface: str, box: tuple[int, int, int, int], number: int) -> Floats:
    """The grain below a part; each one is cut from another piece."""
    x0, y0, x1, y1 = box
    top, left = (y0 + 67 * number) % _TILE, (x0 + 41 * number) % _TILE
    rows, columns = top + y1 - y0, left + x1 - x0
    if max(rows, columns) <= 2 * _TILE:
        paved = _four_tiles(surface)
    else:
        paved = np.tile(grain(surface), (-(-rows // _TILE), -(-columns // _TILE)))
    return paved[top:rows, left:columns]


@lru_cache(maxsize=8)
def _four_tiles(surface: str) -> Floats:
    return np.tile(grain(surface), (2, 2))


def _light(heights: Floats) -> Floats:
    """Brightness of each pixel: 1 on level ground."""
    soft = np.asarray(cv2.GaussianBlur(heights, (0, 0), 0.8), dtype=np.float32)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.125)
    slope = across * _UPPER_LEFT[0] + down * _UPPER_LEFT[1]
    lit = 1 - _RELIEF * np.tanh(slope * 1.1)
    # What lies lower is in the shadow of what lies to its upper left.
    above = _shifted(soft, (2.0, 3.0), 1.4) - soft
    return np.asarray(lit * (1 - 0.4 * np.clip(above * 0.45, 0, 1)), dtype=np.float32)


def _shifted(picture: Floats, by: Px, blur: float) -> Floats:
    """A picture moved to the right and down, and out of focus."""
    move = np.array([[1, 0, by[0]], [0, 1, by[1]]], dtype=np.float32)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, move, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), blur), dtype=np.float32)


def _lit(colours: Floats, heights: Floats, body: Floats, shadow: Floats) -> Pixels:
    """Three planes of colours in the light, with the shadow of the whole."""
    alpha = body + shadow * (1 - body)
    lit = colours * _light(heights) * (body / np.maximum(alpha, 1e-3))
    found = np.empty((*alpha.shape, 4), dtype=np.uint8)
    for number, plane in enumerate((*lit, alpha)):
        found[..., number] = np.clip(plane * 255 + 0.5, 0, 255)
    return found
