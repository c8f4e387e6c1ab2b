"""Crystalfontz CFA635 (20×4, six keys, four LEDs) and CFA631 (20×2, four keys) at USB.

Packets after the data sheets of both, "Host communications":
`type | length | data (22 bytes at most) | CRC-16/X-25, low byte first`. Bits 7 and 6 of the
type: 00 command, 01 reply, 10 report, 11 error; the others name the command.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hardware.displays.lettering import rom_of
from hardware.displays.score import LinkedDisplay, changed_span
from hardware.fittings import Fittings
from hardware.lamps.lamps import Frame
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.settings import USUAL, RigSettings, ScoreSettings
from hardware.status import DeviceRefused, DeviceSilent, Listener
from hardware.wiring import KeyListener, Wiring

PING = 0x00
VERSION = 0x01
CLEAR = 0x06
CURSOR_STYLE = 0x0C
CONTRAST = 0x0D
BACKLIGHT = 0x0E
KEY_REPORTING = 0x17
SEND_TEXT = 0x1F
SET_GPO = 0x22
KEY_REPORT = 0x80

MOST_DATA = 22
MOST_TEXT = 20
REPLY_WAIT_S = 0.25
"""The data sheet promises a reply within 250 ms."""
TRIES = 3

KEYS = ("up", "down", "left", "right", "enter", "exit")
"""Of the CFA635: key reports 1 to 6 are presses in this order, 7 to 12 releases."""
CORNER_KEYS = ("up", "enter", "down", "exit")
"""Of the CFA631, from the upper left to the lower right corner: key reports 13 to 16 are presses in
this order, 17 to 20 releases. The names are LCDproc's for the corners."""
KEY_REPORTS: Mapping[int, tuple[str, bool]] = {
    first + place: (key, pressed)
    for first, pressed, keys in (
        (1, True, KEYS), (7, False, KEYS), (13, True, CORNER_KEYS), (17, False, CORNER_KEYS)
    )
    for place, key in enumerate(keys)
}  # fmt: skip
"""Byte of a key report to the name of the key, and True if it went down."""
SIZES: Mapping[str, tuple[int, int]] = {"CFA631": (20, 2), "CFA635": (20, 4)}
"""Columns and rows, by what a display says it is."""
LED_GPOS = ((11, 12), (9, 10), (7, 8), (5, 6))
"""Green and red output of each LED of the CFA635, from the top one down."""
LED_COUNT = len(LED_GPOS)

ROM = rom_of(
    {
        "@": 0xA0, "$": 0xA2, "£": 0xA1, "¥": 0xA3, "[": 0xFA, "\\": 0xFB, "]": 0xFC, "{": 0xFD,
        "|": 0xFE, "}": 0xFF, "_": 0xC4, "§": 0x5F, "Ä": 0x5B, "Ö": 0x5C, "Ñ": 0x5D, "Ü": 0x5E,
        "ä": 0x7B, "ö": 0x7C, "ñ": 0x7D, "ü": 0x7E, "à": 0x7F, "ß": 0xBE, "è": 0xA4, "é": 0xA5,
        "ù": 0xA6, "ì": 0xA7, "ò": 0xA8, "Ç": 0xA9, "å": 0xAF, "Å": 0xAE, "É": 0xBF, "æ": 0xBD,
        "Æ": 0xBC, "↑": 0xDE, "→": 0xDF, "↓": 0xE0, "←": 0xE1, "■": 0xD6,
    },
    lost="@$[\\]^_`{|}~",
)  # fmt: skip
"""Data sheets of both, "Character Generator ROM" (KS0073-like)."""

CONTRAST_OF_MANUAL = 95
MOST_CONTRAST = 254


def fittings(rig: RigSettings) -> Fittings:
    """Six keys and four LEDs, or the four keys of a CFA631."""
    if rig.score.rows <= SIZES["CFA631"][1]:
        return Fittings(keys=CORNER_KEYS)
    return Fittings(keys=KEYS, lamps=LED_COUNT)


def connect(wiring: Wiring, tell: Listener) -> CrystalfontzDisplay:
    """The display of the settings. Raises HardwareError."""
    score = wiring.settings.score
    port = wiring.take_port("score", score.port, tell)
    return CrystalfontzDisplay(port, tell, score, on_key=wiring.on_key)


def _step(crc: int) -> int:
    for _ in range(8):
        crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc


CRC_STEPS = tuple(_step(byte) for byte in range(256))
"""CRC of each single byte. Rubbish needs a CRC at every byte, so it must not cost much."""


def crc16(data: bytes) -> int:
    """CRC-16/X-25: polynomial 0x8408 (reflected), start and final XOR 0xFFFF."""
    crc = 0xFFFF
    for byte in data:
        crc = (crc >> 8) ^ CRC_STEPS[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFF


def packet(kind: int, data: bytes = b"") -> bytes:
    """A whole packet. Raises ValueError when `data` is longer than a packet can hold."""
    if len(data) > MOST_DATA:
        raise ValueError(f"A packet holds {MOST_DATA} bytes of data, not {len(data)}.")
    body = bytes((kind, len(data))) + data
    return body + crc16(body).to_bytes(2, "little")


class PacketReader:
    """Finds packets in a stream of bytes. On a bad length or CRC it drops one byte and goes on."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """The packets, as type and data, that are complete with `data`."""
        self._buffer += data
        packets: list[tuple[int, bytes]] = []
        while len(self._buffer) >= 2:
            end = 2 + self._buffer[1] + 2
            if self._buffer[1] <= MOST_DATA and len(self._buffer) < end:
                break
            body, crc = bytes(self._buffer[: end - 2]), self._buffer[end - 2 : end]
            if self._buffer[1] > MOST_DATA or crc16(body) != int.from_bytes(crc, "little"):
                del self._buffer[0]
                continue
            packets.append((body[0], body[2:]))
            del self._buffer[:end]
        return packets

    def unstick(self) -> list[tuple[int, bytes]]:
        """Gives up on a packet that will not be completed; returns the packets hidden in it."""
        packets: list[tuple[int, bytes]] = []
        while self._buffer and not packets:
            del self._buffer[0]
            packets = self.feed(b"")
        return packets

    def forget(self) -> None:
        """Starts over, as after opening the port."""
        self._buffer.clear()


class CrystalfontzDisplay(LinkedDisplay):
    """A CFA635 (20 × 4, six keys) or CFA631 (20 × 2, four keys); two rows mean the latter. LED
    brightness is in percent."""

    rom = ROM

    def __init__(
        self,
        url: str,
        listener: Listener,
        score: ScoreSettings = USUAL,
        *,
        on_key: KeyListener | None = None,
        first_wait_s: float = 0.25,
    ) -> None:
        self.columns, self.rows = columns, rows = score.columns, score.rows
        contrast = min(score.contrast, MOST_CONTRAST) or CONTRAST_OF_MANUAL
        self.keys = KEYS if rows > 2 else CORNER_KEYS
        self.own_lamps = DisplayLamps(self) if rows > 2 else None
        blank = (b" " * columns,) * rows
        self._changing = threading.Lock()
        self._screen = _Screen(blank, ((0, 0),) * LED_COUNT, score.backlight, contrast)
        driver = _Packets(url, f"CFA{'635' if rows > 2 else '631'}", blank, on_key)
        self._link = Link(
            "score", url, driver, listener, baud=score.baud or 115200, first_wait_s=first_wait_s
        )
        self._link.put(self._screen)

    def show(self, lines: Sequence[str]) -> None:
        self._change(rows=self.letters(lines))

    def show_leds(self, leds: Sequence[tuple[int, int]]) -> None:
        """Green and red brightness (percent) of the LEDs of a CFA635, from the top one down."""
        if len(leds) != LED_COUNT or not all(0 <= part <= 100 for led in leds for part in led):
            raise ValueError(f"{LED_COUNT} pairs of percentages are needed, not {leds!r}.")
        self._change(leds=tuple(leds))

    def close(self) -> None:
        """Clears text and LEDs if the display can still be reached, and releases it."""
        self._change(leds=((0, 0),) * LED_COUNT)
        super().close()

    def _change(self, **parts: object) -> None:
        with self._changing:
            self._screen = replace(self._screen, **parts)  # type: ignore[arg-type]
            self._link.put(self._screen)


class DisplayLamps:
    """The LEDs of a CFA635 as a lamp backend: red and green only, blue counts as green."""

    count = LED_COUNT
    is_strip = False

    def __init__(self, display: CrystalfontzDisplay) -> None:
        self._display = display

    def show(self, frame: Frame) -> None:
        leds = [(0, 0)] * self.count
        for index, (red, green, blue) in enumerate(frame[: len(leds)]):
            leds[index] = (round(max(green, blue) / 2.55), round(red / 2.55))
        self._display.show_leds(leds)

    def close(self) -> None:
        """Nothing to release: the display belongs to the score."""


@dataclass(frozen=True, slots=True)
class _Screen:
    """All that the device shows."""

    rows: tuple[bytes, ...]
    leds: tuple[tuple[int, int], ...]
    backlight: int
    contrast: int


class _Packets:
    """The driver: every command is repeated until its reply has come."""

    def __init__(
        self, url: str, device: str, blank: tuple[bytes, ...], on_key: KeyListener | None
    ) -> None:
        self._url = url
        self._device = device
        self._blank = blank
        self._on_key = on_key
        self._shown: _Screen | None = None
        self._reading = threading.Lock()
        self._reader = PacketReader()
        self._replies: queue.Queue[tuple[int, bytes]] = queue.Queue(maxsize=64)
        self._down: set[str] = set()

    def greet(self, port: SerialPort) -> None:
        with self._reading:
            self._reader.forget()
        self._shown = None
        self._command(port, PING, b"")
        self._check_size(self._command(port, VERSION, b""))
        self._command(port, CURSOR_STYLE, b"\0")
        all_keys = b"\x3f" if len(self._blank) > 2 else b"\x0f"
        self._command(port, KEY_REPORTING, 2 * all_keys)
        self._command(port, CLEAR, b"")

    def send(self, port: SerialPort, value: _Screen) -> None:
        shown = self._shown
        if shown is None or shown.contrast != value.contrast:
            self._command(port, CONTRAST, bytes((value.contrast,)))
        if shown is None or shown.backlight != value.backlight:
            self._command(port, BACKLIGHT, bytes((value.backlight,)))
        old_rows = self._blank if shown is None else shown.rows
        for row, (old, new) in enumerate(zip(old_rows, value.rows, strict=True)):
            span = changed_span(old, new)
            if span is not None:
                start, end = span
                for column in range(start, end, MOST_TEXT):
                    text = new[column : min(end, column + MOST_TEXT)]
                    self._command(port, SEND_TEXT, bytes((column, row)) + text)
        if len(self._blank) > 2:
            self._send_leds(port, shown, value)
        self._shown = value

    def received(self, data: bytes) -> None:
        with self._reading:
            packets = self._reader.feed(data)
        self._take(packets)

    def lost(self) -> None:
        for key in sorted(self._down):
            self._key(key, False)

    def _send_leds(self, port: SerialPort, shown: _Screen | None, value: _Screen) -> None:
        old_leds: Sequence[tuple[int, int] | None]
        old_leds = [None] * len(value.leds) if shown is None else shown.leds
        for gpos, old, new in zip(LED_GPOS, old_leds, value.leds, strict=True):
            for place, gpo in enumerate(gpos):
                if old is None or old[place] != new[place]:
                    self._command(port, SET_GPO, bytes((gpo, new[place])))

    def _check_size(self, version: bytes) -> None:
        """Raises DeviceRefused when the display says that its size is not the one set."""
        model = version.partition(b":")[0].decode("ascii", "replace")
        columns, rows = SIZES.get(model, (0, 0))
        wanted = len(self._blank[0]), len(self._blank)
        if (columns, rows) != wanted and columns:
            raise DeviceRefused(
                "wrong_size",
                port=self._url,
                device=model,
                found=f"{columns} × {rows}",
                wanted=f"{wanted[0]} × {wanted[1]}",
            )

    def _command(self, port: SerialPort, command: int, data: bytes) -> bytes:
        """Sends a command; the data of its reply. Raises DeviceSilent or DeviceRefused."""
        for _ in range(self._replies.qsize()):
            self._replies.get()
        for _ in range(TRIES):
            port.write(packet(command, data))
            answer = self._answer_to(command)
            if answer is not None:
                return answer
            with self._reading:
                packets = self._reader.unstick()
            self._take(packets)
        raise DeviceSilent("no_answer", port=self._url, device=self._device)

    def _answer_to(self, command: int) -> bytes | None:
        # Replies to something else do not prolong the wait: they may never end.
        until = time.monotonic() + REPLY_WAIT_S
        while (left_s := until - time.monotonic()) > 0:
            try:
                reply, data = self._replies.get(timeout=left_s)
            except queue.Empty:
                break
            if reply == 0x40 | command:
                return data
            if reply == 0xC0 | command:
                raise DeviceRefused(
                    "refused", port=self._url, device=self._device, command=f"0x{command:02X}"
                )
        return None

    def _take(self, packets: list[tuple[int, bytes]]) -> None:
        for kind, data in packets:
            if kind & 0x40:
                # A device gone mad may send endless answers without being asked.
                with contextlib.suppress(queue.Full):
                    self._replies.put_nowait((kind, data))
            elif kind == KEY_REPORT and len(data) == 1 and data[0] in KEY_REPORTS:
                self._key(*KEY_REPORTS[data[0]])

    def _key(self, key: str, pressed: bool) -> None:
        if pressed:
            self._down.add(key)
        else:
            self._down.discard(key)
        if self._on_key is not None:
            self._on_key(key, pressed)
