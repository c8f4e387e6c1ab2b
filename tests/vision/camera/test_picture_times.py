"""Times at which the pictures of a folder were taken."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.picture_times import exif_time
from vision.camera.sources import FolderSource

_DONE, JPEG = cv2.imencode(".jpg", np.full((48, 64, 3), 90, dtype=np.uint8))


def exif(taken: str, part: str, order: str = "<") -> bytes:
    """Exif data as a camera writes them, with these two times."""
    text = taken.encode() + b"\0"
    more, at = 26, 26 + 2 + 2 * 12 + 4
    first = struct.pack(f"{order}HHHIII", 1, 0x8769, 4, 1, more, 0)
    tags = struct.pack(f"{order}HHHII", 2, 0x9003, 2, len(text), at)
    tags += struct.pack(f"{order}HHI", 0x9291, 2, len(part) + 1) + part.encode().ljust(4, b"\0")
    head = (b"II" if order == "<" else b"MM") + struct.pack(f"{order}HI", 42, 8)
    return b"Exif\0\0" + head + first + tags + bytes(4) + text


def photograph(path: Path, data: bytes = b"") -> None:
    segment = b"\xff\xe1" + struct.pack(">H", len(data) + 2) + data if data else b""
    path.write_bytes(JPEG.tobytes()[:2] + segment + JPEG.tobytes()[2:])


def times(folder: Path) -> list[float]:
    return [frame.time_s for frame in FolderSource(folder)]


@pytest.mark.parametrize("order", ["<", ">"])
def test_pictures_have_the_times_that_the_camera_wrote_into_them(
    tmp_path: Path, order: str
) -> None:
    photograph(tmp_path / "a.jpg", exif("2026:02:28 23:59:59", "5", order))
    photograph(tmp_path / "b.jpg", exif("2026:03:01 00:00:00", "25", order))
    photograph(tmp_path / "c.jpg", exif("2026:03:01 00:01:00", "25", order))
    assert times(tmp_path) == pytest.approx([0.0, 0.75, 60.75])


@pytest.mark.parametrize(
    ("written_s", "told_s"),
    [
        ((50.0, 58.0, 91.0), [0.0, 8.0, 41.0]),
        # Copied together, or named in another order.
        ((50.0, 50.2, 50.4), [0.0, 1.0, 2.0]),
        ((50.0, 91.0, 58.0), [0.0, 1.0, 2.0]),
    ],
)
def test_pictures_without_a_time_have_that_of_their_files_if_those_were_written_one_by_one(
    tmp_path: Path, written_s: tuple[float, ...], told_s: list[float]
) -> None:
    photograph(tmp_path / "0.jpg", exif("2026:03:01 00:00:00", "25"))
    for name in ("1.jpg", "2.jpg"):
        photograph(tmp_path / name)
    for number, when in enumerate(written_s):
        os.utime(tmp_path / f"{number}.jpg", (when, when))
    assert times(tmp_path) == pytest.approx(told_s)


@pytest.mark.parametrize("end", range(0, 82, 3))
def test_exif_data_that_end_too_early_tell_no_time(end: int) -> None:
    whole = exif("2026:03:01 00:00:00", "25")
    assert len(whole) == 82 and exif_time(whole) is not None
    assert exif_time(whole[:end]) is None


@pytest.mark.parametrize("taken", ["    :  :     :  :  ", "2026:13:01 00:00:00", "\xff" * 19])
def test_a_time_that_is_none_is_not_told(taken: str) -> None:
    assert exif_time(exif(taken, "")) is None
