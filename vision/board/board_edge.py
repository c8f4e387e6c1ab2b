"""The edge of a board in a picture from above: an outline that its owner need only correct.

At a board's edge the colour takes the same step all along a straight line. Lines printed on the
board take none, for they have the same ground on both sides; a carpet's grain takes many, but
each another one. So each side is the line along which the median step is largest, compared with
how much the steps differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from rules.box import Box, Point
from vision.arrays import Floats, Picture, floats

SIDES = ("left", "upper", "right", "lower")
STRIP_MM = 4
"""Width of the strip compared on either side of an edge: more than a printed line is wide, less
than most boards are thick, whose flank shows beside them."""
PLAIN_STEP = 4.0
"""Step of colour (CIELAB) that noise and shade take too."""
SURE = 1.0
"""A step surely is an edge if it is larger than what varies along it."""
LEAN_DEG, COARSE_DEG, FINE_DEG = 5.0, 0.5, 0.1
"""Most tilt of a board between its stickers, and the coarse and the fine step of the search."""
ROW_MM = 4.0
"""Distance between the places where a side is looked at."""
UNKNOWN = 0.6
"""Share of the picture outside of which the edge is looked for if there are no fields."""
INWARD = 0.5
"""If no edge shows beside the fields, as they have not been placed yet, it is looked for so far
towards the middle of the board."""


@dataclass(frozen=True)
class BoardEdge:
    """The outline found for a board."""

    corners: tuple[Point, ...]
    """Of the board, mm, clockwise from the upper left."""
    unsure: tuple[str, ...]
    """The ``SIDES`` where no edge can be told from the table; there the board is taken to reach
    half way from its fields to the stickers."""


@dataclass(frozen=True)
class _Line:
    """An edge, in a picture turned so that it is on the left: x = at + slope · y, mm."""

    score: float
    at: float
    slope: float


def board_edge(picture: Picture, box: Box) -> BoardEdge:
    """The outline of the board in a picture from above.

    ``picture``: height × width × 3, blue-green-red, of all of ``box.size``. ``box``: with its
    corner stickers where they lie, and its fields at least roughly in place, or without fields.
    """
    wide, high = (round(side) for side in box.size)
    small = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.cvtColor(floats(small) / 255, cv2.COLOR_BGR2LAB))
    lines, unsure = [], []
    for turn, side in enumerate(SIDES):
        line, sure = _side(floats(np.rot90(lab, turn)), _Turned.of(box, turn))
        if not sure:
            unsure.append(side)
        # Two points of the line, turned back.
        lines.append([complex(line.at + line.slope * y, y) * (-1j) ** turn for y in (0.0, 1.0)])
    corners = [_meeting(lines[number], lines[(number + 1) % 4]) for number in range(4)]
    x, y = box.size[0] / 2, box.size[1] / 2
    return BoardEdge(
        tuple(
            (round(min(max(c.real, -x), x), 1), round(min(max(c.imag, -y), y), 1)) for c in corners
        ),
        tuple(unsure),
    )


@dataclass(frozen=True)
class _Turned:
    """A box turned so that the side that is searched is on the left; mm."""

    half: float
    """Half its width."""
    stickers: float
    """Inner edge of the stickers on that side."""
    middle: float
    """Leftmost middle of a field."""
    rim: float
    """Leftmost rim of a field."""
    low: float
    high: float
    """Between the stickers of that side."""

    @staticmethod
    def of(box: Box, turn: int) -> _Turned:
        corners = [(complex(*c.at) * 1j**turn, c.size / 2) for c in box.corners]
        corners.sort(key=lambda corner: corner[0].real)
        (one, reach), (other, other_reach) = sorted(corners[:2], key=lambda c: c[0].imag)
        fields = [(complex(*s.at) * 1j**turn, s) for s in box.printed_sites or box.sites.values()]
        odd = turn % 2
        half = box.size[odd] / 2
        half_wide = [s.radius if s.size is None else s.size[odd] / 2 for _, s in fields]
        return _Turned(
            half,
            max(one.real + reach, other.real + other_reach),
            min((at.real for at, _ in fields), default=-UNKNOWN * half),
            min(
                (at.real - wide for (at, _), wide in zip(fields, half_wide, strict=True)),
                default=-UNKNOWN * half,
            ),
            one.imag + reach,
            other.imag - other_reach,
        )


def _side(lab: Floats, box: _Turned) -> tuple[_Line, bool]:
    """The edge on the left of a picture in CIELAB (1 mm per px), and whether it was seen."""
    for limit in (box.middle, box.middle * (1 - INWARD)):
        line = _edge(lab, box, limit)
        if line is not None and line.score > SURE:
            return line, True
    between = min((box.rim + box.stickers) / 2, box.rim)
    return _Line(0.0, max(between, -box.half), 0.0), False


def _edge(lab: Floats, box: _Turned, limit: float) -> _Line | None:
    """The likeliest edge left of ``limit``, mm."""
    count = int(limit + box.half)
    if count < 1 or box.high - box.low < 1:
        return None
    coarse = np.arange(-LEAN_DEG, LEAN_DEG + COARSE_DEG / 2, COARSE_DEG)
    best = _best(lab, box, count, coarse.tolist())
    lean = float(np.degrees(np.arctan(best.slope)))
    fine = np.arange(lean - COARSE_DEG, lean + COARSE_DEG + FINE_DEG / 2, FINE_DEG)
    return _best(lab, box, count, fine.tolist())


def _best(lab: Floats, box: _Turned, count: int, leans: Sequence[float]) -> _Line:
    """The likeliest edge among the first ``count`` columns that leans by one of ``leans``, deg."""
    height = lab.shape[0]
    y = np.arange(box.low, box.high, ROW_MM)
    found = []
    for lean in leans:
        slope = float(np.tan(np.radians(lean)))
        # One row per y, with the rows so shifted that the edge would stand upright.
        x = np.arange(-STRIP_MM, count + STRIP_MM)[None] + slope * y[:, None]
        rows = np.repeat(height / 2 - 0.5 - y[:, None], x.shape[1], axis=1)
        cut = cv2.remap(lab, floats(x), floats(rows), cv2.INTER_LINEAR,
                        borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        sums = np.cumsum(cut, axis=1, dtype=np.float64)
        means = (sums[:, STRIP_MM:] - sums[:, :-STRIP_MM]) / STRIP_MM
        # The pixel of the edge itself shows some of both.
        step = means[:, STRIP_MM + 1 :] - means[:, : -STRIP_MM - 1]
        usual = np.median(step, axis=0)
        spread = np.median(np.linalg.norm(step - usual, axis=2), axis=0)
        score = np.linalg.norm(usual, axis=1) / (PLAIN_STEP + spread)
        place = int(score.argmax())
        # The first step is around the column STRIP_MM + 1 of those cut out.
        found.append(_Line(float(score[place]), place + 1.5 - box.half, slope))
    return max(found, key=lambda line: line.score)


def _meeting(one: Sequence[complex], other: Sequence[complex]) -> complex:
    """The intersection of two lines through two points each; they are never parallel here."""
    (a, b), (c, d) = one, other
    along, across = b - a, d - c
    share = ((c - a) * across.conjugate()).imag / (along * across.conjugate()).imag
    return a + share * along
