"""Recordings of spoken phrases: saved under a hash of what was said, whole or not at all.

A phrase costs espeak-ng 20 to 70 ms on a computer and several times that on a Raspberry Pi; a
recording costs nothing. Power cuts and full disks leave files that are empty or torn, so every file
is looked at before it is played: its header says how long it must be.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
from pathlib import Path

from platformdirs import user_cache_path

MOST_RECORDINGS = 500
MOST_BYTES = 50_000_000
"""Limits of the folder; beyond them the least recently spoken recordings are removed."""
ROOM_LEFT = 0.9
"""Room is made down to this part of the limits, so that it need not be made every time."""
FRESH_S = 86400.0
"""A recording is marked as used at most once a day: memory cards wear out by writing."""
HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")
"""RIFF, its size, WAVE, fmt, its size and six fields, data, its size: what espeak-ng writes."""


class Recordings:
    """The recordings of a folder. All methods but ``find`` may raise OSError."""

    def __init__(
        self, folder: Path, *, most: int = MOST_RECORDINGS, most_bytes: int = MOST_BYTES
    ) -> None:
        self.folder = folder
        self._most, self._most_bytes = most, most_bytes
        self._count = self._bytes = 0

    def open(self) -> None:
        """Make the folder, and room in it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for left_over in self.folder.glob("*.part"):
            left_over.unlink(missing_ok=True)
        self._make_room()

    def find(self, key: str) -> bytes | None:
        """The recording of what ``key`` names; None if there is none, or only a damaged one."""
        path = self._path(key)
        try:
            found = path.read_bytes()
            if not is_whole(found):
                return None
            if abs(time.time() - path.stat().st_mtime) > FRESH_S:
                os.utime(path)
        except OSError:
            # Missing or unreadable: it is recorded again, and `keep` reports what is wrong.
            return None
        return found

    def keep(self, key: str, recording: bytes) -> None:
        """Save a recording, in place of a damaged one."""
        path = self._path(key)
        unfinished = path.with_suffix(".part")
        try:
            unfinished.write_bytes(recording)
            unfinished.replace(path)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
        self._count += 1
        self._bytes += len(recording)
        if self._count > self._most or self._bytes > self._most_bytes:
            self._make_room()

    def _make_room(self) -> None:
        found = []
        for path in self.folder.glob("*.wav"):
            known = path.stat()
            found.append((known.st_mtime, known.st_size, path))
        found.sort()
        self._count, self._bytes = len(found), sum(size for _, size, _ in found)
        if self._count <= self._most and self._bytes <= self._most_bytes:
            return
        for _, size, path in found:
            if (
                self._count <= self._most * ROOM_LEFT
                and self._bytes <= self._most_bytes * ROOM_LEFT
            ):
                return
            path.unlink(missing_ok=True)
            self._count -= 1
            self._bytes -= size

    def _path(self, key: str) -> Path:
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.wav"


def is_whole(recording: bytes) -> bool:
    """True if a WAV file is as long as its header says, and not empty."""
    if len(recording) <= HEADER.size:
        return False
    riff, size, wave, *_, data, data_size = HEADER.unpack_from(recording)
    return (
        (riff, wave, data) == (b"RIFF", b"WAVE", b"data")
        and size + 8 == len(recording)
        and data_size + HEADER.size == len(recording)
    )


def finished(stream: bytes) -> bytes:
    """A recording from what espeak-ng writes to a pipe, where it cannot yet know the length.

    Raises ValueError if it is not a recording, or an empty one.
    """
    if len(stream) <= HEADER.size or stream[:4] != b"RIFF" or stream[36:40] != b"data":
        raise ValueError("it recorded nothing")
    sound = stream[HEADER.size :]
    fields = list(HEADER.unpack_from(stream))
    fields[1], fields[-1] = len(stream) - 8, len(sound)
    return HEADER.pack(*fields) + sound


def recordings_folder() -> Path:
    """The folder for recordings: CACHE_DIRECTORY of the service, else the user's cache folder."""
    service = os.environ.get("CACHE_DIRECTORY")
    if service:
        return Path(service.split(":")[0]) / "voice"
    return user_cache_path("heelstone") / "voice"
