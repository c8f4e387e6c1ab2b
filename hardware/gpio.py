"""Everything at GPIO pins, through gpiozero: lamps, buttons and a buzzer.

The pin factory is always chosen explicitly. gpiozero's own choice falls back silently from one
library to the next, and ends on a Raspberry Pi 5 with one that cannot work there
(gpiozero issues 1106 and 1186).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.lamps import Frame
from hardware.status import PinError

FactoryKind = Literal["lgpio", "mock"]

LampPins = int | Sequence[int]
"""One GPIO number for a plain LED, three (red, green, blue) for a RGB LED."""


def open_factory(kind: FactoryKind) -> Any:
    """A gpiozero pin factory. Raises PinError with the reason when this computer has none."""
    if kind == "mock":
        return MockFactory(pin_class=MockPWMPin)
    try:
        # Imported here because it exists on a Raspberry Pi only.
        lgpio = importlib.import_module("lgpio")
        from gpiozero.pins.lgpio import LGPIOFactory

        # The 32-bit wheel index carries an empty package of that name (lgpio issue 43).
        if not hasattr(lgpio, "gpiochip_open"):
            raise PinError("pins_failed", reason="the installed lgpio is an empty package")
        return LGPIOFactory()
    except (ImportError, OSError, gpiozero.GPIOZeroError) as error:
        raise PinError("pins_failed", reason=_reason(error)) from error
    except Exception as error:
        # lgpio.error derives from Exception alone, and cannot be named where lgpio is missing.
        if type(error).__module__ != "lgpio":
            raise
        raise PinError("pins_failed", reason=_reason(error)) from error


class GpioLamps:
    """LEDs at GPIO pins as a lamp backend. `active_low`: the LED shines when its pin is low."""

    def __init__(self, pins: Sequence[LampPins], factory: Any, *, active_low: bool = False) -> None:
        self._leds: list[Any] = []
        try:
            for lamp in pins:
                self._leds.append(_led(lamp, factory, active_low))
        except PinError:
            self.close()
            raise

    def show(self, frame: Frame) -> None:
        for led, color in zip(self._leds, frame, strict=False):
            if isinstance(led, gpiozero.RGBLED):
                led.value = tuple(part / 255 for part in color)
            else:
                led.value = max(color) / 255

    def close(self) -> None:
        for led in self._leds:
            led.close()


class GpioButtons:
    """Buttons between a GPIO pin and ground, with the pin's own pull-up resistor.

    `bounce_s`: contacts settle within so many seconds; lgpio filters them in the kernel.
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
        self._on_change = on_change
        try:
            for name, pin in pins.items():
                # Holding is timed by `Buttons`; gpiozero's own timer would delay closing by 1 s.
                button = _device(
                    pin, gpiozero.Button, factory, bounce_time=bounce_s, hold_time=0.05
                )
                button.when_pressed = self._teller(name, True)
                button.when_released = self._teller(name, False)
                self._buttons.append(button)
        except PinError:
            self.close()
            raise

    def close(self) -> None:
        for button in self._buttons:
            button.close()

    def _teller(self, name: str, pressed: bool) -> Callable[[], None]:
        return lambda: self._on_change(name, pressed)


def gpio_buzzer(pin: int, factory: Any) -> Any:
    """An active buzzer with `on()`, `off()` and `close()`. Raises PinError."""
    return _device(pin, gpiozero.Buzzer, factory)


def _led(lamp: LampPins, factory: Any, active_low: bool) -> Any:
    if isinstance(lamp, int):
        return _device(lamp, gpiozero.PWMLED, factory, active_high=not active_low)
    if len(lamp) != 3:
        raise PinError("pin_failed", pin=list(lamp), reason="a lamp has one pin, or three for RGB")
    return _device(tuple(lamp), gpiozero.RGBLED, factory, active_high=not active_low)


def _device(pin: int | tuple[int, ...], kind: Any, factory: Any, **options: Any) -> Any:
    pins = (pin,) if isinstance(pin, int) else pin
    try:
        return kind(*pins, pin_factory=factory, **options)
    except (gpiozero.GPIOZeroError, OSError, ValueError) as error:
        raise PinError("pin_failed", pin=pin, reason=_reason(error)) from error


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
