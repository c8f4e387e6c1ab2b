"""Settings of a rig that cannot work, whatever is plugged in: found without opening anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hardware.fittings import fittings
from hardware.settings import RigSettings
from hardware.status import HardwareError, Report, unheard
from hardware.wiring import Wiring

STRIPS = ("wled", "adalight", "spi")


def contradictions(settings: RigSettings) -> list[tuple[str, Report]]:
    """Part of the rig and what it would report; the parts are those of `Rig.status`."""
    found: list[tuple[str, Report]] = []
    wiring = Wiring(settings, lambda _key, _down: None, lambda _kept: None)

    @contextmanager
    def part(name: str) -> Iterator[None]:
        try:
            yield
        except HardwareError as error:
            found.append((name, error.report))

    lamps, score = settings.lamps, settings.score
    display = fittings(settings)
    with part("score"):
        if display.serial:
            wiring.take_port("score", score.port, unheard)
        wiring.take_pins("score")
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
        wiring.take_pins("lamps")
    with part("sound"):
        wiring.take_pins("sound")
    with part("buttons"):
        wiring.take_pins("buttons")
    for button, key in settings.buttons.items():
        with part("buttons"):
            if isinstance(key, str) and key not in display.keys:
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
