"""A mark beside the journal: how far it had come, kept outside the pages of SQLite.

SQLite ends at the last whole entry of its log; if the end of that log is torn, what was written
there is gone without a trace, since an interrupted write looks the same. The mark is written after
an entry is on the disk and never waited for, so it may lag behind the journal but never run ahead
of it: a journal that ends before its mark has lost entries.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["JournalMark", "Reached"]

WIDTH = 64
"""Bytes; every mark is this long, so that it is overwritten in one piece."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The newest entry of a journal."""

    match: str
    seq: int


class JournalMark:
    """The file of the mark; whatever happens to it, the journal goes on."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_suffix(".mark")
        self._file: int | None = None

    def read(self) -> Reached | None:
        """What it says; None if there is none that can be read."""
        try:
            match, seq = self.path.read_text(encoding="ascii").split()
            return Reached(match, int(seq))
        except (OSError, ValueError):
            return None

    def write(self, reached: Reached) -> None:
        """Say how far the journal has come; the disk may take it later."""
        text = f"{reached.match} {reached.seq}".ljust(WIDTH - 1) + "\n"
        # A full disk or a folder without permissions is reported by the journal itself.
        with contextlib.suppress(OSError, UnicodeEncodeError):
            if self._file is None:
                self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644)
            os.pwrite(self._file, text.encode("ascii"), 0)

    def forget(self) -> None:
        """Another journal takes the place of the one that was marked."""
        self.close()
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
