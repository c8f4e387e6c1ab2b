"""LEDs at GPIO pins as a lamp backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gpiozero

from hardware.lamps.lamps import Frame
from hardware.pins.factory import device, of_the_pins, reason_of
from hardware.status import Listener, PinError, Report, unheard
from hardware.wiring import Wiring

LampPins = int | Sequence[int]
"""One GPIO number for a plain LED, three (red, green, blue) for an RGB LED."""


def connect(wiring: Wiring, tell: Listener) -> GpioLamps:
    """The LEDs of the settings. Raises HardwareError."""
    lamps = wiring.settings.lamps
    wiring.take_pins("lamps")
    factory = wiring.pins.factory
    return GpioLamps(lamps.pins, factory, active_low=lamps.active_low, listener=tell)


class GpioLamps:
    """`active_low`: an LED shines when its pin is low.

    A pin that can no longer be driven is reported to the `listener`, and so is its recovery.
    """

    is_strip = False

    def __init__(
        self,
        pins: Sequence[LampPins],
        factory: Any,
        *,
        active_low: bool = False,
        listener: Listener = unheard,
    ) -> None:
        self.count = len(pins)
        self._leds: list[Any] = []
        self._listener = listener
        self._failed = False
        try:
            for lamp in pins:
                self._leds.append(_led(lamp, factory, active_low))
        except PinError:
            self.close()
            raise

    def show(self, frame: Frame) -> None:
        try:
            for led, color in zip(self._leds, frame, strict=False):
                if isinstance(led, gpiozero.RGBLED):
                    led.value = tuple(part / 255 for part in color)
                else:
                    led.value = max(color) / 255
        except Exception as error:
            if not of_the_pins(error):
                raise
            self._failed = True
            self._listener(Report("pins_failed", {"reason": reason_of(error)}))
        else:
            if self._failed:
                self._failed = False
                self._listener(Report("ready"))

    def close(self) -> None:
        for led in self._leds:
            led.close()


def _led(lamp: LampPins, factory: Any, active_low: bool) -> Any:
    if isinstance(lamp, int):
        return device(lamp, gpiozero.PWMLED, factory, active_high=not active_low)
    if len(lamp) != 3:
        raise PinError("pin_failed", pin=list(lamp), reason="a lamp has one pin, or three for RGB")
    return device(tuple(lamp), gpiozero.RGBLED, factory, active_high=not active_low)
