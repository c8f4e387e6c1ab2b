"""Bands that flickering lamps leave in pictures of a still table.

A rolling shutter exposes row after row, so light that swings twice as often as the mains makes
rows brighter and darker. The bands wander from picture to picture, while the table stays: at each
row the light swings, and how far is measured here. Bands that stand still cannot be told from the
table; over ten seconds they wander, since neither mains nor cameras keep time that well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats, floats
from vision.camera.frames import Frame

ROWS = 120
"""Rows that are compared; a picture has a few bands at most."""
THIN = 8
"""Of a full picture every so many columns are enough."""


def row_light(frame: Frame) -> Floats:
    """Brightness of ``ROWS`` rows of a frame, in shares of its mean."""
    grey = frame.image[:, ::THIN, 1] if frame.small is None else frame.small
    rows = grey.mean(axis=1, dtype=np.float64)
    some = rows[np.linspace(0, len(rows) - 1, ROWS).astype(int)]
    return floats(some / max(float(some.mean()), 1.0))


def banding(pictures: Sequence[Floats]) -> float:
    """Swing of the light of a row, as a share of its brightness: 0 in steady light.

    ``pictures``: ``row_light`` of frames with nothing moving, at least ten over some seconds.
    """
    swing = np.std(np.stack(pictures), axis=0)
    return float(np.sqrt(2.0) * np.median(swing))
