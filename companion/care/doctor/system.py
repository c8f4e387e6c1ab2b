"""Checks of the computer: rights, clock, memory, heat, power."""

from __future__ import annotations

import grp
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.care.doctor.finding import Finding, Place, user
from companion.care.doctor.installation import PROGRAM
from companion.care.machine import HOT_C, LOW_BEFORE, LOW_NOW, SLOWED_NOW, degrees, power_bits

__all__ = ["clock", "groups", "heat", "memory", "power", "running"]

GROUPS = ("video", "dialout")
BUILT_IN = 2026
"""No correct clock shows an earlier year."""
DAY_S = 86_400.0
LEAST_MEMORY_MB = 150


def groups(place: Place) -> Iterator[Finding]:
    """The rights of whoever runs this."""
    if os.geteuid() == 0:
        yield place.ok("groups", "groups_root")
        return
    mine = {name for name in map(_group, os.getgroups()) if name}
    missing = [name for name in GROUPS if name not in mine]
    if missing:
        yield place.hint("groups", "groups_missing", groups=",".join(missing), user=user())
    else:
        yield place.ok("groups", "groups_ok")


def running(place: Place) -> Iterator[Finding]:
    """Another Heelstone, which holds camera and ports."""
    others = place.tables()
    if others and place.exists(PROGRAM):
        yield place.ok("running", "running_table", number=others[0])
    elif others:
        yield place.hint("running", "running_already", number=others[0])
    else:
        yield place.ok("running", "running_alone")


def clock(place: Place, state: Path) -> Iterator[Finding]:
    """Raspberry Pis without a battery forget the time, or resume from when they were shut down."""
    now = datetime.now(UTC)
    if now.year < BUILT_IN or now.timestamp() < _laid_down_s(state) - DAY_S:
        yield place.hint("clock", "clock_wrong", date=f"{now:%Y-%m-%d}")
    else:
        yield place.ok("clock", "clock_ok", date=f"{now:%Y-%m-%d}")


def memory(place: Place) -> Iterator[Finding]:
    """Memory still available to programs."""
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
    now = degrees(place.root)
    if now is not None:
        level, key = ("trouble", "heat_high") if now >= HOT_C else ("ok", "heat_ok")
        yield place.finding("heat", level, key, degrees=now)


def power(place: Place) -> Iterator[Finding]:
    """Undervoltage, which a Raspberry Pi reports through hwmon and its firmware."""
    bits = power_bits(place.root)
    if bits is None:
        return
    if bits & (LOW_NOW | SLOWED_NOW):
        yield place.trouble("power", "power_low")
    elif bits & LOW_BEFORE:
        yield place.hint("power", "power_was_low")
    else:
        yield place.ok("power", "power_ok")


def _laid_down_s(state: Path) -> float:
    """When the program or the journal was last written, in seconds; no correct clock shows less."""
    moments = [0.0]
    for path in (Path(__file__), state / "journal.db"):
        with suppress(OSError):
            moments.append(path.stat().st_mtime)
    return max(moments)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return ""
