"""Checks of an installed table: does its unit start and stay up?"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from companion.care.doctor.finding import Finding, Place

__all__ = ["installed"]

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
    """What systemd says about a unit: its state, and how often it was restarted; empty and 0 where
    systemd does not run."""
    program = shutil.which("systemctl")
    if program is None or not Path("/run/systemd/system").is_dir():
        return "", 0
    try:
        done = subprocess.run(
            [program, "show", unit, "-p", "ActiveState", "-p", "NRestarts"],
            capture_output=True, text=True, timeout=ASK_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return "", 0
    told = dict(line.partition("=")[::2] for line in done.stdout.splitlines())
    falls = told.get("NRestarts", "")
    return told.get("ActiveState", ""), int(falls) if falls.isdigit() else 0
