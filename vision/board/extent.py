"""How far the board reaches on the rectangle that its corner stickers span.

Stickers of a board of one's own may lie beside it; then table shows between them and the board.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Points, points

__all__ = ["within_rim"]

Places: TypeAlias = npt.NDArray[np.floating[Any]]


def within_rim(box: Box, x: Places, y: Places) -> Points:
    """How far within the board's rim points lie, mm; negative beside it.

    ``x``, ``y``: mm, of shapes that go together (``numpy.broadcast``), which the answer has too.
    """
    rim = points(box.rim)
    depth: Points = np.full(np.broadcast(x, y).shape, np.inf)
    for (ax, ay), (bx, by) in zip(rim, np.roll(rim, -1, axis=0), strict=True):
        along = np.hypot(bx - ax, by - ay)
        # The corners run clockwise: the board is on the right of each side.
        np.minimum(depth, ((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / along, out=depth)
    return depth
