"""The one door for all text that leaves to a terminal or to the system's log.

Whatever writes to stdout and stderr passes here: commands, their complaints, help, warnings of
Python and the log lines of services. Records of JSON are escaped before (``rules.printable``), so
that they stay what they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from rules.printable import harmless

__all__ = ["Door", "at_the_door"]


class Door:
    """A text stream through which nothing goes that a terminal would obey."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Pass a text on, with marks for what would do more than appear."""
        # How far something has come is written again and again on the same line.
        again = "\r" if text.startswith("\r") else ""
        self._stream.write(again + harmless(text.removeprefix("\r")))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Pass several texts on."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def at_the_door() -> Iterator[None]:
    """Stdout and stderr pass the door meanwhile."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, Door(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
