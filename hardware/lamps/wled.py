"""WLED behind a serial port: Adalight frames, with what it takes to keep in step.

After WLED's `wled_serial.cpp`. Between two frames WLED takes single bytes for commands: `v` asks
for its version, 0xB0 to 0xB7 change the baud rate. So when one byte of a frame is lost, the rest of
the next one is read as commands. Therefore

- no colour is sent whose byte is a command: the nearest other one looks the same; nor is a header
  with such a byte: a frame then covers a few more lamps, which WLED leaves out;
- every few seconds a `v` follows a frame, and a controller that leaves it unanswered is greeted
  again;
- the greeting begins with as many zeros as a frame cut in half can still want, which mean nothing
  to a WLED that wants none.
"""

from __future__ import annotations

import re
import threading
import time

from hardware.lamps.adalight import HEADER, AdalightStrip, header
from hardware.ports.serial_port import SerialPort
from hardware.status import DeviceSilent, Listener
from hardware.wiring import Wiring

ASK = b"v"
ASK_EVERY_S = 0.5
"""An ESP32 restarts when its port is opened, and hears nothing for a second or two."""
PATIENCE_S = 5.0
CHECK_EVERY_S = 5.0
ANSWER_WAIT_S = 2.0
MOST_HEARD = 256

COMMANDS = frozenset(b"AILOX^lov{\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xc9")


def connect(wiring: Wiring, tell: Listener) -> WledStrip:
    """The strip of the settings. Raises HardwareError."""
    lamps = wiring.settings.lamps
    port = wiring.take_port("lamps", lamps.port, tell)
    return WledStrip(port, tell, count=wiring.lamp_count(), baud=lamps.baud)


def _harmless() -> bytes:
    table = []
    for value in range(256):
        down = next((n for n in range(value, -1, -1) if n not in COMMANDS), 0)
        up = next((n for n in range(value, 256) if n not in COMMANDS), 255)
        table.append(down if value - down <= up - value else up)
    return bytes(table)


HARMLESS = _harmless()
"""Value of a colour to the nearest one that is not a command."""


def harmless_count(count: int) -> int:
    """The smallest number of lamps, from `count` up, whose header contains no command."""
    while COMMANDS.intersection(header(count)[3:]):
        count += 1
    return count


class WledStrip(AdalightStrip):
    """The strip as a lamp backend; `count` is its length.

    The controller is asked who it is, found again after it restarted or lost a byte, and reported
    when it is something else.
    """

    def __init__(
        self,
        url: str,
        listener: Listener,
        *,
        count: int,
        baud: int = 115200,
        first_wait_s: float = 0.25,
    ) -> None:
        # WLED leaves out lamps that its strip does not have.
        sent = harmless_count(count)
        self._wled = Wled(url, sent)
        super().__init__(
            url,
            listener,
            count=count,
            baud=baud,
            driver=self._wled,
            sent=sent,
            first_wait_s=first_wait_s,
        )

    def close(self) -> None:
        self._wled.hurry()
        super().close()


class Wled:
    """The driver. `count` is the number of lamps in a frame."""

    def __init__(self, url: str, count: int) -> None:
        self._url = url
        self._rest = bytes(3 * count + HEADER)
        self._heard = bytearray()
        self._changed = threading.Condition()
        self._answers = 0
        self._hurried = False
        self._asked_at: float | None = None
        self._next_ask = 0.0

    def greet(self, port: SerialPort) -> None:
        port.write(self._rest)
        with self._changed:
            self._heard.clear()
            before = self._answers
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not self._hurried:
            port.write(ASK)
            with self._changed:
                if self._changed.wait_for(
                    lambda: self._answers > before or self._hurried, ASK_EVERY_S
                ):
                    break
        if self._answers == before:
            raise DeviceSilent("no_answer", port=self._url, device="WLED controller")
        self._asked_at = None
        self._next_ask = time.monotonic() + CHECK_EVERY_S

    def send(self, port: SerialPort, value: bytes) -> None:
        now = time.monotonic()
        asking = False
        with self._changed:
            if self._asked_at is None and now >= self._next_ask:
                self._asked_at, self._next_ask, asking = now, now + CHECK_EVERY_S, True
            elif self._asked_at is not None and now - self._asked_at > ANSWER_WAIT_S:
                raise DeviceSilent("no_answer", port=self._url, device="WLED controller")
        frame = value[:HEADER] + value[HEADER:].translate(HARMLESS)
        port.write(frame + ASK if asking else frame)

    def received(self, data: bytes) -> None:
        with self._changed:
            self._heard += data
            found = list(re.finditer(rb"WLED [\x21-\x7e]+\r?\n", self._heard))
            if found:
                self._answers += len(found)
                self._asked_at = None
                del self._heard[: found[-1].end()]
                self._changed.notify_all()
            del self._heard[:-MOST_HEARD]

    def lost(self) -> None:
        self._asked_at = None

    def hurry(self) -> None:
        """Stops waiting for an answer, because everything is being closed."""
        with self._changed:
            self._hurried = True
            self._changed.notify_all()
