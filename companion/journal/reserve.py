"""Room that the journal keeps for itself, for the evening on which the card gets full.

A file beside the journal holds it. Before something is written and hardly any room is left, the
file goes, and what is agreed fits in its place; it comes back when there is room again.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

KEPT = 8 << 20
"""Bytes: some twenty evenings; SQLite's log alone may grow to half of it."""
LEAST = 4 << 20
"""The file goes when fewer bytes are free than SQLite may need at once."""
AMPLE = 4 * KEPT
"""It is laid when so many bytes are free; what can wait leaves as many."""


def reserve_of(journal: Path) -> Path:
    """The file that holds the room."""
    return journal.with_suffix(".reserve")


def free_bytes(folder: Path) -> int:
    """Bytes that this user may still write below a folder. Raises OSError."""
    figures = os.statvfs(folder)
    return figures.f_bavail * figures.f_frsize


class Reserve:
    """The room of one journal; whatever happens to it, the journal goes on."""

    def __init__(self, journal: Path) -> None:
        self.path = reserve_of(journal)

    def let_go(self) -> None:
        """Make room if hardly any is left."""
        with suppress(OSError):
            if free_bytes(self.path.parent) < LEAST and self.path.exists():
                self.path.unlink()
                log.warning("the disk is full; the journal goes on in the room it has kept")

    def mind(self) -> None:
        """Before something is written: make room if hardly any is left, keep some if there is
        enough."""
        self.let_go()
        with suppress(OSError):
            if not self.path.exists() and free_bytes(self.path.parent) > AMPLE:
                self._lay()

    def _lay(self) -> None:
        draft = self.path.with_suffix(".part")
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            # Blocks of its own, not a hole.
            os.posix_fallocate(number, 0, KEPT)
        finally:
            os.close(number)
        draft.rename(self.path)
