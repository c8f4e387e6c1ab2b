"""A touch panel that is not there, made by Linux's uinput in an emulated computer.

``finger.py WIDTH HEIGHT PIPE``: touches where each line of the pipe says, ``x y`` in px of the
panel from its upper left corner. Needs root and Python only.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import time
from pathlib import Path

# linux/uinput.h and linux/input-event-codes.h
SET_EVENT, SET_KEY, SET_AXIS, SET_PROPERTY = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
SETUP, AXIS_SETUP, CREATE = 0x405C5503, 0x401C5504, 0x5501
SYNC, KEY, AXIS = 0, 1, 3
TOUCH, X, Y, SLOT, MT_X, MT_Y, TRACKING = 0x14A, 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39
DIRECT = 1
HELD_S = 0.3


class Panel:
    """A touch panel of so many px."""

    def __init__(self, width: int, height: int) -> None:
        self._device, self._touches = os.open("/dev/uinput", os.O_WRONLY), 0
        for kind in (KEY, AXIS):
            fcntl.ioctl(self._device, SET_EVENT, kind)
        fcntl.ioctl(self._device, SET_KEY, TOUCH)
        fcntl.ioctl(self._device, SET_PROPERTY, DIRECT)
        most = {X: width - 1, Y: height - 1, MT_X: width - 1, MT_Y: height - 1}
        for axis, maximum in {**most, SLOT: 4, TRACKING: 65535}.items():
            fcntl.ioctl(self._device, SET_AXIS, axis)
            fcntl.ioctl(
                self._device, AXIS_SETUP, struct.pack("=H2x6i", axis, 0, 0, maximum, 0, 0, 0)
            )
        fcntl.ioctl(self._device, SETUP, struct.pack("=4H80sI", 3, 1, 1, 1, b"finger", 0))
        fcntl.ioctl(self._device, CREATE)

    def touch(self, x: int, y: int) -> None:
        """Touch a place and let go."""
        self._touches += 1
        self._tell((AXIS, SLOT, 0), (AXIS, TRACKING, self._touches), (AXIS, MT_X, x),
                   (AXIS, MT_Y, y), (KEY, TOUCH, 1), (AXIS, X, x), (AXIS, Y, y))  # fmt: skip
        time.sleep(HELD_S)
        self._tell((AXIS, SLOT, 0), (AXIS, TRACKING, -1), (KEY, TOUCH, 0))

    def _tell(self, *events: tuple[int, int, int]) -> None:
        for event in (*events, (SYNC, 0, 0)):
            os.write(self._device, struct.pack("=qqHHi", 0, 0, *event))


if __name__ == "__main__":
    panel = Panel(int(sys.argv[1]), int(sys.argv[2]))
    place = Path(sys.argv[3])
    os.mkfifo(place)
    # Whoever writes a line may go; the pipe stays open.
    with place.open(encoding="ascii") as pipe, place.open("w"):
        for line in pipe:
            panel.touch(*(int(word) for word in line.split()))
