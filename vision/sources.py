"""Where frames come from: a folder of pictures, a video, a USB camera, a program.

All of them are a ``FrameSource``: an iterator of ``Frame``, with ``read`` for those who cannot
wait for ever. ``open_source`` chooses by what its text names.
"""

from __future__ import annotations

import re
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Picture

__all__ = [
    "FolderSource",
    "Frame",
    "FrameSource",
    "MemorySource",
    "SourceError",
    "UsbCameraSource",
    "VideoSource",
    "open_source",
]

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
VIDEOS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".m4v", ".mpg", ".mpeg", ".mjpg", ".mjpeg")

FAILED_READS = 3
"""Failed reads in a row that mean a camera was unplugged."""


class SourceError(OSError):
    """Frames cannot be had; the message says from where, why, and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table."""

    image: Picture
    """Height × width × 3, blue-green-red."""
    index: int
    """Number of the frame in its source, from 0."""
    name: str
    """File name, or the index as text."""
    time_s: float
    """Seconds on the source's own clock; only differences mean anything."""
    path: Path | None = None
    """The file it was read from, if it has one to itself."""


class FrameSource(Protocol):
    """An iterator of frames that may also be asked with a time limit."""

    @property
    def settled(self) -> bool:
        """True if every picture counts as a settled view of the table (a folder)."""

    @property
    def status(self) -> str:
        """How the source is doing, as one sentence for people."""

    @property
    def ended(self) -> bool:
        """True when no further frame will ever come."""

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None if none came within ``timeout`` seconds or the source ended.

        Raises SourceError if a picture cannot be read.
        """

    def __iter__(self) -> Iterator[Frame]:
        """Every frame until the source ends."""

    def close(self) -> None:
        """Let go of file or device; the source has ended then. May be called twice."""


def open_source(text: str, size: tuple[int, int] = (1920, 1080)) -> FrameSource:
    """The source that ``text`` names: folder, picture, video, or camera (``/dev/…`` or number).

    ``size``: wished width and height of a camera's pictures in px.
    Raises SourceError with one clear sentence if there is nothing to be had.
    """
    if re.fullmatch(r"\d{1,2}", text) and not Path(text).exists():
        return UsbCameraSource(int(text), size)
    if text.startswith("/dev/"):
        return UsbCameraSource(text, size)
    path = Path(text)
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise SourceError(
            f"there is no '{text}'; name a folder of pictures, a video file, or a camera such as "
            "/dev/video0"
        )
    if path.suffix.lower() in PICTURES:
        return FolderSource(path)
    if path.suffix.lower() in VIDEOS:
        return VideoSource(path)
    raise SourceError(
        f"'{text}' is neither a picture nor a video; pictures end in {', '.join(PICTURES)}, "
        f"videos in {', '.join(VIDEOS)}"
    )


class _Iterated(ABC):
    """What all sources share: iterating means reading until the end."""

    settled = False
    status = "ready"
    ended = False

    @abstractmethod
    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None if none came in time or none will."""

    def close(self) -> None:
        self.ended = True

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None or not self.ended:
            if frame is not None:
                yield frame


class FolderSource(_Iterated):
    """The pictures of a folder in name order, or one picture."""

    settled = True

    def __init__(self, path: Path | str) -> None:
        folder = Path(path)
        try:
            files = sorted(folder.iterdir()) if folder.is_dir() else [folder]
        except OSError as error:
            raise SourceError(
                f"cannot look into the folder '{folder}': {error.strerror}; check its permissions"
            ) from error
        self._files = [
            f for f in files if f.suffix.lower() in PICTURES and not f.name.startswith(".")
        ]
        if not self._files:
            raise SourceError(
                f"there are no pictures in '{folder}'; put files ending in {', '.join(PICTURES)} "
                "there or name another folder"
            )
        # A wrong file in the middle is better said now than after an hour of refereeing.
        for file in self._files:
            _check_picture(file)
        self._next = 0
        self.status = f"{len(self._files)} pictures in '{folder}'"

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next picture; None after the last one."""
        if self._next >= len(self._files):
            self.ended = True
        if self.ended:
            return None
        path = self._files[self._next]
        frame = Frame(read_picture(path), self._next, path.name, float(self._next), path)
        self._next += 1
        return frame


def _check_picture(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise SourceError(
            f"cannot read the picture '{path}': {error.strerror}; check the file and its "
            "permissions"
        ) from error
    known = (b"\xff\xd8", b"\x89PNG", b"BM", b"II*\0", b"MM\0*")
    if not (head.startswith(known) or (head[:4] == b"RIFF" and head[8:] == b"WEBP")):
        raise SourceError(
            f"'{path}' is not a picture although its name says so; remove it or save it again as "
            "JPEG or PNG"
        )


def read_picture(path: Path) -> Picture:
    """The picture in ``path`` (height × width × 3, BGR); raises SourceError."""
    _check_picture(path)
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if image is None:
        raise SourceError(
            f"the picture '{path}' is damaged and cannot be decoded; remove it or save it again"
        )
    return np.asarray(image, dtype=np.uint8)


class VideoSource(_Iterated):
    """Every frame of a video file, as fast as they are read."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError(
                f"cannot play the video '{path}'; check that it is a video, or convert it to "
                "MP4 (H.264)"
            )
        self._fps = self._capture.get(cv2.CAP_PROP_FPS) or 30.0
        self._next = 0
        self.status = f"video '{path}'"

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None after the last one."""
        if self.ended:
            return None
        good, image = self._capture.read()
        if not good:
            if self._next == 0:
                raise SourceError(
                    f"the video '{self._path}' holds no frame that can be decoded; convert it to "
                    "MP4 (H.264)"
                )
            self.close()
            return None
        number, self._next = self._next, self._next + 1
        picture = np.asarray(image, dtype=np.uint8)
        return Frame(picture, number, str(number), number / self._fps)

    def close(self) -> None:
        """Let go of the file."""
        self.ended = True
        self._capture.release()


class MemorySource(_Iterated):
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


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that a camera needs."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether the device answers."""

    def read(self) -> tuple[bool, Picture]:
        """Success and picture."""

    def release(self) -> None:
        """Let go of the device."""


def _open_usb(device: int | str, size: tuple[int, int]) -> Capture:
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    # MJPG before the size: uncompressed, USB 2 carries full pictures at a few frames a second
    # only, and drivers then quietly choose a smaller size.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture  # type: ignore[return-value]  # the stubs allow any array for a picture


class UsbCameraSource(_Iterated):
    """A USB camera. A thread keeps the newest frame and reconnects when the cable was pulled."""

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int] = (1920, 1080),
        opener: Callable[[int | str, tuple[int, int]], Capture] = _open_usb,
        back_off_s: tuple[float, ...] = (0.5, 1.0, 2.0, 5.0),
    ) -> None:
        """``size``: wished width and height in px. ``back_off_s``: waits between reconnections.

        Raises SourceError if the camera cannot be opened now.
        """
        self._device, self._size, self._opener, self._back_off = device, size, opener, back_off_s
        capture = opener(device, size)
        if not capture.isOpened():
            capture.release()
            raise SourceError(
                f"cannot open the camera {device}; check that it is plugged in, that no other "
                "program uses it, and that you may read it (group 'video')"
            )
        self._newest: Frame | None = None
        self._arrived = threading.Condition()
        self._stop = threading.Event()
        self._count = 0
        self.status = f"camera {device} is running"
        self._thread = threading.Thread(
            target=self._run, args=(capture,), name=f"camera {device}", daemon=True
        )
        self._thread.start()

    def read(self, timeout: float | None = None) -> Frame | None:
        """The newest frame not yet read; waits for one."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._newest is not None or self.ended, timeout)
            frame, self._newest = self._newest, None
            return frame

    def close(self) -> None:
        """Stop the thread and let go of the device."""
        self._stop.set()
        with self._arrived:
            self.ended = True
            self._arrived.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=2.0)

    def _run(self, capture: Capture | None) -> None:
        failed = 0
        while not self._stop.is_set():
            if capture is None:
                capture = self._reconnect()
                failed = 0
                continue
            good, image = capture.read()
            if good:
                failed = 0
                self._keep(np.asarray(image, dtype=np.uint8))
                continue
            failed += 1
            self._stop.wait(0.05)
            if failed >= FAILED_READS:
                capture.release()
                capture = None
        if capture is not None:
            capture.release()

    def _keep(self, image: Picture) -> None:
        with self._arrived:
            number, self._count = self._count, self._count + 1
            self._newest = Frame(image, number, str(number), time.monotonic())
            self._arrived.notify()

    def _reconnect(self) -> Capture | None:
        attempt = 0
        while not self._stop.is_set():
            wait = self._back_off[min(attempt, len(self._back_off) - 1)]
            self.status = f"camera {self._device} was unplugged; plug it in again (trying again)"
            if self._stop.wait(wait):
                break
            capture = self._opener(self._device, self._size)
            if capture.isOpened():
                self.status = f"camera {self._device} is running"
                return capture
            capture.release()
            attempt += 1
        return None
