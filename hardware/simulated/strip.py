"""The common part of simulated strips behind a microcontroller: lamps that forget."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.simulated.picture import Picture, strip_picture
from hardware.simulated.pty import PtyTwin

Pixel = tuple[int, int, int]

FORGETS_AFTER_S = 2.5
"""Seconds after the last frame until WLED leaves realtime mode and the strip goes dark."""


class StripTwin(PtyTwin):
    """A strip of `count` lamps. `frames` counts valid frames since the twin was made."""

    leaves_out_more = False
    """True if the controller takes frames for a longer strip."""

    def __init__(self, count: int, *, forgets_after_s: float = FORGETS_AFTER_S) -> None:
        self.count = count
        self.frames = 0
        self.frame_times: list[float] = []
        self._forgets_after_s = forgets_after_s
        self.clock: Callable[[], float] = time.monotonic
        """Seconds; may be replaced by tests."""
        super().__init__()

    def boot(self) -> None:
        self._pixels: list[Pixel] = [(0, 0, 0)] * self.count
        self._last_frame = float("-inf")
        self.send(b"Ada\n")

    @property
    def pixels(self) -> list[Pixel]:
        """Red, green and blue of each lamp, 0 to 255; dark when no frame has come for long."""
        with self._news:
            if self.clock() - self._last_frame > self._forgets_after_s:
                return [(0, 0, 0)] * self.count
            return list(self._pixels)

    @property
    def picture(self) -> Picture:
        """The strip as it shines."""
        return strip_picture(self.pixels)

    def rows(self) -> list[str]:
        """The strip in one line of text: a letter for each lamp by its strongest colour."""
        return ["".join(_letter(pixel) for pixel in self.pixels)]

    def light(self, data: bytes) -> None:
        """A whole frame has come: red, green and blue of each lamp."""
        count = len(data) // 3
        if count < self.count or (count > self.count and not self.leaves_out_more):
            self.errors.append(f"A frame of {count} lamps came; the strip has {self.count}.")
        for index in range(min(count, self.count)):
            red, green, blue = data[3 * index : 3 * index + 3]
            self._pixels[index] = (red, green, blue)
        self.frames += 1
        self._last_frame = self.clock()
        self.frame_times.append(self._last_frame)
        del self.frame_times[:-1000]


def _letter(pixel: Pixel) -> str:
    if not any(pixel):
        return "."
    red, green, blue = (part * 2 > max(pixel) for part in pixel)
    return {
        (True, False, False): "R",
        (False, True, False): "G",
        (False, False, True): "B",
        (True, True, False): "Y",
        (True, False, True): "M",
        (False, True, True): "C",
    }.get((red, green, blue), "W")


class AdalightTwin(StripTwin):
    """A simulated strip that speaks Adalight only, and names every byte outside a frame."""

    def boot(self) -> None:
        super().boot()
        self._wire = bytearray()

    def take(self, data: bytes) -> None:
        self._wire += data
        while self._wire:
            if not b"Ada".startswith(self._wire[:3]):
                self._skip("no frame begins so")
                continue
            if len(self._wire) < 6:
                return
            high, low, check = self._wire[3:6]
            if check != high ^ low ^ 0x55:
                self._skip("wrong checksum in the header")
                continue
            end = 6 + 3 * ((high << 8 | low) + 1)
            if len(self._wire) < end:
                return
            self.light(bytes(self._wire[6:end]))
            del self._wire[:end]

    def _skip(self, reason: str) -> None:
        self.errors.append(f"Byte 0x{self._wire[0]:02X} was skipped: {reason}.")
        del self._wire[0]
