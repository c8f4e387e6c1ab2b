"""Simulated GPIO pins: gpiozero's mock factory, with the eyes and fingers of a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from hardware.lamps.leds import LampPins
from hardware.pins.factory import open_factory
from hardware.simulated.picture import Picture, strip_picture

Pixel = tuple[int, int, int]


class GpioTwin:
    """Hand `factory` to gpiozero devices; then look at levels and push buttons here.

    `lamps` says which pins are the lamps of `pixels`, as in the settings. `factory`: one with
    simulated pins that is already in use.
    """

    def __init__(self, lamps: Sequence[LampPins] = (), factory: Any = None) -> None:
        self.factory: Any = open_factory("mock") if factory is None else factory
        self.lamps = tuple(lamps)

    def level(self, pin: int) -> float:
        """The level of a pin from 0 to 1; between them for a dimmed LED."""
        return float(self.factory.pin(pin).state)

    @property
    def pixels(self) -> list[Pixel]:
        """Red, green and blue of each lamp, 0 to 255; a plain LED shines white."""
        return [self._pixel(lamp) for lamp in self.lamps]

    def rows(self) -> list[str]:
        """The lamps in one line of text: "*" for one that shines."""
        return ["".join("*" if any(pixel) else "." for pixel in self.pixels)]

    @property
    def picture(self) -> Picture:
        """The lamps as they shine."""
        return strip_picture(self.pixels)

    def press(self, pin: int) -> None:
        """A finger connects the pin to ground."""
        self.factory.pin(pin).drive_low()

    def release(self, pin: int) -> None:
        """The finger lets go, and the pull-up resistor lifts the pin."""
        self.factory.pin(pin).drive_high()

    def close(self) -> None:
        """Releases all pins; without the reset they would stay reserved (gpiozero issue 1087)."""
        self.factory.close()
        self.factory.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _pixel(self, lamp: LampPins) -> Pixel:
        pins = (lamp, lamp, lamp) if isinstance(lamp, int) else lamp
        red, green, blue = (round(255 * self.level(pin)) for pin in pins)
        return red, green, blue
