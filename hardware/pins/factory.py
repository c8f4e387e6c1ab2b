"""GPIO pins through gpiozero, and the reasons when they cannot be reached.

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
from pathlib import Path
from typing import Any, Literal

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.status import PinError

FactoryKind = Literal["lgpio", "mock"]


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
        raise PinError("pins_failed", reason=reason_of(error)) from error
    # The 32-bit wheel index carries an empty package of that name (lgpio issue 43).
    if not hasattr(lgpio, "gpiochip_open"):
        raise PinError("pins_missing", reason="the installed lgpio is an empty package")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        raise PinError("pins_failed", reason=reason_of(error)) from error
    except Exception as error:
        if not of_the_pins(error):
            raise
        raise PinError("pins_failed", reason=reason_of(error)) from error


def load_lgpio() -> Any:
    """The package lgpio, loaded from a folder of its own.

    It puts a pipe into the folder from which it is first imported, for good: in one that cannot be
    written the import fails (gpiozero issue 1106), in all others the pipe is left behind. Its
    own way out, the variable LG_WD, moves the whole program there. Raises ImportError, OSError.
    """
    here = Path.cwd()
    place = tempfile.mkdtemp(prefix="heelstone-pins-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    os.chdir(place)
    try:
        # Imported here because it exists only on a Raspberry Pi.
        return importlib.import_module("lgpio")
    finally:
        os.chdir(here)


def device(pin: int | tuple[int, ...], kind: Any, factory: Any, **options: Any) -> Any:
    """A device of gpiozero's `kind` at one pin or several. Raises PinError."""
    pins = (pin,) if isinstance(pin, int) else pin
    try:
        return kind(*pins, pin_factory=factory, **options)
    except (gpiozero.GPIOZeroError, OSError, ValueError) as error:
        raise PinError("pin_failed", pin=pin, reason=reason_of(error)) from error


def of_the_pins(error: Exception) -> bool:
    """True if an error is about pins, and not a mistake in the program.

    lgpio.error derives from Exception alone, and cannot be named where lgpio is missing.
    """
    known = (OSError, gpiozero.GPIOZeroError)
    return isinstance(error, known) or type(error).__module__ == "lgpio"


def reason_of(error: Exception) -> str:
    """The text of an error, to be put into a sentence."""
    return str(error).strip().rstrip(".") or type(error).__name__
