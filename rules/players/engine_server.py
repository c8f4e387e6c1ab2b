"""Players in a process of their own, so that their thoughts block nothing else.

One thread reads questions, the other thinks. A new question, a stop and the end of the input end
the thinking at once: ``Budget.stop`` is asked between two playouts.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, TextIO

from rules.core import GameError
from rules.players.engine_protocol import Answer, Question, line_of
from rules.players.player import Budget
from rules.players.registry import find_player
from rules.players.room import room_used

log = logging.getLogger(__name__)

NICE = 10
"""Screen, camera and journal come first."""

_Work = Question | Answer | None
"""A question to think about, an answer to pass on, or the end."""


def serve_process(most_mb: int | None = None) -> None:
    """Answer what comes in on standard input until it ends; ``most_mb``: memory for that."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    # The caller ends this process, also after Ctrl-C in a terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A player that prints must not talk into the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    serve(sys.stdin, answers, room_used(most_mb))


def serve(
    questions: Iterable[str], answers: TextIO, full: Callable[[], bool] = lambda: False
) -> None:
    """Answer the lines of ``questions`` on ``answers``, one question at a time.

    ``full``: the memory for that is used up. If it is so after an answer, nothing more is answered:
    a new process has all of it.
    """

    def say(answer: Answer) -> None:
        answers.write(line_of(answer.to_json()))
        answers.flush()

    _Desk(say, full).run(questions)


class _Desk:
    """Receives questions while an earlier one is thought about."""

    def __init__(self, say: Callable[[Answer], None], full: Callable[[], bool]) -> None:
        self._say, self._full = say, full
        self._work: queue.SimpleQueue[_Work] = queue.SimpleQueue()
        self._wanted: Question | None = None
        """The question that is still to be answered."""

    def run(self, questions: Iterable[str]) -> None:
        threading.Thread(target=self._read, args=(questions,), daemon=True).start()
        while (work := self._work.get()) is not None:
            answer = self._think(work) if isinstance(work, Question) else work
            try:
                self._say(answer)
            except BrokenPipeError:
                # The caller is gone.
                return
            if self._full():
                return

    # -- the thread that reads ------------------------------------------------------------

    def _read(self, questions: Iterable[str]) -> None:
        try:
            for line in questions:
                self._take(line)
        finally:
            self._wanted = None
            self._work.put(None)

    def _take(self, line: str) -> None:
        name = ""
        try:
            data = json.loads(line)
            if "stop" in data:
                if self._wanted is not None and self._wanted.id == str(data["stop"]):
                    self._wanted = None
                return
            name = str(data.get("id", ""))
            question = Question.from_json(data)
        except (GameError, TypeError, ValueError, AttributeError, RecursionError) as error:
            self._work.put(Answer(name, error=_told(error)))
            return
        self._wanted = question
        self._work.put(question)

    # -- the thread that thinks -----------------------------------------------------------

    def _think(self, question: Question) -> Answer:
        def stopped() -> bool:
            return self._wanted is not question

        if stopped():
            return Answer(question.id)
        try:
            player = find_player(question.player)
            budget = Budget(question.seconds, question.playouts, stopped, full=self._full)
            random = Random(question.seed)
            choice = player.choose(question.view, question.moves, budget, random)
            if stopped():
                return Answer(question.id)
            if choice.move not in question.moves:
                raise GameError("chose_illegal", player=question.player, move=choice.move.text)
        except Exception as error:
            # After any mistake of a player, the next question is answered all the same.
            log.exception("%s could not choose", question.player)
            return Answer(question.id, error=_told(error))
        return Answer(question.id, choice)


def _told(error: BaseException) -> str:
    """An error in one line that says what it was, whatever its origin."""
    told: Any = str(error) or type(error).__name__
    return told if isinstance(error, GameError) else f"{type(error).__name__}: {told}"
