"""Stickers half in the shade, or with a lamp's reflection on a part of them.

Light that changes evenly over a sticker is simple to take out. An edge of a shade is not: across
it, white in the shade may be darker than black in the light, and below a reflection everything is
white. So the sticker is cut in two along a straight line, each part has a light of its own, and the
cut that suits a sticker best counts. That helps every sticker alike: what is believed is how
much less one leaves unexplained than all others do.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vision.arrays import Floats, floats
from vision.stickers.blurred import sample_grid

__all__ = ["explained"]

WAYS = 6
"""Directions in which a sticker is cut,"""
OFFSETS = (-0.3, -0.15, 0.0, 0.15, 0.3)
"""and how far from its middle, in sides: a part is at least a fifth."""


def explained(seen: Floats, looks: Floats) -> tuple[Floats, Floats]:
    """What some stickers explain of what is ``seen`` (samples), each with the cut that suits it.

    ``looks``: what they would look like, n × samples of a square grid. Returns how much each leaves
    unexplained (n, squared grey levels), and its correlation with what is seen within both parts
    (n): 1 is perfect.
    """
    parts = _parts(round(len(seen) ** 0.5))
    count = parts.sum(axis=1)
    mean_seen, mean_look = parts @ seen / count, looks @ parts.T / count
    varied = parts @ seen**2 - count * mean_seen**2
    square = looks**2 @ parts.T - count * mean_look**2
    both = (looks * seen) @ parts.T - count * mean_look * mean_seen
    # Light never makes white of black.
    told = np.maximum(both, 0) ** 2 / np.maximum(square, 1e-6)
    half = len(parts) // 2
    told, varied = told[:, :half] + told[:, half:], varied[:half] + varied[half:]
    rest = np.maximum(varied - told, 0)
    best = rest.argmin(axis=1)
    rows = np.arange(len(looks))
    share = told[rows, best] / np.maximum(varied[best], 1e-6)
    return floats(rest[rows, best]), floats(np.sqrt(np.clip(share, 0, 1)))


@lru_cache(maxsize=4)
def _parts(side: int) -> Floats:
    """Cuts × samples, 1 in the one part and 0 in the other; then the other parts."""
    grid = sample_grid(side)
    grid = grid / np.abs(grid).max() / 2
    turns = np.arange(WAYS) * (np.pi / WAYS)
    across = np.stack([np.cos(turns), np.sin(turns)], axis=1) @ grid
    first = np.concatenate([across > offset for offset in OFFSETS])
    return floats(np.concatenate([first, ~first]))
