"""Pictures for the documentation: none too large, and many small ones on one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

MOST_BYTES = 195_000
"""No picture of the documentation is larger."""

Picture = npt.NDArray[np.uint8]
"""Height × width × 3, blue-green-red."""


def as_file(picture: Picture, ending: str) -> bytes:
    """A picture as a file that ends with ``.png`` or ``.jpg``, as good as fits into ``MOST_BYTES``:
    with fewer tones, smaller, or of lower quality."""
    for coded in (_png if ending == ".png" else _jpeg)(picture):
        if len(coded) <= MOST_BYTES:
            break
    return coded


def coarser(picture: Picture) -> Iterator[Picture]:
    """A picture as a PNG may hold it without further loss: whole, with fewer tones, smaller."""
    for tones, part in ((0xFF, 1), (0xFE, 1), (0xFC, 1), (0xF8, 1), (0xF8, 0.75), (0xF8, 0.5)):
        small = cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        yield small.astype(np.uint8) & np.uint8(tones)


def _png(picture: Picture) -> Iterator[bytes]:
    for coarse in coarser(picture):
        yield cv2.imencode(".png", coarse, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()


def _jpeg(picture: Picture) -> Iterator[bytes]:
    for quality in (85, 75, 65, 55, 45, 38, 32, 26, 20):
        yield cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def read(coded: bytes) -> Picture:
    """The picture of a file."""
    decoded = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise ValueError("this is no picture")
    return decoded.astype(np.uint8)


def photographed(screen: Any) -> Picture:
    """Photograph of a screen in the off-screen window."""
    # Only now: the window must be set up before anything else of Kivy is imported.
    from companion.ui.picture import snapshot

    with tempfile.TemporaryDirectory() as folder:
        return read(snapshot(screen, Path(folder) / "shot.png").read_bytes())


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
