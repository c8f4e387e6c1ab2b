"""Flat things: boards as they are printed, worn or painted on wood, and tables of several looks.

Pictures are blue-green-red, row 0 the far edge; millimetres as in the box.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import BoardShape, Box, Point, printed_shapes, stroke_shapes

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Ink = tuple[float, float, float]
"""Blue, green, red."""
FINE = 4.0
"""Pixels per mm of a printed board."""
SHIFT = 4
TABLES = ("oak", "walnut", "linen", "white", "slate", "carpet", "checked")
_BASE = {
    "oak": (96, 152, 196), "walnut": (42, 66, 98), "linen": (176, 196, 204),
    "white": (226, 228, 230), "slate": (74, 70, 66), "carpet": (140, 150, 158),
    "checked": (200, 205, 214),
}  # fmt: skip


def board_print(box: Box, seed: int = 0) -> Picture:
    """The board of a box as a printer gives it: inks a little off, paper a little cloudy."""
    sheet = _Sheet(box)
    rng = np.random.default_rng(seed)
    sheet.picture[:] = _bgr(box.colours["board"])
    sheet.paint(printed_shapes(box))
    # No two printers agree on a green.
    inks = rng.uniform(0.9, 1.08, 3) * rng.uniform(0.9, 1.05)
    cloud = 1 + 0.025 * clouds(sheet.picture.shape[:2], (40.0, 9.0), rng)
    lift = rng.uniform(0, 10)
    return _picture(sheet.picture.astype(np.float32) * inks * cloud[..., None] + lift)


def worn(printed: Picture, seed: int) -> Picture:
    """A print after some years: scratches, folds, a ring of coffee, crumbs, faded at a side."""
    rng = np.random.default_rng(seed)
    rows, columns = printed.shape[:2]
    image = printed.astype(np.float32)
    fade = np.linspace(0, 1, columns, dtype=np.float32)[None, :, None] * rng.uniform(0.1, 0.3)
    image = image * (1 - fade) + fade * 205
    marks = np.zeros((rows, columns), np.float32)
    for _ in range(26):
        start = rng.uniform((0, 0), (columns, rows))
        bend = np.cumsum(rng.normal(rng.normal(0, 14, 2), 3, (9, 2)), axis=0)
        line = np.round(start + bend).astype(np.int32)
        cv2.polylines(marks, [line], False, (float(rng.uniform(0.3, 0.9)),), 2, cv2.LINE_AA)
    for at in (columns // 2 + int(rng.integers(-9, 9)), None):
        row = None if at is not None else rows // 2 + int(rng.integers(-9, 9))
        ends = ((at, 0), (at, rows)) if at is not None else ((0, row or 0), (columns, row or 0))
        cv2.line(marks, ends[0], ends[1], (0.5,), 3, cv2.LINE_AA)
    image += marks[..., None] * rng.uniform(30, 70)
    stain = np.zeros((rows, columns), np.float32)
    middle = (int(rng.uniform(0.2, 0.8) * columns), int(rng.uniform(0.2, 0.8) * rows))
    cv2.circle(stain, middle, int(38 * FINE), (0.55,), int(3 * FINE), cv2.LINE_AA)
    cv2.circle(stain, middle, int(38 * FINE), (0.16,), -1, cv2.LINE_AA)
    for _ in range(40):
        at = rng.uniform((0, 0), (columns, rows)).astype(int)
        cv2.circle(stain, (int(at[0]), int(at[1])), int(rng.uniform(2, 7)), (0.7,), -1, cv2.LINE_AA)
    stain = np.asarray(cv2.GaussianBlur(stain, (0, 0), FINE * 0.6), np.float32)
    brown = np.array((46, 78, 112), np.float32)
    image = image * (1 - stain[..., None]) + brown * stain[..., None]
    return _picture(image)


def on_wood(box: Box, seed: int, ground: str = "#c99a58", ink: str = "") -> Picture:
    """The lines and fields of a box painted on a wooden board; the grain is not in the drawing."""
    sheet = _Sheet(box)
    rows, columns = sheet.picture.shape[:2]
    wood = _grain((rows, columns), _bgr(ground), FINE, seed, 0.11)
    sheet.picture[:] = _picture(wood)
    for stroke in box.strokes:
        if stroke.kind in ("line", "circle"):
            sheet.paint(stroke_shapes(stroke), ink)
    rims = (
        BoardShape("circle", "outline", ink or "#4a3620", site, (site.at,),
                   (site.radius, site.radius), 1.2)
        for site in box.printed_sites
        if site.size is None
    )  # fmt: skip
    sheet.paint(rims)
    return sheet.picture


def table_print(look: str, seed: int, side_mm: float = 1600.0) -> Picture:
    """A square of table, one pixel per mm."""
    side = round(side_mm)
    rng = np.random.default_rng(seed)
    base = _BASE[look]
    if look in ("oak", "walnut"):
        return _picture(_grain((side, side), base, 1.0, seed, 0.13, plank_mm=130))
    image = np.ones((side, side, 3), np.float32) * np.array(base, np.float32)
    if look == "linen":
        weave = rng.normal(0, 1, (side, 1)) + rng.normal(0, 1, (1, side))
        image *= 1 + 0.03 * weave[..., None].astype(np.float32)
    elif look == "checked":
        stripe = (np.arange(side) // 45 % 2).astype(np.float32)
        dark = 1 - 0.28 * (stripe[:, None] + stripe[None, :])
        image *= np.stack([dark, dark, 0.3 + 0.7 * dark**0.4], axis=2)
    elif look == "carpet":
        image *= 1 + 0.2 * clouds((side, side), (3.0, 5.0), rng)[..., None]
    else:
        image *= (
            1
            + (0.012 if look == "white" else 0.07)
            * clouds((side, side), (60.0, 14.0, 4.0), rng)[..., None]
        )
    return _picture(image)


def card_print(seed: int) -> Picture:
    """The face of some card of another game."""
    rng = np.random.default_rng(seed)
    image = np.full((368, 236, 3), rng.uniform(150, 245, 3), np.uint8)
    cv2.rectangle(image, (10, 10), (226, 358), rng.uniform(20, 120, 3).tolist(), 6)
    for _ in range(9):
        at = (int(rng.integers(20, 210)), int(rng.integers(30, 330)))
        colour = rng.uniform(20, 240, 3).tolist()
        cv2.circle(image, at, int(rng.integers(8, 40)), colour, -1, cv2.LINE_AA)
    text = "KQJA"[int(rng.integers(4))]
    cv2.putText(image, text, (20, 70), cv2.FONT_HERSHEY_DUPLEX, 2, (20, 20, 30), 4, cv2.LINE_AA)
    return image


def clouds(
    shape: tuple[int, ...], grains: Sequence[float], rng: np.random.Generator
) -> Floats:  # fmt: skip
    """Noise of mean 0 and deviation 1, of several grain sizes in px."""
    total = np.zeros(shape, np.float32)
    for grain in grains:
        rows, columns = (max(2, math.ceil(side / grain) + 1) for side in shape)
        coarse = rng.standard_normal((rows, columns)).astype(np.float32)
        total += cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray((total - total.mean()) / max(float(total.std()), 1e-6), np.float32)


def _grain(
    shape: tuple[int, int], base: Sequence[float], px_per_mm: float, seed: int, strength: float,
    plank_mm: float = 0.0,
) -> Floats:  # fmt: skip
    """Wood: rings cut lengthwise, along x."""
    rng = np.random.default_rng(seed)
    rows, columns = shape
    y = np.arange(rows, dtype=np.float32)[:, None] / px_per_mm
    wander = 14 * clouds(shape, (220 * px_per_mm, 90 * px_per_mm), rng)
    tone = np.ones(shape, np.float32)
    if plank_mm:
        plank = np.floor(y / plank_mm).astype(np.int64) % 40
        tone = tone * (1 + rng.normal(0, 0.05, 40).astype(np.float32)[plank])
        wander = wander + rng.uniform(0, 300, 40).astype(np.float32)[plank]
        seam = np.abs(y / plank_mm - np.round(y / plank_mm)) * plank_mm < 0.9
        tone = np.where(seam, tone * 0.55, tone)
    rings = np.sin((y + wander) / 2.6) + 0.6 * np.sin((y + 1.3 * wander) / 0.9)
    coarse = rng.standard_normal((rows, max(2, columns // round(60 * px_per_mm)))).astype(
        np.float32
    )
    fibre = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_CUBIC)
    gain = tone * (1 + strength * (0.5 * rings + 0.35 * fibre))
    warm = np.array((1.25, 1.0, 0.88), np.float32)
    deep = gain[..., None] ** warm
    return np.asarray(np.array(base, np.float32) * deep, np.float32)


class _Sheet:
    """A canvas of a board."""

    def __init__(self, box: Box) -> None:
        self.columns, self.rows = (round(side * FINE) for side in box.size)
        self.picture: Picture = np.zeros((self.rows, self.columns, 3), np.uint8)

    def px(self, points: Sequence[Point]) -> npt.NDArray[np.int32]:
        mm = np.array(points, np.float64)
        u = (mm[:, 0] * FINE + self.columns / 2 - 0.5) * (1 << SHIFT)
        v = (self.rows / 2 - 0.5 - mm[:, 1] * FINE) * (1 << SHIFT)
        return np.asarray(np.round(np.stack([u, v], axis=1)), dtype=np.int32)

    def paint(self, shapes: Iterable[BoardShape], only: str = "") -> None:
        """``only``: the one ink for everything."""
        for shape in shapes:
            ink = _bgr(only or shape.colour or "#808080")
            if shape.role == "rim":
                ink = (ink[0] * 0.6, ink[1] * 0.6, ink[2] * 0.6)
            thick = max(1, round(shape.width * FINE))
            if shape.form == "text":
                self._text(shape, ink)
            elif shape.form == "circle":
                self._disc(shape, ink)
            elif shape.width > 0:
                closed, corners = shape.form == "polygon", [self.px(shape.points)]
                cv2.polylines(self.picture, corners, closed, ink, thick, cv2.LINE_AA, SHIFT)
            else:
                cv2.fillPoly(self.picture, [self.px(shape.outline)], ink, cv2.LINE_AA, SHIFT)

    def _disc(self, shape: BoardShape, ink: Ink) -> None:
        u, v = (int(value) for value in self.px(shape.points)[0])
        reach = round(shape.reach[0] * FINE * (1 << SHIFT))
        thick = round(shape.width * FINE) or -1
        cv2.circle(self.picture, (u, v), reach, ink, thick, cv2.LINE_AA, SHIFT)

    def _text(self, shape: BoardShape, ink: Ink) -> None:
        font = cv2.FONT_HERSHEY_SIMPLEX
        (_, tall), _ = cv2.getTextSize("H", font, 1.0, 1)
        size = shape.reach[1] * FINE / max(tall, 1)
        thick = max(1, round(size * 1.6))
        text = shape.text.encode("ascii", "ignore").decode()
        (w, h), _ = cv2.getTextSize(text, font, size, thick)
        u, v = (int(value) >> SHIFT for value in self.px(shape.points)[0])
        place = (u - w // 2, v + h // 2)
        cv2.putText(self.picture, text, place, font, size, ink, thick, cv2.LINE_AA)


def _bgr(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return (float(blue), float(green), float(red))


def _picture(values: npt.NDArray[np.floating]) -> Picture:
    return np.asarray(np.clip(values, 0, 255), dtype=np.uint8)
