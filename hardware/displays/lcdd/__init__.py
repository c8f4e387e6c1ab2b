"""LCDproc's display server ``LCDd``, over TCP: every display it has a driver for, of any size.

The dialogue after the LCDproc developer's guide, "Client-server protocol": lines of text over TCP,
each answered with "success" or "huh?", "noop" with "noop complete"; in between LCDd says when our
screen is shown and which keys were pressed.
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Sequence
from typing import Annotated

import msgspec

from hardware.displays.lettering import ASCII_ROM, CharacterRom
from hardware.displays.score import LinkedDisplay
from hardware.fittings import Fittings
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.settings import DisplayOptions, RigSettings
from hardware.status import DeviceRefused, DeviceSilent, Listener
from hardware.wiring import KeptListener, KeyListener, Wiring

TCP_PORT = 13666
KEYS = {
    "Up": "up",
    "Down": "down",
    "Left": "left",
    "Right": "right",
    "Enter": "enter",
    "Escape": "exit",
}
"""LCDd's name of a key to ours."""
REPLY_WAIT_S = 2.0
"""LCDd looks at its clients eight times a second; a busy computer takes longer."""
KEEPALIVE_S = 5.0
MOST_LINE = 4096


def fittings(_rig: RigSettings) -> Fittings:
    """All keys that LCDd knows, whatever display it drives."""
    return Fittings(serial=False, keys=tuple(KEYS.values()))


class Options(DisplayOptions, frozen=True):
    """The place where LCDd runs."""

    host: str = "localhost"
    """Computer on which LCDd runs."""
    tcp_port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = TCP_PORT
    """Port of LCDd."""


def connect(wiring: Wiring, tell: Listener) -> LcddDisplay:
    """The display of the settings. Raises HardwareError."""
    score, options = wiring.settings.score, wiring.options(Options)
    wiring.take_port("score", f"{options.host}:{options.tcp_port}", tell)
    return LcddDisplay(
        options.host,
        tell,
        tcp_port=options.tcp_port,
        columns=score.columns,
        rows=score.rows,
        on_key=wiring.on_key,
        wanted=[key for key in wiring.settings.buttons.values() if isinstance(key, str)],
        on_kept=wiring.on_kept,
    )


class LcddDisplay(LinkedDisplay):
    """A display that LCDd at `host` drives. `columns` and `rows` are those of the display.

    LCDd reports a key when it is pressed, but not when it is released, so a key cannot be held.
    Only the keys of `wanted` are requested: the others stay with LCDd, which leafs through its
    screens with them. It does not give away the one that opens its menu ("Escape", as Debian
    sets it up); `on_kept` is told.
    """

    keys = tuple(KEYS.values())
    rom = CharacterRom({**ASCII_ROM.letters, **{chr(code): code for code in range(0xA1, 0x100)}})
    """ISO 8859-1 without its control characters, which LCDd turns into what its display has."""

    def __init__(
        self,
        host: str,
        listener: Listener,
        *,
        tcp_port: int = TCP_PORT,
        columns: int = 20,
        rows: int = 4,
        on_key: KeyListener | None = None,
        wanted: Sequence[str] = tuple(KEYS.values()),
        on_kept: KeptListener | None = None,
        keepalive_s: float = KEEPALIVE_S,
        first_wait_s: float = 0.25,
    ) -> None:
        self.columns = columns
        self.rows = rows
        self.url = f"socket://{host}:{tcp_port}"
        self._link: Link[tuple[bytes, ...]] = Link(
            "score",
            self.url,
            _Dialogue(self.url, columns, rows, on_key, wanted, on_kept),
            listener,
            keepalive_s=keepalive_s,
            first_wait_s=first_wait_s,
        )
        self.clear()


def quoted(text: bytes) -> bytes:
    """`text` as one argument: in quotes, with a backslash before what would end it."""
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


class _Dialogue:
    """The driver: commands go out together, then as many answers are waited for."""

    def __init__(
        self,
        url: str,
        columns: int,
        rows: int,
        on_key: KeyListener | None,
        wanted: Sequence[str] = (),
        on_kept: KeptListener | None = None,
    ) -> None:
        self._url = url
        self._columns = columns
        self._rows = rows
        self._on_key = on_key
        self._wanted = {key for key in wanted if on_key is not None}
        self._on_kept = on_kept
        self._shown: tuple[bytes, ...] | None = None
        self._reading = threading.Lock()
        self._line = bytearray()
        self._answers: queue.Queue[str] = queue.Queue(maxsize=64)

    def greet(self, port: SerialPort) -> None:
        with self._reading:
            self._line.clear()
        self._shown = None
        for _ in range(self._answers.qsize()):
            self._answers.get()
        port.write(b"hello\n")
        hello = self._answer()
        size = re.match(r"connect LCDproc .*\bwid (\d{1,4}) hgt (\d{1,4})\b", hello)
        if size is None:
            raise DeviceSilent("no_answer", port=self._url, device="LCDd")
        columns, rows = int(size[1]), int(size[2])
        if columns < self._columns or rows < self._rows:
            raise DeviceRefused(
                "lcdd_size",
                port=self._url,
                found=f"{columns} × {rows}",
                wanted=f"{self._columns} × {self._rows}",
            )
        commands = [
            b"client_set -name heelstone",
            b"screen_add table",
            # Each option by itself: LCDd answers every one of them.
            b"screen_set table -name Heelstone",
            b"screen_set table -priority alert",
            b"screen_set table -heartbeat off",
        ]
        commands += [b"widget_add table row%d string" % (row + 1) for row in range(self._rows)]
        self._command(port, commands)
        kept = tuple(key for name, key in KEYS.items() if not self._reserved(port, name, key))
        if self._on_kept is not None:
            self._on_kept(kept)

    def send(self, port: SerialPort, value: tuple[bytes, ...]) -> None:
        # Unrequested answers must not count for what is sent now.
        for _ in range(self._answers.qsize()):
            self._answers.get()
        shown = self._shown or (b"",) * len(value)
        commands = [
            b"widget_set table row%d 1 %d %s" % (row + 1, row + 1, quoted(new))
            for row, (old, new) in enumerate(zip(shown, value, strict=True))
            if old != new
        ]
        # A question finds out a server that went away without a word.
        self._command(port, commands or [b"noop"])
        self._shown = value

    def received(self, data: bytes) -> None:
        with self._reading:
            self._line += data
            *lines, rest = bytes(self._line).split(b"\n")
            self._line = bytearray(rest[-MOST_LINE:])
        for line in lines:
            self._hear(line.decode("latin-1").strip("\r\0 "))

    def lost(self) -> None:
        pass

    def _hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "key":
            name = KEYS.get(rest.strip())
            if name is not None and self._on_key is not None:
                self._on_key(name, True)
                self._on_key(name, False)
        elif word in ("success", "huh?", "connect", "noop"):
            try:
                self._answers.put_nowait(line)
            except queue.Full:
                return

    def _reserved(self, port: SerialPort, name: str, key: str) -> bool:
        """Asks for one key; True if LCDd will report it."""
        if key not in self._wanted:
            return True
        port.write(b"client_add_key %s\n" % name.encode("ascii"))
        answer = self._answer()
        if answer.startswith("success"):
            return True
        # LCDd says "success" even after it has said that a key could not be reserved.
        self._answer()
        return False

    def _command(self, port: SerialPort, commands: Sequence[bytes]) -> None:
        port.write(b"".join(command + b"\n" for command in commands))
        for command in commands:
            if not self._answer().startswith(("success", "noop complete")):
                raise DeviceRefused(
                    "refused",
                    port=self._url,
                    device="LCDd",
                    command=command.split(b" ")[0].decode("ascii"),
                )

    def _answer(self) -> str:
        try:
            return self._answers.get(timeout=REPLY_WAIT_S)
        except queue.Empty:
            raise DeviceSilent("no_answer", port=self._url, device="LCDd") from None
