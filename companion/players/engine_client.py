"""The client of a thinking process: it is started, asked, stopped and, if need be, replaced.

Calls return at once, and the answer comes later, in another thread. Nothing is waited for: neither
a player that does not come to an end, nor a process that dies. Nor is anything believed: a player
may be anybody's, and chooses among the moves it was asked about.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import call
from typing import Any

from companion.decoding import Unfit, decoded
from hardware.supervised_thread import InboxThread, SupervisedThread
from rules.core import GameError
from rules.players.engine_protocol import Answer, Question, line_of

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "rules.players")
TRIES = 2
"""Maximum number of processes that are asked one question, if they die over it."""

MOST_BYTES = 1 << 20
"""Of a line."""
MOST_LINES = 1_000
"""Said by a process after a question; it is ended over more."""

Hear = Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class Patience:
    """Maximum waits, in seconds."""

    start_s: float = 30.0
    """For an answer, beyond the time for thinking: a small computer is slow to start."""
    stop_s: float = 3.0
    """For a thought to end that is not wanted any more."""
    rest_s: float = 300.0
    """Without a question, until the process ends."""
    close_s: float = 2.0
    """For it to end by itself."""


@dataclass(slots=True)
class _Asked:
    """The question that is to be answered."""

    question: Question
    hear: Hear
    until_s: float
    tries: int = 1


class _Process:
    """One process, and a thread that reads what it says."""

    def __init__(
        self, command: Sequence[str], said: Callable[[_Process, bytes | None], None]
    ) -> None:
        """``said`` gets every line, and None at the end. Raises OSError."""
        self._popen = subprocess.Popen(
            # A question that nobody reads must fit in.
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=MOST_BYTES
        )  # fmt: skip
        self._said, self._lines = said, 0
        SupervisedThread("thoughts", self._read, once=True).start()

    def say(self, said: object) -> None:
        """Raises OSError if it is not there any more."""
        assert self._popen.stdin is not None
        self._lines = 0
        self._popen.stdin.write(line_of(said).encode())
        self._popen.stdin.flush()

    def end(self, patience_s: float) -> None:
        """End it: kindly, then not. Nothing of it remains."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            self._popen.stdin.close()
        try:
            self._popen.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once."""
        self._popen.kill()
        self._popen.wait()
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            self._popen.stdin.close()

    def _read(self) -> None:
        assert self._popen.stdout is not None
        with self._popen.stdout as lines:
            while line := lines.readline(MOST_BYTES + 1):
                self._lines += 1
                if len(line) > MOST_BYTES or self._lines > MOST_LINES:
                    log.warning("a computer player said too much and was ended")
                    break
                self._said(self, line)
        self._said(self, None)


class EngineClient:
    """At most one process, that thinks about at most one question."""

    def __init__(self, patience: Patience | None = None, command: Sequence[str] = COMMAND) -> None:
        """``command``: starts the process; a number after ``COMMAND`` is its memory in MB."""
        self._patience, self._command = patience or Patience(), command
        # All below belongs to the thread.
        self._process: _Process | None = None
        self._asked: _Asked | None = None
        self._open: set[str] = set()
        """Questions that this process has not answered yet …"""
        self._stop_by_s: float | None = None
        """… of which all but the newest must be by then."""
        self._used_s = 0.0
        self._thread = InboxThread[Callable[[], None]](
            "thinking", call, tick=self._look_at_the_clock, due=self._wait, last=self._leave,
            failed=self._give_up,
        )  # fmt: skip

    # -- any thread -----------------------------------------------------------------------

    def ask(self, question: Question, hear: Hear) -> None:
        """Asks a question; ``hear`` gets the answer in another thread, unless another question or
        ``stop`` comes first."""
        self._thread.start()
        self._thread.put(partial(self._ask, question, hear))

    def stop(self) -> None:
        """Drops the question: its answer is not wanted any more."""
        self._thread.put(self._stop)

    def close(self) -> None:
        """End the process, and ask nothing more."""
        self._thread.close(self._patience.close_s * 2)

    @property
    def running(self) -> bool:
        """True if there is a process now."""
        return self._process is not None

    # -- the thread -----------------------------------------------------------------------

    def _give_up(self) -> None:
        self._end_process()
        self._fail("its answer could not be taken")

    def _leave(self) -> None:
        self._asked = None
        self._end_process()

    def _wait(self) -> float | None:
        """Seconds until something is due; None while there is no process."""
        if self._process is None:
            return None
        times = [self._used_s + self._patience.rest_s] if not self._open else []
        if self._asked is not None:
            times.append(self._asked.until_s)
        if self._stop_by_s is not None:
            times.append(self._stop_by_s)
        return max(0.01, min(times) - time.monotonic()) if times else None

    def _look_at_the_clock(self) -> None:
        now_s, asked = time.monotonic(), self._asked
        if self._stop_by_s is not None and now_s >= self._stop_by_s:
            log.warning("a computer player did not stop thinking and was ended")
            self._kill()
            self._again()
        elif asked is not None and now_s >= asked.until_s:
            self._kill()
            self._fail("no answer came in time")
        elif not self._open and now_s >= self._used_s + self._patience.rest_s:
            self._end_process()

    def _ask(self, question: Question, hear: Hear) -> None:
        until_s = time.monotonic() + question.seconds + self._patience.start_s
        self._asked = _Asked(question, hear, until_s)
        self._end_others()
        self._put()

    def _stop(self) -> None:
        self._asked = None
        self._end_others()
        if self._process is not None:
            for name in self._open:
                self._say({"stop": name})

    def _end_others(self) -> None:
        """All questions that are still open were ended by what came now."""
        if self._open and self._stop_by_s is None:
            self._stop_by_s = time.monotonic() + self._patience.stop_s

    def _put(self) -> None:
        """Put the question to the process, which is started if there is none."""
        asked = self._asked
        assert asked is not None
        if self._process is None:
            try:
                self._process = _Process(self._command, self._heard)
            except OSError as error:
                self._fail(f"the process could not be started: {error}")
                return
        self._open.add(asked.question.id)
        self._say(asked.question.to_json())

    def _say(self, said: object) -> None:
        self._used_s = time.monotonic()
        # If it is gone, its end is heard of in a moment.
        with contextlib.suppress(OSError):
            assert self._process is not None
            self._process.say(said)

    def _heard(self, process: _Process, line: bytes | None) -> None:
        """Takes a line; called in the thread that reads."""
        self._thread.put(partial(self._take, process, line))

    def _take(self, process: _Process, line: bytes | None) -> None:
        if process is not self._process:
            return
        if line is None:
            self._kill()
            self._again()
            return
        try:
            answer = Answer.from_json(decoded(line, dict[str, Any], most_bytes=MOST_BYTES))
        except (GameError, Unfit) as error:
            log.warning("a computer player said what makes no sense: %s", error)
            return
        self._used_s = time.monotonic()
        self._open.discard(answer.id)
        asked = self._asked
        if self._open <= ({asked.question.id} if asked is not None else set()):
            self._stop_by_s = None
        if asked is not None and answer.id == asked.question.id:
            self._asked = None
            asked.hear(_among(asked.question, answer))

    def _again(self) -> None:
        """The process is gone; asks another one the open question."""
        asked = self._asked
        if asked is None:
            return
        if asked.tries >= TRIES:
            self._fail("its process ended")
            return
        asked.tries += 1
        self._put()

    def _fail(self, why: str) -> None:
        asked, self._asked = self._asked, None
        if asked is not None:
            log.warning("computer player %s does not answer: %s", asked.question.player, why)
            asked.hear(Answer(asked.question.id, error=why))

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._forget()

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.end(0.0 if self._open else self._patience.close_s)
        self._forget()

    def _forget(self) -> None:
        self._process, self._stop_by_s = None, None
        self._open.clear()


def _among(question: Question, answer: Answer) -> Answer:
    """The answer, if it speaks of nothing but the moves in question."""
    choice = answer.choice
    if choice is None or {choice.move, *(one.move for one in choice.thoughts)} <= {*question.moves}:
        return answer
    return Answer(answer.id, error="it chose what it was not asked about")
