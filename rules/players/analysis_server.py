"""Looking back at a match in a process of its own, so that it delays nothing else.

The first line on standard input says what to look back at: ``{"match": …, "board": "", "seconds":
60, "seed": "…"}``. After it ``pause`` and ``go on`` may come; the end of the input ends it all. On
standard output there is a line for every step, ``{"done": 3, "total": 60}``, and at the end
``{"judgement": …}`` or ``{"error": "…", "code": "…"}``.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from rules.core import GameError, Json
from rules.games import game_on_board
from rules.match import Match
from rules.players.analysis import judge, seconds_each
from rules.players.player import Budget
from rules.players.room import room_used

PAUSE, GO_ON = "pause", "go on"
NICE = 15
"""Niceness of the process: players, and computer players that think about a move, come first."""


def order(match: Match, seconds: float, seed: str) -> Json:
    """The first line to send; ``seconds``: about how long all of it may take."""
    board = match.game.board_text
    return {"match": match.dump(), "board": board, "seconds": seconds, "seed": seed}


def judge_process(most_mb: int | None = None) -> None:
    """Look back at what standard input names; ``most_mb``: memory for that."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    # The caller ends this process, also after Ctrl-C in a terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers, sys.stdout = sys.stdout, sys.stderr
    with contextlib.suppress(BrokenPipeError):
        judge_lines(sys.stdin, answers, room_used(most_mb))


def judge_lines(
    said: Iterable[str], answers: TextIO, full: Callable[[], bool] = lambda: False
) -> None:
    """Look back at what the first line of ``said`` names, heeding the lines that follow.

    ``full``: the memory for that is used up; the rest is then looked at less closely.
    """
    lines = iter(said)
    heard, first = _Heard(), next(lines, "")
    threading.Thread(target=heard.listen, args=(lines,), daemon=True).start()
    try:
        for step in _steps(json.loads(first), heard, full):
            _say(answers, step)
            heard.go_on.wait()
            if heard.over:
                return
    except Exception as error:
        # The input may be no match, and a game of another author may fail in any way.
        code = error.code if isinstance(error, GameError) else ""
        _say(answers, {"error": _told(error), "code": code})


@dataclass
class _Heard:
    """The commands that come while it works."""

    over: bool = False

    def __post_init__(self) -> None:
        self.go_on = threading.Event()
        self.go_on.set()

    def listen(self, lines: Iterator[str]) -> None:
        """Heed ``lines`` until they end."""
        for line in lines:
            match line.strip():
                case "pause":
                    self.go_on.clear()
                case "go on":
                    self.go_on.set()
        self.over = True
        self.go_on.set()


def _steps(given: Any, heard: _Heard, full: Callable[[], bool]) -> Iterator[Json]:
    data = given["match"]
    if given.get("board"):
        game = str(data["game"])
        game_on_board(game.partition("@")[0], str(given["board"]), game)
    match = Match.load(data)
    seconds, playouts = given.get("seconds"), given.get("playouts")
    each = None if seconds is None else seconds_each(match, float(seconds))
    budget = Budget(each, playouts, stop=lambda: heard.over, full=full)
    for step in judge(match, budget, str(given["seed"])):
        if step.judgement is None:
            yield {"done": step.done, "total": step.total}
        else:
            yield {"judgement": step.judgement.to_json()}


def _say(answers: TextIO, said: Json) -> None:
    answers.write(json.dumps(said, separators=(",", ":")) + "\n")
    answers.flush()


def _told(error: BaseException) -> str:
    """An error in one line that says what it was, whatever its origin."""
    return str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
