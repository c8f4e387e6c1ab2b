"""Which GPIO pin is for what, and which one two things want."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hardware.status import Report

if TYPE_CHECKING:
    from hardware.rig import RigSettings

SPI_PINS = {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"}
"""The pins of the first SPI bus; only MOSI goes to the strip, but the bus has them all."""


def pins_used_twice(settings: RigSettings) -> Mapping[str, Report]:
    """Per part of the rig that comes too late for a pin: what is to be said about it.

    The parts come in the order in which they are built: lamps, sound, buttons.
    """
    taken: dict[int, str] = {}
    found: dict[str, Report] = {}
    for part, pin, what in _uses(settings):
        if pin in taken and part not in found:
            params = {"pin": str(pin), "first": taken[pin], "second": what}
            found[part] = Report("pin_twice", params)
        taken.setdefault(pin, what)
    return found


def _uses(settings: RigSettings) -> Iterator[tuple[str, int, str]]:
    """Part, pin and what it is for."""
    lamps, sound = settings.lamps, settings.sound
    if lamps.kind == "gpio":
        for number, pins in enumerate(lamps.pins, 1):
            for pin in (pins,) if isinstance(pins, int) else pins:
                yield "lamps", pin, f"lamp {number}"
    if lamps.kind == "spi" and "spidev0" in (lamps.port or "spidev0"):
        for pin, name in SPI_PINS.items():
            yield "lamps", pin, f"the SPI bus of the lamps ({name})"
    if sound.kind in ("voice", "buzzer") and sound.pin is not None:
        yield "sound", sound.pin, "the buzzer"
    for name, source in settings.buttons.items():
        if isinstance(source, int):
            yield "buttons", source, f"the button '{name}'"
