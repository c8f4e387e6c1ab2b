"""Outlines of pieces from above, standing and lying, and how well a spot of colour fits one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import PieceKind
from rules.reading.sighting import Glimpse, Look
from vision.arrays import Bools, Floats, Points, floats
from vision.board.patches import BoardView, Patch

SHIFT_DOUBT_MM = 4.5
"""Usual distance of a piece from its place, one sigma."""
OUTLINE_ODDS = 40.0
"""Log likelihood lost per share of an outline that does not fit."""
OPEN_SHARE = 0.6
"""Share of an outline that must be free of other pieces."""
BEVEL_MM = 0.9
HEAD, NECK = 0.62, 0.6
"""Width of a pawn's head and neck per width of its foot; a head is as wide as its sticker."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The outline from above of pieces of one shape."""

    ways: tuple[tuple[Points, ...], ...]
    """Views of them: all, or only the top if their sides are in shade. Each is made of convex
    parts, n × 3 mm round their foot."""
    round: bool
    """True if they look alike from every side."""
    height: float
    looks: Mapping[str, tuple[Look, ...]]
    """Looks with this outline, by colour."""

    @property
    def width(self) -> float:
        """Of its foot, mm."""
        return 2 * max(float(np.abs(part[:, :2]).max()) for part in self.ways[0])

    @property
    def widest(self) -> float:
        """Height up to which it is about as wide as its foot, mm."""
        least = self.width / 2 - 2 * BEVEL_MM
        return max(
            float(point[2])
            for part in self.ways[0] for point in part if math.hypot(*point[:2]) >= least
        )  # fmt: skip


def outlines_of(kinds: Sequence[PieceKind]) -> list[Outline]:
    """The outlines that pieces of ``kinds`` show, each once."""
    forms: dict[tuple[object, ...], tuple[_Form, dict[str, list[Look]]]] = {}
    for kind in kinds:
        for pose, form in _forms(kind):
            key = (kind.shape, kind.size, kind.height, pose == "lying")
            _, looks = forms.setdefault(key, (form, {}))
            told = kind.poses if pose != "lying" and "lying" not in kind.poses else (pose,)
            here = looks.setdefault(kind.colour, [])
            here += [(Glimpse(kind.id, one),) for one in told or ("",)]
            if pose and (Glimpse(kind.id),) not in here:
                here.append((Glimpse(kind.id),))
    return [
        Outline(form.ways, form.round, form.height, {c: tuple(of) for c, of in looks.items()})
        for form, looks in forms.values()
    ]


@dataclass(frozen=True, slots=True)
class Fit:
    """The fit of a spot of colour to an outline."""

    share: float
    """Intersection over union."""
    score: float
    """Log likelihood of outline and place."""
    shift: tuple[float, float]
    """Offset of the foot from the place, mm."""


def fitted(
    view: BoardView, patch: Patch, mask: Bools, outline: Outline, at: tuple[float, float],
    roam: float,
) -> tuple[Fit, Points] | None:  # fmt: skip
    """The fit of a spot to an outline, at its best turn and place, and the outline there; None if
    it is elsewhere."""
    rows, columns = np.nonzero(mask)
    cx, cy = patch.middle
    spot = np.array([columns.mean() - cx, cy - rows.mean()])
    best: tuple[Fit, Points] | None = None
    for angle in (0.0,) if outline.round else _turns(rows, columns):
        whole: Points | None = None
        for way in outline.ways:
            hulls = [
                floats(cv2.convexHull(floats(view.hull(at, _spun(part, angle)) - np.array(at))))
                for part in way
            ]
            shape = _drawn(hulls, mask.shape, (cx, cy), np.zeros(2))
            ys, xs = np.nonzero(shape)
            shift = spot - (xs.mean() - cx, cy - ys.mean())
            length = float(np.linalg.norm(shift))
            if length > roam + SHIFT_DOUBT_MM:
                continue
            shape = _drawn(hulls, mask.shape, (cx, cy), shift)
            if whole is None:
                whole = np.concatenate(hulls).reshape(-1, 2).astype(np.float64)
            inside = shape & patch.open
            both, either = int((inside & mask).sum()), int((inside | mask).sum())
            enough = int(inside.sum()) > OPEN_SHARE * int(shape.sum())
            share = both / max(either, 1) if enough else 0.0
            score = OUTLINE_ODDS * (share - 1) - 0.5 * (length / SHIFT_DOUBT_MM) ** 2
            fit = Fit(share, score, (float(shift[0]), float(shift[1])))
            if best is None or fit.score > best[0].score:
                best = (fit, whole + shift + np.array(at))
    return best


def _turns(rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> list[float]:
    """Angles at which a thing with corners may lie whose spot this is, in radians."""
    spot = floats(np.column_stack([columns, rows])).reshape(-1, 1, 2)
    tilt = -math.radians(cv2.minAreaRect(spot)[2])
    return [tilt + quarter * math.pi / 2 for quarter in range(4)]


def _spun(part: Points, angle: float) -> Points:
    spin = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return np.column_stack([part[:, :2] @ spin.T, part[:, 2]])


def _drawn(
    hulls: Sequence[Floats], size: tuple[int, ...], centre: tuple[float, float], shift: Points
) -> Bools:
    """Hulls (mm) drawn on a patch; true inside."""
    shape = np.zeros(size, dtype=np.uint8)
    for hull in hulls:
        moved = hull.reshape(-1, 2) + shift
        corners = np.column_stack([moved[:, 0] + centre[0], centre[1] - moved[:, 1]])
        cv2.fillConvexPoly(shape, np.round(corners * 16).astype(np.int32), (1,), cv2.LINE_8, 4)
    return np.asarray(shape > 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    ways: tuple[tuple[Points, ...], ...]
    round: bool
    height: float


def _forms(kind: PieceKind) -> list[tuple[str, _Form]]:
    """Pose and form of a kind, once per way it can stand."""
    (wide, deep), high = kind.size, kind.height
    upright = kind.poses[0] if kind.poses else ""
    if kind.shape in ("disc", "octagon"):
        low = _ring(wide / 2 * (1.02 if kind.shape == "octagon" else 1.0))
        top = _ring(wide / 2 - BEVEL_MM)
        form = _Form(((_slab(low, top, 0, high),), (_slab(top, top, high, high),)), True, high)
    elif kind.shape == "pawn":
        head = _ring(max(HEAD * wide, min(wide, kind.sticker_mm * 4 / 3 * math.sqrt(2))) / 2)
        foot, neck = _ring(wide / 2), _ring(NECK * wide / 2)
        parts = (
            _slab(foot, foot, 0, 0.22 * high),
            _slab(neck, neck, 0.2 * high, 0.8 * high),
            _slab(head, head, 0.8 * high, high),
        )
        form = _Form((parts, parts[1:], parts[2:]), True, high)
    else:
        low, top = _rectangle(wide, deep), _rectangle(wide - BEVEL_MM, deep - BEVEL_MM)
        form = _Form(((_slab(low, top, 0, high),), (_slab(top, top, high, high),)), False, high)
    forms = [(upright, form)]
    if "lying" in kind.poses:
        head_wide = max(HEAD * wide, min(wide, kind.sticker_mm * 4 / 3 * math.sqrt(2)))
        lying = (
            _log(wide, deep, -high / 2, -0.28 * high),
            _log(NECK * wide, deep, -0.3 * high, 0.32 * high),
            _log(head_wide, deep, 0.3 * high, high / 2),
        )
        forms.append(("lying", _Form((lying,), False, deep)))
    return forms


def _slab(low: Points, top: Points, bottom: float, height: float) -> Points:
    """A part that stands upright, from outline to outline, n × 3 mm."""
    return np.concatenate([
        np.column_stack([low, np.full(len(low), bottom)]),
        np.column_stack([top, np.full(len(top), height)]),
    ])  # fmt: skip


def _log(thick: float, deep: float, start: float, end: float) -> Points:
    """A round part that lies along y, its axis at half of ``deep`` mm, n × 3 mm."""
    turn = np.linspace(0, 2 * math.pi, 12, endpoint=False)
    x, z = thick / 2 * np.cos(turn), deep / 2 + thick / 2 * np.sin(turn)
    ends = [np.column_stack([x, np.full(12, y), z]) for y in (start, end)]
    return np.concatenate(ends)


def _ring(radius: float) -> Points:
    turn = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    return radius * np.column_stack([np.cos(turn), np.sin(turn)])


def _rectangle(wide: float, deep: float) -> Points:
    x, y = wide / 2, deep / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
