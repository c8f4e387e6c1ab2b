"""The shared resources of a table's devices: ports and pins, with room for one each, and keys."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import msgspec

from hardware.fittings import uses_of_pins
from hardware.pins.pins import Pins
from hardware.settings import DisplayOptions, RigSettings
from hardware.status import HardwareError, Listener, Report

T = TypeVar("T", bound=DisplayOptions)

KeyListener = Callable[[str, bool], None]
"""Told the name of a display's key and whether it went down; called in its reading thread."""
KeptListener = Callable[[tuple[str, ...]], None]
"""Told which of the wanted keys a display keeps for itself, mostly none."""


class Wiring:
    """Handed to `connect` of each device in turn, which takes from it what it needs."""

    def __init__(self, settings: RigSettings, on_key: KeyListener, on_kept: KeptListener) -> None:
        self.settings = settings
        self.on_key = on_key
        self.on_kept = on_kept
        self.pins = Pins(settings.pin_factory)
        self._uses = uses_of_pins(settings)
        self._ports: dict[str, str] = {}

    def take_port(self, part: str, port: str, tell: Listener) -> str:
        """Takes a port for a part of the rig, reports that its device is sought, and returns it.

        Raises HardwareError when no port was given, or another part has it already. Links such as
        those in /dev/serial/by-id are followed; while the device is not there, two names of it
        cannot be told to be one.
        """
        if not port:
            raise HardwareError("no_port")
        place = os.path.realpath(port) if port.startswith("/") else port
        other = self._ports.setdefault(place, part)
        if other != part:
            raise HardwareError("same_port", part=part, other=other, port=port)
        tell(Report("connecting", {"port": port}))
        return port

    def take_pins(self, part: str) -> tuple[int, ...]:
        """Takes the pins that the settings give to a part of the rig, and returns them in their
        order there.

        Raises HardwareError when one that it needs is not set, PinError when another part has it.
        """
        uses = self._uses[part]
        found = [(pin, what) for pin, what in uses if pin is not None]
        self.pins.reserve(found)
        if len(found) < len(uses):
            raise HardwareError("no_pins")
        return tuple(pin for pin, _what in found)

    def options(self, declared: type[T]) -> T:
        """The options of the display, as its driver declares them."""
        return msgspec.convert(self.settings.score.options, declared)

    def lamp_count(self) -> int:
        """Lamps of the strip. Raises HardwareError when their number was not set."""
        count = self.settings.lamps.count
        if not count:
            raise HardwareError("no_such_lamp", index=0, count=0)
        return count
