"""The look of small stickers to a camera: blurred, and how that changes when they move.

A module of two pixels is never seen as it was drawn; half of it is its neighbours'. So stickers
are compared as the camera blurs them, in several strengths, at a few samples per module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from vision.arrays import Floats, floats

PER_MODULE = 2
"""Samples per module along each side."""
BLURS = (0.2, 0.3, 0.4, 0.5, 0.65, 0.85)
"""Blur of a picture, one sigma in modules."""
WASHED_OUT, WASHED_BLUR = 0.3, 0.45
"""Too much light: share of white from which all is white, and the blur before that."""
FINE = 8
"""Px per module at which stickers are drawn to be blurred."""
NEAR = 1.0
"""Modules around a sample, along both sides, within which light is one."""
FAR = 0.4
"""Samples further from a sticker's look than this share of its contrast tell nothing of its place:
they lie on the edge of the light."""
FAINT, CONTRAST = 4.0, 80.0
"""Deviation of grey levels that counts as nothing, and levels from black to white that are usual
where light is patchy."""


@dataclass(frozen=True, eq=False)
class Light:
    """The looks of some stickers freed of a kind of light that may fall on them."""

    freed: Callable[[Floats], Floats]
    """Frees samples (n × samples) of such light, and makes them of unit length."""
    looks: Floats
    """Freed looks, stickers × blurs × samples."""
    hearts: Floats
    """The same of the samples within the border alone."""


class BlurredStickers:
    """The looks of some stickers at a grid of samples: all their modules and half of the rim."""

    def __init__(self, patterns: Sequence[Floats]) -> None:
        """``patterns``: modules with a rim of one, n × n, 1 white and 0 black."""
        self.modules = patterns[0].shape[0] - 2
        """Modules along a sticker's side."""
        self.side = (self.modules + 1) * PER_MODULE
        """Samples along the grid's side."""
        self.grid = sample_grid(self.side)
        """Places of the samples, modules from the middle, y up; 2 × samples."""
        heart = self.modules / 2 - 1
        self.within = np.flatnonzero((np.abs(self.grid) < heart).all(axis=0))
        """Samples within the border."""
        square = np.arange(self.side**2).reshape(self.side, self.side)
        self.quarters = np.stack([np.rot90(square, -r).ravel() for r in range(4)])
        """Samples of what a sticker in a frame turned by quarters looks like in its own; quarters ×
        samples."""
        self._even = _even(self.grid)
        away = np.abs(self.grid[:, :, None] - self.grid[:, None]).max(axis=0)
        near = floats(away < NEAR + 1 / FINE)
        self._near: Floats = floats(near / near.sum(axis=0))
        """Weight of each sample (rows) in the mean around each other one."""
        self.raw, self.solvers = _looks(patterns)
        """Stickers × blurs × samples, black 0 and white 1; the last blur is that of pictures with
        too much light. And stickers × blurs × 5 × samples: what turns samples into contrast, and
        contrast times the shift along x and y (modules), turn (rad) and stretch that would explain
        them."""
        self.even = self._in_light(self.unlit)
        """In light that changes evenly over a sticker."""

    @cached_property
    def patchy(self) -> Light:
        """In light with edges: half a shade, a lamp's mirror image, a window's bars. What is left
        is by how much each sample is lighter or darker than those around it, as a share of how much
        they vary: a veil and a gain that are alike there change neither."""
        return self._in_light(self.relit)

    def _in_light(self, freed: Callable[[Floats], Floats]) -> Light:
        every = self.raw.shape
        looks = freed(floats(CONTRAST * self.raw.reshape(-1, self.side**2))).reshape(every)
        return Light(freed, looks, level(looks[:, :, self.within]))

    def unlit(self, seen: Floats) -> Floats:
        """Samples (n × samples) without light that changes evenly, of unit length."""
        return unit(floats(seen - seen @ self._even.T @ self._even))

    def relit(self, seen: Floats) -> Floats:
        """Samples (n × samples) as they stand out from those around each, of unit length."""
        mean, spread = self._around(seen)
        return unit(floats((seen - mean) / spread))

    def as_if_even(self, seen: Floats, look: Floats) -> Floats:
        """Samples (n × samples) of stickers in patchy light as they would be in even light, if each
        is the sticker of its ``look`` (n × samples, black 0 and white 1)."""
        mean, spread = self._around(seen)
        expected, varied = self._around(floats(CONTRAST * look))
        plain = (expected + varied * (seen - mean) / spread) / np.float32(CONTRAST)
        return floats(np.where(np.abs(plain - look) < FAR, plain, look))

    def _around(self, seen: Floats) -> tuple[Floats, Floats]:
        """Mean and deviation of the samples near each one."""
        mean = seen @ self._near
        varied = (seen * seen) @ self._near - mean * mean
        return mean, floats(np.sqrt(np.maximum(varied, 0) + np.float32(FAINT**2)))


def blurred_stickers(patterns: Sequence[Floats]) -> BlurredStickers:
    """The looks of some stickers; those of the last few sets are kept and shared."""
    return _shared(tuple(floats(p).tobytes() for p in patterns), len(patterns[0]))


@lru_cache(maxsize=4)
def _shared(patterns: tuple[bytes, ...], width: int) -> BlurredStickers:
    return BlurredStickers(
        [np.frombuffer(p, dtype=np.float32).reshape(width, width) for p in patterns]
    )


@lru_cache(maxsize=64)
def sample_grid(side: int) -> Floats:
    """Samples around a middle, in modules, y up, row by row from the upper left; 2 × side²."""
    steps = floats((np.arange(side) - (side - 1) / 2) / PER_MODULE)
    across, down = np.meshgrid(steps, -steps)
    return floats(np.stack([across.ravel(), down.ravel()]))


def unit(looks: Floats) -> Floats:
    """Scaled to unit length along the last axis."""
    length = np.sqrt(np.einsum("...n,...n->...", looks, looks))
    return floats(looks / np.maximum(length, 1e-6)[..., None])


def level(looks: Floats) -> Floats:
    """``looks`` without their mean, of unit length along the last axis."""
    return unit(floats(looks - looks.mean(axis=-1, keepdims=True)))


def _even(grid: Floats) -> Floats:
    """Orthonormal: light that changes evenly over the sticker; 3 × samples."""
    flat = np.stack([np.ones_like(grid[0]), *grid])
    return floats(np.linalg.qr(flat.T)[0].T)


def _looks(patterns: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Looks (stickers × blurs × samples) and solvers (stickers × blurs × 5 × samples).

    Blurring, sloping and sampling are done alike along rows and columns, so each is a matrix from
    a sticker's modules, and that of all stickers is a product."""
    wide = floats(np.pad(np.stack(patterns), ((0, 0), (2, 2), (2, 2)), constant_values=1.0))
    count = wide.shape[1]
    grid = sample_grid((len(patterns[0]) - 1) * PER_MODULE)
    x, y = grid
    even = _even(grid)
    drawn = floats(np.kron(np.eye(count), np.ones((FINE, 1))))
    at = _samples(len(drawn), round(len(x) ** 0.5))
    # As Sobel's kernel, which sums to 8.
    mean, slope = (floats(cv2.sepFilter2D(at, -1, floats(way), floats([1])))
                   for way in ([1, 2, 1], [1, 0, -1]))  # fmt: skip
    looks, solvers = [], []
    softened = [(blur, 1.0) for blur in BLURS] + [(WASHED_BLUR, WASHED_OUT)]
    for blur, full in softened:
        sigma = blur * FINE
        kernel = cv2.getGaussianKernel(round(8 * sigma + 1) | 1, sigma, cv2.CV_32F)
        soft = floats(cv2.sepFilter2D(drawn, -1, floats([1]), kernel))
        if full < 1:
            # The lens blurs, and only then the sensor is full.
            seen = np.minimum(soft @ wide @ soft.T, np.float32(full))
            plain, level_, steep = at, mean, slope
        else:
            seen = wide
            plain, level_, steep = at @ soft, mean @ soft, slope @ soft
        look, right, up = (
            floats(down @ seen @ across.T).reshape(len(wide), -1)
            for down, across in ((plain, plain), (level_, steep), (-steep, level_))
        )
        model = np.stack([look, right, up, x * up - y * right, x * right + y * up], axis=1)
        light = np.broadcast_to(even, (len(wide), *even.shape))
        whole = np.concatenate([model, light], axis=1).astype(np.float64)
        solvers.append(floats(np.linalg.solve(whole @ whole.transpose(0, 2, 1), whole)[:, :5]))
        looks.append(look)
    return floats(np.stack(looks, axis=1)), floats(np.stack(solvers, axis=1))


def _samples(length: int, side: int) -> Floats:
    """Weights of a line's px in its samples, which lie between them: side × length."""
    at = (length - 1) / 2 + (np.arange(side) - (side - 1) / 2) * (FINE / PER_MODULE)
    return floats(np.maximum(1 - np.abs(at[:, None] - np.arange(length)), 0))
