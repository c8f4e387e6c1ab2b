"""The Wi-Fi of an installed table: senders that are heard, and asking root to join one.

The table's own user may join nothing. It writes a word into a file, for joining with the name and
the key in hexadecimal; the unit of root that opens the local network (``heelstone-network.sh``)
has NetworkManager do it, and says in a folder of its own what came of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.settings.writing import write_whole
from companion.support.network import WANTED_FILE
from companion.support.updates import age_s, is_locked
from companion.words.errors import HeelstoneError

KEY_SIGNS = range(8, 64)
"""Lengths that a key may have, signs of ASCII (IEEE 802.11, WPA-PSK)."""
UNHEARD_S = 10.0
"""Maximum wait for root's unit, which answers within a second."""
MAX_BYTES = 8192


class WifiError(HeelstoneError):
    """The request is not possible; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Station:
    """A Wi-Fi that is heard. ``strength`` goes from 0 to 100."""

    name: str
    ssid: bytes
    strength: int
    locked: bool
    joined: bool


@dataclass(frozen=True, slots=True)
class WifiState:
    """Stations heard, and the result of the last request."""

    stations: tuple[Station, ...] = ()
    """The table's own one first, then the strongest."""
    busy: bool = False
    result: str = ""
    """``ok``, ``key``, ``gone``, ``other``, ``unheard``; empty: nothing was joined."""


class Wifi:
    """``state``: the folder of the table; ``root``: where the system is."""

    def __init__(self, state: Path, root: Path = Path("/")) -> None:
        self._wanted = state / WANTED_FILE
        self._own = root / "var/lib/heelstone-network"
        installed = state == root / "var/lib/heelstone" and self._own.is_dir()
        managed = (root / "usr/bin/nmcli").exists()
        self.able = installed and managed and any((root / "sys/class/net").glob("*/wireless"))
        """True at an installed table whose Wi-Fi is NetworkManager's."""

    def look(self) -> None:
        """Asks what there is. Raises WifiError."""
        self._ask("look\n")

    def join(self, station: Station, key: str) -> None:
        """Asks to join; an open one needs no key. Raises WifiError."""
        self._ask(f"join\n{station.ssid.hex()}\n{key.encode('ascii').hex()}\n")

    def now(self) -> WifiState:
        """The last answer of root's helper."""
        waits_s = age_s(self._wanted)
        lines = _lines(self._own / "wifi")
        result = lines[0].removeprefix("result=") if lines else ""
        if waits_s is not None and waits_s >= UNHEARD_S:
            result = "unheard"
        busy = (waits_s is not None and waits_s < UNHEARD_S) or is_locked(self._own / "lock")
        return WifiState(_stations(lines[1:]), busy, result)

    def _ask(self, text: str) -> None:
        try:
            write_whole(self._wanted, text, private=True)
        except OSError as error:
            raise WifiError("wifi_not_asked", reason=error) from error


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes()[:MAX_BYTES].decode("ascii", "replace").splitlines()
    except OSError:
        return []


def _stations(lines: list[str]) -> tuple[Station, ...]:
    """Each name once, as its strongest sender is heard; hidden ones have none."""
    found: dict[bytes, Station] = {}
    for line in lines:
        try:
            ssid_hex, strength, security, used = line.split(":")
            ssid = bytes.fromhex(ssid_hex)
            station = Station(
                ssid.decode("utf-8", "replace"), ssid, int(strength),
                locked=bool(security.strip("-")), joined=used == "*",
            )  # fmt: skip
        except ValueError:
            continue
        if ssid and (ssid not in found or _order(station) < _order(found[ssid])):
            found[ssid] = station
    return tuple(sorted(found.values(), key=_order))


def _order(station: Station) -> tuple[bool, int, bytes]:
    return (not station.joined, -station.strength, station.ssid)
