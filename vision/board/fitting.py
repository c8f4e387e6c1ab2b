"""The camera's pose and its lens, by least squares over marks on the board.

A mark is a point of the board whose place in the picture was measured, with honest doubt: corners
of corner stickers, and parts of the drawing (``vision.board.drawn_marks``). What is known of the
lens beforehand is a Gaussian; what a picture adds to it is the information left when the pose has
been eliminated (Schur complement), so that knowledge grows from picture to picture as in an
information filter.

Method: B. Triggs et al., "Bundle adjustment, a modern synthesis", Vision Algorithms (2000), §4 on
robust errors and §6.1 on the Schur complement; steps after D. Marquardt (1963).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Bools, Points
from vision.camera.lens import FOCAL_PRIOR, Lens

ROUNDS = 25
POSE, SLIP, FREE, WHOLE = 6, 7, 11, 16
"""Number of unknowns: the pose; with the drawing in of dark corners; with where the drawing lies
between the stickers; with the lens."""
SLIP_DOUBT = np.array([0.5, 0.5, 0.5, 0.5])
"""Doubt about the drawing's shift along x and y, turn and size between the stickers, one sigma, mm
at ``SLIP_REACH``: stickers are glued on by hand, and a box says what it has only about as
exactly."""
SLIP_REACH = 200.0
INSET_DOUBT = 0.5
"""Doubt about the inset of the corners of black squares, one sigma, px: light spreads into the
dark, and a blurred corner is rounder than a sharp one. It was 0.3 to 0.6 px on rendered
pictures."""
USUAL = (0.12, 0.1, 0.05)
"""Doubt (one sigma) about the logarithm of the focal length and two radial coefficients."""
PRIOR_OFFSET = 0.01
"""Doubt about where the optical axis meets the picture, per long side of it."""
WIDE_FOCAL, WIDE, RARE = 0.48, (0.2, 0.2, 0.1), 0.1
"""Wide lenses (80° to 110° across) are a kind of their own: focal length per long side, doubts, and
about how many cameras have one."""


@dataclass(frozen=True, eq=False)
class Marks:
    """Points of the board and where they are in a picture."""

    mm: Points
    """n × 3."""
    px: Points
    """n × 2."""
    weight: Points
    """Square root of the information: n × 2 × 2, 1/px."""
    outward: Points
    """n × 2, px: which way a corner of a dark square would lie if no light spread; else 0."""
    group: Points
    """n: a number for each sticker and each part of the drawing, for leaving some out."""
    drawn: Points
    """n: 1 for parts of the drawing, which may lie askew between the stickers, else 0."""
    stray: Points
    """n: from how many sigmas on an error loses weight; infinite where there is no mistake about
    what was seen."""

    def __len__(self) -> int:
        return len(self.mm)

    @cached_property
    def by_slip(self) -> Points:
        """Motion of drawn marks on the board by shift, turn and growth of the drawing, n × 3 × 4;
        none of others."""
        x, y = self.mm[:, 0] / SLIP_REACH, self.mm[:, 1] / SLIP_REACH
        motion = np.zeros((len(x), 3, 4))
        motion[:, 0, 0] = motion[:, 1, 1] = 1
        motion[:, 0, 2], motion[:, 0, 3], motion[:, 1, 2], motion[:, 1, 3] = -y, x, x, y
        return motion * self.drawn[:, None, None]

    def chosen(self, which: Bools) -> Marks:
        """Some of them."""
        return Marks(
            self.mm[which], self.px[which], self.weight[which], self.outward[which],
            self.group[which], self.drawn[which], self.stray[which],
        )  # fmt: skip

    @staticmethod
    def of_stickers(
        corners_mm: Sequence[Points], corners_px: Sequence[Points], doubt_px: float
    ) -> Marks:
        """Corners of flat stickers: per sticker 4 × 2 mm and 4 × 2 px, in the same order."""
        mm = np.concatenate(corners_mm)
        px = np.stack(corners_px)
        out = px - px.mean(axis=1, keepdims=True)
        out /= np.maximum(np.linalg.norm(out, axis=2, keepdims=True), 1e-9) / np.sqrt(2)
        return Marks(
            np.column_stack([mm, np.zeros(len(mm))]),
            px.reshape(-1, 2),
            np.tile(np.eye(2) / doubt_px, (len(mm), 1, 1)),
            out.reshape(-1, 2),
            np.repeat(np.arange(float(len(px))), 4),
            np.zeros(len(mm)),
            np.full(len(mm), np.inf),
        )

    @staticmethod
    def joined(parts: Sequence[Marks]) -> Marks:
        """All of several."""
        return Marks(*(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("mm", "px", "weight", "outward", "group", "drawn", "stray")
        ))  # fmt: skip


@dataclass(frozen=True, eq=False)
class LensBelief:
    """A belief about a lens: a Gaussian over the logarithm of its focal length in px, two radial
    coefficients and where its axis meets the picture (px from the centre)."""

    size: tuple[int, int]
    """Width and height of the pictures, px."""
    mean: Points
    """(5,)."""
    information: Points
    """Inverse covariance, 5 × 5."""
    third: float = 0.0
    """Third radial coefficient, which is never fitted."""

    @staticmethod
    def kinds(size: tuple[int, int]) -> tuple[tuple[LensBelief, float], ...]:
        """Any usual lens and any wide one, before a picture was seen, each with what it costs to
        believe in such a lens: -2 times its log density at the middle, but for a constant."""
        off = PRIOR_OFFSET * max(size)
        kinds = []
        for focal, doubts, share in ((FOCAL_PRIOR, USUAL, 1 - RARE), (WIDE_FOCAL, WIDE, RARE)):
            mean = np.zeros(5)
            mean[0] = np.log(focal * max(size))
            doubt = np.array([*doubts, off, off])
            rarity = 2 * float(np.log(np.prod(doubts) / np.prod(USUAL)) - np.log(share))
            kinds.append((LensBelief(size, mean, np.diag(doubt**-2.0)), rarity))
        return tuple(kinds)

    @property
    def lens(self) -> Lens:
        """The likeliest one."""
        return lens_of(self.mean, self.size, self.third)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The camera that explains marks best."""

    lens: Lens
    rotation: Points
    """Board to camera, rotation vector (3,)."""
    translation: Points
    """Board to camera, mm (3,)."""
    inset_px: float
    """Distance by which the corners of dark squares seem drawn in."""
    slip: Points
    """Place of the drawing between the stickers: shift along x and y, turn, growth, mm (4,)."""
    cost: float
    """Robust sum of squared errors in sigmas, that of the belief included."""
    belief: LensBelief | None
    """The belief about the lens now, if it was fitted."""

    @property
    def eye_mm(self) -> float:
        """Height of the camera above the board; negative if it were below."""
        turn = np.asarray(cv2.Rodrigues(self.rotation)[0])
        return float(-(turn.T @ self.translation)[2])


def values_of(lens: Lens) -> Points:
    """A lens as the (5,) of a ``LensBelief``."""
    return np.array([np.log(lens.focal), lens.radial, lens.higher[0], *lens.offset])


def lens_of(values: Points, size: tuple[int, int], third: float = 0.0) -> Lens:
    """The lens with these values (5,)."""
    log_focal, first, second, x, y = map(float, values)
    return Lens(size, float(np.exp(log_focal)), first, (x, y), (second, third))


def fit_marks(
    marks: Marks, start: tuple[Points, Points], lens: Lens, belief: LensBelief | None = None
) -> Fitted:
    """The pose, and with a ``belief`` also the lens, that explain ``marks`` best.

    ``start``: rotation vector and translation near the truth. ``lens``: to begin with, or, without
    a belief, the one that is known. Errors of marks that may stray count as Cauchy's, so that a
    few on something else than the board do little harm.
    """
    state = _State(
        np.asarray(cv2.Rodrigues(start[0])[0], dtype=np.float64),
        np.array(start[1], dtype=np.float64).ravel(), 0.0, np.zeros(4), lens,
    )  # fmt: skip
    count = FREE if belief is None else WHOLE
    errors, slope = _errors(marks, state, count)
    cost = _cost(errors, marks, state, belief)
    normal = np.eye(count)
    damping = 1e-4
    for _ in range(ROUNDS):
        normal, pull = _normal(errors, slope, marks, state, belief)
        scaled = normal.copy()
        scaled[np.diag_indices(count)] *= 1 + damping
        step = np.asarray(np.linalg.solve(scaled, -pull), dtype=np.float64)
        after = state.moved(step)
        then, there = _errors(marks, after, count)
        new = _cost(then, marks, after, belief)
        if not new <= cost:
            damping = max(damping * 10, 1e-3)
            if damping > 1e6:
                break
            continue
        gained, cost = cost - new, new
        state, errors, slope, damping = after, then, there, damping / 10
        if gained < 1e-4 * max(cost, 1.0):
            break
    told = belief
    if belief is not None:
        normal, _ = _normal(errors, slope, marks, state, belief)
        told = LensBelief(lens.size, values_of(state.lens), _schur(normal), lens.higher[1])
    rotation = np.asarray(cv2.Rodrigues(state.turn)[0], dtype=np.float64).ravel()
    return Fitted(
        state.lens, rotation, state.shift, state.inset, state.slip, cost, told
    )  # fmt: skip


def misses(marks: Marks, fitted: Fitted) -> Points:
    """Squared distance of each mark from where ``fitted`` expects it, in sigmas: (n,)."""
    turn = np.asarray(cv2.Rodrigues(fitted.rotation)[0], dtype=np.float64)
    state = _State(turn, fitted.translation, fitted.inset_px, fitted.slip, fitted.lens)
    errors, _ = _errors(marks, state, 0)
    return np.asarray((errors**2).sum(axis=1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _State:
    turn: Points
    shift: Points
    inset: float
    slip: Points
    lens: Lens

    def moved(self, step: Points) -> _State:
        spin = np.asarray(cv2.Rodrigues(step[:3])[0], dtype=np.float64)
        lens = self.lens
        if len(step) > FREE:
            lens = lens_of(values_of(lens) + step[FREE:], lens.size, lens.higher[1])
        return _State(
            spin @ self.turn, self.shift + step[3:POSE], self.inset + float(step[POSE]),
            self.slip + step[SLIP:FREE], lens,
        )  # fmt: skip


def _errors(marks: Marks, state: _State, count: int) -> tuple[Points, Points]:
    """Errors in sigmas, n × 2, and how they change with the unknowns, n × 2 × ``count``, which may
    be 0."""
    lens, by_slip = state.lens, marks.by_slip
    turned = (marks.mm + by_slip @ state.slip) @ state.turn.T
    space = turned + state.shift
    depth = np.maximum(space[:, 2], 1e-3)
    rays = space[:, :2] / depth[:, None]
    px, by_ray = lens.bent(rays)
    off = px - marks.px - state.inset * marks.outward
    errors = (marks.weight @ off[:, :, None])[:, :, 0]
    slope = np.zeros((len(rays), 2, count))
    if not count:
        return errors, slope
    # Ray by place in space, then place in space by turn and shift.
    by_space = np.zeros((len(rays), 2, 3))
    by_space[:, 0, 0] = by_space[:, 1, 1] = 1 / depth
    by_space[:, :, 2] = -rays / depth[:, None]
    by_space = by_ray @ by_space
    a, b, c = turned.T
    spin = np.zeros((len(rays), 3, 3))
    spin[:, 0, 1], spin[:, 0, 2], spin[:, 1, 2] = c, -b, a
    spin[:, 1, 0], spin[:, 2, 0], spin[:, 2, 1] = -c, b, -a
    slope[:, :, :3] = by_space @ spin
    slope[:, :, 3:POSE] = by_space
    slope[:, :, POSE] = -marks.outward
    slope[:, :, SLIP:FREE] = by_space @ state.turn @ by_slip
    if count == WHOLE:
        square = (rays**2).sum(axis=1, keepdims=True)
        slope[:, :, FREE] = px - lens.centre
        slope[:, :, FREE + 1] = lens.focal * rays * square
        slope[:, :, FREE + 2] = lens.focal * rays * square**2
        slope[:, 0, FREE + 3] = slope[:, 1, FREE + 4] = 1
    return errors, marks.weight @ slope


def losses(square: Points, stray: Points) -> Points:
    """Robust losses for squared errors (in sigmas), given from where on they lose weight: (n,)."""
    if np.isinf(stray).all():
        return square
    soft = np.where(np.isinf(stray), 1.0, stray**2)
    return np.where(np.isinf(stray), square, soft * np.log1p(square / soft))


def _cost(errors: Points, marks: Marks, state: _State, belief: LensBelief | None) -> float:
    cost = float(losses((errors**2).sum(axis=1), marks.stray).sum())
    cost += (state.inset / INSET_DOUBT) ** 2 + float(((state.slip / SLIP_DOUBT) ** 2).sum())
    if belief is not None:
        off = values_of(state.lens) - belief.mean
        cost += float(off @ belief.information @ off)
    return cost


def _normal(
    errors: Points, slope: Points, marks: Marks, state: _State, belief: LensBelief | None
) -> tuple[Points, Points]:
    """Gauss-Newton's matrix, k × k, and the slope of half the cost, (k,)."""
    count = slope.shape[2]
    trust = 1 / (1 + (errors**2).sum(axis=1) / marks.stray**2)
    rows = (slope * np.sqrt(trust)[:, None, None]).reshape(-1, count)
    normal = rows.T @ rows
    pull = rows.T @ (errors * np.sqrt(trust)[:, None]).ravel()
    normal[POSE, POSE] += INSET_DOUBT**-2.0
    pull[POSE] += state.inset / INSET_DOUBT**2
    some = np.arange(SLIP, FREE)
    normal[some, some] += SLIP_DOUBT**-2.0
    pull[some] += state.slip / SLIP_DOUBT**2
    if belief is not None:
        normal[FREE:, FREE:] += belief.information
        pull[FREE:] += belief.information @ (values_of(state.lens) - belief.mean)
    return normal, pull


def _schur(normal: Points) -> Points:
    """The information about the lens whatever the pose: 5 × 5."""
    both = normal[FREE:, :FREE]
    hidden = both @ np.linalg.solve(normal[:FREE, :FREE], both.T)
    return np.asarray(normal[FREE:, FREE:] - hidden)
