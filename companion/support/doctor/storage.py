"""Checks of the place where matches are saved."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.journal.entries import JournalError
from companion.journal.reading import only_readable, reading
from companion.journal.reserve import free_bytes
from companion.support.doctor.finding import Place, user
from companion.support.finding import Figure, Finding, Verdict
from companion.support.machine import LEAST_FREE_MB, free_mb
from rules.bounded import is_there
from rules.errors import sentence_of

FORGETFUL = ("tmpfs", "ramfs", "overlay")
"""File systems that may lose everything when the power goes."""


def disk_and_journal(place: Place, state: Path) -> Iterator[Finding]:
    """The state folder, the disk below it, and the journal in it."""
    probe = state / ".heelstone-probe"
    try:
        state.mkdir(parents=True, exist_ok=True)
        probe.write_text("probe", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            yield _full(place, state)
        elif _read_only(state):
            yield place.trouble("state folder", "state_read_only", path=state)
        else:
            reason = place.told(sentence_of(error))
            yield place.trouble("state folder", "state_bad", path=state, reason=reason)
        # What is there can still be looked at.
        if only_readable(state / "journal.db"):
            yield from _journal(place, state / "journal.db")
        return
    foreign = _foreign(state)
    if foreign:
        yield place.trouble(
            "state folder", "state_foreign", path=foreign[0], folder=state, user=user()
        )
    else:
        yield place.ok("state folder", "state_ok", path=state)
    kind = _file_system(place, state)
    if kind in FORGETFUL:
        yield place.hint("state folder", "state_forgetful", path=state, kind=kind)
    yield from _room(place, state)
    yield from _journal(place, state / "journal.db")


def _room(place: Place, state: Path) -> Iterator[Finding]:
    free = free_mb(state)
    if free < LEAST_FREE_MB:
        yield _full(place, state)
    else:
        room = Figure("free", free, "MB", least=LEAST_FREE_MB)
        yield place.finding("disk", Verdict.GOOD, "disk_ok", room)


def _journal(place: Place, path: Path) -> Iterator[Finding]:
    if not is_there(path):
        yield place.ok("journal", "journal_new")
        return
    try:
        with reading(path) as journal:
            if journal.salvage:
                yield place.told_of("journal", Verdict.BAD, journal.salvage)
            else:
                yield place.ok("journal", "journal_ok", count=len(journal.matches()))
    except JournalError as error:
        yield place.told_of("journal", Verdict.BAD, error.sentence)


def _full(place: Place, state: Path) -> Finding:
    """Finding on what there is no room for: bytes, or one more file."""
    figures = os.statvfs(_there(state))
    if figures.f_files and not figures.f_favail:
        return place.trouble("disk", "disk_no_files")
    return place.trouble("disk", "disk_full", free=free_bytes(_there(state)) >> 20)


def _foreign(state: Path) -> list[Path]:
    """Files of another user, usually root, where only their owner may write."""
    return sorted(
        path
        for path in state.iterdir()
        # That one is root's on every disk, in case the folder is a disk of its own.
        if path.name != "lost+found" and not os.access(path, os.W_OK)
    )


def _there(path: Path) -> Path:
    """The nearest folder above that exists, or the path itself."""
    while not is_there(path) and path != path.parent:
        path = path.parent
    return path


def _read_only(path: Path) -> bool:
    """True if the file system is mounted read-only, as worn-out SD cards make themselves."""
    return bool(os.statvfs(_there(path)).f_flag & os.ST_RDONLY)


def _file_system(place: Place, path: Path) -> str:
    """The kind of file system ``path`` is on; empty if unknown."""
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
