"""``heelstone doctor``: what could keep a table from working, and what to do about it."""

from __future__ import annotations

import grp
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from companion.journal import Journal, JournalError
from companion.settings import Settings, SettingsError, load_settings
from companion.wording import Wording

__all__ = ["Finding", "examine", "find_screen"]

LEAST_FREE_MB = 200

PACKAGES = (
    ("opencv-python", "cv2"), ("numpy", "numpy"), ("kivy", "kivy"), ("gpiozero", "gpiozero"),
    ("pyserial", "serial"), ("msgspec", "msgspec"),
)  # fmt: skip
"""Packages and the modules in them: a system's own OpenCV goes by another name."""

FONTS = ("HeelstoneSans-Regular.otf", "HeelstoneSans-SemiBold.otf")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    level: str
    """``ok``, ``hint`` (comfort is missing) or ``trouble``."""
    text: str


def examine(
    state: Path, settings_file: Path, lang: str, *, required: bool = False
) -> Iterator[Finding]:
    """Run every check. The state folder is made; a damaged journal is set aside, and it is said.

    ``required``: the settings file was named by hand, so it must be there.
    """
    say = Wording("doctor", lang)
    settings = Settings()
    try:
        settings = load_settings(settings_file, required=required)
        yield Finding("settings", "ok", say("settings_ok", path=settings_file))
    except SettingsError as error:
        yield Finding("settings", "trouble", say("settings_bad", reason=error))
    yield from _python(say)
    yield from _state(state, say)
    yield from _camera(settings, say)
    yield from _ports(settings, say)
    yield from _groups(say)
    yield from _voice(settings, say)
    yield from _pins(settings, say)
    yield from _screen(say)
    yield from _fonts(say)
    yield from _power(say)


def _python(say: Wording) -> Iterator[Finding]:
    yield Finding("python", "ok", say("python_ok", version=sys.version.split()[0]))
    for package, module in PACKAGES:
        if find_spec(module) is None:
            yield Finding(package, "trouble", say("package_missing", package=package))
            continue
        number = ""
        with suppress(PackageNotFoundError):
            number = f" {version(package)}"
        yield Finding(package, "ok", f"{package}{number}")
    cameras = find_spec("picamera2") is not None and find_spec("simplejpeg") is not None
    if cameras and find_spec("numpy") is not None:
        major = int(version("numpy").split(".")[0])
        if sys.version_info < (3, 12) and major >= 2:
            yield Finding("numpy", "trouble", say("numpy_clash", version=version("numpy")))


def _state(state: Path, say: Wording) -> Iterator[Finding]:
    probe = state / ".heelstone-probe"
    try:
        state.mkdir(parents=True, exist_ok=True)
        probe.write_text("probe", encoding="utf-8")
        probe.unlink()
        yield Finding("state folder", "ok", say("state_ok", path=state))
    except OSError as error:
        reason = error.strerror
        yield Finding("state folder", "trouble", say("state_bad", path=state, reason=reason))
        return
    free = shutil.disk_usage(state).free >> 20
    level = "ok" if free >= LEAST_FREE_MB else "trouble"
    yield Finding("disk", level, say("disk_ok" if level == "ok" else "disk_full", free=free))
    path = state / "journal.db"
    if not path.exists():
        yield Finding("journal", "ok", say("journal_new"))
        return
    try:
        with Journal(path) as journal:
            if journal.salvage:
                yield Finding("journal", "trouble", journal.salvage)
            else:
                yield Finding("journal", "ok", say("journal_ok", count=len(journal.matches())))
    except JournalError as error:
        yield Finding("journal", "trouble", str(error))


def _camera(settings: Settings, say: Wording) -> Iterator[Finding]:
    source = settings.camera.source
    cameras = sorted(Path("/dev").glob("video*"))
    if source and not source.isdigit() and not Path(source).exists():
        yield Finding("camera", "trouble", say("camera_gone", path=source))
    elif source:
        yield Finding("camera", "ok", say("camera_set", path=source))
    elif cameras:
        names = ", ".join(map(str, cameras))
        yield Finding("camera", "hint", say("camera_unset", paths=names))
    else:
        yield Finding("camera", "hint", say("camera_none"))
    for camera in cameras:
        if not os.access(camera, os.R_OK | os.W_OK):
            yield Finding("camera", "trouble", say("no_access", path=camera, group="video"))


def _ports(settings: Settings, say: Wording) -> Iterator[Finding]:
    for name, kind, port in (
        ("score display", settings.rig.score.kind, settings.rig.score.port),
        ("lamps", settings.rig.lamps.kind, settings.rig.lamps.port),
    ):
        if kind in ("none", "mock", "gpio", "display"):
            yield Finding(name, "ok", say("device_off" if kind == "none" else "device_here"))
        elif "://" in port:
            yield Finding(name, "ok", say("device_url", port=port))
        elif not port or not Path(port).exists():
            yield Finding(name, "trouble", say("port_gone", port=port or "–"))
        elif not os.access(port, os.R_OK | os.W_OK):
            yield Finding(name, "trouble", say("no_access", path=port, group="dialout"))
        else:
            yield Finding(name, "ok", say("port_ok", port=port))


def _groups(say: Wording) -> Iterator[Finding]:
    if os.geteuid() == 0:
        yield Finding("groups", "ok", say("groups_root"))
        return
    mine = {grp.getgrgid(number).gr_name for number in os.getgroups() if _has_name(number)}
    missing = [name for name in ("video", "dialout") if name not in mine]
    if missing:
        yield Finding("groups", "hint", say("groups_missing", groups=",".join(missing)))
    else:
        yield Finding("groups", "ok", say("groups_ok"))


def _has_name(number: int) -> bool:
    try:
        grp.getgrgid(number)
    except KeyError:
        return False
    return True


def _voice(settings: Settings, say: Wording) -> Iterator[Finding]:
    wanted = settings.rig.sound.kind == "voice"
    for program, package in (("espeak-ng", "espeak-ng"), ("aplay", "alsa-utils")):
        if shutil.which(program):
            yield Finding(program, "ok", say("program_ok", program=program))
        else:
            level = "trouble" if wanted else "hint"
            text = say("program_missing", program=program, package=package)
            yield Finding(program, level, text)


def _pins(settings: Settings, say: Wording) -> Iterator[Finding]:
    uses_pins = settings.rig.lamps.kind == "gpio" or any(
        isinstance(pin, int) for pin in settings.rig.buttons.values()
    )
    if not uses_pins or settings.rig.pin_factory == "mock":
        yield Finding("pins", "ok", say("pins_unused"))
    elif find_spec("lgpio") is None:
        yield Finding("pins", "trouble", say("pins_library"))
    elif not any(Path("/dev").glob("gpiochip*")):
        yield Finding("pins", "trouble", say("pins_none"))
    else:
        yield Finding("pins", "ok", say("pins_ok"))


def _screen(say: Wording) -> Iterator[Finding]:
    key = find_screen()
    yield Finding("screen", "hint" if key == "screen_none" else "ok", say(key))


def find_screen() -> str:
    """Where the app could be shown, as a key of the texts; ``screen_none`` if nowhere."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return "screen_ok"
    return "screen_kms" if any(Path("/dev/dri").glob("card*")) else "screen_none"


def _fonts(say: Wording) -> Iterator[Finding]:
    folder = files("companion") / "ui" / "fonts"
    lacking = [name for name in FONTS if not (folder / name).is_file()]
    if lacking:
        yield Finding("fonts", "trouble", say("fonts_missing", fonts=", ".join(lacking)))
    else:
        yield Finding("fonts", "ok", say("fonts_ok"))


def _power(say: Wording) -> Iterator[Finding]:
    """Undervoltage, which a Raspberry Pi reports through hwmon."""
    for name in Path("/sys/class/hwmon").glob("hwmon*/name"):
        with suppress(OSError):
            if name.read_text().strip() == "rpi_volt":
                alarm = name.parent / "in0_lcrit_alarm"
                low = alarm.exists() and alarm.read_text().strip() == "1"
                level = "trouble" if low else "ok"
                yield Finding("power", level, say("power_low" if low else "power_ok"))
