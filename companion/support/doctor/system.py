"""Checks of the computer: rights, clock, memory, heat, power."""

from __future__ import annotations

import grp
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.settings.memory import memory_mb, offered_mb, share_of, still_needed_mb
from companion.settings.settings import Settings
from companion.support.doctor.finding import Place, user
from companion.support.finding import Figure, Finding, Verdict
from companion.support.machine import (
    HOT_C,
    LOW_BEFORE,
    LOW_NOW,
    SLOWED_NOW,
    degrees,
    power_bits,
)

# -- the installed table ----------------------------------------------------------------------

PROGRAM = "/opt/heelstone/current"
STATE = Path("/var/lib/heelstone")
UNITS = ("heelstone.service", "heelstone-table.service")
MANY_FALLS = 3
ASK_S = 10.0


def installed(place: Place, state: Path) -> Iterator[Finding]:
    """The unit of the table; nothing where there is none."""
    if not place.exists(PROGRAM):
        return
    if state != STATE:
        yield place.hint("table", "table_other", state=state)
    wants = list((place.root / "etc/systemd/system").glob("*.wants/heelstone*.service"))
    units = [unit for unit in UNITS if any(path.name == unit for path in wants)]
    if not units:
        yield place.trouble("table", "table_off", unit=UNITS[0])
        return
    active, falls = _asked(units[0])
    if active in ("failed", "activating"):
        yield place.trouble("table", "table_falls", unit=units[0], count=falls)
    elif falls >= MANY_FALLS:
        yield place.hint("table", "table_fell", unit=units[0], count=falls)
    elif active == "inactive":
        yield place.hint("table", "table_stopped", unit=units[0])
    else:
        yield place.ok("table", "table_ok", unit=units[0])


def _asked(unit: str) -> tuple[str, int]:
    """State of a unit by systemd, and its number of restarts; empty and 0 where systemd does not
    run."""
    asked = asked_systemd("systemctl", "show", unit, "-p", "ActiveState", "-p", "NRestarts")
    told = dict(line.partition("=")[::2] for line in asked.splitlines())
    falls = told.get("NRestarts", "")
    return told.get("ActiveState", ""), int(falls) if falls.isdigit() else 0


def asked_systemd(name: str, *arguments: str) -> str:
    """Output of one of systemd's programs; empty where systemd does not run."""
    program = shutil.which(name)
    if program is None or not Path("/run/systemd/system").is_dir():
        return ""
    try:
        done = subprocess.run(
            [program, *arguments], capture_output=True, text=True, timeout=ASK_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


GROUPS = ("video", "dialout")
BUILT_IN = 2026
"""Earliest year of a correct clock."""
DAY_S = 86_400.0


def groups(place: Place) -> Iterator[Finding]:
    """Rights of the user who runs this."""
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


def memory(place: Place, settings: Settings) -> Iterator[Finding]:
    """Memory still available to programs, and the use that is made of it."""
    found = memory_mb(place.root)
    offered = settings.memory_mb or offered_mb(place.root)
    share, size = share_of(offered), settings.camera.size or (0, 0)
    if found is not None:
        needed = still_needed_mb(share, place.tables(), place.root)
        free = Figure("free", found, "MB", least=needed)
        verdict = Verdict.GOOD if free.fits else Verdict.BAD
        yield place.finding("memory", verdict, "memory_ok" if free.fits else "memory_low", free)
    if offered is None:
        return
    if size[0] * size[1] > share.most_px:
        width, height = size
        yield place.hint("memory", "memory_large", width=width, height=height, offered=offered)
    else:
        yield place.ok(
            "memory", "memory_share", offered=offered, players=share.players_mb,
            pixels=share.most_px // 1_000_000, buffers=share.buffers,
        )  # fmt: skip


def heat(place: Place) -> Iterator[Finding]:
    """The processor's temperature."""
    now = degrees(place.root)
    if now is not None:
        heat = Figure("degrees", now, "°C", most=HOT_C - 1)
        verdict, key = (Verdict.GOOD, "heat_ok") if heat.fits else (Verdict.BAD, "heat_high")
        yield place.finding("heat", verdict, key, heat)


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
    """Time the program or the journal was last written, in seconds; no correct clock shows less."""
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
