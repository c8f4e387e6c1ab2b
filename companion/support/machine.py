"""The state of the table's computer: room to write, power, heat.

A Raspberry Pi reports a supply that is too weak through hwmon (``rpi_volt``, the kernel's driver
raspberrypi-hwmon: an alarm for the last two seconds) and through its firmware (``get_throttled``:
bits for now, and for once since the start). It lasts only a moment, so it is checked often and
remembered.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.journal.reserve import AMPLE, free_bytes, reserve_of
from companion.match.state import MachineNote
from hardware.supervised_thread import InboxThread
from rules.bounded import is_there

log = logging.getLogger(__name__)

LOOK_S = 2.0
"""Seconds between two looks: as often as the kernel asks the firmware about the power."""
LEAST_FREE_MB = 200
"""Free space, MB, below which the next long evening with pictures may fill the disk."""
FULL_MB = 5
HOT_C = 80
"""Temperature, °C, from which a Raspberry Pi slows itself down."""
LOW_NOW, SLOWED_NOW, LOW_BEFORE = 0x1, 0x4, 0x10000
"""Bits of the firmware's report on power (vcgencmd get_throttled)."""


def power_bits(root: Path = Path("/")) -> int | None:
    """The bits above that are set; None if this computer does not tell."""
    bits: int | None = None
    for name in (root / "sys/class/hwmon").glob("hwmon*/name"):
        if read_small(name) == "rpi_volt":
            low = read_small(name.with_name("in0_lcrit_alarm")) == "1"
            bits = (bits or 0) | (LOW_NOW if low else 0)
    # A Raspberry Pi 5 has the address of the chip in these names.
    for path in (root / "sys/devices/platform").glob("soc*/soc*:firmware/get_throttled"):
        with suppress(ValueError):
            bits = (bits or 0) | int(read_small(path), 16)
    return bits


def degrees(root: Path = Path("/")) -> int | None:
    """The processor's temperature in °C; None if this computer does not tell."""
    told = read_small(root / "sys/class/thermal/thermal_zone0/temp")
    return round(int(told) / 1000) if told.lstrip("-").isdigit() else None


def free_mb(folder: Path) -> int:
    """Room below a folder in MB; also 0 if there is none for another file. Raises OSError."""
    figures = os.statvfs(folder)
    if figures.f_files and not figures.f_favail:
        return 0
    return free_bytes(folder) >> 20


def is_read_only(folder: Path) -> bool:
    """True if it is on a disk that can only be read. Raises OSError."""
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


class MachineWatch:
    """Looks every two seconds and reports when something changed; ``start`` it once."""

    def __init__(
        self, state: Path, told: Callable[[tuple[MachineNote, ...]], None], root: Path = Path("/")
    ) -> None:
        """``state``: the folder where matches are saved. ``told``: hears, on the watch's thread, of
        everything that is wrong now. ``root``: where ``/sys`` is."""
        self._state, self._tell, self._root = state, told, root
        self._was_low = self._mistaken = False
        self._looking = threading.RLock()
        self.notes: tuple[MachineNote, ...] = self._look()
        """Present problems; a supply that was once too weak remains listed, and so does a mistake
        of the program."""
        self._thread = InboxThread[None]("machine", tick=self.look, due=lambda: LOOK_S)

    def start(self) -> MachineWatch:
        """Begin to look; does nothing if it has begun."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Look no longer."""
        self._thread.close(5)

    def look(self) -> None:
        """Look once, and report if something changed."""
        self._news(self._look())

    def note_mistake(self) -> None:
        """Report that a thread of the program failed, which may be this one; from any thread."""
        note = MachineNote("mistake")
        self._mistaken = True
        self._news((*(known for known in self.notes if known != note), note))

    def _news(self, notes: tuple[MachineNote, ...]) -> None:
        with self._looking:
            if notes != self.notes:
                self.notes = notes
                log.warning("the computer: %s", ", ".join(n.code for n in notes) or "all is well")
                self._tell(notes)

    def _look(self) -> tuple[MachineNote, ...]:
        codes = [self._storage()]
        bits = power_bits(self._root)
        if bits is not None:
            # Computers other than a Raspberry Pi look after themselves.
            codes += self._power(bits)
        codes.append("mistake" if self._mistaken else "")
        return tuple(MachineNote(code) for code in codes if code)

    def _power(self, bits: int) -> list[str]:
        # A momentary dip is what ruins a card; it must not vanish before somebody reads it.
        self._was_low = self._was_low or bool(bits & (LOW_NOW | SLOWED_NOW))
        heat = degrees(self._root)
        hot = heat is not None and heat >= HOT_C
        return [*(["power_low"] if self._was_low else []), *(["heat_high"] if hot else [])]

    def _storage(self) -> str:
        try:
            if is_read_only(self._state):
                return "storage_read_only"
            free = free_mb(self._state)
        except OSError as error:
            log.debug("%s cannot be looked at: %s", self._state, error)
            return ""
        kept = is_there(reserve_of(self._state / "journal.db"))
        if free < FULL_MB:
            return "storage_reserve" if kept else "storage_full"
        if not kept and free < AMPLE >> 20:
            return "storage_reserve"
        return "storage_low" if free < LEAST_FREE_MB else ""


def read_small(path: Path) -> str:
    """A small file of the system, stripped; empty if it cannot be read."""
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").strip().strip("\0")
    return ""
