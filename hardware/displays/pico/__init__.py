"""Our firmware on a Raspberry Pi Pico at USB: text up to 40×2 or digits, lamps, two buttons.

The firmware is `hardware/firmware/pico/main.py`; the protocol is described in docs/devices.md.
Lines of printable characters: `$seq,verb,arguments*CRC`, each answered with the same number.
"""

from __future__ import annotations

import binascii
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hardware.displays.lettering import HD44780_A00_ROM, fit
from hardware.displays.score import LinkedDisplay
from hardware.displays.segments import Digits, digit_text
from hardware.fittings import Fittings
from hardware.lamps.lamps import FRAME_GAP_S, Frame
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.settings import DisplayOptions, RigSettings
from hardware.status import DeviceRefused, DeviceSilent, HardwareError, Listener, Report
from hardware.wiring import KeyListener, Wiring

DisplayKind = Literal["lcd", "tm1637", "max7219", "none"]

BUTTONS = ("button1", "button2")
NAME = "heelstone-pico"
PROTOCOL = "1"
MOST_LAMPS = 100
MOST_LINE = 720
"""Longest line; a device that never ends one is not listened to any longer."""
REPLY_WAIT_S = 0.3
TRIES = 3
KEEPALIVE_S = 1.0
IDLE_MS = 5000
"""The Pico goes dark by itself when it has heard nothing for this long."""
LOOK_AGAIN_S = 5.0
"""Seconds between attempts to find a display that the Pico did not find."""
DOT = 0x80
DIGITS: Mapping[str, Digits] = {
    # The one extra light of a TM1637 module is its colon, wired as the second dot.
    "tm1637": Digits(4, colon=True, dots=False),
    "max7219": Digits(8),
}
WINK_EVERY_S = 4.0
WINK_S = 1.0
"""Digits without dots show whose turn it is by going out, every 4 s for about one."""


def fittings(rig: RigSettings) -> Fittings:
    """Two buttons, and as many lamps as are set."""
    return Fittings(keys=BUTTONS, lamps=rig.lamps.count, most_lamps=MOST_LAMPS)


class Options(DisplayOptions, frozen=True):
    """The display at the Pico."""

    display: DisplayKind = "lcd"
    """A character display, four digits, eight digits, or none."""


def connect(wiring: Wiring, tell: Listener) -> PicoTable:
    """The Pico of the settings. Raises HardwareError."""
    score, lamps = wiring.settings.score, wiring.settings.lamps
    port = wiring.take_port("score", score.port, tell)
    strip = lamps.count if lamps.kind == "display" else 0
    if strip > MOST_LAMPS:
        raise HardwareError("too_many_lamps", count=strip, most=MOST_LAMPS)
    return PicoTable(
        port,
        tell,
        display=wiring.options(Options).display,
        columns=score.columns,
        rows=score.rows,
        lamps=strip,
        on_key=wiring.on_key,
    )


def line(number: int, *fields: str) -> bytes:
    """A whole line: `number` is 0 to 255, the fields printable and without "," "*" and "$"."""
    body = ",".join((f"{number:02X}", *fields)).encode("ascii")
    return b"$%s*%04X\n" % (body, binascii.crc_hqx(body, 0xFFFF))


class LineReader:
    """Finds lines in a stream of bytes."""

    def __init__(self) -> None:
        self._line: bytearray | None = None

    def feed(self, data: bytes) -> list[list[str]]:
        """The fields of each line that is complete with `data`."""
        found = []
        for byte in data:
            if byte == ord("$"):
                self._line = bytearray()
            elif self._line is None:
                continue
            elif byte == ord("\n"):
                body, star, crc = bytes(self._line).rstrip(b"\r").rpartition(b"*")
                if star and crc == b"%04X" % binascii.crc_hqx(body, 0xFFFF):
                    found.append(body.decode("ascii", "replace").split(","))
                self._line = None
            elif len(self._line) >= MOST_LINE:
                self._line = None
            else:
                self._line.append(byte)
        return found

    def forget(self) -> None:
        """Gives up on a line that has begun."""
        self._line = None


class PicoTable(LinkedDisplay):
    """The score display of a Pico, and through `show_lamps` and `on_key` its lamps and buttons.

    `display` says what is connected: "lcd" (HD44780 behind I²C, `columns` × `rows`), "tm1637"
    (four digits), "max7219" (eight digits) or "none". `lamps` is the length of the strip.
    """

    keys = BUTTONS
    rom = HD44780_A00_ROM

    def __init__(
        self,
        url: str,
        listener: Listener,
        *,
        display: DisplayKind = "lcd",
        columns: int = 16,
        rows: int = 2,
        lamps: int = 0,
        on_key: KeyListener | None = None,
        idle_ms: int = IDLE_MS,
        keepalive_s: float = KEEPALIVE_S,
        first_wait_s: float = 0.25,
    ) -> None:
        if not 0 <= lamps <= MOST_LAMPS:
            raise ValueError(f"A Pico lights 0 to {MOST_LAMPS} lamps, not {lamps}.")
        self.digits = DIGITS.get(display)
        if self.digits is not None:
            columns, rows = self.digits.places, 1
        elif display == "none":
            columns, rows = 0, 0
        self.columns = columns
        self.rows = rows
        self.lamp_count = lamps
        self.own_lamps = PicoLamps(self)
        setup = ("S", display, str(columns), str(rows), str(lamps), str(idle_ms))
        self._changing = threading.Lock()
        self._scene = _Scene(*self._scene_of(()), ((0, 0, 0),) * lamps)
        self._link: Link[_Scene] = Link(
            "pico",
            url,
            _Lines(url, setup, on_key),
            listener,
            min_gap_s=FRAME_GAP_S,
            keepalive_s=keepalive_s,
            first_wait_s=first_wait_s,
        )
        self._link.put(self._scene)

    def show(self, lines: Sequence[str]) -> None:
        rows, winking = self._scene_of(lines)
        self._change(rows=rows, winking=winking)

    def show_lamps(self, frame: Frame) -> None:
        """Red, green and blue of each lamp; a frame of another length is cut or filled up."""
        dark = ((0, 0, 0),) * (self.lamp_count - len(frame))
        self._change(lamps=(frame + dark)[: self.lamp_count])

    def close(self) -> None:
        """Clears text and lamps if the Pico can still be reached, and releases it."""
        self._change(lamps=((0, 0, 0),) * self.lamp_count)
        super().close()

    def _scene_of(self, lines: Sequence[str]) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        """The rows, and what is shown when the digits of the player whose turn it is wink."""
        if self.digits is None:
            fitted = fit(lines, self.columns, self.rows, HD44780_A00_ROM)
            rows = tuple(HD44780_A00_ROM.encode(row) for row in fitted)
            return rows, rows
        text = digit_text(lines[0] if lines else "", self.digits.places, colon=self.digits.colon)
        masks = bytearray(text.segments)
        if self.digits.dots:
            for place in text.dots:
                masks[place] |= DOT
        winking = bytearray(masks)
        if not self.digits.dots and text.colon:
            for place in text.dots:
                winking[place - 1 : place + 1] = b"\0\0"
        if text.colon:
            masks[1] |= DOT
            winking[1] |= DOT
        return (bytes(masks),), (bytes(winking),)

    def _change(self, **parts: object) -> None:
        with self._changing:
            self._scene = replace(self._scene, **parts)  # type: ignore[arg-type]
            self._link.put(self._scene)


class PicoLamps:
    """The strip at a Pico as a lamp backend."""

    is_strip = True

    def __init__(self, table: PicoTable) -> None:
        self.count = table.lamp_count
        self._table = table

    def show(self, frame: Frame) -> None:
        self._table.show_lamps(frame)

    def close(self) -> None:
        """Nothing to release: the Pico belongs to the score."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """All that the Pico shows."""

    rows: tuple[bytes, ...]
    winking: tuple[bytes, ...]
    """Rows shown instead for a moment now and then; mostly the same."""
    lamps: Frame


class _SetUpAnew(Exception):
    """The Pico has rested or restarted, and what it shows is no longer known."""


class _Lines:
    """The driver: every line is repeated until its answer has come."""

    def __init__(self, url: str, setup: tuple[str, ...], on_key: KeyListener | None) -> None:
        self._url = url
        self._setup = setup
        self._on_key = on_key
        self._number = 0
        self._shown: _Scene | None = None
        self._trouble: Report | None = None
        self._look_again_at_s = 0.0
        self._asked_rows: tuple[bytes, ...] = ()
        self._asked_at_s = 0.0
        self._reading = threading.Lock()
        self._reader = LineReader()
        self._heard = b""
        self._answers: queue.Queue[tuple[int, list[str]]] = queue.Queue(maxsize=64)
        self._down: set[str] = set()

    def greet(self, port: SerialPort) -> Report | None:
        with self._reading:
            self._reader.forget()
            self._heard = b""
        name = self._ask(port, "V")
        if name[:2] != [NAME, PROTOCOL]:
            raise DeviceSilent("no_answer", port=self._url, device="Pico with our firmware")
        self._set_up(port)
        return self._trouble

    def send(self, port: SerialPort, value: _Scene) -> Report | None:
        if self._trouble is not None and time.monotonic() >= self._look_again_at_s:
            self._set_up(port)
        for _ in range(2):
            try:
                self._send(port, value)
                return self._trouble
            except _SetUpAnew:
                self._set_up(port)
        raise DeviceRefused("refused", port=self._url, device="Pico", command="S")

    def _set_up(self, port: SerialPort) -> None:
        """Says what is connected; without its display the Pico still has lamps and buttons."""
        self._shown, self._trouble = None, None
        try:
            self._ask(port, *self._setup)
        except DeviceRefused as error:
            if error.report.code != "no_pico_display":
                raise
            self._trouble = error.report
            self._look_again_at_s = time.monotonic() + LOOK_AGAIN_S
            self._ask(port, "S", "none", "0", "0", *self._setup[4:])

    def received(self, data: bytes) -> None:
        with self._reading:
            lines = self._reader.feed(data)
            self._heard = (self._heard + data)[-MOST_LINE:]
        for fields in lines:
            if len(fields) == 4 and fields[:2] == ["00", "B"]:
                self._key(fields[2], fields[3])
            elif len(fields) >= 2 and fields[1] in ("A", "E"):
                try:
                    self._answers.put_nowait((int(fields[0], 16), fields[1:]))
                except (queue.Full, ValueError):
                    continue

    def lost(self) -> None:
        for name in sorted(self._down):
            self._down.discard(name)
            if self._on_key is not None:
                self._on_key(name, False)

    def _send(self, port: SerialPort, value: _Scene) -> None:
        shown = self._shown
        sent = False
        if value.winking != value.rows:
            now = time.monotonic()
            if value.rows != self._asked_rows:
                self._asked_rows, self._asked_at_s = value.rows, now
            if (now - self._asked_at_s) % WINK_EVERY_S >= WINK_EVERY_S - WINK_S:
                value = replace(value, rows=value.winking)
        for row, data in enumerate(value.rows if self._trouble is None else ()):
            if shown is None or shown.rows[row] != data:
                self._ask(port, "T", str(row), data.hex())
                sent = True
        if value.lamps and (shown is None or shown.lamps != value.lamps):
            self._ask(port, "L", bytes(part for pixel in value.lamps for part in pixel).hex())
            sent = True
        if not sent:
            self._ask(port, "K")
        self._shown = value

    def _ask(self, port: SerialPort, *fields: str) -> list[str]:
        """Sends a line and returns what the answer says. Raises DeviceSilent or DeviceRefused."""
        for _ in range(TRIES):
            # A new number for each try, so that a late answer is not taken for a later one.
            self._number = self._number % 255 + 1
            for _ in range(self._answers.qsize()):
                self._answers.get()
            port.write(line(self._number, *fields))
            answer = self._answered()
            if answer is None:
                continue
            if answer[0] == "A":
                return answer[1:]
            if answer[1:] == ["setup"] and fields[0] not in "VS":
                raise _SetUpAnew
            if answer[1:] == ["display"]:
                raise DeviceRefused("no_pico_display", port=self._url)
            raise DeviceRefused("refused", port=self._url, device="Pico", command=fields[0])
        with self._reading:
            echoed = line(self._number, *fields).strip() in self._heard
        if echoed:
            raise DeviceSilent("no_firmware", port=self._url)
        raise DeviceSilent("no_answer", port=self._url, device="Pico with our firmware")

    def _answered(self) -> list[str] | None:
        # Answers to something else do not prolong the wait: they may never end.
        until = time.monotonic() + REPLY_WAIT_S
        while (left_s := until - time.monotonic()) > 0:
            try:
                number, answer = self._answers.get(timeout=left_s)
            except queue.Empty:
                break
            if number == self._number:
                return answer
        return None

    def _key(self, number: str, state: str) -> None:
        if number not in ("1", "2") or state not in ("0", "1"):
            return
        name, pressed = BUTTONS[int(number) - 1], state == "1"
        if pressed:
            self._down.add(name)
        else:
            self._down.discard(name)
        if self._on_key is not None:
            self._on_key(name, pressed)
