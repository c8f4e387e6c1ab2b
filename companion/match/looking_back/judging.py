"""Looking back at a match in the background: one match at a time, in a process of its own."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO, Any

from companion.match.looking_back.judgements import Judgements
from companion.signals import Signal
from hardware.supervised_thread import SupervisedThread
from rules.core import GameError
from rules.match import Match
from rules.players.analysis import can_be_judged
from rules.players.analysis_result import Judgement
from rules.players.analysis_server import GO_ON, PAUSE, order

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "rules.players", "judge")
WHOLE_S = 60.0
"""Time to analyse a whole match, seconds, roughly; a slower computer looks less closely."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Progress with a match."""

    match_id: str
    part: float = 0.0
    """Part of it that is done, 0 … 1."""
    judgement: Judgement | None = None
    trouble: str = ""
    """Code of why there is no result; empty: nothing went wrong."""
    waits: bool = False
    """True if it waits until no match is played."""
    running: bool = False


class Judging:
    """Judges matches in the background. Listeners are called on any thread, after every change."""

    def __init__(
        self, kept: Judgements, whole_s: float = WHOLE_S, most_mb: int | None = None
    ) -> None:
        """``most_mb``: memory of the process; None: any."""
        self._kept, self._whole_s = kept, whole_s
        self._command = [*COMMAND, *([] if most_mb is None else [str(most_mb)])]
        self._now: Judged | None = None
        self._work: _Work | None = None
        self._paused = False
        self._guard = threading.RLock()
        self._tell = Signal[[]]()

    def of(self, match_id: str, match: Match) -> Judged:
        """Progress or result of a match; ``match`` is its whole record."""
        with self._guard:
            now = self._now
            if now is not None and now.match_id == match_id and now.running:
                return now
            known = self._kept.of(match_id, match)
            if known is not None:
                return Judged(match_id, 1.0, known)
            return now if now is not None and now.match_id == match_id else Judged(match_id)

    def begin(self, match_id: str, match: Match) -> None:
        """Look back at a match that is over, unless that is known or under way. Another match's
        ends."""
        with self._guard:
            now = self.of(match_id, match)
            if now.running or now.judgement is not None or not can_be_judged(match):
                return
            self._end()
            self._now = Judged(match_id, running=True, waits=self._paused)
            work = _Work(match_id, match, self._command)
            self._work = work
            try:
                work.start(self._whole_s, paused=self._paused)
            except OSError as error:
                log.warning("no process to look back at %s: %s", match_id, error)
                self._now, self._work = Judged(match_id, trouble="no_process"), None
            else:
                SupervisedThread("looking-back", lambda: self._listen(work), once=True).start()
        self._tell()

    def stop(self, match_id: str) -> None:
        """Stops work on a match that is not wanted any more."""
        with self._guard:
            if self._now is None or self._now.match_id != match_id:
                return
            self._end()
        self._tell()

    def pause(self, paused: bool) -> None:
        """Pauses while a match is played, or goes on."""
        with self._guard:
            if paused == self._paused:
                return
            self._paused = paused
            if self._work is not None and self._now is not None:
                self._work.say(PAUSE if paused else GO_ON)
                self._now = replace(self._now, waits=paused)
        self._tell()

    def listen(self, heard: Callable[[], object]) -> Callable[[], None]:
        """Call ``heard`` whenever something has changed; returns how to stop that."""
        return self._tell.add(heard)

    def close(self) -> None:
        """End the process."""
        with self._guard:
            self._end()

    # -- private --------------------------------------------------------------------------

    def _end(self) -> None:
        work, self._work, self._now = self._work, None, None
        if work is not None:
            work.end()

    def _listen(self, work: _Work) -> None:
        """Reads the lines of the process; in a thread of its own."""
        for line in work.lines():
            if self._heard(work, line):
                self._tell()
        work.end()
        work.lines().close()
        with self._guard:
            over = self._work is work
            if over and self._now is not None and self._now.running:
                # It ended without a word.
                self._now = Judged(work.match_id, trouble="ended")
            if over:
                self._work = None
        if over:
            self._tell()

    def _heard(self, work: _Work, line: str) -> bool:
        """Takes a line of the process; True if it is news about the present match."""
        try:
            said = json.loads(line)
            judgement = Judgement.from_json(said["judgement"]) if "judgement" in said else None
            part = said["done"] / said["total"] if "done" in said else 1.0
            trouble = str(said.get("code") or "failed") if "error" in said else ""
        except (ValueError, KeyError, TypeError, ZeroDivisionError, GameError) as error:
            log.warning("what was said about %s is not understood: %s", work.match_id, error)
            return False
        with self._guard:
            if self._work is not work or self._now is None:
                return False
            if trouble:
                log.warning("nothing came of looking back at %s: %s", work.match_id, said["error"])
                self._now = Judged(work.match_id, trouble=trouble)
            elif judgement is not None:
                self._kept.keep(work.match_id, work.match, judgement)
                self._now = Judged(work.match_id, 1.0, judgement)
            else:
                self._now = replace(self._now, part=part)
        return True


class _Work:
    """The process that looks back at one match."""

    def __init__(self, match_id: str, match: Match, command: Sequence[str]) -> None:
        self.match_id, self.match, self._command = match_id, match.clone(), command
        self._process: subprocess.Popen[str] | None = None

    def start(self, whole_s: float, *, paused: bool) -> None:
        """Raises OSError."""
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            encoding="utf-8",
        )  # fmt: skip
        self.say(json.dumps(order(self.match, whole_s, self.match_id)))
        if paused:
            self.say(PAUSE)

    def say(self, line: str) -> None:
        """Sends a line; without effect if the process has ended."""
        with suppress(OSError, ValueError):
            pipe: Any = self._stdin
            pipe.write(line + "\n")
            pipe.flush()

    def lines(self) -> IO[str]:
        """Lines of the process, until it ends."""
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout

    def end(self) -> None:
        """End it, at once."""
        process = self._process
        if process is None:
            return
        with suppress(OSError, ValueError):
            process.kill()
            self._stdin.close()
        process.wait()

    @property
    def _stdin(self) -> IO[str]:
        assert self._process is not None and self._process.stdin is not None
        return self._process.stdin
