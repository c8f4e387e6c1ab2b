"""The parts of devices that settings tell, before anything is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

import msgspec

from hardware.settings import DISPLAYS, RigSettings, options_type

Use = tuple[int | None, str]
"""A GPIO number and its key in the settings; None: one that is needed was not set."""

FIRST_BUS = "/dev/spidev0.0"
SPI_PINS = {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"}
"""The pins of the first SPI bus; only MOSI goes to a strip, but the bus has them all."""


@dataclass(frozen=True)
class Fittings:
    """The parts of a score display."""

    serial: bool = True
    """True if it is at a serial port."""
    keys: tuple[str, ...] = ()
    """Names of its keys."""
    lamps: int | None = None
    """Lamps beside its text; None: it cannot have any."""
    most_lamps: int | None = None
    """The most it can drive; None: no limit of its own."""
    pins: tuple[str, ...] = ()
    """Names of its options that are GPIO numbers."""


def fittings(settings: RigSettings) -> Fittings:
    """The parts of the score display of these settings."""
    match settings.score.kind:
        case "none":
            return Fittings(serial=False)
        case "mock":
            return replace(_told("cfa635", RigSettings()), serial=False)
        case kind:
            return _told(kind, settings)


def _told(kind: str, settings: RigSettings) -> Fittings:
    # A driver need not say that there is nothing but text at a serial port.
    told = getattr(import_module(DISPLAYS[kind]), "fittings", None)
    return Fittings() if told is None else told(settings)


def uses_of_pins(settings: RigSettings) -> Mapping[str, Sequence[Use]]:
    """The pins by part of the rig, each part's in the order of its settings."""
    lamps, sound, pins = settings.lamps, settings.sound, list[Use]()
    if lamps.kind == "gpio":
        each = [pin for lamp in lamps.pins for pin in ([lamp] if isinstance(lamp, int) else lamp)]
        pins = [(pin, "rig.lamps.pins") for pin in each or (None,)]
    elif lamps.kind == "spi" and "spidev0" in (lamps.port or FIRST_BUS):
        pins = [(pin, f"rig.lamps ({name})") for pin, name in SPI_PINS.items()]
    sounds = sound.kind == "buzzer" or (sound.kind == "voice" and sound.pin is not None)
    keys = settings.buttons.items()
    return {
        "score": _pins_of_display(settings),
        "lamps": pins,
        "sound": [(sound.pin, "rig.sound.pin")] if sounds else [],
        "buttons": [(key, f"rig.buttons.{name}") for name, key in keys if isinstance(key, int)],
    }


def _pins_of_display(settings: RigSettings) -> Sequence[Use]:
    names, score = fittings(settings).pins, settings.score
    if not names:
        return ()
    options = msgspec.convert(score.options, options_type(score.kind))
    return [(getattr(options, name), f"rig.score.options.{name}") for name in names]
