"""USB cameras, through V4L2.

A camera is best named by its path below ``/dev/v4l/by-id``: numbers change with the order in which
cables are plugged in.
"""

from __future__ import annotations

import fcntl
import logging
import struct
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Grey, Picture
from vision.camera.adjusting import Adjusting, Do, Told
from vision.camera.frames import Condition, Frame, Iterated, Quantity, SourceError

log = logging.getLogger(__name__)

BY_ID = Path("/dev/v4l/by-id")
"""Folder where udev keeps links to cameras with maker and serial number in their names."""

BACK_OFF_S = (0.5, 1.0, 2.0, 5.0)
"""Waits between attempts to find a camera again."""

FAILED_READS = 3
"""Failed reads in a row that mean a camera was unplugged."""

PICTURES_PER_S, QUICK_PX, SLOW_PER_S = 30, 2_100_000, 15
"""Pictures a second that a camera is asked for, and where they are larger than ``QUICK_PX``."""

LEAST_SMALL_PX = 320
"""The small picture is at least as wide: a finger must be seen in it."""

MANUAL_EXPOSURE, AUTO_EXPOSURE = 1, 3
"""V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY, which OpenCV passes on."""

AUTOMATIC: Mapping[Quantity, tuple[int, float, float]] = {
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE, MANUAL_EXPOSURE),
    "white_balance": (cv2.CAP_PROP_AUTO_WB, 1, 0),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 1, 0),
}
"""The property that leaves a quantity to the camera, its value for that, and for holding it."""

SET_CONTROL = 0xC008561C
"""VIDIOC_S_CTRL, with the control's id and value (``linux/videodev2.h``)."""
POWER_LINE, POWER_LINE_VALUES = 0x00980918, {50: 1, 60: 2}
"""V4L2_CID_POWER_LINE_FREQUENCY, which OpenCV has no name for."""


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that a camera needs."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """True if the device answers."""

    def grab(self) -> bool:
        """Take the next picture from the camera, without decoding it."""

    def retrieve(self) -> tuple[bool, Picture]:
        """Success, and the picture that was grabbed: height × width × 3 (BGR) or 2 (YUYV), or the
        bytes of a JPEG file."""

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


def open_usb(device: int | str, size: tuple[int, int], mains_hz: int | None = None) -> Capture:
    """OpenCV's capture of a camera, set up for the newest picture of ``size`` px.

    ``mains_hz``: lamps flicker twice as often; a camera that can avoids bands of it.
    """
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    # MJPG before the size: uncompressed, USB 2 carries only a few full pictures
    # a second, and drivers then quietly choose a smaller size.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    quick = size[0] * size[1] <= QUICK_PX
    capture.set(cv2.CAP_PROP_FPS, PICTURES_PER_S if quick else SLOW_PER_S)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    got = int(capture.get(cv2.CAP_PROP_FOURCC))
    if got in (cv2.VideoWriter.fourcc(*"MJPG"), cv2.VideoWriter.fourcc(*"YUYV")):
        # As they come: ``_Shot`` decodes as much of them as is asked for.
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
    if mains_hz in POWER_LINE_VALUES:
        _set_power_line(device, POWER_LINE_VALUES[mains_hz])
    return capture  # type: ignore[return-value]  # the stubs allow any array for a picture


def _set_power_line(device: int | str, value: int) -> None:
    path = f"/dev/video{device}" if isinstance(device, int) else device
    try:
        with Path(path).open("rb", buffering=0) as camera:
            fcntl.ioctl(camera, SET_CONTROL, struct.pack("Ii", POWER_LINE, value))
    except OSError as error:
        log.debug("the camera %s does not heed the mains: %s", device, error)


class UsbCameraSource(Iterated):
    """A USB camera. A thread takes every picture, so that the next is always new, keeps the newest
    for whoever waits for it, and reconnects if the cable was pulled.

    Pictures are decoded when they are asked for, the small grey one at a quarter of the full size.
    """

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int] = (1920, 1080),
        opener: Opener = open_usb,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
        lock: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``size``: desired width and height in px. ``back_off_s``: waits between reconnections.
        ``lock``: hold exposure, white balance and focus once they were found.

        Raises SourceError if the camera cannot be opened now.
        """
        self._device, self._size, self._opener, self._back_off = device, size, opener, back_off_s
        self._lock, self._clock = lock, clock
        capture = opener(device, size)
        if not capture.isOpened():
            capture.release()
            raise SourceError("camera_closed", camera=device)
        self._newest: Frame | None = None
        self._waits = False
        """True while somebody waits for a frame."""
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
        """The next frame; waits for one. Raises whatever the driver raised."""
        with self._arrived:
            # What was taken before nobody asked for, and may be old.
            self._newest, self._waits = None, True
            self._arrived.wait_for(
                lambda: self._newest is not None or self._mistake is not None or self.ended, timeout
            )
            self._waits = False
            mistake, self._mistake = self._mistake, None
            if mistake is not None:
                raise mistake
            return self._newest

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
        failed, adjusting = 0, self._adjusting_of(capture)
        self.adjusting = adjusting
        try:
            while not self._stop.is_set() and failed < FAILED_READS:
                good = capture.grab()
                if good and (self._waits or adjusting.curious):
                    good = self._take(capture, adjusting)
                failed = 0 if good else failed + 1
                if not good:
                    self._stop.wait(0.05)
        finally:
            self.adjusting = None
            capture.release()

    def _take(self, capture: Capture, adjusting: Adjusting) -> bool:
        """Fetch the picture that was grabbed; False if it is none."""
        good, data = capture.retrieve()
        if not good:
            return False
        shot = _Shot(np.asarray(data, dtype=np.uint8))
        grey = shot.small()
        if grey is None:
            return False
        told = _told(shot, grey) if adjusting.curious else {}
        for quantity, do in adjusting.step(told, float(grey.mean()), self._clock()):
            _obey(capture, quantity, do)
        self._keep(shot, grey, adjusting.condition)
        return True

    def _adjusting_of(self, capture: Capture) -> Adjusting:
        """Everything that the camera can adjust itself; what it was left with may be of another
        evening, so it searches anew."""
        found = [
            quantity
            for quantity, (prop, automatic, _) in AUTOMATIC.items()
            if capture.set(prop, automatic)
        ]
        return Adjusting(found, self._lock, self._clock())

    def _keep(self, shot: _Shot, grey: Grey, condition: Condition) -> None:
        with self._arrived:
            number, self._count = self._count, self._count + 1
            self._newest = Frame(
                shot.picture, number, str(number), self._clock(), small=grey, condition=condition
            )
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


def _obey(capture: Capture, quantity: Quantity, do: Do) -> None:
    prop, automatic, held = AUTOMATIC[quantity]
    if do is not Do.HOLD:
        capture.set(prop, automatic)
        return
    exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
    capture.set(prop, held)
    if quantity == "exposure" and exposure > 0:
        capture.set(cv2.CAP_PROP_EXPOSURE, exposure)


class _Shot:
    """A picture as a camera delivered it, decoded as far as it is asked for."""

    def __init__(self, data: Picture) -> None:
        """``data``: what ``Capture.retrieve`` returns."""
        self._data = data
        self._is_jpeg = data.ndim < 3 or data.shape[2] not in (2, 3)

    def picture(self) -> Picture:
        """Height × width × 3, BGR. Raises SourceError if it arrived damaged."""
        if self._is_jpeg:
            return self._decoded(cv2.IMREAD_COLOR)
        if self._data.shape[2] == 2:
            return np.asarray(cv2.cvtColor(self._data, cv2.COLOR_YUV2BGR_YUYV), dtype=np.uint8)
        return self._data

    def small(self) -> Grey | None:
        """The whole view in grey; None if it arrived damaged."""
        if self._is_jpeg:
            try:
                return self._decoded(cv2.IMREAD_REDUCED_GRAYSCALE_4)
            except SourceError:
                return None
        # The first of YUYV is the brightness.
        step = max(self._data.shape[1] // LEAST_SMALL_PX, 1)
        return np.ascontiguousarray(self._data[::step, ::step, self._data.shape[2] - 2])

    def colours(self) -> Picture:
        """A very small picture in colour."""
        if self._is_jpeg:
            return self._decoded(cv2.IMREAD_REDUCED_COLOR_8)
        return np.ascontiguousarray(self.picture()[::8, ::8])

    def _decoded(self, how: int) -> Picture:
        try:
            image = cv2.imdecode(self._data.reshape(-1), how)
        except cv2.error:
            image = None
        if image is None:
            raise SourceError("frame_gone")
        return np.asarray(image, dtype=np.uint8)


def _told(shot: _Shot, grey: Grey) -> dict[Quantity, Told]:
    """A picture's evidence of each quantity: drivers report neither a state nor, many of them,
    their true figures."""
    blue, green, red = (max(float(mean), 1.0) for mean in cv2.mean(shot.colours())[:3])
    steep = float(cv2.Laplacian(grey, cv2.CV_16S).std())
    return {
        "exposure": Told((float(grey.mean()),)),
        "white_balance": Told((red / green, blue / green)),
        "focus": Told((steep,)),
    }
