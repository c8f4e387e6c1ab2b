"""The sound of a table: a voice (`hardware.sound.voice`) and a buzzer. Nobody waits for either.

A buzzer sounds while a lamp with the same rhythm would be more bright than dark.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from hardware.rhythm import BLINK_PERIOD_S, PULSE_PERIOD_S, Rhythm, level, until_change

BUZZ_S = {
    Rhythm.STEADY: 0.4,
    Rhythm.SLOW_PULSE: PULSE_PERIOD_S,
    Rhythm.DOUBLE_BLINK: BLINK_PERIOD_S,
}
"""How long one buzz lasts: a rhythm is heard once."""


class Speaker(Protocol):
    """Something that speaks. All methods return at once."""

    @property
    def volume(self) -> float:
        """How loud it speaks, from 0 to 1; settable from any thread."""

    @volume.setter
    def volume(self, part: float) -> None: ...

    def tune(self, language: str, volume: float) -> None:
        """Another language ("de" or "en") or volume (0 to 1) from the next phrase on."""

    def say(self, text: str) -> None:
        """Speaks `text`; replaces a phrase that waits."""

    def close(self) -> None:
        """Falls silent and ends the thread."""


class Tone(Protocol):
    """Something that buzzes. All methods return at once."""

    def buzz(self, rhythm: Rhythm) -> None:
        """Sounds the rhythm once; replaces the one that sounds."""

    def close(self) -> None:
        """Falls silent and ends the thread."""


class OnOff(Protocol):
    """An output pin, such as gpiozero.Buzzer."""

    def on(self) -> None: ...
    def off(self) -> None: ...
    def close(self) -> None: ...


class Sound:
    """The sound of a table: a voice, a buzzer, both or neither.

    What is worth saying is the caller's choice; here every phrase is taken, and none waited for.
    """

    def __init__(self, speaker: Speaker | None = None, tone: Tone | None = None) -> None:
        self._speaker = speaker
        self._tone = tone

    @property
    def volume(self) -> float:
        """How loud the voice is, from 0 (silent) to 1; 0 where there is no voice.

        May be set at any time and from any thread, and counts from the next phrase on; a table
        without a voice takes it too. Raises ValueError beyond 0 to 1. A buzzer has one loudness.
        """
        return 0.0 if self._speaker is None else self._speaker.volume

    @volume.setter
    def volume(self, part: float) -> None:
        checked_volume(part)
        if self._speaker is not None:
            self._speaker.volume = part

    @property
    def speaks(self) -> bool:
        """Whether the table has a voice."""
        return self._speaker is not None

    @property
    def buzzes(self) -> bool:
        """Whether the table has a buzzer."""
        return self._tone is not None

    def tune(self, language: str, volume: float) -> None:
        """The voice speaks "de" or "en" from now on, at this volume, 0 to 1."""
        if self._speaker is not None:
            self._speaker.tune(language, volume)

    def say(self, text: str) -> None:
        """Speaks `text`, if the table has a voice."""
        if self._speaker is not None and text.strip():
            self._speaker.say(text)

    def buzz(self, rhythm: Rhythm) -> None:
        """Sounds `rhythm` once, if the table has a buzzer."""
        if self._tone is not None:
            self._tone.buzz(rhythm)

    def close(self) -> None:
        """Falls silent."""
        for part in (self._speaker, self._tone):
            if part is not None:
                part.close()


class Buzzer:
    """An active buzzer at an output pin. `clock` gives seconds and may be replaced by tests."""

    def __init__(self, output: OnOff, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._output = output
        self._clock = clock
        self._changed = threading.Condition()
        self._rhythm = Rhythm.OFF
        self._since = 0.0
        self._beat = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="heelstone-buzzer", daemon=True)
        self._thread.start()

    def buzz(self, rhythm: Rhythm) -> None:
        """Sounds the rhythm once; replaces the one that sounds."""
        with self._changed:
            self._rhythm = rhythm
            self._since = self._clock()
            self._beat += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Falls silent and lets go of the pin."""
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
    """Whether a buzzer sounds, `seconds` after its rhythm was begun: once, and then no more."""
    return seconds < BUZZ_S.get(rhythm, 0.0) and level(rhythm, seconds) > 0.5


def checked_volume(part: float) -> float:
    """`part` itself. Raises ValueError where it is not from 0 to 1."""
    if not 0 <= part <= 1:
        raise ValueError(f"The volume goes from 0 to 1, not {part!r}.")
    return part
