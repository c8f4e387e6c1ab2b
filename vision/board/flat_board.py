"""Your own board under the camera: the places of its corner stickers, and the board from above.

Corner stickers of a known size were put around a board by hand; their distances are not known. Each
is a small square whose picture shrinks and leans with the whole board, so that one picture reveals
both the perspective and the places. Sixteen corners are explained by one homography, the four
middles and a small turn of each sticker (Levenberg-Marquardt, D. Marquardt 1963).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from rules.box import Box, Point
from vision.arrays import Picture, Points, floats, points
from vision.board.pose import BoardPose, NoBoard
from vision.camera.lens import Lens
from vision.stickers.reader import StickerReader

SMALLEST = 0.004
"""Smallest side of a sticker that is looked for, per long side of the picture."""
RIM_MM = 5.0
"""White rim of a sticker; how far the board reaches beyond its corner stickers."""
TURN_DOUBT = 0.05
"""About how far stickers put down by eye are turned, radians."""
ROUNDS = 60


def corner_stickers(image: Picture, box: Box) -> dict[int, Points]:
    """The corner stickers in a picture: id to its four corners in px. Raises NoBoard."""
    reader = StickerReader(box)
    ids = {corner.id for corner in box.corners}
    seen = reader.search(image, SMALLEST * max(image.shape[:2]))
    found = {s.id: reader.sharpen(image, s.corners) for s in seen if s.id in ids}
    missing = sorted(ids - set(found))
    if missing:
        raise NoBoard("corners_unseen", missing=missing, all=len(ids))
    return found


def measured_corners(
    seen: Mapping[int, Points], box: Box, size: tuple[int, int], lens: Lens | None = None
) -> dict[int, Point]:
    """Middles of the corner stickers in mm, the origin in the middle of them all.

    ``seen``: every sticker's four corners in px. ``size``: width and height of the picture in px.
    ``lens``: the camera's, if it is calibrated. Raises NoBoard if no board could have them lie so.
    """
    lens = lens or Lens.guess(*size)
    ids = [corner.id for corner in box.corners]
    half = np.array([corner.size / 2 for corner in box.corners])
    rays = np.stack([lens.rays(points(seen[i])) for i in ids])
    square = half[:, None, None] * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    sides = np.linalg.norm(np.roll(rays, -1, axis=1) - rays, axis=2)
    per_mm = float(sides.mean() / (2 * half.mean()))
    across = (rays[:, 1] - rays[:, 0] + rays[:, 2] - rays[:, 3]).sum(axis=0)
    c, s = across / np.linalg.norm(across)
    # Board to picture before any perspective: y is up on the board and down in the picture.
    linear = per_mm * np.array([[c, s], [s, -c]])
    middle = rays.mean(axis=(0, 1))
    centres = (rays.mean(axis=1) - middle) @ np.linalg.inv(linear).T
    values = np.concatenate([linear.ravel() / per_mm, middle / per_mm, [0.0, 0.0]])
    reach = float(np.abs(centres).max()) or 1.0
    values = np.concatenate([values, (centres / reach).ravel(), np.zeros(len(ids))])
    doubt = 0.3 / lens.focal

    def residuals(v: Points) -> Points:
        flat, shift, tilt = v[:4].reshape(2, 2) * per_mm, v[4:6] * per_mm, v[6:8] / reach
        places = v[8:16].reshape(4, 1, 2) * reach
        turn = np.stack([np.cos(v[16:]), -np.sin(v[16:]), np.sin(v[16:]), np.cos(v[16:])], axis=1)
        mm = places + square @ turn.reshape(-1, 2, 2).transpose(0, 2, 1)
        there = (mm @ flat.T + shift) / (1 + mm @ tilt)[..., None]
        pinned = v[8:16].reshape(4, 2).mean(axis=0) * 1e3
        return np.concatenate([((there - rays) / doubt).ravel(), pinned, v[16:] / TURN_DOUBT,
                               [v[16:].mean() * 1e4]])  # fmt: skip

    values = _fitted(residuals, values)
    worst = float(np.abs(residuals(values)[: rays.size]).max()) * doubt * lens.focal
    if worst > 0.004 * max(size):
        raise NoBoard("corners_do_not_fit", error=worst)
    places = values[8:16].reshape(4, 2) * reach
    rounded = [(round(float(x), 2), round(float(y), 2)) for x, y in places]
    return dict(zip(ids, rounded, strict=True))


def with_corners(box: Box, corners: Mapping[int, Point]) -> Box:
    """The box with its corner stickers at ``corners`` (mm), its board as large as they require."""
    moved = tuple(replace(c, at=corners.get(c.id, c.at)) for c in box.corners)
    reach = [c.size / 2 + RIM_MM for c in moved]
    width = 2 * max(abs(c.at[0]) + r for c, r in zip(moved, reach, strict=True))
    height = 2 * max(abs(c.at[1]) + r for c, r in zip(moved, reach, strict=True))
    return replace(box, corners=moved, size=(round(width, 1), round(height, 1)))


def flat_picture(image: Picture, pose: BoardPose, size: Point, px_per_mm: float = 2.0) -> Picture:
    """The board of ``size`` (mm) seen from straight above, blue-green-red."""
    wide, high = round(size[0] * px_per_mm), round(size[1] * px_per_mm)
    knots = 33
    x = (np.linspace(0, wide - 1, knots) + 0.5) / px_per_mm - size[0] / 2
    y = size[1] / 2 - (np.linspace(0, high - 1, knots) + 0.5) / px_per_mm
    mm_x, mm_y = np.meshgrid(x, y)
    px = pose.project(np.column_stack([mm_x.ravel(), mm_y.ravel()])).reshape(knots, knots, 2)
    u = np.linspace(0, knots - 1, wide, dtype=np.float32)
    v = np.linspace(0, knots - 1, high, dtype=np.float32)
    grid = cv2.remap(floats(px), *np.meshgrid(u, v), cv2.INTER_LINEAR)
    # A picture of twelve million pixels would alias; pixels are averaged before they are picked.
    shrink = pose.px_per_mm() / px_per_mm
    if shrink > 1.5:
        image = np.asarray(cv2.blur(image, (round(shrink), round(shrink))), dtype=np.uint8)
    return np.asarray(cv2.remap(image, floats(grid), None, cv2.INTER_LINEAR), dtype=np.uint8)  # type: ignore[call-overload]


def _fitted(residuals: object, values: Points) -> Points:
    """Levenberg-Marquardt with slopes by differences."""
    assert callable(residuals)
    now, damping = residuals(values), 1e-3
    for _ in range(ROUNDS):
        slope = np.empty((len(now), len(values)))
        for k in range(len(values)):
            there = values.copy()
            there[k] += 1e-6
            slope[:, k] = (residuals(there) - now) / 1e-6
        normal = slope.T @ slope
        normal[np.diag_indices(len(values))] *= 1 + damping
        step = np.linalg.lstsq(normal, -slope.T @ now, rcond=None)[0]
        then = residuals(values + step)
        if not float(then @ then) <= float(now @ now):
            damping *= 10
            if damping > 1e8:
                break
            continue
        damping = max(damping / 10, 1e-9)
        done = float(np.abs(step).max()) < 1e-7
        values, now = values + step, then
        if done:
            break
    return values
