"""An active buzzer at an output pin.

It sounds while a lamp with the same rhythm would be more bright than dark.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from hardware.rhythm import BLINK_PERIOD_S, PULSE_PERIOD_S, Rhythm, level, until_change
from hardware.status import HardwareError
from hardware.wiring import Wiring
from hardware.worker import Worker

BUZZ_S = {
    Rhythm.STEADY: 0.4,
    Rhythm.SLOW_PULSE: PULSE_PERIOD_S,
    Rhythm.DOUBLE_BLINK: BLINK_PERIOD_S,
}
"""How long one buzz lasts: a rhythm is heard once."""


def connect(wiring: Wiring) -> Buzzer:
    """The buzzer of the settings. Raises HardwareError."""
    pin = wiring.settings.sound.pin
    if pin is None:
        raise HardwareError("no_pins")
    wiring.pins.reserve([(pin, "the buzzer")])
    return Buzzer(gpio_output(pin, wiring.pins.factory))


def gpio_output(pin: int, factory: Any) -> Any:
    """The pin of an active buzzer, with `on`, `off` and `close`. Raises PinError."""
    # gpiozero costs a tenth of a second and more.
    import gpiozero

    from hardware.pins.factory import device

    return device(pin, gpiozero.Buzzer, factory)


class Buzzer:
    """`clock` returns seconds and may be replaced by tests."""

    def __init__(self, output: Any, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._output = output
        self._clock = clock
        self._changed = threading.Condition()
        self._rhythm = Rhythm.OFF
        self._since = 0.0
        self._beat = 0
        self._stopping = False
        self._thread = Worker(self._run, "heelstone-buzzer", over=lambda: self._stopping)
        self._thread.start()

    def buzz(self, rhythm: Rhythm) -> None:
        """Sounds the rhythm once; replaces the one that sounds."""
        with self._changed:
            self._rhythm = rhythm
            self._since = self._clock()
            self._beat += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Falls silent and releases the pin."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join()
        self._output.close()

    def _run(self) -> None:
        while True:
            with self._changed:
                beat, seconds = self._beat, self._clock() - self._since
                if not self._stopping and sounds(self._rhythm, seconds):
                    self._output.on()
                else:
                    self._output.off()
                if self._stopping:
                    return
                length_s = BUZZ_S.get(self._rhythm, 0.0)
                wait_s = None
                if seconds < length_s:
                    wait_s = min(until_change(self._rhythm, seconds), length_s - seconds)
                self._changed.wait_for(
                    lambda seen=beat: self._beat != seen or self._stopping,  # type: ignore[misc]
                    wait_s,
                )


def sounds(rhythm: Rhythm, seconds: float) -> bool:
    """Whether a buzzer sounds `seconds` after its rhythm was begun: once, and then no more."""
    return seconds < BUZZ_S.get(rhythm, 0.0) and level(rhythm, seconds) > 0.5
