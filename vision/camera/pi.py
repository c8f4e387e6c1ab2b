"""The Raspberry Pi's own cameras, through picamera2.

Two streams: a small one in YUV420, whose grey part costs nothing, and the full picture,
which is copied only on request (a 12-megapixel picture is 36 MB). Both come from the same
request, so they show the same moment.

picamera2 comes with the system (``apt install python3-picamera2``), not from PyPI, and is
imported when a camera is opened. Its interface as used here: ``Picamera2`` in
``picamera2/picamera2.py`` (create_still_configuration, configure, camera_configuration, start,
capture_request, set_controls, camera_controls, close, global_camera_info), ``CompletedRequest``
in ``request.py`` (make_buffer, make_array, get_metadata, release) and ``Job.get_result(timeout)``
in ``job.py`` of github.com/raspberrypi/picamera2; controls and their values: libcamera's
``control_ids_core.yaml``.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from vision.arrays import Grey, Picture
from vision.camera.frames import Frame, Iterated, SourceError
from vision.camera.usb import BACK_OFF_S

log = logging.getLogger(__name__)

SMALL_WIDTH = 320
"""Width of the small stream in px; a multiple of 64, so that most cameras need no padding."""

BUFFERS = 3
"""Pictures in the camera's hands: one is looked at while the next one is taken."""

MICROSECONDS_PER_FRAME = (50_000, 100_000)
"""10 to 20 pictures a second: hands are not faster, and in the evening light is scarce."""
QUICK_MICROSECONDS, QUICK_PX = (33_333, 100_000), 2_100_000
"""Up to 30 a second where pictures are no larger than this: discs that roll are faster."""

SILENCE_S = 3.0
"""A camera that delivers nothing for this long is reopened. A cable that was pulled and a
sensor that has hung look the same: requests never complete."""

SLICE_S = 0.25
"""Seconds after which a waiting reader looks up, to notice that the source was closed."""

SETTLE_S, SETTLE_LIMIT_S = 1.5, 6.0
"""Exposure and focus are locked once the camera says that they have converged, after the first of
these; after the second in any case."""

LIGHT_CHANGE = 1.7
"""Brighter or darker by this factor, for ``LIGHT_LASTS_S``, is another lamp or the evening, and
exposure is measured again."""
LIGHT_LASTS_S = 5.0

AUTOMATIC = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True}
"""Gives exposure and white balance back to the camera; older versions of libcamera want zeros for
that, newer ones ignore them."""

AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's AfMode."""
AF_SCANNING = 1
"""libcamera's AfState while the lens moves."""


class Request(Protocol):
    """picamera2's ``CompletedRequest``: all streams of one exposure."""

    def make_buffer(self, name: str) -> Any:
        """The bytes of a stream."""

    def make_array(self, name: str) -> Any:
        """A stream as height × width × 3, without padding."""

    def get_metadata(self) -> dict[str, Any]:
        """Settings that the camera used."""

    def release(self) -> None:
        """Give the buffers back."""


class Camera(Protocol):
    """The part of ``Picamera2`` that is used."""

    camera_controls: dict[str, Any]
    sensor_resolution: tuple[int, int]

    def create_still_configuration(self, **values: Any) -> dict[str, Any]:
        """A configuration for pictures."""

    def configure(self, config: dict[str, Any]) -> None:
        """Choose a configuration; sizes and strides may be adjusted."""

    def camera_configuration(self) -> dict[str, Any]:
        """The configuration as it was adjusted."""

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Change controls with the next request."""

    def start(self) -> None:
        """Begin to take pictures."""

    def capture_request(self, wait: bool) -> Any:
        """The next request, as a job."""

    def close(self) -> None:
        """Stop, and release the camera."""


class Library(Protocol):
    """The class ``Picamera2`` itself."""

    def __call__(self, camera_num: int) -> Camera:
        """Open a camera."""

    def global_camera_info(self) -> list[dict[str, Any]]:
        """Model and id of each camera, in order of their numbers."""


def load_library() -> Library:
    """picamera2's ``Picamera2``. Raises SourceError with what to do if it is not available."""
    try:
        from picamera2 import Picamera2
    except Exception as error:
        # A picamera2 of another Python or numpy fails with ValueError, AttributeError and worse.
        if isinstance(error, ModuleNotFoundError) and error.name == "picamera2":
            raise SourceError("picamera_missing") from error
        raise SourceError("picamera_broken", detail=str(error)) from error
    library: Library = Picamera2
    return library


def pi_cameras(load: Callable[[], Library] = load_library) -> list[str]:
    """The models of the Pi cameras, in order of their numbers; empty where there are none."""
    try:
        return [
            str(info.get("Model", "camera"))
            for info in load().global_camera_info()
            # libcamera lists USB cameras too; those have better names of their own.
            if "usb" not in str(info.get("Id", "")).lower()
        ]
    except Exception as error:
        log.debug("no Pi cameras: %s", error)
        return []


class PiCameraSource(Iterated):
    """A camera on the Pi's own connector; reopens itself when it falls silent."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] | None = None,
        load: Callable[[], Library] = load_library,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
        lock: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``size``: width and height of the full picture in px; None: all that the sensor has.
        ``lock``: lock exposure, white balance and focus once they have settled.

        Raises SourceError if the camera cannot be opened now.
        """
        self._number, self._size, self._lock = number, size, lock
        self._library = load()
        self._back_off, self._clock = back_off_s, clock
        self._using = threading.Lock()
        self._camera: Camera | None = None
        self._job: Any = None
        self._held: _Held | None = None
        self._count = self._attempt = 0
        self._small: Mapping[str, Any] = {}
        self._settling: _Settling | None = None
        self._alive_s = self._again_s = 0.0
        self._open()

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame; its full picture is available until the next call."""
        end = None if timeout is None else self._clock() + timeout
        while not self.ended:
            left = SLICE_S if end is None else min(SLICE_S, end - self._clock())
            with self._using:
                frame = None if self.ended else self._step(max(left, 0.0))
            if frame is not None:
                return frame
            if end is not None and self._clock() >= end:
                break
        return None

    def close(self) -> None:
        """Release the camera; may be called from any thread."""
        self.ended = True
        with self._using:
            self._drop()

    def _step(self, seconds: float) -> Frame | None:
        """Wait for a frame, or for the camera itself, for a while."""
        if self._camera is None:
            wait = self._again_s - self._clock()
            if wait > 0:
                time.sleep(min(wait, seconds))
                return None
            try:
                self._open()
            except SourceError as error:
                log.debug("%s", error)
                self._gone()
                return None
        try:
            return self._next(seconds)
        except TimeoutError:
            if self._clock() - self._alive_s > SILENCE_S:
                log.warning("the Pi camera %d has fallen silent", self._number)
                self._gone()
        except Exception as error:
            # libcamera reports a lost camera in many ways; all of them mean the same to us.
            log.warning("the Pi camera %d has failed: %s", self._number, error)
            self._gone()
        return None

    def _next(self, seconds: float) -> Frame:
        assert self._camera is not None
        if self._job is None:
            if self._held is not None:
                self._held.release()
            self._job = self._camera.capture_request(wait=False)
        request: Request = self._job.get_result(timeout=seconds)
        self._job = None
        self._held = held = _Held(request)
        now = self._alive_s = self._clock()
        self._attempt = 0
        small = _grey_part(request.make_buffer("lores"), self._small)
        if self._settling is not None:
            controls = self._settling.step(request.get_metadata(), small, now)
            if controls:
                self._camera.set_controls(controls)
        number, self._count = self._count, self._count + 1
        return Frame(held.picture, number, str(number), now, small=small)

    def _open(self) -> None:
        try:
            camera = self._library(self._number)
        except Exception as error:
            # An unknown number is an IndexError, a camera in use a RuntimeError.
            raise SourceError("pi_closed", camera=self._number, detail=str(error)) from error
        try:
            self._start(camera)
        except Exception as error:
            with contextlib.suppress(Exception):
                camera.close()
            raise SourceError("pi_set_up", camera=self._number, detail=str(error)) from error
        self._camera, self._alive_s = camera, self._clock()
        self._settling = _Settling(camera.camera_controls, self._alive_s) if self._lock else None
        self.status = f"Pi camera {self._number} is running"

    def _start(self, camera: Camera) -> None:
        full = self._size or tuple(camera.sensor_resolution)
        width, height = full[0] - full[0] % 2, full[1] - full[1] % 2
        small_width = min(SMALL_WIDTH, width)
        small_height = round(small_width * height / width / 2) * 2
        known = camera.camera_controls
        controls: dict[str, Any] = {}
        if "FrameDurationLimits" in known:
            quick = width * height <= QUICK_PX
            controls["FrameDurationLimits"] = (
                QUICK_MICROSECONDS if quick else MICROSECONDS_PER_FRAME
            )
        if "AfMode" in known:
            controls["AfMode"] = AF_CONTINUOUS
        camera.configure(
            camera.create_still_configuration(
                # libcamera's RGB888 lies in memory as OpenCV wants it: blue, green, red.
                main={"size": (width, height), "format": "RGB888"},
                lores={"size": (small_width, small_height), "format": "YUV420"},
                buffer_count=BUFFERS,
                controls=controls,
            )
        )
        self._small = camera.camera_configuration()["lores"]
        camera.start()

    def _gone(self) -> None:
        self._drop()
        wait = self._back_off[min(self._attempt, len(self._back_off) - 1)]
        self._attempt += 1
        self._again_s = self._clock() + wait
        self.status = f"Pi camera {self._number} does not answer; check its cable (trying again)"

    def _drop(self) -> None:
        camera, self._camera, self._job = self._camera, None, None
        if self._held is not None:
            self._held.release()
            self._held = None
        if camera is not None:
            try:
                camera.close()
            except Exception as error:
                log.debug("closing the Pi camera: %s", error)


class _Held:
    """A request in our hands, until its picture has been taken or the next one comes."""

    def __init__(self, request: Request) -> None:
        self._request: Request | None = request
        # Frames are looked at in one thread and the source may be closed in another.
        self._using = threading.Lock()

    def picture(self) -> Picture:
        """The full picture."""
        with self._using:
            if self._request is None:
                raise SourceError("frame_gone")
            try:
                array = self._request.make_array("main")
            except Exception as error:
                raise SourceError("pi_no_picture", detail=str(error)) from error
            return np.ascontiguousarray(array[:, :, :3], dtype=np.uint8)

    def release(self) -> None:
        with self._using:
            request, self._request = self._request, None
        if request is not None:
            with contextlib.suppress(Exception):
                request.release()


def _grey_part(buffer: Any, stream: Mapping[str, Any]) -> Grey:
    """The Y plane of a YUV420 buffer; rows may be padded to a longer stride."""
    width, height = stream["size"]
    stride = int(stream.get("stride") or width)
    plane = np.asarray(buffer, dtype=np.uint8).reshape(-1)[: stride * height]
    return np.ascontiguousarray(plane.reshape(height, stride)[:, :width])


class _Settling:
    """Waits until exposure, white balance and focus have converged, then locks them; starts again
    when the light has changed for good."""

    def __init__(self, known: Mapping[str, Any], now_s: float) -> None:
        """``known``: the controls that the camera has."""
        self._known = frozenset(known)
        self._since_s = now_s
        self._locked_at: float | None = None
        """Mean brightness at the lock; None while unlocked."""
        self._odd_since_s: float | None = None

    def step(self, metadata: Mapping[str, Any], small: Grey, now_s: float) -> dict[str, Any]:
        """The controls to set after a frame; mostly none."""
        light = max(float(small[::4, ::4].mean()), 1.0)
        if self._locked_at is None:
            waited = now_s - self._since_s
            converged = (
                metadata.get("AeLocked") is not False and metadata.get("AfState") != AF_SCANNING
            )
            if waited >= SETTLE_LIMIT_S or (waited >= SETTLE_S and converged):
                self._locked_at = light
                return self._only_known(_frozen(metadata))
            return {}
        factor = max(light / self._locked_at, self._locked_at / light)
        if factor < LIGHT_CHANGE:
            self._odd_since_s = None
        elif self._odd_since_s is None:
            self._odd_since_s = now_s
        elif now_s - self._odd_since_s > LIGHT_LASTS_S:
            self._locked_at, self._odd_since_s, self._since_s = None, None, now_s
            # The focus stays: the board has not come nearer.
            return self._only_known(AUTOMATIC)
        return {}

    def _only_known(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        # A control that a camera lacks makes libcamera refuse all the others with it.
        return {name: value for name, value in controls.items() if name in self._known}


def _frozen(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that hold a camera at its settings in a frame."""
    frozen: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    for name in ("ExposureTime", "AnalogueGain"):
        if name in metadata:
            frozen[name] = metadata[name]
    if "ColourGains" in metadata:
        frozen["ColourGains"] = tuple(metadata["ColourGains"])
    if "LensPosition" in metadata:
        frozen |= {"AfMode": AF_MANUAL, "LensPosition": metadata["LensPosition"]}
    return frozen
