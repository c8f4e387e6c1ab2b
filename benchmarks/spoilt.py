"""Faults of pictures that a camera over a table would show: blur, noise, light."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import cv2
import numpy as np

from vision.arrays import Floats, Picture, floats

Spoil: TypeAlias = Callable[[Floats], Floats]


def _half_shade(picture: Floats) -> Floats:
    """The edge of a shade that takes 0.7 of the light, across the picture."""
    high, wide = picture.shape[:2]
    y, x = np.mgrid[:high, :wide]
    lit = np.clip((np.sin((x + 0.5 * y) / 23) + 0.1) * 4, 0, 1)
    return floats(picture * (0.3 + 0.7 * lit[..., None]))


def _pressed(picture: Floats) -> Floats:
    """The picture as JPEG of quality 30."""
    plain = np.asarray(picture, dtype=np.uint8)
    _, data = cv2.imencode(".jpg", plain, [cv2.IMWRITE_JPEG_QUALITY, 30])
    return floats(cv2.imdecode(data, cv2.IMREAD_COLOR))


SPOILS: Mapping[str, Spoil] = {
    "as it is": lambda picture: picture,
    "blur of 1 px": lambda picture: floats(cv2.GaussianBlur(picture, (0, 0), 1.0)),
    "blur of 1.5 px": lambda picture: floats(cv2.GaussianBlur(picture, (0, 0), 1.5)),
    "motion of 4 px": lambda picture: floats(cv2.blur(picture, (4, 1))),
    "JPEG at 30": _pressed,
    "sharpening halos": lambda picture: floats(
        2.5 * picture - 1.5 * cv2.GaussianBlur(picture, (0, 0), 1.0)
    ),
    "noise of 14": lambda picture: floats(
        picture + np.random.default_rng(1).normal(0, 14, picture.shape)
    ),
    "a quarter of the light": lambda picture: floats(picture * 0.5),
    "twice the light": lambda picture: floats(picture * 1.4),
    "veil": lambda picture: floats(picture * 0.6 + 100),
    "edges of shade": _half_shade,
}
"""Faults of a picture, by grey levels; light goes with their square."""


def spoilt(picture: Picture, spoil: Spoil) -> Picture:
    """The picture with one of the ``SPOILS``."""
    return np.asarray(np.clip(spoil(floats(picture)), 0, 255), dtype=np.uint8)
