"""The voice: espeak-ng speaks, aplay plays, and the caller waits for neither.

While a phrase is being spoken, a newer one replaces the phrase that waits: the
latest wins, and stale news is not read out. What cannot be saved is spoken all the same.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from pathlib import Path

from hardware.sound.recordings import Recordings, finished, recordings_folder
from hardware.status import Listener, Report
from hardware.supervised_thread import InboxThread

VOICES = {"en": "en-gb"}
"""Language to the voice of espeak-ng, where it is not called the same."""
PACKAGES = {"espeak-ng": "espeak-ng", "aplay": "alsa-utils"}
"""Program to the Debian package that contains it."""
WORDS_PER_MINUTE = 150
FULL_AMPLITUDE = 200
"""espeak-ng's option -a goes from 0 to 200."""
LONGEST_RECORDING_S = 10.0
LONGEST_PHRASE_S = 30.0
NO_CARD = re.compile(r"no soundcards found|cannot find card|unknown PCM", re.IGNORECASE)
"""ALSA's messages where there is no sound card."""


class Voice:
    """Speaks through espeak-ng and aplay.

    `language` is a code such as "de", `volume` from 0 to 1. A missing program or sound card is
    reported to the `listener`, once, and the voice stays silent; a sound card that is plugged in
    later is used with the next phrase.
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
        self._voice = VOICES.get(language, language)
        self._volume = _checked_volume(volume)
        self._recordings = Recordings(folder if folder is not None else recordings_folder())
        self._recorder = recorder
        self._player = player
        self._report = Report("ready")
        self._unkept: Report | None = None
        self._opened = False
        self._lock = threading.Lock()
        self._waiting: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        missing = [program for program in (recorder, player) if shutil.which(program) is None]
        if missing:
            package = PACKAGES.get(missing[0], missing[0])
            self._tell(Report("program_missing", {"program": missing[0], "package": package}))
        self._thread = InboxThread[str]("heelstone-voice", tick=self._speak)
        self._thread.wake()
        if not missing:
            self._thread.start()

    def tune(self, language: str, volume: float) -> None:
        """Another language or volume (0 to 1) from the next phrase on."""
        with self._lock:
            self._voice = VOICES.get(language, language)
            self._volume = _checked_volume(volume)

    def say(self, text: str) -> None:
        """Speaks `text`; replaces a phrase that waits."""
        with self._lock:
            # A name from an imported file may hold halves of letters that no program can be given.
            self._waiting = text.encode("utf-8", "replace").decode()
        self._thread.wake()

    def close(self) -> None:
        """Stops in the middle of a word, if need be."""
        self._thread.end()
        with self._lock:
            if self._process is not None:
                self._process.terminate()
        self._thread.close()

    def _speak(self) -> None:
        """Say what waits."""
        self._open()
        with self._lock:
            text, self._waiting = self._waiting, None
            voice, amplitude = self._voice, round(FULL_AMPLITUDE * self._volume)
        if text is None or not amplitude:
            return
        recording = self._record(text, voice, amplitude)
        if recording is None:
            return
        if self._call(self._player, ["-q", "-"], recording, LONGEST_PHRASE_S) is not None:
            self._tell(self._unkept or Report("ready"))

    def _open(self) -> None:
        if self._opened:
            return
        self._opened = True
        try:
            self._recordings.open()
        except OSError as error:
            self._tell_unkept(error)

    def _record(self, text: str, voice: str, amplitude: int) -> bytes | None:
        key = f"{voice}\n{amplitude}\n{WORDS_PER_MINUTE}\n{text}"
        kept = self._recordings.find(key)
        if kept is not None:
            return kept
        options = ["-v", voice, "-a", str(amplitude), "-s", str(WORDS_PER_MINUTE)]
        # The text is UTF-8 whatever the locale of a service is.
        options += ["-b", "1", "--stdin", "--stdout"]
        stream = self._call(self._recorder, options, text.encode(), LONGEST_RECORDING_S)
        if stream is None:
            return None
        try:
            recording = finished(stream)
        except ValueError as error:
            self._tell_failed(self._recorder, str(error))
            return None
        try:
            self._recordings.keep(key, recording)
        except OSError as error:
            self._tell_unkept(error)
        else:
            self._unkept = None
        return recording

    def _call(self, program: str, options: list[str], given: bytes, limit_s: float) -> bytes | None:
        """Runs a program to its end; what it wrote, None if it failed."""
        with self._lock:
            if self._thread.closing:
                return None
            try:
                process = subprocess.Popen(
                    [program, *options],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                self._tell_failed(program, error.strerror or str(error))
                return None
            self._process = process
        try:
            written, complaint = process.communicate(given, limit_s)
        except subprocess.TimeoutExpired:
            process.kill()
            written, _ = process.communicate()
            complaint = f"it took longer than {limit_s:g} s".encode()
        with self._lock:
            self._process = None
        if process.returncode == 0:
            return written
        if self._thread.closing:
            return None
        self._tell_complaint(program, complaint.decode(errors="replace"), process.returncode)
        return None

    def _tell_complaint(self, program: str, complaint: str, code: int) -> None:
        if NO_CARD.search(complaint):
            self._tell(Report("no_sound_card"))
            return
        # ALSA reports its way down to the mistake, and the program's own words come last.
        lines = complaint.strip().splitlines()
        self._tell_failed(program, lines[-1] if lines else f"exit code {code}")

    def _tell_failed(self, program: str, reason: str) -> None:
        self._tell(Report("program_failed", {"program": program, "reason": reason.rstrip(".")}))

    def _tell_unkept(self, error: OSError) -> None:
        reason = error.strerror or str(error)
        params = {"folder": str(self._recordings.folder), "reason": reason}
        self._unkept = Report("folder_failed", params)
        self._tell(self._unkept)

    def _tell(self, report: Report) -> None:
        if report != self._report:
            self._report = report
            self._listener(report)


def _checked_volume(part: float) -> float:
    if not 0 <= part <= 1:
        raise ValueError(f"The volume goes from 0 to 1, not {part!r}.")
    return part
