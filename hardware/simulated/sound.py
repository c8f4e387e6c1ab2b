"""A simulated loudspeaker and buzzer, which remember what was to be heard."""

from __future__ import annotations

from hardware.rhythm import Rhythm
from hardware.simulated.picture import Picture, said_picture

MOST_REMEMBERED = 1000


class SoundTwin:
    """`said` and `buzzed` hold what was to be heard, oldest first; `volume` goes from 0 to 1."""

    def __init__(self, volume: float = 0.8) -> None:
        self.volume = volume
        self.language = "de"
        self.said: list[str] = []
        self.buzzed: list[Rhythm] = []

    def tune(self, language: str, volume: float) -> None:
        """Remembers what language it is to speak, and how loud."""
        self.language, self.volume = language, volume

    def say(self, text: str) -> None:
        """Remembers a phrase."""
        self.said.append(text)
        del self.said[:-MOST_REMEMBERED]

    def buzz(self, rhythm: Rhythm) -> None:
        """Remembers a buzz."""
        self.buzzed.append(rhythm)
        del self.buzzed[:-MOST_REMEMBERED]

    def rows(self) -> list[str]:
        """The last four phrases."""
        return self.said[-4:]

    @property
    def picture(self) -> Picture:
        """The last four phrases, written down."""
        return said_picture(self.rows())

    def close(self) -> None:
        """Nothing to release."""
