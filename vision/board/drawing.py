"""The drawing of the board, by its box: its colours, and the share of each at each place.

A box says it in strokes and printed sites, or with a picture of the board (a portrait), in which
a few main colours are found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box, Site
from vision.arrays import Bools, Floats, Mask, Planes, Points, floats, points
from vision.board.flattening import LINEAR, MM_PER_PX, grid_px
from vision.camera.picture_files import decoded

# Depth of places within the rim of the board, on the rectangle that its corner stickers span.
#
# Stickers of a board of one's own may lie beside it; then table shows between them and the board.

Places: TypeAlias = npt.NDArray[np.floating[Any]]


def within_rim(box: Box, x: Places, y: Places) -> Points:
    """Depth of points within the board's rim, mm; negative beside it.

    ``x``, ``y``: mm, of shapes that go together (``numpy.broadcast``), which the answer has too.
    """
    rim = points(box.rim)
    depth: Points = np.full(np.broadcast(x, y).shape, np.inf)
    for (ax, ay), (bx, by) in zip(rim, np.roll(rim, -1, axis=0), strict=True):
        along = np.hypot(bx - ax, by - ay)
        # The corners run clockwise: the board is on the right of each side.
        np.minimum(depth, ((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / along, out=depth)
    return depth


PURE = 0.95
"""Share from which a grid pixel counts as being of one colour."""
SOME = 0.02
"""Linear light that counts as nothing; keeps ratios of dark pixels tame."""
FINE = 4
"""The drawing is made this many times finer, then averaged."""
ENDS_PX = 3
"""Grid pixels by which a field may end elsewhere than its middle says."""
PORTRAIT_COLOURS, PORTRAIT_ROUNDS = 8, 6
"""Number of colours found in a picture of a board, and of rounds."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """A board as it is drawn."""

    shares: Floats
    """Share of each colour per grid pixel, colours × height × width."""
    inks: Floats
    """The colours in linear light, colours × 3; the board's own comes first."""
    detail: Planes | None
    """Detail of a picture of the board besides its colours; None if only a drawing is known."""


@dataclass(frozen=True, eq=False)
class Fields:
    """The colours of the fields of a board, and of what is around them."""

    labels: npt.NDArray[np.uint8]
    """Number of the colour of each grid pixel, height × width; the commonest is 0."""
    colours: Floats
    """Linear light, colours × 3."""
    beside: Bools
    """True where no piece reaches: there every field tells its colour, however many are taken."""

    @cached_property
    def ends(self) -> Bools:
        """True where one colour may end and another begin, height × width."""
        near = np.ones((2 * ENDS_PX + 1,) * 2, np.uint8)
        high, low = (np.asarray(grow(self.labels, near)) for grow in (cv2.dilate, cv2.erode))
        return np.asarray(high != low, dtype=np.bool_)

    def drawn(self, main: Floats) -> Drawing:
        """The board as it is drawn in these colours, if the first of them is ``main``, (3,)."""
        layers = [cv2.blur(floats(self.labels == n), (3, 3)) for n in range(len(self.colours))]
        inks = self.colours * main / np.maximum(self.colours[0], SOME / 10)
        return Drawing(floats(np.stack(layers)), floats(inks), None)


def drawing_of(box: Box, size: tuple[int, int]) -> Drawing:
    """The board of ``box``; ``size``: width and height in grid pixels."""
    return _portrait(box, size) or _draw(box, size)


def drawn_colour(box: Box, site: Site) -> str | None:
    """The colour ``#rrggbb`` in which a printed site is filled; None for one that is not, as those
    that strokes alone draw."""
    return (box.colour_of(site) or None) if site.shows else None


def inked(box: Box, at: tuple[float, float], radius: float) -> float:
    """Share of a disc (mm) that is drawn in other colours than most of it; 0 where only a picture
    of the board is known."""
    if box.portrait:
        return 0.0
    size = (round(box.size[0] / MM_PER_PX), round(box.size[1] / MM_PER_PX))
    (x, y), reach = grid_px(box, np.array([at]))[0], radius / MM_PER_PX
    left, top = (max(int(side - reach), 0) for side in (x, y))
    near = drawing_of(box, size).shares[:, top : int(y + reach) + 2, left : int(x + reach) + 2]
    rows, columns = np.indices(near.shape[1:])
    within = np.hypot(columns + left - x, rows + top - y) < reach
    return float(1 - near[:, within].mean(axis=1).max()) if within.any() else 0.0


def mixed(shares: Floats, inks: Floats) -> Planes:
    """Inks (colours × 3) in these shares (colours × height × width)."""
    planes = inks.T @ shares.reshape(len(shares), -1)
    return floats(planes).reshape(3, *shares.shape[1:])


def _colour(text: str) -> tuple[int, int, int]:
    """Blue, green, red of ``#rrggbb``."""
    return int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16)


@lru_cache(maxsize=2)
def _draw(box: Box, size: tuple[int, int]) -> Drawing:
    """A board by its strokes and printed sites; cached."""
    width, height = size
    fine: Mask = np.zeros((height * FINE, width * FINE), dtype=np.uint8)
    colours = [_colour(box.colours.get("board", "#808080"))]

    def number(text: str) -> int:
        colour = _colour(text)
        if colour not in colours:
            colours.append(colour)
        return colours.index(colour)

    def place(at: tuple[float, float]) -> tuple[int, int]:
        px = (grid_px(box, np.array([at]))[0] + 0.5) * FINE - 0.5
        return round(float(px[0])), round(float(px[1]))

    def length(mm: float) -> int:
        return max(1, round(mm / MM_PER_PX * FINE))

    # Where people say how far their own board reaches, the print of another says nothing.
    for stroke in () if box.outline else box.strokes:
        ink = number(stroke.colour)
        corners = [place(point) for point in stroke.points]
        outline = np.array(corners, dtype=np.int32)
        if stroke.kind == "polygon" and stroke.width == 0:
            cv2.fillPoly(fine, [outline], ink)
        elif stroke.kind == "circle":
            cv2.circle(fine, corners[0], length(stroke.width), ink, -1)
        elif stroke.kind != "text":
            cv2.polylines(fine, [outline], stroke.kind == "polygon", ink, length(stroke.width))
    for site in box.printed_sites:
        text = drawn_colour(box, site)
        if text is None:
            continue
        if site.size is None:
            cv2.circle(fine, place(site.at), length(site.drawn), number(text), -1)
        else:
            (x, y), (w, h) = site.at, site.size
            low, high = place((x - w / 2, y + h / 2)), place((x + w / 2, y - h / 2))
            cv2.rectangle(fine, low, high, number(text), -1)
    layers = [
        cv2.resize(floats(fine == k), size, interpolation=cv2.INTER_AREA)
        for k in range(len(colours))
    ]
    shares, inks = floats(np.stack(layers)), floats(LINEAR[np.array(colours)])
    shares.flags.writeable = inks.flags.writeable = False  # for several share them
    return Drawing(shares, inks, None)


def _portrait(box: Box, size: tuple[int, int]) -> Drawing | None:
    """A board by its picture; None if there is no picture of it. The table beside it lends no
    colour.

    The colours are found by k-means from the colours that lie farthest apart.
    """
    path = Path(box.portrait) if box.portrait else None
    image = decoded(path.read_bytes()) if path is not None and path.is_file() else None
    if image is None:
        return None
    fine = cv2.resize(image, (size[0] * FINE, size[1] * FINE), interpolation=cv2.INTER_AREA)
    # Square roots of light are about as far apart as people find the colours.
    roots = np.sqrt(floats(cv2.LUT(np.asarray(fine), LINEAR)))
    few = roots[::3, ::3]
    some = few[_on_board(box, few.shape)]
    centres = np.median(some, axis=0)[None]
    while len(centres) < PORTRAIT_COLOURS:
        gap = np.linalg.norm(some[:, None] - centres[None], axis=2).min(axis=1)
        # One odd pixel is not a colour: the farthest but for a few.
        centres = np.vstack([centres, some[np.argsort(gap)[-max(len(some) // 200, 1)]]])
    for _ in range(PORTRAIT_ROUNDS):
        nearest = np.linalg.norm(some[:, None] - centres[None], axis=2).argmin(axis=1)
        own = [some[nearest == k] for k in range(len(centres))]
        centres = np.stack(
            [mine.mean(axis=0) if len(mine) else c for mine, c in zip(own, centres, strict=True)]
        )
    counts = [len(mine) for mine in own]
    centres = floats(centres[np.argsort(counts)[::-1]])
    gaps = [np.linalg.norm(roots - centre, axis=2) for centre in centres]
    label = np.argmin(np.stack(gaps), axis=0)
    layers = [
        cv2.resize(floats(label == k), size, interpolation=cv2.INTER_AREA)
        for k in range(len(centres))
    ]
    shares, inks = floats(np.stack(layers)), floats(centres**2)
    seen = np.stack(cv2.split(cv2.resize(floats(roots**2), size, interpolation=cv2.INTER_AREA)))
    detail = np.clip((seen + SOME) / (mixed(shares, inks) + SOME), 0.4, 2.5)
    return Drawing(shares, inks, floats(detail))


def _on_board(box: Box, shape: tuple[int, ...]) -> Bools:
    """True for pixels of a picture of ``box`` from above that show the board, height × width."""
    height, width = shape[:2]
    x = ((np.arange(width) + 0.5) / width - 0.5) * box.size[0]
    y = (0.5 - (np.arange(height) + 0.5) / height) * box.size[1]
    return np.asarray(within_rim(box, x, y[:, None]) > 0, dtype=np.bool_)
