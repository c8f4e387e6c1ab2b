"""The likeliest troubles of a table, each made on a drawn-up computer, each found and explained."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.doctor import Finding, examine
from companion.doctor import system as system_checks

Change = Callable[["Computer"], None]


class Computer:
    """A root folder that looks like a healthy Raspberry Pi."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / "var/lib/heelstone"
        self.settings = ""
        for path in ("dev/dri/card0", "dev/video0", "dev/ttyUSB0", "dev/ttyS0", "dev/gpiochip0"):
            self.write(path)
        self.write("proc/meminfo", "MemTotal: 4000000 kB\nMemAvailable: 2000000 kB")
        self.write("proc/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0")
        self.write("proc/cmdline", "root=/dev/mmcblk0p2 quiet")
        self.write("proc/asound/cards", " 0 [Headphones]: bcm2835")
        self.write("sys/class/thermal/thermal_zone0/temp", "51000")
        self.write("sys/class/hwmon/hwmon1/name", "rpi_volt")
        self.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0")
        self.write("sys/devices/platform/soc/soc:firmware/get_throttled", "0")

    def write(self, path: str, text: str = "") -> None:
        """A file of this computer."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def program(self, number: int, name: str, command: str = "", holds: str = "") -> None:
        """A running program, perhaps with a device open."""
        self.write(f"proc/{number}/comm", name)
        self.write(f"proc/{number}/cmdline", command)
        if holds:
            (self.root / f"proc/{number}/fd").mkdir()
            (self.root / f"proc/{number}/fd/5").symlink_to(self.root / holds)

    def findings(self, lang: str = "en") -> list[Finding]:
        """What the doctor says of it."""
        file = self.root / "settings.toml"
        file.write_text(self.settings)
        return list(examine(self.state, file, lang, root=self.root))

    def finding(self, check: str) -> Finding:
        """The worst finding of one check."""
        found = [f for f in self.findings() if f.check == check]
        return max(found, key=lambda f: ("ok", "hint", "trouble").index(f.level))


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path)


LAMPS = '[rig.lamps]\nkind = "adalight"\ncount = 9\nport = "{}"'
CAMERA = '[camera]\nsource = "/dev/video0"'


def set_to(settings: str) -> Change:
    return lambda computer: setattr(computer, "settings", settings)


def both(*changes: Change) -> Change:
    def change(computer: Computer) -> None:
        for one in changes:
            one(computer)

    return change


TROUBLES: dict[str, tuple[Change, str, str, str]] = {
    "another program holds the camera": (
        both(set_to(CAMERA), lambda c: c.program(77, "obs", holds="dev/video0")),
        "camera", "trouble", "in use by the program obs",
    ),
    "another program holds the port": (
        both(set_to(LAMPS.format("/dev/ttyUSB0")),
             lambda c: c.program(78, "minicom", holds="dev/ttyUSB0")),
        "lamps", "trouble", "in use by the program minicom",
    ),
    "the device was pulled out": (
        set_to(LAMPS.format("/dev/ttyUSB7")), "lamps", "trouble", "Plug the device in",
    ),
    "Braille software took the port": (
        both(set_to(LAMPS.format("/dev/ttyUSB7")), lambda c: c.write("usr/bin/brltty")),
        "lamps", "trouble", "sudo apt remove brltty",
    ),
    "the console sits on the port": (
        both(set_to(LAMPS.format("/dev/ttyS0")),
             lambda c: c.write("proc/cmdline", "console=ttyS0,115200 root=/dev/sda")),
        "lamps", "trouble", "Serial Port",
    ),
    "ModemManager talks to the device": (
        both(set_to(LAMPS.format("/dev/ttyUSB0")), lambda c: c.program(9, "ModemManager")),
        "ports", "hint", "modemmanager",
    ),
    "the camera is gone": (
        set_to('[camera]\nsource = "/dev/video4"'), "camera", "trouble", "Plug it in",
    ),
    "no camera was chosen": (set_to(""), "camera", "hint", "/dev/video0"),
    "the Pi camera's library is missing": (
        set_to('[camera]\nsource = "pi"'), "camera", "trouble", "python3-picamera2",
    ),
    "no loudspeaker": (
        both(set_to('[rig.sound]\nkind = "voice"'),
             lambda c: c.write("proc/asound/cards", "--- no soundcards ---")),
        "sound", "trouble", "loudspeaker",
    ),
    "the power supply is weak": (
        lambda c: c.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1"),
        "power", "trouble", "too weak",
    ),
    "the power supply was weak": (
        lambda c: c.write("sys/devices/platform/soc/soc:firmware/get_throttled", "50000"),
        "power", "hint", "for a moment",
    ),
    "the processor is hot": (
        lambda c: c.write("sys/class/thermal/thermal_zone0/temp", "84500"),
        "heat", "trouble", "84 °C",
    ),
    "memory is short": (
        lambda c: c.write("proc/meminfo", "MemAvailable: 60000 kB"), "memory", "trouble", "58 MB",
    ),
    "another Heelstone is running": (
        lambda c: c.program(55, "python3", "/opt/venv/bin/python3\0/usr/local/bin/heelstone\0"),
        "running", "hint", "process 55",
    ),
    "matches lie in memory": (
        lambda c: c.write("proc/mounts", "overlay / overlay rw 0 0"),
        "state folder", "hint", "may forget everything",
    ),
    "the journal is damaged": (
        lambda c: c.write("var/lib/heelstone/journal.db", "rubbish " * 900),
        "journal", "trouble", "damaged",
    ),
    "the settings are wrong": (
        set_to("[manners]\nquiet = 1"), "settings", "trouble", "did you mean 'quiet_s'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TROUBLES)
def test_a_trouble_is_found_and_explained(name: str, computer: Computer) -> None:
    change, check, level, told = TROUBLES[name]
    change(computer)
    found = computer.finding(check)
    assert (found.level, told in found.text) == (level, True), found


def test_a_healthy_computer_has_none(computer: Computer) -> None:
    computer.settings = CAMERA + "\n" + LAMPS.format("/dev/ttyUSB0")
    assert [f for f in computer.findings() if f.level == "trouble"] == []
    assert "°C" in computer.finding("heat").text


def test_a_full_disk_a_read_only_card_and_no_free_file_are_told_apart(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SimpleNamespace(free=5 << 20)
    monkeypatch.setattr("companion.doctor.storage.shutil.disk_usage", lambda path: disk)
    assert "Only 5 MB" in computer.finding("disk").text
    disk.free = 5 << 40
    figures = SimpleNamespace(f_files=1000, f_favail=0, f_flag=0)
    monkeypatch.setattr("companion.doctor.storage.os.statvfs", lambda path: figures)
    assert "no further file" in computer.finding("disk").text
    figures.f_flag = os.ST_RDONLY
    (computer.root / "var/lib").mkdir(parents=True, exist_ok=True)
    computer.state = computer.root / "settings.toml/inside"
    assert "worn out" in computer.finding("state folder").text


def test_a_clock_that_was_never_set_is_a_hint(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Old(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime(1970, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(system_checks, "datetime", Old)
    found = computer.finding("clock")
    assert found.level == "hint" and "1970-01-01" in found.text


def test_two_opencvs_and_the_wrong_numpy_are_found(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.doctor.software._version", lambda package: "2.1")
    monkeypatch.setattr("companion.doctor.software.find_spec", lambda name: name)
    assert "installed twice" in computer.finding("opencv-python").text
    if sys.version_info < (3, 12):
        assert "does not fit" in computer.finding("numpy").text


def test_an_old_python_and_missing_libraries_are_found(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.doctor.software.OLDEST", (3, 99))
    assert "is not supported" in computer.finding("python").text
    monkeypatch.setattr("companion.doctor.software.find_library", lambda name: None)
    assert "sudo apt install libgl1" in computer.finding("libraries").text


def test_both_languages_tell_every_trouble(computer: Computer) -> None:
    for change, *_ in TROUBLES.values():
        change(computer)
    german, english = computer.findings("de"), computer.findings("en")
    assert [f.check for f in german] == [f.check for f in english]
    different = [g.text != e.text for g, e in zip(german, english, strict=True)]
    # Only names of packages with their versions are the same in both.
    assert sum(different) > len(different) * 0.6
