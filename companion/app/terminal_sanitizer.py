"""Escapes control characters in all text written to a terminal or log.

Whatever writes to stdout and stderr passes here: commands, their complaints, help, warnings of
Python and the log lines of services. Records of JSON are escaped before (``rules.printable``), so
that they stay what they are.

A shell may close any of the three streams, and a full disk may lie behind them. What cannot be
written to stdout is a ``StreamError`` of the command, now or when it ends; what cannot be written
to stderr is lost, for there is nobody else to tell.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from companion.words.errors import HeelstoneError
from rules.printable import harmless

__all__ = ["Door", "StreamError", "at_the_door"]


class StreamError(HeelstoneError):
    """What a command says cannot be written to where it should go."""


class Door:
    """A text stream through which nothing goes that a terminal would obey."""

    def __init__(self, stream: TextIO, *, needed: bool) -> None:
        """``needed``: who called waits for what is written here."""
        self._stream, self._needed = stream, needed

    def write(self, text: str) -> int:
        """Pass a text on, with marks for what would do more than appear. Raises StreamError if it
        is needed, BrokenPipeError if nobody reads any more."""
        # How far something has come is written again and again on the same line.
        again = "\r" if text.startswith("\r") else ""
        with self._told():
            self._stream.write(again + harmless(text.removeprefix("\r")))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Pass several texts on; raises as ``write``."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing waits any longer; raises as ``write``."""
        with self._told():
            self._stream.flush()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._wall_up()
            if not self._needed:
                return
            if isinstance(error, BrokenPipeError):
                raise
            raise StreamError("output_unwritable", reason=error) from error

    def _wall_up(self) -> None:
        """What still waits goes nowhere, or Python would fail once more at its end."""
        # What stands in for a stream in tests has no number.
        with suppress(OSError, ValueError):
            number = self._stream.fileno()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def at_the_door() -> Iterator[None]:
    """Stdout and stderr pass the door meanwhile."""
    _open_closed()
    before = sys.stdout, sys.stderr
    sys.stdout = cast(TextIO, Door(before[0], needed=True))
    sys.stderr = cast(TextIO, Door(before[1], needed=False))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _open_closed() -> None:
    """A closed stream is there and fails when it is used.

    Its number would go to the next file that is opened, such as the journal, and be written to.
    """
    # The wrong way round, so that the system refuses what is read or written.
    ways = {"stdin": os.O_WRONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}
    for number, (name, way) in enumerate(ways.items()):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, way)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
