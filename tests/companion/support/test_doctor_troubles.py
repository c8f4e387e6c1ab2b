"""The likeliest troubles of a table, each made on a drawn-up computer, each found and explained."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from companion.app.commands import shared_options
from companion.support.doctor import Finding, examine
from companion.support.doctor import system as system_checks
from companion.support.doctor.finding import WITH_VALUE
from companion.support.finding import Verdict
from tests.support.journals import filled

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
        """The doctor's findings."""
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
    "the camera of this number is gone": (
        set_to('[camera]\nsource = "7"'), "camera", "trouble", "/dev/video7 is not there",
    ),
    "the installed table does not start": (
        lambda c: c.write("opt/heelstone/current/bin/heelstone"),
        "table", "trouble", "sudo systemctl enable --now heelstone.service",
    ),
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
        "power", "hint", "at least once",
    ),
    "the power supply of a Raspberry Pi 5 is weak": (
        lambda c: c.write("sys/devices/platform/soc@107c000000/soc@107c000000:firmware/"
                          "get_throttled", "50005"),
        "power", "trouble", "too weak",
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
    "pictures are larger than the memory": (
        set_to(f"memory_mb = 400\n{CAMERA}\nwidth = 4608\nheight = 2592"),
        "memory", "hint", "4608 × 2592",
    ),
    "matches lie in memory": (
        lambda c: c.write("proc/mounts", "overlay / overlay rw 0 0"),
        "state folder", "hint", "may lose everything",
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
    disk = SimpleNamespace(f_files=1000, f_favail=9, f_bavail=5, f_frsize=1 << 20, f_flag=0)
    monkeypatch.setattr("companion.support.doctor.storage.os.statvfs", lambda path: disk)
    assert "Only 5 MB" in computer.finding("disk").text
    disk.f_favail, disk.f_bavail = 0, 5 << 20
    assert "cannot hold any more files" in computer.finding("disk").text
    disk.f_flag = os.ST_RDONLY
    (computer.root / "var/lib").mkdir(parents=True, exist_ok=True)
    computer.state = computer.root / "settings.toml/inside"
    assert "worn out" in computer.finding("state folder").text


def test_a_disk_that_takes_nothing_more_is_full_not_forbidden(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, *_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr("companion.support.doctor.storage.Path.write_text", full)
    (computer.root / "settings.toml").touch()
    found = list(examine(computer.state, computer.root / "settings.toml", "de", root=computer.root))
    (disk,) = [finding for finding in found if finding.check == "disk"]
    assert disk.level == "trouble" and "MB sind frei" in disk.text
    assert not [f for f in found if f.check == "state folder"]
    assert not (computer.state / ".heelstone-probe").exists()


def test_a_file_that_root_left_in_the_state_folder_is_found(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    computer.write("var/lib/heelstone/foreign")
    allowed = os.access
    monkeypatch.setattr(
        "companion.support.doctor.storage.os.access",
        lambda path, mode: Path(path).name != "foreign" and allowed(path, mode),
    )
    found = computer.finding("state folder")
    assert found.level == "trouble"
    assert "/foreign" in found.text and "sudo chown -R " in found.text


@pytest.mark.parametrize(
    ("words", "level"),
    [
        ("--data\0/tmp/d\0serve", "hint"),
        ("--data=/tmp/d\0--json\0serve\0--game\0dominion", "hint"),
        ("--settings\0serve", "hint"),
        ("--lang\0de", "hint"),
        ("--data\0serve\0doctor", "ok"),
        ("--data\0/tmp/d\0club\0serve", "ok"),
        ("--help", "ok"),
    ],
)
def test_a_table_is_known_whatever_options_stand_before_its_command(
    computer: Computer, words: str, level: str
) -> None:
    command = f"/opt/venv/bin/python3\0/usr/local/bin/heelstone\0{words}\0"
    computer.program(55, "heelstone", command)
    assert computer.finding("running").level == level


def test_the_doctor_knows_the_options_that_are_followed_by_a_word() -> None:
    actions = shared_options(None, "en")._actions
    assert {o for a in actions if a.nargs is None for o in a.option_strings} == {*WITH_VALUE}


@pytest.mark.parametrize(("table_holds_mb", "well"), [(0, False), (150, True)])
def test_memory_that_the_table_holds_already_need_not_be_free(
    computer: Computer, table_holds_mb: int, well: bool
) -> None:
    computer.write("proc/meminfo", "MemTotal: 437000 kB\nMemAvailable: 100000 kB")
    computer.program(55, "python3", "/opt/venv/bin/python3\0/usr/local/bin/heelstone\0")
    computer.write("proc/55/status", f"VmHWM: 290000 kB\nRssAnon:\t{table_holds_mb << 10} kB\n")
    (free,) = (one for one in computer.findings() if one.check == "memory" and one.figures)
    assert (free.verdict is Verdict.GOOD) == well
    assert free.figures[0].least == 200 - table_holds_mb


def test_a_table_that_holds_its_own_devices_is_no_trouble(computer: Computer) -> None:
    computer.settings = CAMERA
    command = "/opt/venv/bin/python3\0/usr/local/bin/heelstone\0serve\0"
    computer.program(55, "heelstone", command, holds="dev/video0")
    assert computer.finding("camera").level == "ok"
    assert computer.finding("running").level == "hint"
    computer.write("opt/heelstone/current/bin/heelstone")
    assert "The table is running (process 55)" in computer.finding("running").text


@pytest.mark.parametrize(
    ("told", "level", "key"),
    [
        (("active", 0), "ok", "starts with the computer"),
        (("active", 7), "hint", "restarted 7 times"),
        (("activating", 7), "trouble", "keeps stopping"),
        (("failed", 0), "trouble", "journalctl --namespace heelstone"),
        (("inactive", 0), "hint", "sudo systemctl start heelstone-table.service"),
    ],
)
def test_an_installed_table_that_does_not_stay_up_is_found(
    computer: Computer,
    monkeypatch: pytest.MonkeyPatch,
    told: tuple[str, int],
    level: str,
    key: str,
) -> None:
    computer.write("opt/heelstone/current/bin/heelstone")
    computer.write("etc/systemd/system/multi-user.target.wants/heelstone-table.service")
    monkeypatch.setattr("companion.support.doctor.system._asked", lambda unit: told)
    monkeypatch.setattr("companion.support.doctor.system.STATE", computer.state)
    found = computer.finding("table")
    assert found.level == level and key in found.text


def test_whoever_looks_at_his_own_folder_is_told_of_the_table(computer: Computer) -> None:
    computer.write("opt/heelstone/current/bin/heelstone")
    told = [f.text for f in computer.findings() if f.check == "table"]
    assert any("sudo heelstone doctor" in text for text in told)


def test_a_clock_that_went_back_is_a_hint(computer: Computer) -> None:
    computer.state.mkdir(parents=True)
    filled(computer.state / "journal.db", 3).close()
    ahead = datetime.now(UTC).timestamp() + 10 * 86_400
    os.utime(computer.state / "journal.db", (ahead, ahead))
    assert computer.finding("clock").level == "hint"


def test_reasons_are_told_in_german_too(computer: Computer) -> None:
    computer.state = computer.root / "settings.toml" / "inside"
    text = next(f.text for f in computer.findings("de") if f.check == "state folder")
    assert "kein Ordner" in text or "gibt es schon" in text, text
    computer.state = computer.root / "state"
    computer.write("state/journal.db", "rubbish " * 900)
    text = next(f.text for f in computer.findings("de") if f.check == "journal")
    assert text.startswith("Das Protokoll war beschädigt")


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
    monkeypatch.setattr("companion.support.doctor.software._version", lambda package: "2.1")
    monkeypatch.setattr("companion.support.doctor.software.find_spec", lambda name: name)
    assert "installed twice" in computer.finding("opencv-python").text
    if sys.version_info < (3, 12):
        assert "does not fit" in computer.finding("numpy").text


def test_a_numpy_that_opencv_cannot_use_is_not_taken_for_a_missing_library(
    computer: Computer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load = importlib.import_module

    def misfit(name: str) -> ModuleType:
        if name != "cv2":
            return load(name)
        print("A module that was compiled using NumPy 1.x cannot be run", file=sys.stderr)
        raise ImportError("numpy.core.multiarray failed to import")

    monkeypatch.setattr("companion.support.doctor.software.importlib.import_module", misfit)
    assert "do not fit together" in computer.finding("numpy").text
    assert computer.finding("opencv-python").level == "ok"
    assert capsys.readouterr().err == ""


def test_an_old_python_and_missing_libraries_are_found(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.support.doctor.software.OLDEST", (3, 99))
    assert "is not supported" in computer.finding("python").text
    monkeypatch.setattr("companion.support.doctor.software.find_library", lambda name: None)
    assert "sudo apt install libgl1" in computer.finding("libraries").text


def test_both_languages_tell_every_trouble(computer: Computer) -> None:
    for change, *_ in TROUBLES.values():
        change(computer)
    german, english = computer.findings("de"), computer.findings("en")
    assert [f.check for f in german] == [f.check for f in english]
    different = [g.text != e.text for g, e in zip(german, english, strict=True)]
    # Only names of packages with their versions are the same in both.
    assert sum(different) > len(different) * 0.6


def test_pins_are_looked_at_from_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # lgpio puts a pipe where it is loaded, and loading fails where it cannot: so did the doctor.
    package, here = tmp_path / "package", tmp_path / "here"
    package.mkdir()
    here.mkdir()
    (package / "lgpio.py").write_text(
        "import pathlib\nhere = pathlib.Path.cwd()\n"
        f"if here == pathlib.Path({str(here)!r}): raise FileNotFoundError(2, 'no pipe', '.lgd')\n"
        "def gpiochip_open(chip): ...\n"
    )
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.chdir(here)
    computer = Computer(tmp_path / "root")
    computer.settings = "[rig.lamps]\nkind = 'gpio'\npins = [17]\n"
    try:
        found = {finding.check: finding for finding in computer.findings()}
    finally:
        sys.modules.pop("lgpio", None)
    assert found["pins"].level == "ok"
    assert Path.cwd() == here
