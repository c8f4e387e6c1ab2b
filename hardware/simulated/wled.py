"""A simulated LED strip behind a controller with WLED, byte by byte as `wled_serial.cpp` reads."""

from __future__ import annotations

import time

from hardware.simulated.strip import FORGETS_AFTER_S, StripTwin

BAUDS = (115200, 230400, 460800, 500000, 576000, 921600, 1000000, 1500000)


class WledTwin(StripTwin):
    """A simulated WLED; bytes that come within `boot_s` seconds after power are lost.

    `obeyed` lists the single-byte commands; any but `v` is an error, since none was meant.
    """

    leaves_out_more = True

    def __init__(
        self, count: int, *, boot_s: float = 0.0, forgets_after_s: float = FORGETS_AFTER_S
    ) -> None:
        self.obeyed: list[int] = []
        self.boot_s = boot_s
        super().__init__(count, forgets_after_s=forgets_after_s)

    def boot(self) -> None:
        super().boot()
        self._up_at = time.monotonic() + self.boot_s
        self._data = bytearray()
        self._state = "A"
        self._left = 0
        self._check = 0
        self.baud = BAUDS[0]

    def take(self, data: bytes) -> None:
        for byte in data:
            if time.monotonic() >= self._up_at and self.baud == BAUDS[0]:
                self._byte(byte)

    def lose(self) -> None:
        """The next byte is lost on the wire."""
        self.errors.append("A byte was lost on purpose.")
        self._state = "lose " + self._state

    def _byte(self, byte: int) -> None:
        if self._state.startswith("lose "):
            self._state = self._state.removeprefix("lose ")
        elif self._state == "A":
            self._idle(byte)
        elif self._state in ("d", "a"):
            following = {"d": "a", "a": "high"}[self._state]
            self._state = following if byte == ord(self._state) else "A"
        elif self._state == "high":
            self._left, self._check, self._state = byte << 8, byte, "low"
        elif self._state == "low":
            self._left, self._check = self._left + byte + 1, self._check ^ byte ^ 0x55
            self._state = "check"
        elif self._state == "check":
            self._state = "data" if byte == self._check else "A"
            self._data.clear()
        else:
            self._data.append(byte)
            if len(self._data) == 3 * self._left:
                self.light(bytes(self._data))
                self._state = "A"

    def _idle(self, byte: int) -> None:
        if byte == ord("A"):
            self._state = "d"
        elif byte == ord("v"):
            self.obeyed.append(byte)
            self.send(b"WLED 2410140\r\n")
        elif byte in b"ILOX^lo{\xc9" or 0xB0 <= byte <= 0xB7:
            self.obeyed.append(byte)
            self.errors.append(f"Byte 0x{byte:02X} was taken for a command.")
            if byte >= 0xB0 and byte != 0xC9:
                self.baud = BAUDS[byte - 0xB0]
