"""USB cameras, through V4L2.

A camera is best named by its path below ``/dev/v4l/by-id``: numbers change with the order in which
cables are plugged in.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Picture
from vision.camera.frames import Frame, Iterated, SourceError

log = logging.getLogger(__name__)

BY_ID = Path("/dev/v4l/by-id")
"""Folder where udev keeps links to cameras with maker and serial number in their names."""

BACK_OFF_S = (0.5, 1.0, 2.0, 5.0)
"""Waits between attempts to find a camera again."""

FAILED_READS = 3
"""Failed reads in a row that mean a camera was unplugged."""

SETTLE_S = 4.0
"""Seconds after which a camera has found exposure, white balance and focus."""

JUDGE_FRAMES = 12
"""Number of frames after which it is judged whether the lock has changed the picture."""

LOCK_CHANGES = 0.15
"""A lock that changes the mean brightness by more than this share is taken back."""

MANUAL_EXPOSURE, AUTO_EXPOSURE = 1, 3
"""V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY, which OpenCV passes on."""


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that a camera needs."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """True if the device answers."""

    def read(self) -> tuple[bool, Picture]:
        """Success and picture."""

    def release(self) -> None:
        """Release the device."""

    def get(self, prop: int, /) -> float:
        """A property of the device; 0 or -1 if it has no such property."""

    def set(self, prop: int, value: float, /) -> bool:
        """Change a property; True if the driver took it."""


Opener = Callable[[int | str, tuple[int, int]], Capture]


def usb_cameras(folder: Path = BY_ID) -> list[str]:
    """The cameras that are plugged in, by paths that stay the same; in name order."""
    # A camera has several nodes; pictures come from the first, the others carry metadata.
    return sorted(str(path) for path in folder.glob("*-video-index0"))


def usb_name(device: int | str, folder: Path = BY_ID) -> str:
    """A name for a camera that stays the same wherever it is plugged in, fit for a file name."""
    path = Path(f"/dev/video{device}") if isinstance(device, int) else Path(device)
    if path.parent != folder:
        for link in usb_cameras(folder):
            if Path(link).resolve() == path.resolve():
                path = Path(link)
    return path.name.removesuffix("-video-index0")


def open_usb(device: int | str, size: tuple[int, int]) -> Capture:
    """OpenCV's capture of a camera, set up for the newest picture of ``size`` px."""
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    # MJPG before the size: uncompressed, USB 2 carries only a few full pictures
    # a second, and drivers then quietly choose a smaller size.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture  # type: ignore[return-value]  # the stubs allow any array for a picture


class UsbCameraSource(Iterated):
    """A USB camera. A thread keeps the newest frame and reconnects if the cable was pulled.

    Some seconds after it was opened, focus, white balance and exposure are locked as far as the
    driver can: a camera that refocuses on a hand moves the whole board in the picture.
    """

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int] = (1920, 1080),
        opener: Opener = open_usb,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
        lock: bool = True,
        settle_s: float = SETTLE_S,
    ) -> None:
        """``size``: desired width and height in px. ``back_off_s``: waits between reconnections.
        ``lock``: lock focus, white balance and exposure after ``settle_s`` seconds.

        Raises SourceError if the camera cannot be opened now.
        """
        self._device, self._size, self._opener, self._back_off = device, size, opener, back_off_s
        self._settle_s = settle_s if lock else None
        capture = opener(device, size)
        if not capture.isOpened():
            capture.release()
            raise SourceError("camera_closed", camera=device)
        self._newest: Frame | None = None
        self._mistake: Exception | None = None
        """An unexpected error in the camera's thread, raised by the next read."""
        self._arrived = threading.Condition()
        self._stop = threading.Event()
        self._count = 0
        self.status = f"camera {device} is running"
        self._thread = threading.Thread(
            target=self._run, args=(capture,), name=f"camera {device}", daemon=True
        )
        self._thread.start()

    def read(self, timeout: float | None = None) -> Frame | None:
        """The newest frame not yet read; waits for one. Raises whatever the driver raised."""
        with self._arrived:
            self._arrived.wait_for(
                lambda: self._newest is not None or self._mistake is not None or self.ended, timeout
            )
            mistake, self._mistake = self._mistake, None
            if mistake is not None:
                raise mistake
            frame, self._newest = self._newest, None
            return frame

    def close(self) -> None:
        """Stop the thread and release the device."""
        self._stop.set()
        with self._arrived:
            self.ended = True
            self._arrived.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=2.0)

    def _run(self, capture: Capture | None) -> None:
        while not self._stop.is_set():
            try:
                self._take_pictures(capture or self._reconnect())
            except Exception as error:
                # A driver may raise anything at all; the camera is opened anew.
                with self._arrived:
                    self._mistake = error
                    self._arrived.notify_all()
                self._stop.wait(self._back_off[0])
            capture = None
        if capture is not None:
            capture.release()

    def _take_pictures(self, capture: Capture | None) -> None:
        """Take pictures until the camera no longer delivers any, or it is closed."""
        if capture is None:
            return
        failed, lock = 0, self._new_lock(capture)
        try:
            while not self._stop.is_set() and failed < FAILED_READS:
                good, image = capture.read()
                if not good:
                    failed += 1
                    self._stop.wait(0.05)
                    continue
                failed = 0
                picture = np.asarray(image, dtype=np.uint8)
                if lock is not None:
                    lock.step(picture)
                self._keep(picture)
        finally:
            capture.release()

    def _new_lock(self, capture: Capture | None) -> _Lock | None:
        if capture is None or self._settle_s is None:
            return None
        return _Lock(capture, time.monotonic() + self._settle_s)

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


class _Lock:
    """Locks what a camera sets by itself, and unlocks the exposure if that went wrong.

    Many drivers report a made-up exposure while it is automatic; locked to that, the picture
    turns black or white.
    """

    def __init__(self, capture: Capture, when_s: float) -> None:
        self._capture, self._when_s = capture, when_s
        self._before = 0.0
        self._frames_left = -1
        self._done = False

    def step(self, image: Picture) -> None:
        """One more picture has come."""
        if self._done:
            return
        if self._frames_left < 0:
            if time.monotonic() >= self._when_s:
                self._before = _brightness(image)
                self._lock()
            return
        self._frames_left -= 1
        if self._frames_left == 0:
            self._done = True
            after = _brightness(image)
            if abs(after - self._before) > LOCK_CHANGES * max(self._before, 1.0):
                log.info("the camera's exposure cannot be locked; it stays automatic")
                self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE)

    def _lock(self) -> None:
        capture = self._capture
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
        self._frames_left = JUDGE_FRAMES
        if not capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE):
            self._done = True
        elif exposure > 0:
            capture.set(cv2.CAP_PROP_EXPOSURE, exposure)


def _brightness(image: Picture) -> float:
    return float(image[::16, ::16, 1].mean())
