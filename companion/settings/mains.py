"""Frequency of the mains, by country: lamps flicker twice as often."""

from __future__ import annotations

import os
import re
from pathlib import Path
from zoneinfo import TZPATH

SIXTY = (
    "AG AI AS AW BM BR BS BZ CA CO CR CU DO EC FM GT GU GY HN HT KN KR KY MH MP MS MX NI PA PE PH "
    "PR PW SA SR SV TC TT TW UM US VE VG VI"
)
"""Countries with 60 Hz, ISO 3166; all others have 50. Japan has both: 50 in Tokyo."""


def mains_hz(root: Path = Path("/")) -> int:
    """The mains' frequency where this computer is: by its time zone, else by the country whose
    rules its Wi-Fi obeys, else by its language's, else 50 Hz. ``root``: where ``/etc`` and
    ``/proc`` are."""
    country = _country_of(_zone(root / "etc")) or _country_of_wifi(root) or _country_of_language()
    return 60 if country in SIXTY.split() else 50


def _zone(etc: Path) -> str:
    """Name of the time zone, such as ``Europe/Berlin``; empty if nothing tells."""
    try:
        told = str((etc / "localtime").readlink()).rpartition("zoneinfo/")[2]
    except OSError:
        told = ""
    try:
        return told or (etc / "timezone").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _country_of(zone: str) -> str:
    """A zone's country by the list that comes with the zones; empty for UTC, and without it."""
    for folder in TZPATH:
        try:
            lines = (Path(folder) / "zone.tab").read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        for line in lines:
            country, *_, name = [*line.split("\t")[:3], ""][:3]
            if name == zone and not line.startswith("#"):
                return country
    return ""


def _country_of_wifi(root: Path) -> str:
    """As Raspberry Pi Imager and the makers of a card write it into the kernel's command line."""
    try:
        line = (root / "proc/cmdline").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    told = re.search(r"\bieee80211_regdom=([A-Z]{2})\b", line)
    return told[1] if told else ""


def _country_of_language() -> str:
    told = next((t for n in ("LC_ALL", "LC_MESSAGES", "LANG") if (t := os.environ.get(n))), "")
    return told.partition(".")[0].partition("_")[2].upper()
