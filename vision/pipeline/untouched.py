"""The table as it looked when nobody reached in: what still looks so is no hand that came since.

Glare, a frame, a rim, a bowl, table within an outline: whatever was seen there without a hand, or
was taken for one until it had lain still for too long, may look foreign for ever. Another exposure
or white balance of the camera changes all colours alike, also those of the corner stickers, and is
taken out first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Mask, Planes, floats, picked
from vision.board.appearance import CLIPPED, FULL
from vision.board.blobs import MORE, Blob, spots_of
from vision.board.drawing import SOME
from vision.board.masks import Masks
from vision.pieces.sighting import BarePiece

SAMPLES = 3000
"""Approximate number of grid pixels by which a change of exposure is fitted."""
NO_CHANGE = 0.01
"""Median change of light, natural logarithm, that is none."""
CUTS = (0.8, 0.5, 0.3, 0.2, 0.12)
"""Natural logarithms by which a pixel may be beside the fitted exposure, round by round."""
MOST_GAIN, MOST_BEND = 1.6, 0.6
"""Most change of exposure (natural log), and of the slope of its curve."""
SUPPORT = 0.5
"""Share of what is played on, and of what is beside it, that must show a new exposure."""
NOISE, SHARE, SHIFT, MOVED = 0.02, 0.04, 0.3, 1.0
"""Differences of roots of light that say nothing: at all, per root, per step to the next grid
pixels, as pictures tremble, and the same after the camera or the board was moved."""
FEW, SPECK_PX = 0.2, 5
"""Share of the square around a grid pixel, with this side, that must look otherwise."""
DARKEST = np.float32(1e-4)
"""Linear light that is as good as none."""
AROUND_PX = 11
"""Width of what is near a hand with the hand's edges, grid pixels."""


@dataclass(frozen=True, eq=False)
class Before:
    """A look beside the one in which nobody reached in; height × width."""

    flat: Planes
    """The board in this look, linear light."""
    then: Planes
    """The board as it looked then."""
    told: Bools
    """True where that is known."""
    beside: Bools
    """True for corner stickers and what is beside the board."""
    steady: bool
    """True if camera and board have not moved since."""

    @cached_property
    def light(self) -> Planes:
        """The board as it looked then, with the exposure of this look."""
        curve = _exposure(self.flat, self.then, self.beside)
        if curve is None:
            return self.then
        gain, bend = (each[:, None, None] for each in curve)
        logs = np.log(self.then + DARKEST)
        return floats(np.clip(np.exp(gain + bend * logs) - DARKEST, 0, 1))

    @cached_property
    def same(self) -> Bools:
        """True where it still looks as it did."""
        square = np.ones((3, 3), np.uint8)
        looks = np.zeros(self.told.shape, dtype=np.bool_)
        for seen, light, first in zip(self.flat, self.light, self.then, strict=True):
            now, then = _roots(seen), _roots(light)
            spread = np.asarray(cv2.dilate(then, square)) - np.asarray(cv2.erode(then, square))
            limit = spread * np.float32(SHIFT if self.steady else MOVED)
            limit += np.float32(NOISE) + np.float32(SHARE) * then
            off = now - then
            # What was too bright to be told may have been brighter.
            blind = (first >= CLIPPED) & (off > 0)
            blind |= np.minimum(now, then) > np.sqrt(FULL)
            looks |= (np.abs(off) > limit) & ~blind
        near = np.asarray(cv2.blur(floats(looks), (SPECK_PX, SPECK_PX)))
        others = looks & (near >= FEW)
        closed = cv2.morphologyEx(others.astype(np.uint8), cv2.MORPH_CLOSE, square)
        return np.asarray(self.told & (np.asarray(closed) == 0))

    def told_same(self) -> Bools:
        """The places that look the ``same``, for those who may not need them."""
        return self.same


@dataclass(frozen=True, eq=False)
class Untouched:
    """The look of a table when nobody reached in, as far as that was seen."""

    flat: Planes | None = None
    """The flattened board, linear light."""
    since_s: Floats | None = None
    """Time at which it was first seen so, height × width, where it was taken for a hand; else it is
    early. In live pictures, whose times are not told, such a time never comes. None if there are
    none."""
    bare: tuple[BarePiece, ...] = ()
    """Bare pieces that were read in it."""

    def beside(
        self, flat: Planes, edge: Mask, steady: bool, time_s: float | None = None,
        ripe_s: float = 0.0,
    ) -> Before | None:  # fmt: skip
        """A look beside this one, if there is one. ``edge``: 255 where nothing is judged.
        ``ripe_s``: seconds after which what was taken for a hand is none."""
        if self.flat is None:
            return None
        told = np.ones(flat.shape[1:], dtype=np.bool_)
        if self.since_s is not None:
            told = self.since_s + ripe_s < (-np.inf if time_s is None else time_s)
            told |= np.isneginf(self.since_s)
        return Before(flat, self.flat, np.asarray(told), edge > 0, steady)

    def still(self, before: Before | None, masks: Masks) -> list[BarePiece]:
        """The bare pieces whose places look as then: they came with no hand."""
        if before is None or not self.bare:
            return []
        bodies = [masks.spots(piece.body_mm) for piece in self.bare]
        same = before.same.ravel()
        return [
            piece for piece, spots in zip(self.bare, bodies, strict=True)
            if len(spots) and same[spots].mean() > MORE
        ]  # fmt: skip

    def after(
        self, flat: Planes, hands: Iterable[Blob], lying: Iterable[Blob], time_s: float | None,
        bare: tuple[BarePiece, ...] = (),
    ) -> Untouched:  # fmt: skip
        """The look of the table after one more, with ``hands`` over it. ``lying``: blobs that were
        taken for hands until now. ``bare``: bare pieces that were read."""
        hands = list(hands)
        if not hands:
            return Untouched(flat, bare=bare)
        if self.flat is None:
            now = np.inf if time_s is None else time_s
            return Untouched(flat, np.full(flat.shape[1:], now, dtype=np.float32), bare)
        early = np.full(flat.shape[1:], -np.inf, dtype=np.float32)
        since = early if self.since_s is None else self.since_s
        near = np.zeros(flat.shape[1:], dtype=np.uint8)
        near.ravel()[spots_of(hands)] = 1
        near = np.asarray(cv2.dilate(near, np.ones((AROUND_PX, AROUND_PX), np.uint8)))
        seen = (since > -np.inf) & (near == 0)
        seen.ravel()[spots_of(lying)] = True
        if not seen.any():
            return self
        left = np.where(seen, np.float32(-np.inf), since)
        later = left if (left > -np.inf).any() else None
        return Untouched(np.where(seen, flat, self.flat), later, self.bare)


def _roots(plane: Floats) -> Floats:
    """Roots of light, in which noise is even, height × width, without specks."""
    return floats(cv2.blur(cv2.sqrt(plane), (3, 3)))


def _exposure(now: Planes, then: Planes, beside: Bools) -> tuple[Floats, Floats] | None:
    """Gain (natural log) and slope of the curve, (3,) each, by which the camera shows all the light
    otherwise than then; None if it does not, or something covers most of it."""
    spots = np.arange(0, beside.size, max(1, beside.size // SAMPLES))
    seen, known = picked(now, spots), picked(then, spots)
    here, there = np.log(seen + DARKEST), np.log(known + DARKEST)
    if (np.abs(np.median(here - there, axis=1)) < NO_CHANGE).all():
        return None
    gain, bend = np.zeros(3), np.ones(3)
    close = np.ones(len(spots), dtype=np.bool_)
    for channel in range(3):
        now_, then_ = seen[channel], known[channel]
        told = (now_ < FULL) & (then_ < FULL) & (np.minimum(now_, then_) > SOME)
        if np.count_nonzero(told) < SAMPLES // 60:
            return None
        x, y = there[channel, told], here[channel, told]
        add, slope = float(np.median(y - x)), 1.0
        for cut in CUTS:
            fair = np.maximum(1 - ((y - add - slope * x) / cut) ** 2, 0) ** 2
            total = max(float(fair.sum()), SOME)
            x_mean, y_mean = float(np.vdot(fair, x)) / total, float(np.vdot(fair, y)) / total
            # A board of one colour tells of no slope.
            both = float(np.vdot(fair, (x - x_mean) * (y - y_mean))) + SOME * total
            slope = both / (float(np.vdot(fair, (x - x_mean) ** 2)) + SOME * total)
            add = y_mean - slope * x_mean
        gain[channel], bend[channel] = add, slope
        as_then = np.exp(add + slope * there[channel]) - DARKEST
        now_root, then_root = np.sqrt(now_), np.sqrt(np.clip(as_then, 0, 1))
        close &= np.abs(now_root - then_root) < 2 * (NOISE + SHARE * then_root)
    if (np.abs(gain) > MOST_GAIN).any() or (np.abs(bend - 1) > MOST_BEND).any():
        return None
    around = beside.ravel()[spots]
    shares = [float(close[part].mean()) for part in (around, ~around) if part.any()]
    return (floats(gain), floats(bend)) if min(shares) > SUPPORT else None
