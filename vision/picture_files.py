"""Pictures in files, from anywhere: a small file may claim to be larger than any memory.

For formats other than PNG OpenCV's own limit counts, which the command ``heelstone`` sets to the
same number before OpenCV is loaded (``OPENCV_IO_MAX_IMAGE_PIXELS``).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Picture

__all__ = ["MOST_BYTES", "MOST_PIXELS", "decoded"]

MOST_BYTES = 200 << 20
"""Of a file; larger than any photograph."""
MOST_PIXELS = 120_000_000
"""More than any camera for a table has; 360 MB once it is decoded."""

_PNG = b"\x89PNG\r\n\x1a\n"


def decoded(data: bytes) -> Picture | None:
    """A picture file (height × width × 3, BGR); None if it is none, or too large to be one."""
    if data.startswith(_PNG) and len(data) >= 24:
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        if width * height > MOST_PIXELS:
            return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        # Its way to refuse sizes it finds unreasonable, and an empty file.
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)
