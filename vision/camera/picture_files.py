"""Pictures in files, from anywhere: a small file may claim to be larger than any memory.

PNG and JPEG are asked before they are decoded. For all others OpenCV's own limit applies, which is
set to the same number if this package is loaded before OpenCV (``OPENCV_IO_MAX_IMAGE_PIXELS``).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Picture

MOST_BYTES = 200 << 20
"""Of a file; larger than any photograph."""
MOST_PIXELS = 120_000_000
"""Most pixels: more than any camera for a table has; 360 MB once it is decoded."""

_PNG = b"\x89PNG\r\n\x1a\n"


def decoded(data: bytes) -> Picture | None:
    """A picture file (height × width × 3, BGR); None if it is not one, or too large to be one."""
    if _claimed_pixels(data) > MOST_PIXELS:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        # Its way of refusing sizes it finds unreasonable, and an empty file.
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def _claimed_pixels(data: bytes) -> int:
    """Pixels that a PNG or JPEG says it has; 0 where it does not say, or is something else."""
    if data.startswith(_PNG):
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        return width * height
    if not data.startswith(b"\xff\xd8"):
        return 0
    # Segment after segment (ITU T.81, B.1): marker, length, content; frame headers are C0 to CF,
    # without the tables C4, C8 and CC.
    most, at = 0, data.find(b"\xff", 2)
    while 0 <= at < len(data) - 9:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = (int.from_bytes(data[at + k : at + k + 2], "big") for k in (5, 7))
            most = max(most, width * height)
        if marker == 0xDA:
            return most
        alone = marker in (0x00, 0x01, 0xFF) or 0xD0 <= marker <= 0xD8
        length = 1 if alone else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        at = data.find(b"\xff", at + length)
    return most
