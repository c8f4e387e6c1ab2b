"""USB sticks: which ones are plugged in, and how a file gets onto one.

A stick may be pulled out at any moment. So a file is written under another name, taken by the
stick, renamed and read back before it is reported.
"""

from __future__ import annotations

import errno
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.journal.file_names import free_place
from companion.words.errors import HeelstoneError
from hardware.supervised_thread import InboxThread, tell_failure
from rules.errors import Sentence, sentence_of

SPARE_BYTES = 64 << 10
"""Space that folders and tables of a stick may need besides the file, bytes."""
PATIENCE_S = 5.0
COLUMNS = "NAME,TYPE,HOTPLUG,RM,TRAN,LABEL,VENDOR,MODEL,MOUNTPOINT"
GONE = frozenset({errno.EIO, errno.ENODEV, errno.ENXIO, errno.ENOENT, errno.ESTALE, errno.EBADF})
"""Errors of writing to a stick that is no longer there."""
PLACES = (Path("/media"), Path("/run/media"), Path("/mnt"))
"""Folders in which sticks are mounted; the computer's own disk, which may be one too, is never
there."""


class StickError(HeelstoneError):
    """A file cannot be written onto a stick; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Stick:
    """A stick that files can be written onto."""

    name: str
    """Name for people: its label, else its maker's name; may be empty."""
    folder: Path
    """Folder of its files."""
    free_bytes: int
    writable: bool


def lsblk() -> str:
    """The system's list of disks, as JSON; empty if it cannot be asked."""
    command = ["lsblk", "--json", "--output", COLUMNS]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def sticks_in(told: str, places: Sequence[Path] = PLACES) -> list[Stick]:
    """The sticks in what ``lsblk`` told, those that are mounted below ``places``; by folder."""
    found = {}
    for part in _pluggable(told):
        folder = Path(str(part.get("mountpoint") or ""))
        if not any(folder.is_relative_to(place) for place in places):
            continue
        try:
            room = os.statvfs(folder)
        except OSError:
            # It was pulled out just now.
            continue
        words = part.get("label") or part.get("model") or part.get("vendor") or ""
        writable = not room.f_flag & os.ST_RDONLY
        free = room.f_bavail * room.f_frsize
        found[folder] = Stick(" ".join(str(words).split()), folder, free, writable)
    return [found[folder] for folder in sorted(found)]


def has_unmounted(told: str) -> bool:
    """True if USB sticks are plugged in of which this system can read no part."""
    parts = [part for part in _pluggable(told) if part.get("tran") == "usb"]
    return bool(parts) and not any(part.get("mountpoint") for part in parts)


def keep_on(
    stick: Stick, name: str, content: bytes, pause: Callable[[], object] = lambda: None
) -> Path:
    """Write a file onto a stick and read it back; returns its path. Raises StickError.

    After that the stick may be pulled out. ``pause`` is called between the steps.
    """
    if not stick.writable:
        raise StickError("stick_read_only", stick=_called(stick))
    if stick.free_bytes < len(content) + SPARE_BYTES:
        raise StickError("stick_full", stick=_called(stick), needed=_kb(len(content)))
    try:
        return _written(stick, name, content, pause)
    except OSError as error:
        raise _in_words(error, stick, content) from error


def _written(stick: Stick, name: str, content: bytes, pause: Callable[[], object]) -> Path:
    place = os.open(stick.folder, os.O_RDONLY | os.O_DIRECTORY)
    draft = f".{name}.part"
    try:
        # Where a stick was mounted there may be a bare folder of the computer's own disk later;
        # what was opened stays the stick.
        file = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o644, dir_fd=place)
        with os.fdopen(file, "wb") as out:
            out.write(content)
            out.flush()
            pause()
            os.fsync(out.fileno())
        os.replace(draft, name, src_dir_fd=place, dst_dir_fd=place)
        os.fsync(place)
        pause()
        if not _still_there(stick.folder, place):
            raise StickError("stick_gone")
        if _read_back(name, place) != content:
            raise StickError("stick_differs", stick=_called(stick))
    except OSError:
        _drop(draft, place)
        raise
    finally:
        os.close(place)
    return stick.folder / name


def _read_back(name: str, place: int) -> bytes:
    """The file as it is on the stick, not as the computer remembers it."""
    file = os.open(name, os.O_RDONLY, dir_fd=place)
    with os.fdopen(file, "rb") as found:
        os.posix_fadvise(found.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return found.read()


def _still_there(folder: Path, place: int) -> bool:
    return folder.stat().st_dev == os.fstat(place).st_dev


def _drop(draft: str, place: int) -> None:
    try:
        os.unlink(draft, dir_fd=place)
    except OSError:
        # The stick is full or gone; what matters is reported already.
        return


def _in_words(error: OSError, stick: Stick, content: bytes) -> StickError:
    called = _called(stick)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StickError("stick_full", stick=called, needed=_kb(len(content)))
    if error.errno == errno.EROFS:
        return StickError("stick_read_only", stick=called)
    if error.errno in GONE:
        return StickError("stick_gone")
    return StickError("stick_unwritable", stick=called, reason=error)


def _called(stick: Stick) -> str:
    return stick.name or stick.folder.name


def _kb(count: int) -> int:
    return (count + SPARE_BYTES) // 1024


def _pluggable(told: str) -> list[dict[str, Any]]:
    """Disks and their parts that can be plugged in, in what ``lsblk`` told."""
    try:
        disks = json.loads(told)["blockdevices"] if told else []
    except (ValueError, KeyError, TypeError):
        disks = []
    return [
        part
        for part in _parts(disks, {})
        if part.get("tran") == "usb" or any(part.get(k) in (True, "1") for k in ("hotplug", "rm"))
    ]


def _parts(disks: Any, above: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every disk and part of one; a part has what is only told of its disk."""
    for disk in disks if isinstance(disks, Sequence) else ():
        if not isinstance(disk, dict):
            continue
        whole = {**above, **{key: value for key, value in disk.items() if value is not None}}
        children = whole.pop("children", ())
        yield whole
        yield from _parts(children, {k: v for k, v in whole.items() if k != "mountpoint"})


# -- the thread that writes -------------------------------------------------------------------

LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class StickNews:
    """Sticks that are plugged in, and the last file written."""

    sticks: tuple[Stick, ...] = ()
    """Sticks that are plugged in."""
    unreadable: bool = False
    """True if one is plugged in that this system cannot read."""
    writing: bool = False
    kept: Path | None = None
    """The first of the files that were written last, safely."""
    trouble: Sentence | None = field(default=None, compare=False)
    """Reason why the last file could not be written."""


class StickDesk:
    """``start`` it when people want a stick, and ``close`` it when they leave."""

    def __init__(self, told: Callable[[], str] = lsblk, places: Sequence[Path] = PLACES) -> None:
        """``told``: what ``lsblk`` says; ``places``: below which sticks are mounted."""
        self._told, self._places = told, places
        self.news = StickNews()
        """The newest, from any thread."""
        self._telling = threading.Lock()
        self._wanted: tuple[Stick, Sequence[tuple[str, bytes]]] | None = None
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

    def keep(self, stick: Stick, *files: tuple[str, bytes]) -> None:
        """Write files, by name and content, onto a stick; ``news`` tells what became of them."""
        self._tell(writing=True, kept=None, trouble=None)
        self._wanted = (stick, files)
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

    def _write(self, stick: Stick, files: Sequence[tuple[str, bytes]]) -> None:
        kept, trouble = None, None
        try:
            for name, content in reversed(files):
                place = free_place(stick.folder / name, content)
                kept = keep_on(stick, place.name, content)
        except StickError as error:
            kept, trouble = None, error.sentence
        except Exception as error:
            # Whatever it is, somebody is waiting to hear what became of the file.
            tell_failure(error)
            kept, trouble = None, sentence_of(error)
        self._tell(writing=False, kept=kept, trouble=trouble)

    def _tell(self, **changes: Any) -> None:
        # Two threads have news.
        with self._telling:
            self.news = replace(self.news, **changes)
