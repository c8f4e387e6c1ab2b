"""Looks for sticks and writes onto them on a thread of its own: a stick may take its time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.export.sticks import (
    PLACES,
    Stick,
    StickError,
    has_unmounted,
    keep_on,
    lsblk,
    sticks_in,
)
from companion.journal.file_names import free_place
from hardware.supervised_thread import InboxThread, tell_failure
from rules.errors import Sentence, sentence_of

__all__ = ["StickDesk", "StickNews"]

LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class StickNews:
    """How things stand."""

    sticks: tuple[Stick, ...] = ()
    """Those that are plugged in."""
    unreadable: bool = False
    """One is plugged in that this system cannot read."""
    writing: bool = False
    kept: Path | None = None
    """The file that was written last, safely."""
    trouble: Sentence | None = field(default=None, compare=False)
    """Why the last file could not be written."""


class StickDesk:
    """``start`` it when people want a stick, and ``close`` it when they leave."""

    def __init__(self, told: Callable[[], str] = lsblk, places: Sequence[Path] = PLACES) -> None:
        """``told``: what ``lsblk`` says; ``places``: below which sticks are mounted."""
        self._told, self._places = told, places
        self.news = StickNews()
        """The newest, from any thread."""
        self._telling = threading.Lock()
        self._wanted: tuple[Stick, str, bytes] | None = None
        self._thread = InboxThread[None](
            "sticks", tick=self.look, due=lambda: LOOK_S, last=self._write_wanted
        )
        self._thread.wake()

    def start(self) -> StickDesk:
        """Begin to look."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Look no longer; what is being written is written."""
        self._thread.end()

    def keep(self, stick: Stick, name: str, content: bytes) -> None:
        """Write a file onto a stick; ``news`` tells what became of it."""
        self._tell(writing=True, kept=None, trouble=None)
        self._wanted = (stick, name, content)
        self._thread.wake()

    def look(self) -> None:
        """Look once, and write what is wanted."""
        self._write_wanted()
        told = self._told()
        sticks = tuple(sticks_in(told, self._places))
        self._tell(sticks=sticks, unreadable=not sticks and has_unmounted(told))

    def _write_wanted(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._write(*wanted)

    def _write(self, stick: Stick, name: str, content: bytes) -> None:
        kept, trouble = None, None
        try:
            name = free_place(stick.folder / name, content).name
            kept = keep_on(stick, name, content)
        except StickError as error:
            trouble = error.sentence
        except Exception as error:
            # Whatever it is, somebody is waiting to hear what became of the file.
            tell_failure(error)
            trouble = sentence_of(error)
        self._tell(writing=False, kept=kept, trouble=trouble)

    def _tell(self, **changes: Any) -> None:
        # Two threads have news.
        with self._telling:
            self.news = replace(self.news, **changes)
