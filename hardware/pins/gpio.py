"""Everything at GPIO pins, through gpiozero: lamps, buttons and a buzzer.

The pin factory is always chosen explicitly. gpiozero's own choice falls back silently from one
library to the next, and ends on a Raspberry Pi 5 with one that cannot work there
(gpiozero issues 1106 and 1186).
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.lamps.lamps import Frame
from hardware.status import Listener, PinError, Report, unheard

FactoryKind = Literal["lgpio", "mock"]

LampPins = int | Sequence[int]
"""One GPIO number for a plain LED, three (red, green, blue) for a RGB LED."""


def open_factory(kind: FactoryKind) -> Any:
    """A gpiozero pin factory. Raises PinError with the reason when this computer has none."""
    if kind == "mock":
        return MockFactory(pin_class=MockPWMPin)
    try:
        lgpio = load_lgpio()
    except ImportError as error:
        reason = "the Python package lgpio is missing"
        raise PinError("pins_missing", reason=reason) from error
    except OSError as error:
        raise PinError("pins_failed", reason=_reason(error)) from error
    # The 32-bit wheel index carries an empty package of that name (lgpio issue 43).
    if not hasattr(lgpio, "gpiochip_open"):
        raise PinError("pins_missing", reason="the installed lgpio is an empty package")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        raise PinError("pins_failed", reason=_reason(error)) from error
    except Exception as error:
        if not _of_the_pins(error):
            raise
        raise PinError("pins_failed", reason=_reason(error)) from error


def load_lgpio() -> Any:
    """The package lgpio, loaded from a folder of its own.

    It puts a pipe into the folder from which it is first imported, for good: in one that cannot be
    written the import fails (gpiozero issue 1106), in all others the pipe is left lying about. Its
    own way out, the variable LG_WD, moves the whole program there. Raises ImportError, OSError.
    """
    here = Path.cwd()
    place = tempfile.mkdtemp(prefix="heelstone-pins-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    os.chdir(place)
    try:
        # Imported here because it exists on a Raspberry Pi only.
        return importlib.import_module("lgpio")
    finally:
        os.chdir(here)


class GpioLamps:
    """LEDs at GPIO pins as a lamp backend. `active_low`: the LED shines when its pin is low.

    A pin that cannot be driven any more is reported to the `listener`, and so is its recovery.
    """

    def __init__(
        self,
        pins: Sequence[LampPins],
        factory: Any,
        *,
        active_low: bool = False,
        listener: Listener = unheard,
    ) -> None:
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
            if not _of_the_pins(error):
                raise
            self._failed = True
            self._listener(Report("pins_failed", {"reason": _reason(error)}))
        else:
            if self._failed:
                self._failed = False
                self._listener(Report("ready"))

    def close(self) -> None:
        for led in self._leds:
            led.close()


class GpioButtons:
    """Buttons between a GPIO pin and ground, with the pin's own pull-up resistor.

    `bounce_s`: contacts settle within so many seconds; lgpio leaves shorter changes out.
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
                button = _device(
                    pin, gpiozero.Button, factory, bounce_time=bounce_s, hold_time=0.05
                )
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


def _of_the_pins(error: Exception) -> bool:
    """Whether an error tells of pins, and not of a mistake in the program.

    lgpio.error derives from Exception alone, and cannot be named where lgpio is missing.
    """
    known = (OSError, gpiozero.GPIOZeroError)
    return isinstance(error, known) or type(error).__module__ == "lgpio"


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
