"""The sound of a table: a voice and a buzzer. Neither blocks its caller."""

from __future__ import annotations

from typing import Protocol

from hardware.rhythm import Rhythm


class Speaker(Protocol):
    """A loudspeaker for speech. All methods return at once."""

    def tune(self, language: str, volume: float) -> None:
        """Another language or volume (0 to 1) from the next phrase on."""

    def say(self, text: str) -> None:
        """Speaks `text`; replaces a phrase that waits."""

    def close(self) -> None:
        """Falls silent and ends the thread."""


class Tone(Protocol):
    """A buzzer. All methods return at once."""

    def buzz(self, rhythm: Rhythm) -> None:
        """Sounds the rhythm once; replaces the one that sounds."""

    def close(self) -> None:
        """Falls silent and ends the thread."""


class Sound:
    """The sound of a table: a voice, a buzzer, both or neither.

    What is worth saying is the caller's choice; here every phrase is taken, and none is waited for.
    """

    def __init__(self, speaker: Speaker | None = None, tone: Tone | None = None) -> None:
        self._speaker = speaker
        self._tone = tone

    @property
    def speaks(self) -> bool:
        """True if the table has a voice."""
        return self._speaker is not None

    @property
    def buzzes(self) -> bool:
        """True if the table has a buzzer."""
        return self._tone is not None

    def tune(self, language: str, volume: float) -> None:
        """The voice speaks this language from the next phrase on, at this volume, 0 to 1."""
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
