"""Times at which the pictures of a folder were taken: a hand may rest from one to the next.

Cameras write them into their pictures (Exif 2.32, CIPA DC-008); programs that cut films or send
pictures mostly leave them out. Then files tell, if they were written as slowly as pictures are
taken, and else a time is assumed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

ASSUMED_S = 1.0
"""From one picture to the next if nothing else tells."""
SLOWLY_S = 1.0
"""Files written faster than this were copied, and their times say nothing."""
HEAD_BYTES = 1 << 17
"""Of a picture that are searched: Exif data come first, and are at most 64 KiB long."""

_MARK = b"Exif\0\0"
_MORE, _TAKEN, _PART = 0x8769, 0x9003, 0x9291
"""Tags: where more tags are, DateTimeOriginal, SubSecTimeOriginal."""
_INLINE = 4
"""Most bytes of a value that stand in place of where it is."""


def picture_times(files: Sequence[Path]) -> list[float]:
    """Seconds at which each of the pictures was taken, from the first; never less than before."""
    for clock, least in ((_exif_time, 0.0), (_file_time, SLOWLY_S)):
        times = _told(files, clock)
        steps = [b - a for a, b in pairwise(times)]
        # Times that never go on were given to all of them at once.
        if len(times) == len(files) and any(steps) and min(steps) >= least:
            return [one - times[0] for one in times]
    return [number * ASSUMED_S for number in range(len(files))]


def _told(files: Iterable[Path], clock: Callable[[Path], float | None]) -> list[float]:
    """The times by a ``clock``, up to the first file of which it tells none."""
    times = []
    for file in files:
        time_s = clock(file)
        if time_s is None:
            break
        times.append(time_s)
    return times


def _file_time(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _exif_time(path: Path) -> float | None:
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return None
    return exif_time(head)


def exif_time(head: bytes) -> float | None:
    """Seconds, on a clock of its own, at which the picture was taken whose file begins with
    ``head``; None if it does not say."""
    tiff = head[at + len(_MARK) :] if (at := head.find(_MARK)) >= 0 else b""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return None
    try:
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (more,) = struct.unpack(f"{order}I", _tag(tiff, order, first, _MORE))
        taken = _tag(tiff, order, more, _TAKEN).rstrip(b"\0 ").decode("ascii")
        part = _tag(tiff, order, more, _PART).rstrip(b"\0 ").decode("ascii")
        when = datetime.strptime(taken, "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC)
        return when.timestamp() + (float(f"0.{part}") if part.isdigit() else 0.0)
    except (struct.error, ValueError):
        return None


def _tag(tiff: bytes, order: str, directory: int, wanted: int) -> bytes:
    """The value of a tag of a directory, empty if it is not there; ``order`` of bytes. Raises
    struct.error where the data end too early."""
    (count,) = struct.unpack_from(f"{order}H", tiff, directory)
    for entry in range(directory + 2, directory + 2 + 12 * count, 12):
        tag, kind, length = struct.unpack_from(f"{order}HHI", tiff, entry)
        if tag != wanted:
            continue
        # Whole numbers of four bytes are numbers; all else that is wanted is text.
        size = length * (4 if kind == 4 else 1)
        at = entry + 8
        if size > _INLINE:
            (at,) = struct.unpack_from(f"{order}I", tiff, at)
        (value,) = struct.unpack_from(f"{size}s", tiff, at)
        return bytes(value)
    return b""
