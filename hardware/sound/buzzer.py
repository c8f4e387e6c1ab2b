"""An active buzzer at an output pin.

It sounds while a lamp with the same rhythm would be more bright than dark.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hardware.rhythm import BLINK_PERIOD_S, PULSE_PERIOD_S, Rhythm, level, until_change
from hardware.supervised_thread import InboxThread
from hardware.wiring import Wiring

BUZZ_S = {
    Rhythm.STEADY: 0.4,
    Rhythm.SLOW_PULSE: PULSE_PERIOD_S,
    Rhythm.DOUBLE_BLINK: BLINK_PERIOD_S,
}
"""Seconds that one buzz lasts: a rhythm is heard once."""


def connect(wiring: Wiring) -> Buzzer:
    """The buzzer of the settings. Raises HardwareError."""
    (pin,) = wiring.take_pins("sound")
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
        self._rhythm = Rhythm.OFF
        self._since = 0.0
        self._wait_s: float | None = None
        self._thread = InboxThread[tuple[Rhythm, float]](
            "heelstone-buzzer", self._begin, tick=self._sound, due=lambda: self._wait_s,
            last=output.off, limit=1,
        )  # fmt: skip
        self._thread.wake()
        self._thread.start()

    def buzz(self, rhythm: Rhythm) -> None:
        """Sounds the rhythm once; replaces the one that sounds."""
        self._thread.put((rhythm, self._clock()))

    def close(self) -> None:
        """Falls silent and releases the pin."""
        self._thread.close()
        self._output.close()

    def _begin(self, asked: tuple[Rhythm, float]) -> None:
        self._rhythm, self._since = asked
        self._sound()

    def _sound(self) -> None:
        seconds, length_s = self._clock() - self._since, BUZZ_S.get(self._rhythm, 0.0)
        self._wait_s = None
        if seconds < length_s:
            self._wait_s = min(until_change(self._rhythm, seconds), length_s - seconds)
        if sounds(self._rhythm, seconds):
            self._output.on()
        else:
            self._output.off()


def sounds(rhythm: Rhythm, seconds: float) -> bool:
    """True if a buzzer sounds `seconds` after its rhythm was begun: once, and then no more."""
    return seconds < BUZZ_S.get(rhythm, 0.0) and level(rhythm, seconds) > 0.5
