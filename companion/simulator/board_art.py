"""The board as it is printed, the table below it, and the stickers.

Textures are seen straight from above: x to the right, y up, so row 0 is the far edge.
"""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulator.objects import Floats, Image
from rules.box import BoardShape, Box, Point, printed_shapes

Colour = tuple[float, float, float]
"""Blue, green, red, 0 to 255."""

_PAPER: Colour = (226.0, 234.0, 236.0)
_INK: Colour = (34.0, 32.0, 33.0)
_SHADES = {"edge": 0.62, "rim": 0.6}
"""Brightness of what has a role, as a share of its colour's."""
_SHIFT = 4
"""Bits below the point in drawing coordinates, for smooth edges."""


def bgr(colour: str) -> Colour:
    """Blue, green and red (0 to 255) of ``#rrggbb``; raises ValueError on anything else."""
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"'{colour}' is no colour: expected '#rrggbb', for example '#8a6546'")
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return (float(blue), float(green), float(red))


def shade(colour: Colour, factor: float, lift: float = 0.0) -> Colour:
    """``colour`` times ``factor`` plus ``lift``, kept within 0 to 255."""
    blue, green, red = (min(max(c * factor + lift, 0.0), 255.0) for c in colour)
    return (blue, green, red)


def mottle(shape: tuple[int, int], grains: tuple[float, ...], seed: int) -> Floats:
    """Cloudy noise of mean 0 and deviation 1: float32, ``shape``; grain sizes in pixels."""
    rng = np.random.default_rng(seed)
    total = np.zeros(shape, np.float32)
    for grain in grains:
        rows, columns = (max(2, math.ceil(side / grain) + 1) for side in shape)
        coarse = rng.standard_normal((rows, columns)).astype(np.float32)
        total += cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    spread = float(total.std())
    even: Floats = (total - total.mean()) / (spread if spread > 0 else 1.0)
    return even


@lru_cache(maxsize=512)
def sticker_texture(dictionary: str, sticker: int, module_px: int = 16) -> Image:
    """A printed sticker with its white rim one module wide, BGR uint8, square.

    ``dictionary`` is its name in OpenCV; raises ValueError if there is none, or no such id.
    """
    book = getattr(cv2.aruco, dictionary, None)
    if not dictionary.startswith("DICT_") or not isinstance(book, int):
        raise ValueError(f"OpenCV has no sticker dictionary '{dictionary}'")
    markers = cv2.aruco.getPredefinedDictionary(book)
    known = markers.bytesList.shape[0]
    if not 0 <= sticker < known:
        raise ValueError(f"{dictionary} has the stickers 0 to {known - 1}, not {sticker}")
    modules = markers.markerSize + 2
    drawn = cv2.aruco.generateImageMarker(markers, sticker, modules * module_px)
    rimmed = cv2.copyMakeBorder(
        drawn, *(module_px,) * 4, borderType=cv2.BORDER_CONSTANT, value=(255,)
    )
    ink, paper = np.array(_INK), np.array(_PAPER)
    mixed = ink + (paper - ink) * (rimmed[:, :, None] / 255.0)
    printed: Image = mixed.round().astype(np.uint8)
    return printed


def sticker_modules(dictionary: str) -> int:
    """Width of the black square in modules."""
    book: int = getattr(cv2.aruco, dictionary)
    size: int = cv2.aruco.getPredefinedDictionary(book).markerSize
    return size + 2


@lru_cache(maxsize=6)
def scene_texture(box: Box, px_per_mm: float, half: Point, cast: Point) -> Image:
    """Table and board from above, BGR uint8, board centre in the middle; not to be written to.

    ``half``: half its width and height in mm; ``cast``: see ``Light.cast``.
    """
    table = _wood(box, px_per_mm, half)
    board = _board(box, px_per_mm)
    rows, columns = board.shape[:2]
    top, left = (table.shape[0] - rows) // 2, (table.shape[1] - columns) // 2
    # a quarter of the pixels each way is enough for a soft shadow
    step = 4
    mask = np.zeros((table.shape[0] // step, table.shape[1] // step), np.float32)
    part = np.s_[top // step : (top + rows) // step, left // step : (left + columns) // step]
    there = _there(box, px_per_mm, (rows, columns))
    mask[part] = cv2.resize(there, mask[part].shape[::-1], interpolation=cv2.INTER_AREA)
    small = px_per_mm / step
    moved = np.array([[1, 0, cast[0] * 5.0 * small], [0, 1, -cast[1] * 5.0 * small]], np.float32)
    shadow = cv2.warpAffine(mask, moved, (mask.shape[1], mask.shape[0]))
    soft = cv2.GaussianBlur(shadow, (0, 0), 3.2 * small)
    wide = cv2.GaussianBlur(mask, (0, 0), 11.0 * small)
    gain = cv2.resize(1.0 - 0.42 * soft - 0.16 * wide, (table.shape[1], table.shape[0]))
    lit = cv2.multiply(table, cv2.merge([gain] * 3), dtype=cv2.CV_8U).astype(np.uint8)
    np.copyto(lit[top : top + rows, left : left + columns], board, where=there[..., None] > 0)
    lit.flags.writeable = False
    return lit


def _there(box: Box, px_per_mm: float, shape: tuple[int, int]) -> Image:
    """1 where board or corner stickers lie, 0 where the table shows between them, uint8."""
    if not box.outline:
        return np.ones(shape, np.uint8)
    there = np.zeros(shape, np.uint8)
    modules = sticker_modules(box.dictionary)
    half = [corner.size / 2 * (modules + 2) / modules for corner in box.corners]
    squares = [
        [(c.at[0] + x * h, c.at[1] + y * h) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        for c, h in zip(box.corners, half, strict=True)
    ]
    middle = np.array([shape[1], shape[0]]) / 2 - 0.5
    for corners in (box.outline, *squares):
        px = middle + np.array(corners) * (px_per_mm, -px_per_mm)
        cv2.fillConvexPoly(there, np.round(px * (1 << _SHIFT)).astype(np.int32), (1,), 8, _SHIFT)
    return there


@lru_cache(maxsize=2)
def _wood(box: Box, px_per_mm: float, half: Point) -> Image:
    """Planks with grain, in the table's colour."""
    size = (2 * round(half[0] * px_per_mm), 2 * round(half[1] * px_per_mm))
    # a table a little out of focus looks right, and is drawn four times faster
    px_per_mm /= 2
    columns, rows = (max(8, side // 2) for side in size)
    rng = np.random.default_rng(77)
    y = np.arange(rows, dtype=np.float32)[:, None] / px_per_mm - half[1]
    bend = 3.0 * mottle((rows, columns), (170 * px_per_mm,), 5)
    plank_mm = 118.0
    across = y / plank_mm + 0.37
    plank = np.floor(across).astype(np.int64) % 64
    tone = rng.normal(0.0, 0.032, 64).astype(np.float32)[plank]
    offset = rng.integers(0, rows, 64)[plank]
    fibre: Floats = np.zeros((rows, columns), np.float32)
    for thick, weight in ((0.5, 0.35), (1.4, 0.5), (5.0, 0.75)):
        tall = max(2, round(rows / (thick * px_per_mm)))
        wide = max(2, round(columns / (110 * px_per_mm * (0.6 + thick / 4))))
        noise = rng.standard_normal((tall, wide)).astype(np.float32)
        fibre += weight * cv2.resize(noise, (columns, rows), interpolation=cv2.INTER_CUBIC)
    # every plank shows another part of the same trunk, and its grain wanders
    row_of = np.mod(np.arange(rows)[:, None] + offset + bend * px_per_mm, rows)
    column_of = np.broadcast_to(np.arange(columns, dtype=np.float32), fibre.shape)
    fibre = cv2.remap(
        fibre, np.ascontiguousarray(column_of), row_of.astype(np.float32), cv2.INTER_NEAREST
    )
    gap = np.abs(across - np.round(across)) * plank_mm
    seam = np.clip(1.0 - gap / 0.9, 0.0, 1.0) * 0.42
    gain = (1.0 + tone + 0.052 * fibre) * (1.0 - seam)
    warm = 0.010 * mottle((rows, columns), (60 * px_per_mm, 15 * px_per_mm), 9)
    blue, green, red = bgr(box.colours.get("table", "#8a6546"))
    tinted = cv2.merge([blue * gain * (1.0 - warm), green * gain, red * gain * (1.0 + warm)])
    planks = np.clip(tinted, 0, 255).astype(np.uint8)
    wood: Image = cv2.resize(planks, size, interpolation=cv2.INTER_CUBIC)
    return wood


class _Sheet:
    """A canvas in board millimetres."""

    def __init__(self, box: Box, px_per_mm: float) -> None:
        self.scale = px_per_mm
        # multiples of four keep the board's centre between two pixels when it is halved
        self.columns, self.rows = (4 * round(side * px_per_mm / 4) for side in box.size)
        self.middle = (self.columns / 2 - 0.5, self.rows / 2 - 0.5)
        self.picture: Image = np.zeros((self.rows, self.columns, 3), np.uint8)
        self.recess: Image = np.zeros((self.rows, self.columns), np.uint8)

    def px(self, points: tuple[Point, ...]) -> npt.NDArray[np.int32]:
        """Fixed-point pixels (n, 2) int32 of points in mm."""
        mm = np.array(points, np.float64).reshape(-1, 2)
        u = self.middle[0] + mm[:, 0] * self.scale
        v = self.middle[1] - mm[:, 1] * self.scale
        fixed: npt.NDArray[np.int32] = np.round(np.stack([u, v], axis=1) * (1 << _SHIFT)).astype(
            np.int32
        )
        return fixed

    def paint(self, shape: BoardShape, ink: Colour) -> None:
        """Places are pressed into the board a little: ``recess`` has them too."""
        corners = [self.px(shape.outline)]
        if shape.form == "text":
            self._write(shape.text, corners[0][0], shape.reach[1], ink)
        elif shape.width > 0:
            thick = max(1, round(shape.width * self.scale))
            cv2.polylines(self.picture, corners, False, ink, thick, cv2.LINE_AA, _SHIFT)
        else:
            cv2.fillPoly(self.picture, corners, ink, cv2.LINE_AA, _SHIFT)
        if shape.role == "place":
            cv2.fillPoly(self.recess, corners, (255,), cv2.LINE_AA, _SHIFT)

    def _write(self, text: str, at: npt.NDArray[np.int32], high: float, colour: Colour) -> None:
        # OpenCV 4 writes question marks for accents
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        font = cv2.FONT_HERSHEY_DUPLEX
        (_, letter), _ = cv2.getTextSize("H", font, 1.0, 1)
        size = high * self.scale / max(letter, 1)
        thick = max(1, round(size * 1.4))
        (width, height), _ = cv2.getTextSize(plain, font, size, thick)
        u, v = (int(value) >> _SHIFT for value in at)
        place = (u - width // 2, v + height // 2)
        cv2.putText(self.picture, plain, place, font, size, colour, thick, cv2.LINE_AA)


@lru_cache(maxsize=2)
def _board(box: Box, px_per_mm: float) -> Image:
    """The printed board, BGR uint8, exactly ``box.size`` wide and high."""
    sheet = _Sheet(box, px_per_mm * 2)
    ground = bgr(box.colours.get("board", "#76926b"))
    # the sheet is drawn twice as fine as it is seen; clouds need not be
    half, scale = (sheet.rows // 2, sheet.columns // 2), sheet.scale / 2
    gain = 0.030 * mottle(half, (scale * 9, scale * 2.6), 21)
    gain += 0.018 * mottle(half, (scale * 0.9,), 22)
    gain += 1.0
    paper = cv2.merge([cv2.convertScaleAbs(gain, alpha=c) for c in ground])
    cv2.resize(paper, (sheet.columns, sheet.rows), sheet.picture, interpolation=cv2.INTER_LINEAR)
    for shape in printed_shapes(box, edge_mm=0.9):
        sheet.paint(shape, _ink(shape, ground))
    _sink(sheet)
    picture = sheet.picture
    for corner in box.corners:
        # the rim is one module, so the sheet is wider than the black square
        modules = sticker_modules(box.dictionary)
        side = corner.size * (modules + 2) / modules
        _paste(sheet, sticker_texture(box.dictionary, corner.id), corner.at, side)
    edge = max(1, round(0.5 * sheet.scale))
    for line, factor in (
        (np.s_[:edge, :], 1.22), (np.s_[:, :edge], 1.15),
        (np.s_[-edge:, :], 0.66), (np.s_[:, -edge:], 0.72),
    ):  # fmt: skip
        picture[line] = np.clip(picture[line].astype(np.float32) * factor, 0, 255)
    small = (sheet.columns // 2, sheet.rows // 2)
    return cv2.resize(picture, small, interpolation=cv2.INTER_AREA).astype(np.uint8)


def _ink(shape: BoardShape, ground: Colour) -> Colour:
    colour = bgr(shape.colour) if shape.colour else shade(ground, 0.86)
    return shade(colour, _SHADES.get(shape.role, 1.0))


def _sink(sheet: _Sheet) -> None:
    """Shade every site as if it were pressed a little into the board."""
    half, scale = (sheet.columns // 2, sheet.rows // 2), sheet.scale / 2
    recess = cv2.resize(sheet.recess, half, interpolation=cv2.INTER_AREA)
    inside = recess.astype(np.float32) / 255.0
    reach = 1.3 * scale
    moved = np.array([[1, 0, reach], [0, 1, reach]], np.float32)
    blurred = cv2.GaussianBlur(inside, (0, 0), reach)
    lit = cv2.warpAffine(blurred, moved, half)
    deep = (1.0 - lit) * -0.38 + 0.045 * mottle(half[::-1], (scale * 4, scale), 23)
    # the edge of a recess is sharp, its shade is not
    sharp = cv2.resize(deep, (sheet.columns, sheet.rows), interpolation=cv2.INTER_LINEAR)
    gain: Floats = np.asarray(
        cv2.multiply(sharp, sheet.recess, dtype=cv2.CV_32F, scale=1.0 / 255.0)
    )
    gain += 1.0
    cv2.multiply(sheet.picture, cv2.merge([gain] * 3), sheet.picture, dtype=cv2.CV_8U)


def _paste(sheet: _Sheet, texture: Image, at: Point, side: float) -> None:
    grow = side * sheet.scale / texture.shape[0]
    # the middle of the texture comes to lie at ``at``, between pixels if need be
    centre = (texture.shape[0] - 1) / 2 * grow
    left = sheet.middle[0] + at[0] * sheet.scale - centre
    top = sheet.middle[1] - at[1] * sheet.scale - centre
    cv2.warpAffine(
        texture,
        np.array([[grow, 0.0, left], [0.0, grow, top]]),
        (sheet.columns, sheet.rows),
        dst=sheet.picture,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
