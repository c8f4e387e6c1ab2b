"""The picture of fanned cards, with what counts drawn in."""

from __future__ import annotations

import cv2
import numpy as np

from companion.camera.fanned import Fanned, Phase
from vision.arrays import Picture, Points

__all__ = ["fan_picture"]

COUNTS, LEFT_OUT, UNREAD = (60, 200, 250), (150, 150, 150), (70, 70, 235)
"""Blue, green, red."""
GROWN = 1.45
"""Outlines are so much larger than the black of a sticker."""


def fan_picture(fanned: Fanned, longest_px: int = 960) -> Picture | None:
    """The picture small enough for a screen; a frame around each card that counts, a thin grey one
    around what does not, and a cross where something cannot be read. None without a picture."""
    if fanned.picture is None:
        return None
    height, width = fanned.picture.shape[:2]
    scale = min(longest_px / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    drawn: Picture = np.asarray(
        cv2.resize(fanned.picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    stroke = max(round(max(size) / 240), 1)
    for card in fanned.cards:
        colour, thick = (COUNTS, stroke) if card.counts else (LEFT_OUT, max(stroke // 2, 1))
        _frame(drawn, card.corners * scale, colour, thick)
    if fanned.phase is not Phase.CLEARING:
        for outline in fanned.unread:
            first, second, third, fourth = np.round(outline * scale).astype(int).tolist()
            cv2.line(drawn, first, third, UNREAD, stroke, cv2.LINE_AA)
            cv2.line(drawn, second, fourth, UNREAD, stroke, cv2.LINE_AA)
    return drawn


def _frame(image: Picture, corners: Points, colour: tuple[int, int, int], thick: int) -> None:
    middle = corners.mean(axis=0)
    grown = np.round(middle + GROWN * (corners - middle)).astype(np.int32)
    cv2.polylines(image, [grown], True, colour, thick, cv2.LINE_AA)
