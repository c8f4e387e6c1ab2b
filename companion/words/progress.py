"""Progress of long work, on stderr: a live line on a terminal, elsewhere a line for a stage that
takes its time, and now and then another that says how far it is."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from rules.texts import Texts

Step: TypeAlias = Callable[[int, int], None]
"""Takes how much is done, and of how much, 0 if nobody knows; (0, 0) where only time passes."""

PATIENCE_S = 2.0
"""Seconds below which a stage is not worth a line in a log."""
LOG_S = 30.0
"""Seconds between two lines in a log about the same stage."""
AGAIN_S = 0.1
"""Minimum time between two writes of a live line, seconds."""

_live = False
"""True if a live line stands on the terminal: there is one terminal, and one such line."""


class Progress:
    """The stages of one long piece of work."""

    def __init__(self, lang: str, *, quiet: bool) -> None:
        """``quiet``: another program reads what is printed, so only a terminal is told."""
        self._say, self._quiet = Texts("commands.progress", lang), quiet
        self._began_s = time.monotonic()

    def __call__(self, stage: str, **values: object) -> Step:
        """Begin the stage of this name; what it returns is told how far the stage has come."""
        text, began_s = self._say(stage, **values), time.monotonic()
        told_s = float("-inf")

        def step(done: int, of: int) -> None:
            nonlocal told_s
            now = time.monotonic()
            passed = f" {now - began_s:.0f} s" if now - began_s >= 1 else ""
            how_far = f" {100 * done // of} %" if of else f" {done}" if done else passed
            if sys.stderr.isatty():
                if now - told_s >= AGAIN_S:
                    _show(text, how_far)
                    told_s = now
            elif not self._quiet and now - self._began_s >= PATIENCE_S and now - told_s >= LOG_S:
                first = told_s < began_s
                print(text if first else f"{text} …{how_far}", file=sys.stderr, flush=True)
                told_s = now

        step(0, 0)
        return step


@contextmanager
def progress(lang: str, *, quiet: bool = False) -> Iterator[Progress]:
    """The stages of something long; in the end the live line is gone."""
    try:
        yield Progress(lang, quiet=quiet)
    finally:
        clear()


def clear() -> None:
    """Take the live line away, if there is one, because something else is to be written."""
    global _live
    if _live:
        _live = False
        print("\r" + " " * _width(), end="", file=sys.stderr)
        print("\r", end="", file=sys.stderr, flush=True)


def _show(text: str, how_far: str) -> None:
    global _live
    _live = True
    line = text[: _width() - len(how_far) - 2] + " …" + how_far
    print("\r" + line.ljust(_width()), end="", file=sys.stderr, flush=True)


def _width() -> int:
    """Characters of a line of the terminal, but the last, which would begin the next line."""
    return shutil.get_terminal_size().columns - 1
