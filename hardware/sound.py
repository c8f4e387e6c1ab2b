"""Voice and buzzer. Both have a thread of their own; nobody waits for a sound.

The voice is espeak-ng, played by aplay. Each phrase is recorded once and kept under a hash of its
text. Whoever says something while a phrase is still being spoken replaces the phrase that waits:
the latest wins, and stale news is not read out.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Protocol

from platformdirs import user_cache_path

from hardware.rhythm import BLINK_PERIOD_S, PULSE_PERIOD_S, Rhythm, level, until_change
from hardware.status import Listener, Report

VOICES = {"de": "de", "en": "en-gb"}
"""Language to the voice of espeak-ng."""
PACKAGES = {"espeak-ng": "espeak-ng", "aplay": "alsa-utils"}
"""Program to the Debian package that brings it."""
WORDS_PER_MINUTE = 150
FULL_AMPLITUDE = 200
"""espeak-ng's option -a goes from 0 to 200."""
LONGEST_RECORDING_S = 10.0
LONGEST_PHRASE_S = 30.0
MOST_RECORDINGS = 500
"""Older recordings than so many newer ones are deleted when the voice starts."""
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
        if isinstance(self._speaker, Voice):
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


class Voice:
    """Speaks through espeak-ng and aplay.

    `language` is "de" or "en", `volume` from 0 to 1. A missing program or sound card is reported
    to the `listener`, once, and the voice stays silent.
    """

    def __init__(
        self,
        listener: Listener,
        *,
        language: str = "de",
        volume: float = 0.8,
        folder: Path | None = None,
        recorder: str = "espeak-ng",
        player: str = "aplay",
    ) -> None:
        self._listener = listener
        self._voice = VOICES[language]
        self._volume = checked_volume(volume)
        self._folder = folder if folder is not None else recordings_folder()
        self._recorder = recorder
        self._player = player
        self._report = Report("ready")
        self._changed = threading.Condition()
        self._waiting: str | None = None
        self._stopping = False
        self._process: subprocess.Popen[bytes] | None = None
        missing = [program for program in (recorder, player) if shutil.which(program) is None]
        self._able = not missing
        if missing:
            package = PACKAGES.get(missing[0], missing[0])
            self._tell(Report("program_missing", {"program": missing[0], "package": package}))
        self._thread = threading.Thread(target=self._run, name="heelstone-voice", daemon=True)
        if self._able:
            self._thread.start()

    @property
    def report(self) -> Report:
        """What was last known about the voice."""
        return self._report

    def tune(self, language: str, volume: float) -> None:
        """Another language ("de" or "en") or volume (0 to 1) from the next phrase on."""
        with self._changed:
            self._voice = VOICES[language]
            self._volume = checked_volume(volume)

    @property
    def volume(self) -> float:
        """How loud the next phrase will be, from 0 (not spoken) to 1; settable from any thread."""
        with self._changed:
            return self._volume

    @volume.setter
    def volume(self, part: float) -> None:
        with self._changed:
            self._volume = checked_volume(part)

    def say(self, text: str) -> None:
        """Speaks `text`; replaces a phrase that waits."""
        with self._changed:
            self._waiting = text
            self._changed.notify_all()

    def close(self) -> None:
        """Stops in the middle of a word, if need be."""
        with self._changed:
            self._stopping = True
            if self._process is not None:
                self._process.terminate()
            self._changed.notify_all()
        if self._able:
            self._thread.join()

    def _run(self) -> None:
        if not self._tidy():
            return
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting is not None or self._stopping)
                if self._stopping:
                    return
                text, self._waiting = self._waiting or "", None
                amplitude = round(FULL_AMPLITUDE * self._volume)
            if not amplitude:
                continue
            recording = self._record(text, amplitude)
            if recording is not None and self._call(
                self._player, ["-q", str(recording)], b"", LONGEST_PHRASE_S
            ):
                self._tell(Report("ready"))

    def _tidy(self) -> bool:
        """Makes the folder and deletes the oldest recordings."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            found = sorted(self._folder.glob("*.wav"), key=lambda path: path.stat().st_mtime)
            for path in found[:-MOST_RECORDINGS]:
                path.unlink(missing_ok=True)
        except OSError as error:
            params = {"folder": str(self._folder), "reason": error.strerror or str(error)}
            self._tell(Report("folder_failed", params))
            return False
        return True

    def _record(self, text: str, amplitude: int) -> Path | None:
        key = f"{self._voice}\n{amplitude}\n{WORDS_PER_MINUTE}\n{text}"
        path = self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.wav"
        if path.exists():
            return path
        unfinished = path.with_suffix(".part")
        options = ["-v", self._voice, "-a", str(amplitude), "-s", str(WORDS_PER_MINUTE)]
        options += ["-w", str(unfinished), "--stdin"]
        if not self._call(self._recorder, options, text.encode(), LONGEST_RECORDING_S):
            return None
        try:
            unfinished.replace(path)
        except OSError as error:
            params = {"folder": str(self._folder), "reason": error.strerror or str(error)}
            self._tell(Report("folder_failed", params))
            return None
        return path

    def _call(self, program: str, options: list[str], text: bytes, limit_s: float) -> bool:
        """Runs a program to its end; whether it succeeded."""
        with self._changed:
            if self._stopping:
                return False
            try:
                process = subprocess.Popen(
                    [program, *options],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                self._tell_failed(program, error.strerror or str(error))
                return False
            self._process = process
        try:
            _, complaint = process.communicate(text, limit_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            complaint = f"it took longer than {limit_s:g} s".encode()
        with self._changed:
            self._process = None
            if process.returncode == 0 or self._stopping:
                return process.returncode == 0
        lines = complaint.decode(errors="replace").strip().splitlines()
        self._tell_failed(program, lines[0] if lines else f"exit code {process.returncode}")
        return False

    def _tell_failed(self, program: str, reason: str) -> None:
        self._tell(Report("program_failed", {"program": program, "reason": reason.rstrip(".")}))

    def _tell(self, report: Report) -> None:
        if report != self._report:
            self._report = report
            self._listener(report)


class Buzzer:
    """An active buzzer at an output pin; sounds where the rhythm's level is above one half."""

    def __init__(self, output: OnOff) -> None:
        self._output = output
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
            self._since = time.monotonic()
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
                beat, seconds = self._beat, time.monotonic() - self._since
                length_s = BUZZ_S.get(self._rhythm, 0.0)
                sounding = seconds < length_s and level(self._rhythm, seconds) > 0.5
                wait_s = None
                if seconds < length_s:
                    wait_s = min(until_change(self._rhythm, seconds), length_s - seconds)
                if self._stopping:
                    sounding = False
                if sounding:
                    self._output.on()
                else:
                    self._output.off()
                if self._stopping:
                    return
                self._changed.wait_for(
                    lambda seen=beat: self._beat != seen or self._stopping,  # type: ignore[misc]
                    wait_s,
                )


def checked_volume(part: float) -> float:
    """`part` itself. Raises ValueError where it is not from 0 to 1."""
    if not 0 <= part <= 1:
        raise ValueError(f"The volume goes from 0 to 1, not {part!r}.")
    return part


def recordings_folder() -> Path:
    """Where recordings are kept: CACHE_DIRECTORY of the service, else the user's cache folder."""
    service = os.environ.get("CACHE_DIRECTORY")
    if service:
        return Path(service.split(":")[0]) / "voice"
    return user_cache_path("heelstone") / "voice"
