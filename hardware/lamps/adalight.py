"""A strip behind a microcontroller that speaks Adalight, such as a FastLED sketch."""

from __future__ import annotations

from hardware.lamps.lamps import FRAME_GAP_S, REMIND_S, Frame
from hardware.ports.link import Driver, Link
from hardware.ports.serial_port import SerialPort
from hardware.status import Listener
from hardware.wiring import Wiring

HEADER = 6
"""Bytes before the colours of a frame."""
BITS_A_BYTE = 10
"""With start and stop bit."""
MOST_STRIP_LAMPS = 65536
"""The header counts lamps less one in two bytes."""


def connect(wiring: Wiring, tell: Listener) -> AdalightStrip:
    """The strip of the settings. Raises HardwareError."""
    lamps = wiring.settings.lamps
    port = wiring.take_port("lamps", lamps.port, tell)
    return AdalightStrip(port, tell, count=wiring.lamp_count(), baud=lamps.baud)


def adalight_frame(frame: Frame) -> bytes:
    """One frame in the Adalight format: "Ada", lamps less one (big endian), checksum, RGB.

    Raises ValueError for an empty frame, which the format cannot say.
    """
    if not 1 <= len(frame) <= MOST_STRIP_LAMPS:
        raise ValueError(f"Adalight can say 1 to {MOST_STRIP_LAMPS} lamps, not {len(frame)}.")
    return header(len(frame)) + bytes(part for pixel in frame for part in pixel)


def header(count: int) -> bytes:
    """The bytes that precede the colours of this many lamps."""
    high, low = divmod(count - 1, 256)
    return bytes((*b"Ada", high, low, high ^ low ^ 0x55))


class AdalightStrip:
    """The strip as a lamp backend; `count` is its length.

    `sent` is how many lamps each frame covers, if more are needed than the strip has. A frame
    is sent only when the one before it has left a port of `baud` bits per second, or what is shown
    would lag behind.
    """

    is_strip = True

    def __init__(
        self,
        url: str,
        listener: Listener,
        *,
        count: int,
        baud: int = 115200,
        driver: Driver[bytes] | None = None,
        sent: int = 0,
        first_wait_s: float = 0.25,
    ) -> None:
        self.count = count
        self._sent = sent or count
        frame_s = (HEADER + 3 * self._sent) * BITS_A_BYTE / baud
        self._link: Link[bytes] = Link(
            "strip",
            url,
            driver or _Adalight(),
            listener,
            baud=baud,
            min_gap_s=max(FRAME_GAP_S, frame_s),
            keepalive_s=REMIND_S,
            first_wait_s=first_wait_s,
        )

    def show(self, frame: Frame) -> None:
        more = ((0, 0, 0),) * (self._sent - len(frame))
        self._link.put(adalight_frame(frame + more))

    def close(self) -> None:
        self._link.close()


class _Adalight:
    """The driver. It does not wait for the banner "Ada": opening the port may flush it."""

    def greet(self, port: SerialPort) -> None:
        pass

    def send(self, port: SerialPort, value: bytes) -> None:
        # The controller may take stray bytes for commands, so a frame leaves in one piece.
        port.write(value)

    def received(self, data: bytes) -> None:
        pass

    def lost(self) -> None:
        pass
