"""A camera with picamera2's own interface, for the tests.

It keeps the rules that a real one keeps: a request occupies a buffer until it is released, and
with none left no request completes; rows are padded to the stride; a control that the camera does
not have is refused; a camera in use cannot be opened twice; what is closed gives nothing.

It also searches for exposure, white balance and focus as a Pi's does and reports them with the
names and values of libcamera 0.7 (``tests/vision/camera/test_libcamera.py`` compares): as late, as
badly, and as wrongly as a test wants.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.arrays import Picture

ALIGN = 64
"""Multiple of bytes to which rows are padded."""

FRAME_S = 0.05
DELAY_FRAMES = 3
"""A control shows in the metadata of a frame only after so many."""

AUTOFOCUS: dict[str, Any] = dict.fromkeys(
    ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "AfMode", "AfTrigger",
     "LensPosition", "FrameDurationLimits", "AeFlickerMode", "AeFlickerPeriod"),
    (0, 0, 0),
)  # fmt: skip
"""The controls of a Camera Module 3."""

FIXED_FOCUS = {
    k: v for k, v in AUTOFOCUS.items() if k not in ("AfMode", "AfTrigger", "LensPosition")
}

AE_IDLE, AE_SEARCHING, AE_CONVERGED = 0, 1, 2
AF_IDLE, AF_SCANNING, AF_FOCUSED, AF_FAILED = 0, 1, 2, 3
"""libcamera's AeState and AfState."""


@dataclass
class Nature:
    """How a camera searches."""

    exposure_s: float = 0.6
    """Until the exposure has converged; infinite: it swings for ever."""
    white_s: float = 0.8
    """Until white balance begins to move at all."""
    scan_s: float = 0.7
    failing_scans: float = 0
    """Scans for the focus that fail before one succeeds."""
    has_ae_state: bool = True
    """False: a release of libcamera before 0.5, with AeLocked."""
    silent: bool = False
    """True: it reports no state and no figures at all."""


class Bench:
    """The cameras at the connectors, and what a test may do to them."""

    def __init__(self, models: tuple[str, ...] = ("imx708",), nature: Nature | None = None) -> None:
        self.models = models
        self.nature = nature or Nature()
        self.plugged = True
        self.controls: dict[str, Any] = AUTOFOCUS
        self.resolution = (4608, 2592)
        self.view: Picture | int = 120
        """The view of a camera that has found everything: a picture, or one brightness."""
        self.light = 1.0
        """Of the lamps; the exposure that is needed is the inverse."""
        self.white = (1.9, 1.6)
        """Gains of red and blue that this light needs."""
        self.distance = 1.5
        """Position of the lens in which the board is sharp."""
        self.hand = False
        """A dark sleeve covers half of what is measured, and is nearer."""
        self.eye = Eye(self)
        self.open: list[FakePicamera2] = []
        self.opened = 0
        self.full_pictures = 0
        self.set: list[dict[str, Any]] = []
        self.held_wrongly: list[str] = []
        """Quantities that were held before they had been found, or because of a hand."""
        self.clock_s = 0.0
        """A clock that goes on by what is waited, and a twentieth of a second per frame."""

    def __call__(self, camera_num: int = 0) -> FakePicamera2:
        return FakePicamera2(self, camera_num)

    def global_camera_info(self) -> list[dict[str, Any]]:
        return [
            {"Model": m, "Id": f"/base/soc/i2c0mux/{m}@1a", "Num": n}
            for n, m in enumerate(self.models)
        ]

    def clock(self) -> float:
        self.clock_s += 0.001
        return self.clock_s

    def load(self) -> Bench:
        return self

    def applied(self, controls: dict[str, Any]) -> None:
        """Note controls, and what they hold wrongly."""
        self.set.append(dict(controls))
        eye = self.eye
        if controls.get("AeEnable") is False and (
            self.hand or abs(controls["ExposureTime"] / 1e4 * self.light - 1) > 0.05
        ):
            self.held_wrongly.append("exposure")
        if controls.get("AwbEnable") is False and any(
            abs(a / b - 1) > 0.04 for a, b in zip(controls["ColourGains"], self.white, strict=True)
        ):
            self.held_wrongly.append("white_balance")
        if "LensPosition" in controls and (
            self.hand or abs(controls["LensPosition"] - self.distance) > 0.1
        ):
            self.held_wrongly.append("focus")
        eye.coming.append((DELAY_FRAMES, dict(controls)))


class Eye:
    """The sensor with its algorithms, one step per frame."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.coming: list[tuple[int, dict[str, Any]]] = []
        """Controls on their way, and the frames until they are there."""
        self.exposure, self.gains, self.lens = 3e3, [1.0, 1.0], 0.0
        self._age_s = self._auto_s = self._white_s = 0.0
        self._auto = self._auto_white = True
        self._alike = 0
        self._mode, self._state, self._scan_left_s, self._scans = 0, AF_IDLE, 0.0, 0
        self._scene = False

    def step(self) -> None:
        """The next frame."""
        self.coming = [(left - 1, controls) for left, controls in self.coming]
        for left, controls in self.coming:
            if left < 0:
                self._take(controls)
        self.coming = [one for one in self.coming if one[0] >= 0]
        self._age_s += FRAME_S
        self._expose()
        self._balance()
        self._focus()

    def _take(self, controls: dict[str, Any]) -> None:
        if (auto := controls.get("AeEnable")) is not None:
            self._auto, self._auto_s, self._alike = auto, 0.0, 0
            if not auto:
                self.exposure = float(controls["ExposureTime"])
        if (auto := controls.get("AwbEnable")) is not None:
            self._auto_white, self._white_s = auto, 0.0
            if not auto:
                self.gains = list(controls["ColourGains"])
        if (mode := controls.get("AfMode")) is not None:
            begins = mode == 2 and self._mode != 2
            self._mode, self._state = mode, AF_IDLE
            self.lens = controls.get("LensPosition", self.lens) if mode == 0 else self.lens
            if begins:
                self._scan()
        if controls.get("AfTrigger") == 0 and self._mode == 1 and self._state != AF_SCANNING:
            self._scan()

    def _scan(self) -> None:
        self._state, self._scan_left_s = AF_SCANNING, self.bench.nature.scan_s
        self._scans += 1

    def _expose(self) -> None:
        bench = self.bench
        self._auto_s += FRAME_S
        if not self._auto:
            return
        aim = 1e4 / bench.light * (1.8 if bench.hand else 1.0)
        before = self.exposure
        if math.isinf(bench.nature.exposure_s):
            self.exposure = aim * (1 + 0.5 * math.sin(self._age_s * 3))
        else:
            share = 1 - 0.02 ** (FRAME_S / max(bench.nature.exposure_s, FRAME_S))
            self.exposure += (aim - self.exposure) * share
        near = abs(self.exposure / before - 1) < 0.01 and abs(self.exposure / aim - 1) < 0.02
        self._alike = self._alike + 1 if near else 0

    def _balance(self) -> None:
        if not self._auto_white:
            return
        self._white_s += FRAME_S
        if self._white_s > self.bench.nature.white_s:
            # Later it creeps.
            speed = 0.5 if self._age_s - self.bench.nature.white_s < 0.5 else 0.05
            self.gains = [
                g + (w - g) * speed for g, w in zip(self.gains, self.bench.white, strict=True)
            ]

    def _focus(self) -> None:
        bench = self.bench
        if self._mode == 2 and self._scene != bench.hand:
            self._scan()
        self._scene = bench.hand
        if self._state != AF_SCANNING:
            return
        self._scan_left_s -= FRAME_S
        self.lens = 10 * abs(math.sin(self._scan_left_s * 5))
        if self._scan_left_s <= 0:
            failed = self._scans <= bench.nature.failing_scans
            self._state = AF_FAILED if failed else AF_FOCUSED
            self.lens = 0.0 if failed else bench.distance + (1.5 if bench.hand else 0.0)

    def metadata(self) -> dict[str, Any]:
        """The metadata of the frame."""
        nature = self.bench.nature
        if nature.silent:
            return {}
        told: dict[str, Any] = {
            "ExposureTime": round(self.exposure), "AnalogueGain": 2.0,
            "ColourGains": tuple(self.gains), "ColourTemperature": 4200, "FocusFoM": 900,
            "FrameDuration": 50_000, "DigitalGain": 1.0, "Lux": 200.0,
        }  # fmt: skip
        converged = self._alike >= 5
        if not nature.has_ae_state:
            told["AeLocked"] = converged
        elif not self._auto:
            told["AeState"] = AE_IDLE
        else:
            told["AeState"] = AE_CONVERGED if converged else AE_SEARCHING
        if "AfMode" in self.bench.controls:
            told |= {"AfState": self._state, "AfPauseState": 0, "LensPosition": self.lens}
        return told

    def exposed(self) -> Callable[[tuple[int, int]], Picture]:
        """Its picture now, height × width × 3, for any width and height."""
        bench = self.bench
        light = self.exposure / 1e4 * bench.light
        red, blue = (g / w for g, w in zip(self.gains, bench.white, strict=True))
        off = abs(self.lens - bench.distance) if "AfMode" in bench.controls else 0.0

        def picture(size: tuple[int, int]) -> Picture:
            view = bench.view
            if isinstance(view, int):
                return np.full((size[1], size[0], 3), min(round(view * light), 255), np.uint8)
            image = view if view.shape[1] == size[0] else cv2.resize(view, size)
            if (radius := round(off * size[0] / 400)) > 0:
                image = np.asarray(cv2.blur(image, (radius * 2 + 1, radius * 2 + 1)))
            tint = np.array([blue, 1.0, red]) * light
            levels = np.clip(np.arange(256)[:, None] * tint, 0, 255).astype(np.uint8)
            return np.asarray(cv2.LUT(image, levels[:, None, :].reshape(1, 256, 3)))

        return picture


class FakePicamera2:
    """One opened camera."""

    def __init__(self, bench: Bench, number: int) -> None:
        if not bench.plugged:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        bench.models[number]  # As picamera2 does: IndexError.
        if bench.open:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        bench.open.append(self)
        bench.opened += 1
        bench.eye = Eye(bench)
        self.bench = bench
        self.camera_controls = bench.controls
        self.sensor_resolution = bench.resolution
        self.config: dict[str, Any] | None = None
        self.started = False
        self.out = 0
        """Requests that were handed out and not yet released."""

    def create_still_configuration(self, **values: Any) -> dict[str, Any]:
        usual: dict[str, Any] = {
            "use_case": "still",
            # One that nobody reads costs its buffers all the same.
            "raw": {"size": self.sensor_resolution},
            "buffer_count": 1,
            "controls": {},
        }
        assert set(values) <= {"main", "lores", *usual}
        return usual | {k: dict(v) if isinstance(v, dict) else v for k, v in values.items()}

    def configure(self, config: dict[str, Any]) -> None:
        assert not self.started
        for name, bytes_per_px in (("main", 3), ("lores", 1)):
            width, height = config[name]["size"]
            if width % 2 or height % 2:
                raise RuntimeError("width and height should be even")
            stride = -(-width * bytes_per_px // ALIGN) * ALIGN
            config[name] |= {"stride": stride, "framesize": stride * height}
        if config["lores"]["size"] > config["main"]["size"]:
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        self.config = config
        self.set_controls(config["controls"])

    def camera_configuration(self) -> dict[str, Any]:
        assert self.config is not None
        return self.config

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.bench.applied(controls)

    def start(self) -> None:
        assert self.config is not None
        self.started = True

    def capture_request(self, wait: bool | None = None) -> Job:
        assert wait is False, "without a time limit a lost camera is waited for for ever"
        return Job(self)

    def close(self) -> None:
        self.started = False
        self.bench.open.remove(self)


class Job:
    """Handle that picamera2 returns for a request that has not completed yet."""

    def __init__(self, camera: FakePicamera2) -> None:
        self.camera = camera

    def get_result(self, timeout: float | None = None) -> FakeRequest:
        camera, bench = self.camera, self.camera.bench
        assert timeout is not None
        assert camera.config is not None
        busy = camera.out >= camera.config["buffer_count"]
        if not (bench.plugged and camera.started) or busy:
            bench.clock_s += timeout
            raise TimeoutError
        bench.clock_s += FRAME_S
        bench.eye.step()
        return FakeRequest(camera)


class FakeRequest:
    """One exposure in both streams."""

    def __init__(self, camera: FakePicamera2) -> None:
        self.camera = camera
        self.metadata = camera.bench.eye.metadata()
        self._picture = camera.bench.eye.exposed()
        self.released = False
        camera.out += 1

    def make_buffer(self, name: str) -> Any:
        assert not self.released and name in ("main", "lores")
        (width, height), stride = self._stream(name)
        rows = np.full((height, stride), 255, np.uint8)  # Padding is anything but picture.
        picture = self._picture((width, height))
        if name == "main":
            self.camera.bench.full_pictures += 1
            rows[:, : 3 * width] = picture.reshape(height, 3 * width)
            return rows.ravel()
        rows[:, :width] = picture[:, :, 1]
        return np.concatenate([rows.ravel(), np.zeros(stride * height // 2, np.uint8)])

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.camera.out -= 1

    def _stream(self, name: str) -> tuple[tuple[int, int], int]:
        stream = self.camera.camera_configuration()[name]
        return stream["size"], stream["stride"]
