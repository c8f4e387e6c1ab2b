"""Sources of frames: a folder of pictures, a video, a camera, a program.

All of them are a ``FrameSource``: an iterator of ``Frame``, with ``read`` for callers that cannot
wait for ever. ``open_source`` chooses by what its text names.
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from rules.bounded import read_bytes
from vision.arrays import Picture
from vision.camera.form import USUAL, Form
from vision.camera.frames import Frame, FrameSource, Iterated, SourceError
from vision.camera.pi import PiCameraSource, pi_cameras
from vision.camera.picture_files import MOST_BYTES, decoded
from vision.camera.picture_times import picture_times
from vision.camera.usb import Capture, UsbCameraSource, open_usb, usb_cameras, usb_name

__all__ = [
    "Capture",
    "FolderSource",
    "FoundCamera",
    "Frame",
    "FrameSource",
    "MemorySource",
    "PiCameraSource",
    "SourceError",
    "UsbCameraSource",
    "VideoSource",
    "camera_name",
    "list_cameras",
    "open_source",
]

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
VIDEOS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".m4v", ".mpg", ".mpeg", ".mjpg", ".mjpeg")

USB_SIZE = (1920, 1080)
"""Size that a USB camera is asked for by default, px."""

PI = re.compile(r"pi(?::(\d))?")
NUMBER = re.compile(r"\d{1,2}")


def open_source(text: str, form: Form = USUAL) -> FrameSource:
    """The source that ``text`` names: folder, picture, video, or camera (``pi``, ``pi:1``,
    ``/dev/…``, or the number of a USB camera).

    ``form``: the pictures that are wanted of a camera. Raises SourceError with one clear sentence
    if there is nothing to read.
    """
    camera = _camera(text)
    if isinstance(camera, _Pi):
        return PiCameraSource(camera.number, form)
    if camera is not None:
        return UsbCameraSource(
            camera,
            form.size or USB_SIZE,
            partial(open_usb, mains_hz=form.mains_hz),
            lock=form.lock,
        )
    path = Path(text)
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise SourceError("no_source", source=text)
    if not path.is_file():
        # A pipe would be waited for, whatever its name says.
        raise SourceError("not_a_file", source=text)
    if path.suffix.lower() in PICTURES:
        return FolderSource(path)
    if path.suffix.lower() in VIDEOS:
        return VideoSource(path)
    raise SourceError("not_a_source", source=text, pictures=PICTURES, videos=VIDEOS)


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera that this computer has."""

    source: str
    """Text for the settings; it stays the same when other cables are moved."""
    title: str
    """Name by maker or sensor."""


def list_cameras() -> list[FoundCamera]:
    """Every camera that can be named in the settings, Pi cameras first; never raises."""
    found = [FoundCamera(f"pi:{number}", model) for number, model in enumerate(pi_cameras())]
    for path in usb_cameras():
        title = usb_name(path).removeprefix("usb-").replace("_", " ")
        found.append(FoundCamera(path, title))
    return found


def camera_name(text: str) -> str:
    """A name for the camera that ``text`` names, fit for a file name and the same every time;
    empty if it names no camera but pictures."""
    camera = _camera(text)
    if isinstance(camera, _Pi):
        return f"pi-{camera.number}"
    return "" if camera is None else usb_name(camera)


@dataclass(frozen=True, slots=True)
class _Pi:
    number: int


def _camera(text: str) -> _Pi | int | str | None:
    """The camera that ``text`` names; None if it names files."""
    path = Path(text)
    # Memory has folders below /dev too.
    if path.exists() and not path.is_char_device():
        return None
    if text.startswith("/dev/"):
        return text
    if match := PI.fullmatch(text):
        return _Pi(int(match[1] or 0))
    return int(text) if NUMBER.fullmatch(text) else None


class FolderSource(Iterated):
    """The pictures of a folder in name order, or one picture."""

    settled = True

    def __init__(self, path: Path | str) -> None:
        folder = Path(path)
        try:
            files = sorted(folder.iterdir()) if folder.is_dir() else [folder]
        except OSError as error:
            raise SourceError("folder_closed", folder=folder, reason=error) from error
        self._files = [
            f
            for f in files
            if f.suffix.lower() in PICTURES
            and not f.name.startswith(".")
            # A pipe that is called like a picture would be waited for.
            and (f.is_file() or not f.exists())
        ]
        if not self._files:
            raise SourceError("folder_without_pictures", folder=folder, pictures=PICTURES)
        # A wrong file in the middle is better reported now than after an hour of refereeing.
        for file in self._files:
            _check_picture(file)
        self._times = picture_times(self._files)
        self._next = 0
        self.status = f"{len(self._files)} pictures in '{folder}'"

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next picture; None after the last one.

        Raises SourceError for a damaged one; the next call returns the one after it.
        """
        if self._next >= len(self._files):
            self.ended = True
        if self.ended:
            return None
        number, self._next = self._next, self._next + 1
        path = self._files[number]
        return Frame(read_picture(path), number, path.name, self._times[number], path)


def _check_picture(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise SourceError("picture_unreadable", file=path, reason=error) from error
    known = (b"\xff\xd8", b"\x89PNG", b"BM", b"II*\0", b"MM\0*")
    if not (head.startswith(known) or (head[:4] == b"RIFF" and head[8:] == b"WEBP")):
        raise SourceError("not_a_picture", file=path)


def read_picture(path: Path) -> Picture:
    """The picture in ``path`` (height × width × 3, BGR); raises SourceError."""
    _check_picture(path)
    if path.stat().st_size > MOST_BYTES:
        raise SourceError("picture_too_large", file=path)
    image = decoded(read_bytes(path, MOST_BYTES))
    if image is None:
        raise SourceError("picture_damaged", file=path)
    return image


class VideoSource(Iterated):
    """Every frame of a video file, as fast as they are read."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError("video_unplayable", file=self._path)
        self._fps = self._capture.get(cv2.CAP_PROP_FPS) or 30.0
        self._next, self._time_s = 0, -np.inf
        self.status = f"video '{path}'"

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None after the last one."""
        if self.ended:
            return None
        good, image = self._capture.read()
        if not good:
            if self._next == 0:
                raise SourceError("video_empty", file=self._path)
            self.close()
            return None
        number, self._next = self._next, self._next + 1
        picture = np.asarray(image, dtype=np.uint8)
        # Phones film as fast as the light allows; some files do not tell when.
        told_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        rate_s = number / self._fps if number == 0 else self._time_s + 1 / self._fps
        self._time_s = told_s if told_s > self._time_s else rate_s
        return Frame(picture, number, str(number), self._time_s)

    def close(self) -> None:
        """Release the file."""
        self.ended = True
        self._capture.release()


class MemorySource(Iterated):
    """Frames that a program pushes; used by the virtual table. Only the newest are kept.

    Safe to push from one thread and to read from another.
    """

    def __init__(self, settled: bool = False, keep: int = 8) -> None:
        self.settled = settled
        self.status = "frames from this program"
        self._frames: deque[Frame] = deque(maxlen=keep)
        self._arrived = threading.Condition()
        self._next = 0

    def push(self, image: Picture, time_s: float | None = None, name: str | None = None) -> None:
        """Hand over one picture; it must not be drawn on afterwards."""
        with self._arrived:
            number, self._next = self._next, self._next + 1
            clock = time.monotonic() if time_s is None else time_s
            self._frames.append(Frame(image, number, name or str(number), clock))
            self._arrived.notify()

    def read(self, timeout: float | None = None) -> Frame | None:
        """The oldest frame that is kept; waits for one."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._frames or self.ended, timeout)
            return self._frames.popleft() if self._frames else None

    def close(self) -> None:
        """No further frame will come; those that are kept can still be read."""
        with self._arrived:
            self.ended = True
            self._arrived.notify_all()
