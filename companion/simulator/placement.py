"""Where in a site hands lay a piece: where there is room, and so that stickers stay in sight."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.simulator.objects import Floats, Piece, footprint, thickness
from companion.simulator.pieces import Pieces
from rules.box import Box, PieceKind, Point, Site

__all__ = ["free_place", "laid_angle", "slip"]

_RIM = 8 / 6
"""A sticker with its white rim, per side of its black square."""
_LENS_HIGH = 1.4
"""About how many board lengths up the lens hangs; tall things lean outwards in its picture."""
_STEP_MM = 5.0
_SLACK_MM = 3.0
"""How far hands miss."""


def free_place(pieces: Pieces, site: Site, piece: Piece) -> Point:
    """Where in a site there is room for a piece, mm; where its last one lies if it is full."""
    foot = footprint(pieces.box.kinds[piece.shows], piece.pose)
    places = _slots(site, foot)
    lying = [p for p in pieces.at(site.id) if p.id != piece.id]
    need = min(foot) / 2 - 1.0
    free = [p for p in places if not any(pieces.covers(other, p, need) for other in lying)]
    if site.room > 1 and site.size is not None:
        # Nobody who wants to be understood lays a thing where it hides another's sticker.
        return _clearest(pieces, site, piece, [*free, *places, *_spots(site)])
    if free:
        return free[0]
    return places[-1] if site.room > 1 else lying[-1].at if lying else places[0]


def laid_angle(site: Site, kind: PieceKind, pose: str, rng: np.random.Generator | None) -> float:
    """Angle in deg at which a hand lays a piece on a site; exactly, if ``rng`` is None."""
    around = math.degrees(math.atan2(site.at[1], site.at[0]))
    loose = float(rng.normal(0.0, 2.5)) if rng is not None else 0.0
    if pose in ("cw", "ccw"):
        # The sticker's upper edge points along the circle about the board's centre.
        return around + (180.0 if pose == "cw" else 0.0) + 2.0 * loose
    if kind.shape == "card":
        return loose
    if site.size is not None and kind.size[0] != kind.size[1]:
        same = (site.size[0] >= site.size[1]) == (kind.size[0] >= kind.size[1])
        return (0.0 if same else 90.0) + loose
    return float(rng.uniform(-180.0, 180.0)) if rng is not None else 0.0


def slip(at: Point, rng: np.random.Generator) -> Point:
    """A careless point within 3 mm of the one that was meant."""
    reach, turn = 2.6 * math.sqrt(rng.random()), 2 * math.pi * rng.random()
    return (at[0] + reach * math.cos(turn), at[1] + reach * math.sin(turn))


def _clearest(pieces: Pieces, site: Site, piece: Piece, places: Sequence[Point]) -> Point:
    """The first of the places where a piece hides the fewest stickers."""
    angle = laid_angle(site, pieces.box.kinds[piece.shows], piece.pose, None)
    # What is laid at the rim sticks out of the site, under what stands next to it.
    out = max(footprint(pieces.box.kinds[piece.shows], piece.pose)) / 2 + _SLACK_MM
    others = [p for p in _uppermost(pieces, site, out) if p.id != piece.id]
    fewest, best = math.inf, places[0]
    for x, y in places:
        laid = replace(piece, x_mm=x, y_mm=y, angle_deg=angle, z=0.0)
        hidden = _hides(pieces.box, laid, others)
        if hidden < fewest:
            fewest, best = hidden, (x, y)
        if not hidden:
            break
    return best


def _uppermost(pieces: Pieces, site: Site, out: float) -> Iterator[Piece]:
    """What lies at a site, and what stands at others and reaches over it, or nearer to it than
    ``out`` mm, without what is below."""
    yield from (column[-1] for column in pieces.stacks(site.id))
    area = _area(site, out)
    for other in pieces.box.sites:
        if other != site.id:
            top = (column[-1] for column in pieces.stacks(other))
            yield from (piece for piece in top if _meet(_body(pieces.box, piece), area))


def _area(site: Site, out: float) -> Floats:
    """The outline of a rectangular site with ``out`` mm around it."""
    (x, y), (w, h) = site.at, site.size or (0.0, 0.0)
    wide, high = w + 2 * out, h + 2 * out
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x + a * wide / 2, y + b * high / 2) for a, b in signs], dtype=np.float32)


def _slots(site: Site, foot: Point) -> list[Point]:
    """Centres in mm of the places where pieces can lie side by side at a site."""
    x, y = site.at
    if site.room <= 1:
        return [site.at]
    if site.size is None:
        reach = max(site.radius - max(foot) / 2, site.radius * 0.45)
        turns = (2 * math.pi * i / site.room + math.pi / 2 for i in range(site.room))
        return [(x + reach * math.cos(t), y + reach * math.sin(t)) for t in turns]
    wide, high = site.size
    columns = min(
        range(1, site.room + 1),
        key=lambda n: abs(wide / n - foot[0] / foot[1] * high / -(-site.room // n)),
    )
    rows = -(-site.room // columns)
    cells = [(i % columns, i // columns) for i in range(site.room)]
    return [
        (x + wide * ((c + 0.5) / columns - 0.5), y + high * (0.5 - (r + 0.5) / rows))
        for c, r in cells
    ]


def _spots(site: Site) -> Iterator[Point]:
    """Places all over a rectangular site, mm, those in its middle first."""
    if site.size is None:
        return
    (x, y), (wide, high) = site.at, (max(side - 2 * _SLACK_MM, 0.0) for side in site.size)
    across, down = (int(side / 2 / _STEP_MM) for side in (wide, high))
    steps = [(i, j) for i in range(-across, across + 1) for j in range(-down, down + 1)]
    for i, j in sorted(steps, key=lambda step: math.hypot(*step)):
        yield (x + i * _STEP_MM, y + j * _STEP_MM)


def _hides(box: Box, piece: Piece, lying: Iterable[Piece]) -> int:
    """How many stickers cannot be read if ``piece`` lies like this: those of corners, which count
    double, its own, and those of what is ``lying`` there."""
    body, sticker = _body(box, piece), _sticker(box, piece)
    corners = (_square(c.at, c.size * _RIM / 2 + _SLACK_MM) for c in box.corners)
    hidden = 2 * sum(_meet(body, corner) for corner in corners)
    for other in lying:
        hidden += _meet(body, _sticker(box, other)) + _meet(_body(box, other), sticker)
    return hidden


def _body(box: Box, piece: Piece) -> Floats:
    """What a piece hides of the board, a convex outline in mm (n, 2)."""
    kind = box.kinds[piece.shows]
    wide, deep = footprint(kind, piece.pose)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    foot = np.array([piece.to_board(sx * wide / 2, sy * deep / 2) for sx, sy in signs])
    top = foot * _lean(box, piece.z + thickness(kind, piece.pose))
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32))
    return np.asarray(hull, dtype=np.float32).reshape(-1, 2)


def _sticker(box: Box, piece: Piece) -> Floats:
    """Where a piece's sticker is seen on the board, with its rim and how far hands miss."""
    kind = box.kinds[piece.shows]
    grown = _lean(box, piece.z + thickness(kind, piece.pose))
    half = kind.sticker_mm * _RIM / 2 + _SLACK_MM
    return _square((piece.x_mm * grown, piece.y_mm * grown), half)


def _square(at: Point, half: float) -> Floats:
    (x, y), signs = at, ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x + sx * half, y + sy * half) for sx, sy in signs], dtype=np.float32)


def _lean(box: Box, height: float) -> float:
    """How much farther out than it is a point this high above the board appears."""
    lens = _LENS_HIGH * max(box.size)
    return lens / (lens - height)


def _meet(one: Floats, other: Floats) -> bool:
    return cv2.intersectConvexConvex(one, other)[0] > 0
