"""The Raspberry Pi's own cameras, through picamera2.

Two streams: a small one in YUV420, whose grey part costs nothing, and the full picture,
which is copied only on request (a 12-megapixel picture is 36 MB). Both come from the same
request, so they show the same moment.

picamera2 comes with the system (``apt install python3-picamera2``), not from PyPI, and is
imported when a camera is opened. Its interface as used here: ``Picamera2`` in
``picamera2/picamera2.py`` (create_still_configuration, configure, camera_configuration, start,
capture_request, set_controls, camera_controls, close, global_camera_info), ``CompletedRequest``
in ``request.py`` (make_buffer, get_metadata, release) and ``Job.get_result(timeout)``
in ``job.py`` of github.com/raspberrypi/picamera2; controls and their values: libcamera's
``control_ids_core.yaml`` and ``control_ids_draft.yaml``. ``tests/vision/camera/test_libcamera.py``
compares.
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
from vision.camera.adjusting import Adjusting, Do, State, Told
from vision.camera.form import USUAL, Form
from vision.camera.frames import Condition, Frame, Iterated, Quantity, SourceError
from vision.camera.usb import BACK_OFF_S

log = logging.getLogger(__name__)

SMALL_WIDTH = 320
"""Width of the small stream in px; a multiple of 64, so that most cameras need no padding."""

MICROSECONDS_PER_FRAME = (50_000, 100_000)
"""10 to 20 pictures a second: hands are not faster, and in the evening light is scarce."""
QUICK_MICROSECONDS, QUICK_PX = (33_333, 100_000), 2_100_000
"""Up to 30 a second where pictures are no larger than this: discs that roll are faster."""

SILENCE_S = 3.0
"""A camera that delivers nothing for this long is reopened. A cable that was pulled and a
sensor that has hung look the same: requests never complete."""

SLICE_S = 0.25
"""Seconds after which a waiting reader looks up, to notice that the source was closed."""

FOUND = State.FOUND
AE_STATES: Mapping[str, Mapping[Any, State]] = {"AeState": {2: FOUND}, "AeLocked": {True: FOUND}}
"""Names in the metadata of a frame, the first that is there counts, and what their values mean.
libcamera's AeState is idle (0: not asked to search), searching (1) or converged (2); releases
before 0.5 have AeLocked instead."""
AWB_STATES: Mapping[str, Mapping[Any, State]] = {
    "AwbState": {2: FOUND, 3: FOUND},
    "AwbLocked": {True: FOUND},
}
"""libcamera declares both, but a Pi reports neither (0.7): its gains must stand still."""
AF_STATES: Mapping[str, Mapping[Any, State]] = {"AfState": {2: FOUND, 3: State.FAILED}}
"""Idle (0), scanning (1), focused (2), failed (3)."""

AF_MANUAL, AF_AUTO, AF_CONTINUOUS = 0, 1, 2
"""libcamera's AfMode: the lens stays; it moves when ``AfTrigger`` says so; whenever it likes."""
AF_TRIGGER_START = 0

_SEARCH: Mapping[Quantity, Mapping[str, Any]] = {
    # Releases before 0.5 want zeros to give these back to the camera; later ones ignore them.
    "exposure": {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0},
    "white_balance": {"AwbEnable": True},
    "focus": {"AfMode": AF_AUTO, "AfTrigger": AF_TRIGGER_START},
}
_HOLD: Mapping[Quantity, Mapping[str, Any]] = {
    "exposure": {"AeEnable": False},
    "white_balance": {"AwbEnable": False},
    "focus": {"AfMode": AF_MANUAL},
}
_SET: Mapping[Quantity, tuple[str, ...]] = {
    "exposure": ("ExposureTime", "AnalogueGain"),
    "white_balance": ("ColourGains",),
    "focus": ("LensPosition",),
}
"""The controls that hold a quantity, as they were in a frame."""

FLICKER_MANUAL = 1
"""libcamera's AeFlickerMode in which ``AeFlickerPeriod`` (µs) is avoided; a Pi detects none."""


class Request(Protocol):
    """picamera2's ``CompletedRequest``: all streams of one exposure."""

    def make_buffer(self, name: str) -> Any:
        """A copy of a stream's bytes, rows padded to its stride."""

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
        form: Form = USUAL,
        load: Callable[[], Library] = load_library,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises SourceError if the camera cannot be opened now."""
        self._number, self._form = number, form
        self._library = load()
        self._back_off, self._clock = back_off_s, clock
        self._using = threading.Lock()
        self._camera: Camera | None = None
        self._job: Any = None
        self._held: _Held | None = None
        self._count = self._attempt = 0
        self._small: Mapping[str, Any] = {}
        self._full: Mapping[str, Any] = {}
        """The streams as the camera has adjusted them."""
        self.adjusting: Adjusting | None = None
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
        self._held = held = _Held(request, self._full)
        now = self._alive_s = self._clock()
        self._attempt = 0
        small = _grey_part(request.make_buffer("lores"), self._small)
        condition = self._adjust(request.get_metadata(), small, now)
        number, self._count = self._count, self._count + 1
        return Frame(held.picture, number, str(number), now, small=small, condition=condition)

    def _adjust(self, metadata: Mapping[str, Any], small: Grey, now: float) -> Condition:
        adjusting = self.adjusting
        assert self._camera is not None and adjusting is not None
        light = float(small[::4, ::4].mean())
        controls: dict[str, Any] = {}
        for quantity, do in adjusting.step(_told(metadata), light, now):
            controls |= _controls(quantity, do, metadata)
        # A control that a camera lacks makes libcamera refuse all the others with it.
        controls = {k: v for k, v in controls.items() if k in self._camera.camera_controls}
        if controls:
            self._camera.set_controls(controls)
        return adjusting.condition

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
        self.adjusting = Adjusting(
            _quantities(camera.camera_controls), self._form.lock, self._alive_s
        )
        self.status = f"Pi camera {self._number} is running"

    def _start(self, camera: Camera) -> None:
        sensor_width, sensor_height = camera.sensor_resolution
        width, height = self._form.size_of((sensor_width, sensor_height))
        small_width = min(SMALL_WIDTH, width)
        small_height = round(small_width * height / width / 2) * 2
        known = camera.camera_controls
        controls: dict[str, Any] = {}
        if "FrameDurationLimits" in known:
            quick = width * height <= QUICK_PX
            controls["FrameDurationLimits"] = (
                QUICK_MICROSECONDS if quick else MICROSECONDS_PER_FRAME
            )
        if self._form.mains_hz and "AeFlickerPeriod" in known:
            controls["AeFlickerMode"] = FLICKER_MANUAL
            controls["AeFlickerPeriod"] = round(1e6 / (2 * self._form.mains_hz))
        camera.configure(
            camera.create_still_configuration(
                # libcamera's RGB888 lies in memory as OpenCV wants it: blue, green, red.
                main={"size": (width, height), "format": "RGB888"},
                lores={"size": (small_width, small_height), "format": "YUV420"},
                raw=None,
                buffer_count=self._form.buffers,
                controls=controls,
            )
        )
        adjusted = camera.camera_configuration()
        self._small, self._full = adjusted["lores"], adjusted["main"]
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

    def __init__(self, request: Request, stream: Mapping[str, Any]) -> None:
        self._request: Request | None = request
        self._stream = stream
        # Frames are looked at in one thread and the source may be closed in another.
        self._using = threading.Lock()

    def picture(self) -> Picture:
        """The full picture."""
        with self._using:
            if self._request is None:
                raise SourceError("frame_gone")
            try:
                # make_array would copy rows that are padded once more.
                buffer = self._request.make_buffer("main")
            except Exception as error:
                raise SourceError("pi_no_picture", detail=str(error)) from error
            width, height = self._stream["size"]
            return _rows(buffer, self._stream, 3 * width).reshape(height, width, 3)

    def release(self) -> None:
        with self._using:
            request, self._request = self._request, None
        if request is not None:
            with contextlib.suppress(Exception):
                request.release()


def _grey_part(buffer: Any, stream: Mapping[str, Any]) -> Grey:
    """The Y plane of a YUV420 buffer."""
    return np.ascontiguousarray(_rows(buffer, stream, stream["size"][0]))


def _rows(buffer: Any, stream: Mapping[str, Any], length: int) -> Grey:
    """The first rows of a stream, ``length`` bytes each, where they lie in its buffer: they may be
    padded to a longer stride."""
    height, stride = stream["size"][1], int(stream.get("stride") or length)
    plane = np.asarray(buffer, dtype=np.uint8).reshape(-1)[: stride * height]
    return plane.reshape(height, stride)[:, :length]


def _quantities(known: Mapping[str, Any]) -> list[Quantity]:
    """The quantities that a camera with these controls searches for."""
    by_control: dict[str, Quantity] = {
        "AeEnable": "exposure", "AwbEnable": "white_balance", "AfTrigger": "focus"
    }  # fmt: skip
    return [quantity for control, quantity in by_control.items() if control in known]


def _told(metadata: Mapping[str, Any]) -> dict[Quantity, Told]:
    """The state of each quantity in a frame. Whatever a release of libcamera does not report is not
    known, and so not found."""
    exposure, gain = metadata.get("ExposureTime"), metadata.get("AnalogueGain")
    lens = metadata.get("LensPosition")
    return {
        "exposure": Told(
            () if exposure is None or gain is None else (float(exposure * gain),),
            _state(metadata, AE_STATES),
        ),
        "white_balance": Told(
            tuple(map(float, metadata.get("ColourGains", ()))), _state(metadata, AWB_STATES)
        ),
        "focus": Told(() if lens is None else (float(lens),), _state(metadata, AF_STATES)),
    }


def _state(metadata: Mapping[str, Any], words: Mapping[str, Mapping[Any, State]]) -> State | None:
    """The first word that the camera has for a quantity; a value nobody knows is no result."""
    for name, meanings in words.items():
        if name in metadata:
            return meanings.get(metadata[name], State.SEARCHING)
    return None


def _controls(quantity: Quantity, do: Do, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that carry out an order."""
    if do is Do.HOLD:
        frozen = {name: metadata[name] for name in _SET[quantity] if name in metadata}
        if "ColourGains" in frozen:
            frozen["ColourGains"] = tuple(frozen["ColourGains"])
        return {**_HOLD[quantity], **frozen}
    if quantity == "focus" and do is Do.LEAVE:
        return {"AfMode": AF_CONTINUOUS}
    return dict(_SEARCH[quantity])
