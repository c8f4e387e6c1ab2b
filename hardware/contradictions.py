"""Settings of a rig that cannot work, whatever is plugged in: found without opening anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module

from hardware.displays.score import Fittings
from hardware.settings import DISPLAYS, RigSettings
from hardware.status import HardwareError, Report, unheard
from hardware.wiring import Wiring

STRIPS = ("wled", "adalight", "spi")


def contradictions(settings: RigSettings) -> list[tuple[str, Report]]:
    """Part of the rig and what it would report; the parts are those of `Rig.status`.

    Where the same pin has two uses, they are called by their keys in the settings.
    """
    found: list[tuple[str, Report]] = []
    wiring = Wiring(settings, lambda _key, _down: None, lambda _kept: None)

    @contextmanager
    def part(name: str) -> Iterator[None]:
        try:
            yield
        except HardwareError as error:
            found.append((name, error.report))

    lamps, score, sound = settings.lamps, settings.score, settings.sound
    display = fittings(settings)
    with part("score"):
        if display.serial:
            wiring.take_port("score", score.port, unheard)
        most = display.most_lamps
        if lamps.kind == "display" and most is not None and lamps.count > most:
            raise HardwareError("too_many_lamps", count=lamps.count, most=most)
    with part("lamps"):
        if lamps.kind in STRIPS:
            if lamps.kind != "spi":
                wiring.take_port("lamps", lamps.port, unheard)
            wiring.lamp_count()
        elif lamps.kind == "display" and display.lamps is None:
            raise HardwareError("no_display_lamps")
        elif lamps.kind == "display" and not display.lamps:
            raise HardwareError("no_such_lamp", index=0, count=0)
        elif lamps.kind == "gpio":
            if not lamps.pins:
                raise HardwareError("no_pins")
            wiring.pins.reserve((pin, "rig.lamps.pins") for pin in _each(lamps.pins))
    with part("sound"):
        if sound.kind == "buzzer" and sound.pin is None:
            raise HardwareError("no_pins")
        if sound.kind in ("buzzer", "voice") and sound.pin is not None:
            wiring.pins.reserve([(sound.pin, "rig.sound.pin")])
    for button, key in settings.buttons.items():
        with part("buttons"):
            if isinstance(key, int):
                wiring.pins.reserve([(key, f"rig.buttons.{button}")])
            elif key not in display.keys:
                raise HardwareError("no_display_keys", button=button, key=key)
    return found


def lamp_count(settings: RigSettings) -> int | None:
    """Number of lamps; None if there are none, or the settings do not say."""
    match settings.lamps.kind:
        case "none" | "mock":
            return None
        case "gpio":
            return len(settings.lamps.pins) or None
        case "display":
            return fittings(settings).lamps or None
    return settings.lamps.count or None


def fittings(settings: RigSettings) -> Fittings:
    """The parts of the score display of these settings."""
    match settings.score.kind:
        case "none":
            return Fittings(serial=False)
        case "mock":
            from hardware.displays.cfa635 import KEYS, LED_COUNT

            return Fittings(serial=False, keys=KEYS, lamps=LED_COUNT)
    # A driver need not say that there is nothing but text at a serial port.
    told = getattr(import_module(DISPLAYS[settings.score.kind]), "fittings", None)
    return Fittings() if told is None else told(settings)


def _each(pins: Iterable[int | list[int]]) -> Iterator[int]:
    for pin in pins:
        yield from [pin] if isinstance(pin, int) else pin
