"""A field test at a whole Heelstone with simulated devices, on a simulated Raspberry Pi."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.settings.settings import CameraSettings, Settings
from companion.workshop.fieldtest.sequence import FieldTest
from companion.workshop.fieldtest.steps import Answer, Step, Touch
from hardware.settings import RigSettings
from tests.support.fake_picamera2 import Bench
from tests.support.pi import Pi
from tests.support.workshop_application import RIG
from vision.camera.pi import PiCameraSource

MODEL = "Raspberry Pi 4 Model B Rev 1.4"
SERIAL = "10000000deadbeef"


class PiRoot(Pi):
    """The files of a Raspberry Pi that a field test reads."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.write("proc/device-tree/model", f"{MODEL}\0")
        self.write("proc/device-tree/serial-number", f"{SERIAL}\0")
        self.write("proc/meminfo", "MemTotal: 3884000 kB\nMemAvailable: 2900000 kB\n")
        self.write("proc/self/status", "VmHWM: 301000 kB\n")
        self.write("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n')
        self.boot()

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def boot(self) -> None:
        """The computer starts anew."""
        self.write("proc/sys/kernel/random/boot_id", f"{random.random()}\n")


class QuickClock:
    """Goes with the pictures of a simulated camera while there are any, else faster than time."""

    def __init__(self, camera: Bench) -> None:
        self._camera, self._now_s = camera, 0.0
        self._before = camera.clock_s, time.monotonic()

    def __call__(self) -> float:
        pictures, real = self._camera.clock_s, time.monotonic()
        passed = pictures - self._before[0]
        self._now_s += passed if self._camera.open else (real - self._before[1]) * 20
        self._before = pictures, real
        return self._now_s


class FakeGlass:
    """A screen that draws forty frames a second."""

    size = (800, 480)
    reach_px = 24.0

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    @property
    def frames(self) -> int:
        """Drawn so far."""
        return int(self._clock() * 40)


def table(state: Path, rig: RigSettings = RIG, camera: CameraSettings | None = None) -> Application:
    """Heelstone with simulated devices."""
    seen = camera or CameraSettings()
    return Application(Settings(camera=seen, rig=rig), state, "en")


def plug_in(camera: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs find this camera at the connector from now on."""
    opened = partial(PiCameraSource, load=camera.load, clock=camera.clock)
    monkeypatch.setattr("vision.camera.sources.PiCameraSource", opened)
    monkeypatch.setattr("vision.camera.pi.pi_cameras", lambda: list(camera.models))


def field_test(house: Application, root: Path, camera: Bench | None = None) -> FieldTest:
    """The field test of a table; ``camera``: the one at its connector."""
    test = house.workshop.field_test
    test.kit.root, test.kit.chance = root, random.Random(3)
    test.kit.clock = QuickClock(camera or Bench())
    test.kit.glass = FakeGlass(test.kit.clock)
    return test


class People:
    """Do what they are asked to do, and tell what they see."""

    def __init__(self, house: Application, **answers: Answer) -> None:
        """``answers``: other ones than those of a table where all is well, by the step's code."""
        self.house, self.answers = house, answers
        self._lamp = -1

    def __call__(self, step: Step) -> Answer | None:
        if step.code in self.answers:
            return self.answers[step.code]
        twins: dict[str, Any] = dict(self.house.rig.twins)
        match step.code:
            case "lamps":
                lit = [n for n, rgb in enumerate(twins["lamps"].pixels) if any(rgb)]
                if len(lit) != 1 or lit[0] == self._lamp:
                    return None
                self._lamp = lit[0]
                return str(self._lamp)
            case "display":
                shown = twins["score"].rows()[0].strip()
                return shown if shown in step.choices else None
            case "sound":
                return str(twins["sound"].said[-1])
            case "buttons":
                for name in self.house.rig.buttons.names:
                    self.house.workshop.devices.push(name, True)
                    self.house.workshop.devices.push(name, False)
            case "touch":
                return Touch((3.0, -2.0), 30.0)
            case "fingers":
                return Touch(fingers=2)
            case "colours" | "photo" | "photo_seen":
                return step.choices[0]
            case "before_settling" | "before_picture" | "before_flicker":
                return "ready"
        return None


def run(
    test: FieldTest, people: Callable[[Step], Answer | None], until: str = "", seconds: float = 60
) -> None:
    """Go through the sequence, to the step with the code ``until`` or to the end."""
    end = time.monotonic() + seconds
    while test.following or test.step is not None:
        assert time.monotonic() < end, (test.name, test.step)
        if test.step is None:
            test.go_on()
        elif test.step.code == until:
            return
        else:
            test.tick(people(test.step))
            time.sleep(0.001)
