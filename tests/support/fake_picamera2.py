"""A camera with picamera2's own interface, for the tests.

It keeps the rules that a real one keeps: a request occupies a buffer until it is released, and
with none left no request completes; rows are padded to the stride; a control that the camera does
not have is refused; a camera in use cannot be opened twice; what is closed gives nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.arrays import Picture

ALIGN = 64
"""Multiple of bytes to which rows are padded."""

AUTOFOCUS: dict[str, Any] = dict.fromkeys(
    ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "AfMode",
     "LensPosition", "FrameDurationLimits"),
    (0, 0, 0),
)  # fmt: skip
"""The controls of a Camera Module 3."""

FIXED_FOCUS = {k: v for k, v in AUTOFOCUS.items() if k not in ("AfMode", "LensPosition")}


class Bench:
    """The cameras at the connectors, and what a test may do to them."""

    def __init__(self, models: tuple[str, ...] = ("imx708",)) -> None:
        self.models = models
        self.plugged = True
        self.controls: dict[str, Any] = AUTOFOCUS
        self.resolution = (4608, 2592)
        self.scene = 120
        """Brightness of what the camera looks at."""
        self.metadata: dict[str, Any] = {
            "ExposureTime": 20000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6),
            "AeLocked": True, "LensPosition": 1.5, "AfState": 2,
        }  # fmt: skip
        self.open: list[FakePicamera2] = []
        self.opened = 0
        self.full_pictures = 0
        self.set: list[dict[str, Any]] = []
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
            "raw": None,
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
        self.bench.set.append(dict(controls))

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
        bench.clock_s += 0.05
        return FakeRequest(camera)


class FakeRequest:
    """One exposure in both streams."""

    def __init__(self, camera: FakePicamera2) -> None:
        self.camera = camera
        self.value = camera.bench.scene
        self.metadata = dict(camera.bench.metadata)
        self.released = False
        camera.out += 1

    def make_buffer(self, name: str) -> Any:
        assert not self.released and name == "lores"
        (width, height), stride = self._stream(name)
        rows = np.full((height, stride), 255, np.uint8)  # Padding is anything but picture.
        rows[:, :width] = self.value
        return np.concatenate([rows.ravel(), np.zeros(stride * height // 2, np.uint8)])

    def make_array(self, name: str) -> Picture:
        assert not self.released and name == "main"
        self.camera.bench.full_pictures += 1
        (width, height), _ = self._stream(name)
        return np.full((height, width, 3), self.value, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.camera.out -= 1

    def _stream(self, name: str) -> tuple[tuple[int, int], int]:
        stream = self.camera.camera_configuration()[name]
        return stream["size"], stream["stride"]
