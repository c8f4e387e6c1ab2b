"""Pictures for the documentation: none too large, and many small ones on one."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["Picture", "contact_sheet", "write_light", "write_png"]

MOST_BYTES = 195_000
"""No picture of the documentation is larger."""

Picture = npt.NDArray[np.uint8]
"""Height × width × 3, blue-green-red."""


def write_png(path: Path, picture: Picture) -> None:
    """Write a PNG picture; where it gets too large, with fewer tones."""
    for tones in (0xFF, 0xFE, 0xFC, 0xF8):
        coarse = (picture & tones).astype(np.uint8)
        _fine, coded = cv2.imencode(".png", coarse, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        if len(coded) <= MOST_BYTES:
            break
    path.write_bytes(coded.tobytes())


def write_light(path: Path, picture: Picture) -> None:
    """Write a JPEG picture, as good as fits into ``MOST_BYTES``."""
    for quality in (85, 75, 65, 55, 45, 38, 32):
        _fine, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(coded) <= MOST_BYTES:
            break
    path.write_bytes(coded.tobytes())


def contact_sheet(
    languages: list[list[Picture]], wide: int = 1080, gap: int = 8, across: int = 0
) -> Picture:
    """All pictures on one, small, one language below the other; ``across`` side by side."""
    rows, columns = languages[0][0].shape[:2]
    across = across or (5 if columns > rows else 8)
    width = (wide - gap) // across - gap
    height = round(rows * width / columns)
    lines = -(-len(languages[0]) // across)
    total = len(languages) * lines * (height + gap) + gap
    sheet = np.full((total, wide, 3), 70, np.uint8)
    for language, pictures in enumerate(languages):
        for number, picture in enumerate(pictures):
            small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
            top = gap + (language * lines + number // across) * (height + gap)
            left = gap + number % across * (width + gap)
            sheet[top : top + height, left : left + width] = small
    return sheet
