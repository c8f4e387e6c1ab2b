"""The score display: lines of text, whatever device shows them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any

from hardware.displays.lettering import ASCII_ROM, CharacterRom, fit
from hardware.displays.segments import Digits
from hardware.lamps.lamps import LampBackend
from hardware.status import Report

if TYPE_CHECKING:
    # Settings are checked before the first frame, which needs no port.
    from hardware.ports.link import Link
    from hardware.ports.serial_port import SerialPort

NOISE = 3
"""Up to this many strange bytes are noise of the plug."""


class ScoreDisplay(ABC):
    """A display of `columns` × `rows` letters. All methods return at once."""

    columns: int
    rows: int
    digits: Digits | None = None
    """Its digits, if it has those instead of letters; None for a display of letters."""
    rom: CharacterRom = ASCII_ROM
    """The letters it has."""
    keys: tuple[str, ...] = ()
    """Names of its keys."""
    own_lamps: LampBackend | None = None
    """Lamps that it has besides its text."""

    @abstractmethod
    def show(self, lines: Sequence[str]) -> None:
        """Replaces the whole text.

        A tab splits a line into a left and a right end: "Anna\\t12". Lines too long are
        shortened by `hardware.displays.lettering.fit`, never within a number.
        """

    @abstractmethod
    def close(self) -> None:
        """Clears the display if it can still be reached, and releases it."""

    def clear(self) -> None:
        """Shows no text; whatever else the device has stays as it is."""
        self.show(())


class LinkedDisplay(ScoreDisplay):
    """A display at the other end of a link."""

    _link: Link[Any]

    def show(self, lines: Sequence[str]) -> None:
        self._link.put(self.letters(lines))

    def letters(self, lines: Sequence[str]) -> tuple[bytes, ...]:
        """Its rows with these lines, in its own letters."""
        fitted = fit(lines, self.columns, self.rows, self.rom)
        return tuple(self.rom.encode(line) for line in fitted)

    def close(self) -> None:
        """Clears the display if it can still be reached, and releases it."""
        self.clear()
        self._link.close()


class Mute:
    """The listening half of a driver whose device never answers: an open port is all that can be
    known, but whatever answers is something else."""

    def __init__(self, url: str, device: str, harmless: Container[int] = ()) -> None:
        """`harmless`: bytes that its keys may send."""
        self._url, self._device, self._harmless = url, device, harmless
        self._heard = 0

    def greet(self, _port: SerialPort) -> None:
        self._heard = 0

    def received(self, data: bytes) -> None:
        strange = sum(byte not in self._harmless for byte in data)
        self._heard = min(self._heard + strange, NOISE + 1)

    def lost(self) -> None:
        pass

    @property
    def trouble(self) -> Report | None:
        """The reason why it is something else."""
        if self._heard <= NOISE:
            return None
        return Report("talks_back", {"port": self._url, "device": self._device})


class NoDisplay(ScoreDisplay):
    """The display of a table that has none."""

    columns = rows = 0

    def show(self, lines: Sequence[str]) -> None:
        pass

    def close(self) -> None:
        pass


class RememberedDisplay(ScoreDisplay):
    """A display, and what it was asked to show last: the drawn twin of a real device needs it."""

    def __init__(self, device: ScoreDisplay) -> None:
        self.device = device
        self.columns, self.rows = device.columns, device.rows
        self.digits, self.rom = device.digits, device.rom
        self.keys, self.own_lamps = device.keys, device.own_lamps
        self.lines: tuple[str, ...] = ()
        """The lines as they were given, not yet fitted to the display."""

    def read(self) -> tuple[str, ...]:
        """The rows that a display of letters must show."""
        fitted = fit(self.lines, self.columns, self.rows, self.rom)
        return tuple(self.rom.decode(self.rom.encode(row)) for row in fitted)

    def show(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)
        self.device.show(lines)

    def close(self) -> None:
        self.device.close()


def changed_span(old: bytes, new: bytes) -> tuple[int, int] | None:
    """First and last-plus-one column that differ between two texts of a row; None if none do."""
    places = [place for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return (places[0], places[-1] + 1) if places else None
