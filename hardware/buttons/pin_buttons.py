"""Buttons at GPIO pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gpiozero

from hardware.pins.factory import device
from hardware.status import PinError


class GpioButtons:
    """Buttons between a GPIO pin and ground, with the pin's own pull-up resistor.

    `bounce_s`: time in which contacts settle, in seconds; lgpio ignores shorter changes.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        factory: Any,
        on_change: Callable[[str, bool], None],
        *,
        bounce_s: float = 0.03,
    ) -> None:
        self._buttons: list[Any] = []
        self._names = tuple(pins)
        self._on_change = on_change
        try:
            for name, pin in pins.items():
                # Holding is timed by `Buttons`; gpiozero's own timer would delay closing by 1 s.
                button = device(pin, gpiozero.Button, factory, bounce_time=bounce_s, hold_time=0.05)
                button.when_pressed = self._teller(name, True)
                button.when_released = self._teller(name, False)
                self._buttons.append(button)
        except PinError:
            self.close()
            raise

    @property
    def down(self) -> tuple[str, ...]:
        """The buttons that are pressed now."""
        found = zip(self._names, self._buttons, strict=True)
        return tuple(name for name, button in found if button.is_pressed)

    def close(self) -> None:
        for button in self._buttons:
            button.close()

    def _teller(self, name: str, pressed: bool) -> Callable[[], None]:
        return lambda: self._on_change(name, pressed)
