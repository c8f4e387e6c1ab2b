"""The network of an installed table: what its own user can make root open, and what root allows."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.settings.services import MqttSettings
from companion.settings.settings import Settings
from companion.support.network import Network
from companion.support.wifi import Station, Wifi

ROOT = Path(__file__).parents[1]
SYSTEMD = ROOT / "systemd"
AT_HOME = ("10.0.0.7", "172.16.4.1", "192.168.1.10", "169.254.3.3", "fe80::1", "fd12::5")
OUTSIDE = ("1.1.1.1", "172.32.0.1", "192.0.2.80", "2001:db8::1", "224.0.0.251")


@dataclass
class Table:
    """An installed table in a folder."""

    root: Path

    def __post_init__(self) -> None:
        self.state = self.root / "var/lib/heelstone"
        self.units = self.root / "etc/systemd/system"
        for folder in (self.state, self.units, self.root / "etc/heelstone", self.root / "bin"):
            folder.mkdir(parents=True)
        (self.units / "heelstone-network.path").touch()
        (self.root / "etc/resolv.conf").write_text("search house\nnameserver 192.0.2.53\n")
        self.pretend("id", "echo 0")
        self.hosts()

    def pretend(self, program: str, text: str) -> None:
        path = self.root / "bin" / program
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def hosts(self, **known: str) -> None:
        """Sets the meaning of names from now on."""
        cases = "".join(
            f"{name.replace('_', '.')}) echo '{address} STREAM' ;;\n"
            for name, address in known.items()
        )
        self.pretend("getent", f"case $2 in\n{cases}*) exit 2 ;;\nesac")

    @property
    def network(self) -> Network:
        return Network(self.state, self.root)

    @property
    def wanted(self) -> Path:
        return self.state / "network-wanted"

    def run(self, *arguments: str) -> str:
        """Root's program; what it says."""
        environment = {
            "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "HEELSTONE_ROOT": str(self.root),
        }  # fmt: skip
        done = subprocess.run(
            ["bash", str(SYSTEMD / "heelstone-network.sh"), *arguments],
            env=environment, capture_output=True, text=True, timeout=240,
        )  # fmt: skip
        return done.stdout + done.stderr

    def ask(self, needed: bool) -> None:
        """The table asks, and root's unit does it."""
        self.network.want(needed)
        assert self.run("asked") == ""
        assert not self.wanted.exists() and not self.wanted.is_symlink()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_the_network_is_shut_until_the_table_needs_it_and_shut_again_after(table: Table) -> None:
    assert not table.network.is_open
    assert not any(table.network.admits(one) for one in (*AT_HOME, *OUTSIDE))
    assert table.network.admits("127.0.0.1")
    assert table.run().startswith("closed")
    table.ask(True)
    assert table.run().startswith("open")
    assert all(map(table.network.admits, AT_HOME))
    assert not any(map(table.network.admits, OUTSIDE))
    rules = [
        table.units / f"{unit}.service.d/network.conf" for unit in ("heelstone", "heelstone-table")
    ]
    assert rules[0].read_text() == rules[1].read_text()
    table.ask(False)
    assert not table.network.is_open and not any(rule.exists() for rule in rules)


@pytest.mark.parametrize(
    "asked",
    [b"", b"open 0.0.0.0/0\n", b"any\n", b"OPEN\n", b"../open\n", b"allow 1.1.1.1"],
)
def test_what_is_no_word_opens_nothing(table: Table, asked: bytes) -> None:
    table.wanted.write_bytes(asked)
    table.run("asked")
    assert not table.network.is_open and not table.wanted.exists()


NEW = b"Neue" + b"." * 28
"""As long as a name may be."""
NMCLI = r"""printf '%s ' "$@" >>"$HEELSTONE_ROOT/called"; echo >>"$HEELSTONE_ROOT/called"
case "$*" in
*"SSID-HEX,SECURITY device wifi list"*) printf '%s\n' 486F66:WPA2 NEW:WPA3 ;;
*"wifi list"*)
	printf '%s\n' '486f66:40:WPA2: ' '4b6166e9:88:WPA2: ' '486f66:71:WPA2: ' ':90:: '
	printf '%s\n' '4e6f7264:20::*' ;;
*"connection show") printf '%s\n' netplan-eth0 heelstone-1 heelstone ;;
*"connection up"*)
	cat "$HEELSTONE_ROOT"/etc/NetworkManager/*/*.nmconnection >"$HEELSTONE_ROOT/file"
	grep -q '^psk=right' "$HEELSTONE_ROOT/file" && exit 0
	[ "$LC_ALL" = C ] || { echo "Fehler: Es wurden Geheimnisse benötigt."; exit 4; }
	echo "Error: Connection activation failed: Secrets were required, but not provided."; exit 4 ;;
esac""".replace("NEW", NEW.hex().upper())


KEPT = "etc/NetworkManager/system-connections"


def wifi_of(table: Table) -> Wifi:
    """The Wi-Fi of a table that has one, with a NetworkManager that takes keys of "right…"."""
    table.pretend("nmcli", NMCLI)
    for folder in ("usr/bin", "sys/class/net/wlan0/wireless", "var/lib/heelstone-network", KEPT):
        (table.root / folder).mkdir(parents=True)
    (table.root / "usr/bin/nmcli").touch()
    return Wifi(table.state, table.root)


def test_a_wifi_is_looked_for_and_joined_by_root_and_its_key_is_on_no_command_line(
    table: Table,
) -> None:
    wifi = wifi_of(table)
    assert wifi.able and wifi.now().stations == ()
    wifi.look()
    assert wifi.now().busy
    table.run("asked")
    heard = wifi.now()
    # The table's own, then the strongest; none without a name, and none twice.
    assert [(s.ssid, s.strength, s.locked, s.joined) for s in heard.stations] == [
        (b"Nord", 20, False, True), (b"Kaf\xe9", 88, True, False), (b"Hof", 71, True, False),
    ]  # fmt: skip
    assert (heard.busy, heard.result) == (False, "")
    wifi.join(heard.stations[2], r" wrong \x41 $(id)`id`")
    table.run("asked")
    assert wifi.now().result == "key"
    told = (table.root / "file").read_text()
    assert "ssid=72;111;102;\n" in told and "key-mgmt=wpa-psk" in told
    # NetworkManager reads a backslash as the beginning of a sign.
    assert r"psk=\swrong \\x41 $(id)`id`" in told
    assert list((table.root / KEPT).iterdir()) == []
    assert "delete heelstone-1 " not in (table.root / "called").read_text()
    wifi.join(Station("Neue", NEW, 9, locked=True, joined=False), "right 'key\"")
    table.run("asked")
    assert wifi.now().result == "ok"
    (kept,) = (table.root / KEPT).iterdir()
    assert (
        "key-mgmt=sae\npsk=right 'key\"" in kept.read_text()
        and kept.stat().st_mode & 0o777 == 0o600
    )
    called = (table.root / "called").read_text()
    assert "wrong" not in called and "right" not in called
    assert "connection delete heelstone-1 " in called and "netplan-eth0" not in called
    assert not table.network.is_open


@pytest.mark.parametrize(
    ("ssid", "key"),
    [
        (b"", ""),
        (b"a\0b", "right key"),
        (b"Hof", "short"),
        (b"Hof", "r\x01ght key"),
        (b"x" * 33, ""),
    ],
)
def test_what_is_no_name_or_no_key_is_not_handed_on(table: Table, ssid: bytes, key: str) -> None:
    wifi = wifi_of(table)
    wifi.join(Station("", ssid, 1, locked=True, joined=False), key)
    table.run("asked")
    assert "connection" not in (table.root / "called").read_text()


def test_asking_how_it_stands_does_what_still_waits(table: Table) -> None:
    table.network.want(True)
    assert table.run().startswith("open") and table.network.is_open


def test_a_link_a_folder_and_a_pipe_are_no_word(table: Table) -> None:
    secret = table.root / "secret"
    secret.write_text("open\n")
    kinds: dict[str, Callable[[], object]] = {
        "link": partial(table.wanted.symlink_to, secret),
        "folder": table.wanted.mkdir,
        "pipe": partial(os.mkfifo, table.wanted),
    }
    for made in kinds.values():
        made()
        table.run("asked")
        assert not table.network.is_open and not os.path.lexists(table.wanted)
    assert secret.read_text() == "open\n"


def test_a_club_outside_is_reached_once_root_has_named_it(table: Table) -> None:
    table.hosts(club_example="198.51.100.7")
    table.ask(True)
    assert not table.network.admits("198.51.100.7")
    assert "outside: club.example" in table.run("allow", "club.example")
    assert table.network.admits("198.51.100.7")
    # Whoever is asked for names is in no house either.
    assert table.network.admits("192.0.2.53")
    assert not table.network.admits("198.51.100.8")
    # It moves; and while nobody answers, what was known still holds.
    table.hosts(club_example="198.51.100.8")
    table.run("asked")
    assert table.network.admits("198.51.100.8") and not table.network.admits("198.51.100.7")
    table.hosts()
    table.run("asked")
    assert table.network.admits("198.51.100.8")
    table.run("forbid", "club.example")
    assert not table.network.admits("198.51.100.8") and not table.network.admits("192.0.2.53")
    assert not (table.root / "etc/heelstone/outside").exists()


def test_what_the_house_has_anyway_need_not_be_allowed(table: Table) -> None:
    table.hosts(hall_home="192.168.1.10")
    for host in ("hall.home", "192.168.1.10", "broker.local", "localhost", "fd12::5"):
        table.run("allow", host)
    assert not (table.root / "etc/heelstone/outside").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("allow", "club.exmaple"), "nobody knows 'club.exmaple'"),
        (("allow", "$(reboot)"), "is no name and no address"),
        (("allow",), "allow needs a name or an address"),
        (("forbid", "1.1.1.1"), "'1.1.1.1' was not allowed"),
        (("open",), "'open' is neither allow nor forbid"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    table: Table, arguments: tuple[str, ...], told: str
) -> None:
    found = table.run(*arguments)
    assert found.startswith("heelstone network: ") and told in found
    assert found.count("\n") == 1


def test_a_table_that_is_not_installed_asks_nobody(tmp_path: Path) -> None:
    network = Network(tmp_path)
    network.want(True)
    assert network.is_open and network.admits("1.1.1.1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("settings", "club", "needs"),
    [
        (Settings(), False, False),
        (Settings(mqtt=MqttSettings(host="broker.local")), False, True),
        (Settings(mqtt=MqttSettings(host="localhost")), False, False),
        (Settings(), True, True),
    ],
)
def test_phones_the_house_and_a_club_need_it(
    tmp_path: Path, settings: Settings, club: bool, needs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(Network, "want", lambda _self, needed: asked.append(needed))
    if club:
        (tmp_path / "club.toml").touch()
    house = Application(settings, tmp_path, "en")
    try:
        assert asked == [needs]
        house.phones.turn(True)
        house.phones.turn(False)
        assert asked == [needs, True, needs]
    finally:
        house.close()
