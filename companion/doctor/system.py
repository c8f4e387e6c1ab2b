"""Checks of the computer: rights, clock, memory, heat, power."""

from __future__ import annotations

import grp
import os
from collections.abc import Iterator
from datetime import UTC, datetime

from companion.doctor.finding import Finding, Place

__all__ = ["clock", "groups", "heat", "memory", "power", "running"]

GROUPS = ("video", "dialout")
BUILT_IN = 2026
"""No correct clock shows an earlier year."""
LEAST_MEMORY_MB = 150
HOT_C = 80
"""From here on a Raspberry Pi slows itself down."""
LOW_NOW, SLOWED_NOW, LOW_BEFORE = 0x1, 0x4, 0x10000
"""Bits of the firmware's report on power (vcgencmd get_throttled)."""


def groups(place: Place) -> Iterator[Finding]:
    """The rights of whoever runs this."""
    if os.geteuid() == 0:
        yield place.ok("groups", "groups_root")
        return
    mine = {name for name in map(_group, os.getgroups()) if name}
    missing = [name for name in GROUPS if name not in mine]
    if missing:
        yield place.hint("groups", "groups_missing", groups=",".join(missing))
    else:
        yield place.ok("groups", "groups_ok")


def running(place: Place) -> Iterator[Finding]:
    """Another Heelstone, which holds camera and ports."""
    family = {os.getpid(), os.getppid()}
    others = [
        number
        for number, name, folder in place.programs()
        if number not in family
        and name in ("heelstone", "python3", "python")
        # The app has no argument after its name; of the commands only one stays.
        and _is_table(place.read(str((folder / "cmdline").relative_to(place.root))))
    ]
    if others:
        yield place.hint("running", "running_already", number=others[0])
    else:
        yield place.ok("running", "running_alone")


def clock(place: Place) -> Iterator[Finding]:
    """Raspberry Pis without a battery forget the time."""
    now = datetime.now(UTC)
    if now.year < BUILT_IN:
        yield place.hint("clock", "clock_wrong", date=f"{now:%Y-%m-%d}")
    else:
        yield place.ok("clock", "clock_ok", date=f"{now:%Y-%m-%d}")


def memory(place: Place) -> Iterator[Finding]:
    """Memory that programs may still take."""
    for line in place.read("proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) >> 10
            low = free < LEAST_MEMORY_MB
            yield place.finding(
                "memory",
                "trouble" if low else "ok",
                "memory_low" if low else "memory_ok",
                free=free,
            )


def heat(place: Place) -> Iterator[Finding]:
    """The processor's temperature."""
    told = place.read("sys/class/thermal/thermal_zone0/temp")
    if told.lstrip("-").isdigit():
        degrees = round(int(told) / 1000)
        level, key = ("trouble", "heat_high") if degrees >= HOT_C else ("ok", "heat_ok")
        yield place.finding("heat", level, key, degrees=degrees)


def power(place: Place) -> Iterator[Finding]:
    """Undervoltage, which a Raspberry Pi reports through hwmon and its firmware."""
    bits, known = 0, False
    for name in (place.root / "sys/class/hwmon").glob("hwmon*/name"):
        folder = str(name.parent.relative_to(place.root))
        if place.read(f"{folder}/name") == "rpi_volt":
            known = True
            bits |= LOW_NOW if place.read(f"{folder}/in0_lcrit_alarm") == "1" else 0
    told = place.read("sys/devices/platform/soc/soc:firmware/get_throttled")
    if told:
        known = True
        bits |= int(told, 16) if all(c in "0123456789abcdefx" for c in told.lower()) else 0
    if bits & (LOW_NOW | SLOWED_NOW):
        yield place.trouble("power", "power_low")
    elif bits & LOW_BEFORE:
        yield place.hint("power", "power_was_low")
    elif known:
        yield place.ok("power", "power_ok")


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return ""


def _is_table(command: str) -> bool:
    words = [word for word in command.split("\0") if word]
    for place, word in enumerate(words[:3]):
        if word.rpartition("/")[2] == "heelstone":
            rest = [other for other in words[place + 1 :] if not other.startswith("-")]
            return not rest or rest[0] == "serve"
    return False
