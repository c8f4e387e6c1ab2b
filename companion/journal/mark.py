"""A mark beside the journal: how far it had come, kept outside the pages of SQLite.

SQLite ends at the last whole entry of its log; if the end of that log is torn, what was written
there is gone without a trace, since an interrupted write looks the same. The mark is written after
an entry is on the disk and never waited for, so it may lag behind the journal but never run ahead
of it: a journal that ends before its mark has lost entries.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

WIDTH = 128
"""Length of every mark, bytes: so it is overwritten in one piece."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Extent that a journal had reached."""

    match: str
    """Match of the newest entry."""
    seq: int
    events: int = 0
    """Number of events of all matches."""
    matches: int = 0

    def text(self) -> str:
        """One line, with a checksum: a mark in which a bit flipped must raise no alarm."""
        said = f"{self.match} {self.seq} {self.events} {self.matches}"
        return f"{said} {zlib.crc32(said.encode()):08x}"

    @classmethod
    def read(cls, text: str) -> Reached | None:
        """``text`` read back; None if it is anything else."""
        match text.split():
            case [match, seq]:
                # As it was written before there were checksums.
                return cls(match, int(seq))
            case [match, seq, events, matches, _sum]:
                found = cls(match, int(seq), int(events), int(matches))
                return found if found.text() == text.strip() else None
        return None


class JournalMark:
    """The file of the mark; whatever happens to it, the journal goes on."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_suffix(".mark")
        self._file: int | None = None

    def read(self) -> Reached | None:
        """Reads the mark; None if there is none that can be read."""
        try:
            # Whoever puts a pipe there must not keep a match from starting.
            with open(self.path, encoding="ascii", opener=_at_once) as file:
                return Reached.read(file.read(WIDTH))
        except (OSError, ValueError):
            return None

    def write(self, reached: Reached) -> None:
        """Say how far the journal has come; the disk may take it later."""
        text = reached.text().ljust(WIDTH - 1) + "\n"
        # A full disk or a folder without permissions is reported by the journal itself.
        with contextlib.suppress(OSError, UnicodeEncodeError):
            if self._file is None:
                self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o644)
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


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
