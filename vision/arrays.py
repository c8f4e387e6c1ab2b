"""Names for the arrays that go from module to module.

Pixels are (x, y) with the origin at the centre of the top left pixel, x to the right and y down.
Millimetres are the box's: origin at the board's centre, x right, y up, z above the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Picture: TypeAlias = npt.NDArray[np.uint8]
"""Colour picture, height × width × 3, blue-green-red."""

Grey: TypeAlias = npt.NDArray[np.uint8]
"""Grey picture, height × width."""

Mask: TypeAlias = npt.NDArray[np.uint8]
"""0 or 255 per pixel, height × width."""

Bools: TypeAlias = npt.NDArray[np.bool_]
"""True or false per pixel, height × width."""

Points: TypeAlias = npt.NDArray[np.float64]
"""n × 2 (px or mm in a plane) or n × 3 (mm in space)."""

Floats: TypeAlias = npt.NDArray[np.float32]

Planes: TypeAlias = npt.NDArray[np.float32]
"""The channels of a picture one after another: 3 × height × width, blue, green, red."""


def floats(values: Any) -> Floats:
    """``values`` as float32; OpenCV accepts nothing else for its maps."""
    return np.asarray(values, dtype=np.float32)


def points(values: Any, columns: int = 2) -> Points:
    """``values`` as an n × ``columns`` array of float64."""
    return np.asarray(values, dtype=np.float64).reshape(-1, columns)


def inner(a: Floats, b: Floats) -> Floats:
    """Inner product over the channels, which come first."""
    return floats(np.einsum("k...,k...->...", a, b))


def median(values: Sequence[float]) -> float:
    """The middle one of at least one value, of an even number the mean of both; of few values
    numpy's takes ten times as long."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return (ordered[half] + ordered[~half]) / 2


def middles(values: Floats) -> Floats:
    """The median along the last axis, of many values; numpy's own takes several times as long."""
    half, odd = divmod(values.shape[-1], 2)
    ordered = np.partition(values, half, axis=-1)
    upper = ordered[..., half]
    # For two places at once, partition takes twice as long.
    return floats(upper if odd else (ordered[..., :half].max(axis=-1) + upper) / 2)


def picked(planes: Floats, indices: npt.NDArray[np.intp]) -> Floats:
    """Some pixels (flat ``indices``, n) of k planes: k × n."""
    return floats(planes.reshape(len(planes), -1).take(indices, axis=1))
