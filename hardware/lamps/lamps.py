"""Lamps by index: colour and rhythm in, frames of red, green and blue out.

`Lamps` draws in a thread of its own, which sleeps while nothing moves. The frames go to
a backend: a strip behind a controller or on the SPI bus, LEDs at GPIO pins, the LEDs of a display,
or nothing.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hardware.rhythm import Rhythm, level, until_change
from hardware.status import Listener, Report, unheard
from hardware.supervised_thread import InboxThread

# Current of a strip, and its limit: too much takes the power from everything else.
#
# A USB port supplies 500 to 900 mA, and all four of a Raspberry Pi 5 together 600 mA; a hundred
# white lamps would take 6 A. The port then switches off, or the Pi runs on too low a voltage.

PART_MA = 20.0
"""Current of one colour of a WS2812B at full light, in mA (its data sheet says 18 to 20)."""
DARK_MA = 1.0
"""Current of a dark lamp, in mA."""
LEAST_PART = 0.2
"""This much of the supply is always left for light, however many dark lamps there are."""


def within_supply(frame: tuple[Color, ...], supply_ma: float) -> tuple[Color, ...]:
    """The frame, dimmed as a whole if it would draw more than `supply_ma`; 0: no limit."""
    wanted = _light_ma(frame)
    room = max(supply_ma - len(frame) * DARK_MA, supply_ma * LEAST_PART)
    if not supply_ma or wanted <= room:
        return frame
    part = room / wanted
    return tuple((int(red * part), int(green * part), int(blue * part))
                 for red, green, blue in frame)  # fmt: skip


def _light_ma(frame: Sequence[Color]) -> float:
    return sum(map(sum, frame)) / 255 * PART_MA


Color = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as on a screen (before gamma)."""
Frame = tuple[Color, ...]
"""Colours of all lamps at one moment, as sent to the device (after gamma and brightness)."""

FRAME_GAP_S = 0.05
"""WLED before 0.15 crashed on heavier streams than 20 frames per second (wled issue 2618)."""
REMIND_S = 1.0
"""WLED leaves the realtime mode, and the picture, 2.5 s after the last frame; other strips may miss
a frame."""
USUAL_ORDER = "grb"
"""The order in which a WS2812B takes the colours; controllers are set to it from the factory."""


@dataclass(frozen=True, slots=True)
class Light:
    """The light of one lamp: colour and rhythm."""

    color: Color
    """Red, green and blue, 0 to 255, as on a screen."""
    rhythm: Rhythm = Rhythm.STEADY

    def __post_init__(self) -> None:
        if len(self.color) != 3 or not all(0 <= part <= 255 for part in self.color):
            raise ValueError(f"A colour is three numbers from 0 to 255, not {self.color!r}.")


DARK = Light((0, 0, 0), Rhythm.OFF)


class LampBackend(Protocol):
    """A set of real lamps. No method may wait for the device."""

    @property
    def count(self) -> int:
        """Number of lamps."""

    @property
    def is_strip(self) -> bool:
        """True if they are addressed one after the other along one wire, and share its supply."""

    def show(self, frame: Frame) -> None:
        """Makes the lamps show `frame` as soon as the device can."""

    def close(self) -> None:
        """Shows what was last asked for, if possible, and releases the device."""


class NoLamps:
    """The backend of a table without lamps."""

    count = 0
    is_strip = False

    def show(self, frame: Frame) -> None:
        pass

    def close(self) -> None:
        pass


class Drawing:
    """Computes frames from lights and time; has no clock and no thread of its own.

    `brightness` (0 to 1) caps the light of every lamp; `gamma` (2.2 to 2.6 for LEDs) makes equal
    steps of a colour look equal.
    """

    def __init__(self, count: int, *, brightness: float = 0.4, gamma: float = 2.4) -> None:
        self.count = count
        self.brightness = brightness
        self.gamma = gamma
        self._lights: list[Light] = [DARK] * count
        self._since: list[float] = [0.0] * count

    def set(self, lights: Mapping[int, Light], now: float, *, rest: Light = DARK) -> None:
        """Shows these lights from the time `now` (s); every lamp not named shows `rest`.

        A light that a lamp already shows keeps its beat, and a lamp that joins its rhythm joins
        its beat: lamps flashing by turns would flash more often than three times in a second
        (WCAG 2.3.1 counts over the whole surface), and would never all be lit together.
        """
        wanted = [lights.get(index, rest) for index in range(self.count)]
        kept = [old == new for old, new in zip(self._lights, wanted, strict=True)]
        beats = {
            light.rhythm: since
            for light, since, stays in zip(wanted, self._since, kept, strict=True)
            if stays
        }
        for index, light in enumerate(wanted):
            if not kept[index]:
                self._lights[index] = light
                self._since[index] = beats.get(light.rhythm, now)

    def frame(self, now: float) -> Frame:
        """The colours of all lamps at the time `now` (s)."""
        return tuple(
            self._pixel(light, now - since)
            for light, since in zip(self._lights, self._since, strict=True)
        )

    def until_change(self, now: float) -> float:
        """Seconds from `now` for which `frame` stays the same; infinite when nothing moves."""
        waits = (
            until_change(light.rhythm, now - since)
            for light, since in zip(self._lights, self._since, strict=True)
        )
        return min(waits, default=math.inf)

    def _pixel(self, light: Light, seconds: float) -> Color:
        strength = level(light.rhythm, seconds)
        red, green, blue = (self._drive(part / 255 * strength) for part in light.color)
        return red, green, blue

    def _drive(self, part: float) -> int:
        linear: float = part**self.gamma
        return round(255 * self.brightness * linear)


class Lamps:
    """The lamps of a table. All methods return at once.

    `supply_ma`: what the lamps may draw together, in mA; 0: no limit. `order`: the order in which
    the strip takes the colours, if it is not the usual one. `refresh_s`: the seconds after which a
    backend without a keep-alive of its own is sent its picture again. `clock` returns seconds; may
    be replaced by tests. A lamp that the backend does not have is left out and reported to the
    `listener` once as `no_such_lamp`.
    """

    def __init__(
        self,
        backend: LampBackend,
        *,
        brightness: float = 0.4,
        gamma: float = 2.4,
        rest: Light = DARK,
        supply_ma: int = 0,
        order: str = USUAL_ORDER,
        refresh_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        listener: Listener = unheard,
    ) -> None:
        self.count = backend.count
        self._backend = backend
        self._supply_ma = supply_ma
        # A controller sends green, red, blue; the strip takes the first for its first colour.
        self._order = tuple("rgb".index(order[place]) for place in (1, 0, 2))
        self._refresh_s = refresh_s
        self._drawing = Drawing(self.count, brightness=brightness, gamma=gamma)
        self._rest = rest
        self._clock = clock
        self._listener = listener
        self._warned = False
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._wait_s: float | None = None
        self._thread = InboxThread[None](
            "heelstone-lamps", tick=self._draw, due=lambda: self._wait_s
        )
        if self.count:
            self.show({})
            self._thread.start()

    @property
    def frame(self) -> Frame:
        """The frame handed to the device last."""
        return self._frame or ((0, 0, 0),) * self.count

    @property
    def brightness(self) -> float:
        """The most light a lamp may emit, from 0 to 1 of what it could.

        May be set at any time and from any thread; what glows now changes at once. Raises
        ValueError beyond 0 to 1.
        """
        return self._drawing.brightness

    @brightness.setter
    def brightness(self, part: float) -> None:
        if not 0 <= part <= 1:
            raise ValueError(f"The brightness goes from 0 to 1, not {part!r}.")
        with self._lock:
            self._drawing.brightness = part
        self._thread.wake()

    def show(self, lights: Mapping[int, Light]) -> None:
        """Shows these lights; every lamp not named goes back to rest."""
        if not self.count:
            return
        with self._lock:
            self._drawing.set(lights, self._clock(), rest=self._rest)
        self._thread.wake()
        self._warn_of(lights)

    def idle(self) -> None:
        """All lamps go back to rest."""
        self.show({})

    def places_changed(self) -> None:
        """Other lamps are asked for from now on: one that does not exist is reported again."""
        if self._warned:
            self._warned = False
            self._listener(Report("ready"))

    def close(self) -> None:
        """Turns all lamps dark, ends the thread and releases the device."""
        self._thread.close()
        if self.count:
            self._backend.show(((0, 0, 0),) * self.count)
        self._backend.close()

    def _draw(self) -> None:
        with self._lock:
            now = self._clock()
            frame = self._drawing.frame(now)
            wait_s = self._drawing.until_change(now)
        if self._refresh_s is not None:
            wait_s = min(wait_s, self._refresh_s)
        self._wait_s = None if math.isinf(wait_s) else wait_s
        frame = within_supply(frame, self._supply_ma)
        if frame != self._frame or self._refresh_s is not None:
            self._backend.show(self._ordered(frame))
            self._frame = frame

    def _ordered(self, frame: Frame) -> Frame:
        """Colours swapped so that a strip with an unusual order shows `frame`."""
        if self._order == (0, 1, 2):
            return frame
        first, second, third = self._order
        return tuple((pixel[first], pixel[second], pixel[third]) for pixel in frame)

    def _warn_of(self, lights: Mapping[int, Light]) -> None:
        wrong = [index for index in lights if not 0 <= index < self.count]
        if wrong and not self._warned:
            self._warned = True
            params = {"index": str(wrong[0]), "count": str(self.count)}
            self._listener(Report("no_such_lamp", params))
