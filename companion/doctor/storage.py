"""Checks of the place where matches are kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from companion.doctor.finding import Finding, Place
from companion.journal import Journal, JournalError

__all__ = ["disk_and_journal"]

LEAST_FREE_MB = 200

FORGETFUL = ("tmpfs", "ramfs", "overlay")
"""File systems that may lose everything with the power."""


def disk_and_journal(place: Place, state: Path) -> Iterator[Finding]:
    """The state folder, the disk below it, and the journal in it."""
    probe = state / ".heelstone-probe"
    try:
        state.mkdir(parents=True, exist_ok=True)
        probe.write_text("probe", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        if _read_only(state):
            yield place.trouble("state folder", "state_read_only", path=state)
        else:
            yield place.trouble("state folder", "state_bad", path=state, reason=error.strerror)
        return
    yield place.ok("state folder", "state_ok", path=state)
    kind = _file_system(place, state)
    if kind in FORGETFUL:
        yield place.hint("state folder", "state_forgetful", path=state, kind=kind)
    yield from _room(place, state)
    yield from _journal(place, state / "journal.db")


def _room(place: Place, state: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(state).free >> 20
    figures = os.statvfs(state)
    if free < LEAST_FREE_MB:
        yield place.trouble("disk", "disk_full", free=free)
    elif figures.f_files and not figures.f_favail:
        yield place.trouble("disk", "disk_no_files")
    else:
        yield place.ok("disk", "disk_ok", free=free)


def _journal(place: Place, path: Path) -> Iterator[Finding]:
    if not path.exists():
        yield place.ok("journal", "journal_new")
        return
    try:
        with Journal(path) as journal:
            if journal.salvage:
                yield Finding("journal", "trouble", journal.salvage)
            else:
                yield place.ok("journal", "journal_ok", count=len(journal.matches()))
    except JournalError as error:
        yield Finding("journal", "trouble", str(error))


def _read_only(path: Path) -> bool:
    """Whether the file system is mounted read-only, as a worn-out SD card makes itself."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _file_system(place: Place, path: Path) -> str:
    """The kind of file system ``path`` lies on; empty if unknown."""
    best, kind = "", ""
    real = str(path.resolve())
    for line in place.read("proc/mounts").splitlines():
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        point = parts[1].replace("\\040", " ")
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, parts[2]
    return kind
