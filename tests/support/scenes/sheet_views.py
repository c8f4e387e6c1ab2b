"""Pictures of the calibration sheet through a known lens, for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np

from vision.arrays import Floats, Grey, Picture, floats, points
from vision.camera.calibration import draw_sheet
from vision.camera.lens import Lens

PX_PER_MM = 6.0

STRONG = Lens((960, 720), 525.0, -0.28, (11.0, -7.0), (0.10, -0.01))
"""A cheap wide lens, 85° across: the picture's corners are bent inwards by 80 px."""


@cache
def _sheet() -> Grey:
    # Softened, for the views are smaller than the drawing.
    return np.asarray(cv2.GaussianBlur(draw_sheet(PX_PER_MM), (0, 0), 1.2), dtype=np.uint8)


@cache
def _rays(lens: Lens) -> Floats:
    """Directions of all pixels, n × 3."""
    width, height = lens.size
    down, across = np.mgrid[0:height, 0:width]
    rays = lens.rays(points(np.column_stack([across.ravel(), down.ravel()])))
    return floats(np.column_stack([rays, np.ones(len(rays))]))


def view(
    lens: Lens, turn: tuple[float, float, float], at_mm: tuple[float, float, float],
    blur_px: float = 0.6, seed: int = 0,
) -> Picture:  # fmt: skip
    """Camera's picture of the sheet. ``turn``: rotation vector; ``at_mm``: its middle before the
    camera, x right, y down, z away."""
    width, height = lens.size
    rotation = np.asarray(cv2.Rodrigues(np.array(turn, dtype=np.float64))[0])
    lines = _rays(lens) @ floats(rotation)
    eye = floats(-rotation.T @ np.array(at_mm))
    reach = -eye[2] / lines[:, 2]
    spots = (eye[:2] + reach[:, None] * lines[:, :2]) * PX_PER_MM
    tall, wide = _sheet().shape
    spots += floats([wide / 2 - 0.5, tall / 2 - 0.5])
    seen = cv2.remap(
        _sheet(), floats(spots.reshape(height, width, 2)), None, cv2.INTER_LINEAR, borderValue=90
    )  # type: ignore[call-overload]
    soft = cv2.GaussianBlur(floats(seen), (0, 0), blur_px)
    noise = np.random.default_rng(seed).standard_normal(soft.shape, dtype=np.float32)
    grey = np.clip(0.8 * soft + 20 + 2 * noise, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


SLANTS = ((0.0, 0.0), (0.45, 0.0), (-0.4, 0.1), (0.0, 0.45), (0.1, -0.45))


def good_views(lens: Lens) -> Iterator[Picture]:
    """Eighteen views as a careful person would take them."""
    reach_x, reach_y = 0.62 * lens.size[0] / lens.focal, 0.58 * lens.size[1] / lens.focal
    for number in range(18):
        column, row = number % 3 - 1, number // 3 % 3 - 1
        away = 380.0 + 55 * (number % 4)
        x, y = column * reach_x * away / 2, row * reach_y * away / 2
        slant = SLANTS[number % len(SLANTS)]
        yield view(lens, (*slant, 0.3 * (number % 5) - 0.6), (x, y, away), seed=number)
