"""What a problem report must not tell, planted where a real table has it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal.store import Journal
from companion.support.report import Redactor
from tests.support.command import Heelstone
from tests.support.table_setup import header

SECRETS = {
    "a player": "Anneliese",
    "a home": "/home/anneliese/Urlaub/familie.png",
    "a wireless network": 'ssid="WLAN-Geheim77"',
    "its key": "psk=hunter2hunter2",
    "the computer's number": "Serial : 10000000a1b2c3d4",
    "a network card": "b8:27:eb:12:34:56",
    "the same with dashes": "B8-27-EB-12-34-56",
    "a camera": "/dev/v4l/by-id/usb-046d_C920_7F3A21BF-video-index0",
    "a controller": "/dev/serial/by-id/usb-1a86_SERIAL77AB-if00-port0",
    "a stick": "/dev/disk/by-uuid/1234-ABCD-99",
}
GIVEAWAYS = (
    "anneliese", "urlaub", "geheim77", "hunter2", "a1b2c3d4", "12:34:56", "12-34-56", "7f3a21bf",
    "serial77ab", "1234-abcd", "not for anybody",
)  # fmt: skip


@pytest.mark.parametrize("lang", ["de", "en"])
def test_nothing_private_that_was_planted_is_in_a_report(
    lang: str, heelstone: Heelstone, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    (state / "reports").mkdir(parents=True)
    lines = [f"12:00:00 WARNING companion: {what}: {secret}" for what, secret in SECRETS.items()]
    (state / "reports" / "last-run.log").write_text("\n".join(lines) + "\n")
    (state / "face.jpg").write_bytes(b"not for anybody")
    with Journal(state / "journal.db") as journal:
        journal.create(replace(header(), names=("Anneliese", "Bert")))
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[camera]\nsource = "{SECRETS["a camera"]}"\n')
    out = tmp_path / "report.zip"
    done = heelstone(
        "report", "--data", state, "--settings", settings, "--lang", lang, "--out", out
    )
    assert done.code == 0, done.err
    with zipfile.ZipFile(out) as archive:
        texts = {name: archive.read(name).decode().lower() for name in archive.namelist()}
    found = {(name, word) for name, text in texts.items() for word in GIVEAWAYS if word in text}
    assert found == set()
    assert not any(name.endswith(".jpg") for name in texts)
    # What is left still says what happened.
    assert "a controller: /dev/serial/by-id/" in texts["log.txt"]
    assert json.loads(texts["settings.json"])["camera"]["source"] == "/dev/v4l/by-id/…"


def test_this_computers_own_numbers_and_networks_are_veiled_wherever_they_stand(
    tmp_path: Path,
) -> None:
    for path, text in {
        "proc/device-tree/serial-number": "10000000a1b2c3d4\0",
        "etc/machine-id": "0123456789abcdef0123456789abcdef\n",
        "sys/class/net/wlan0/address": "b8:27:eb:12:34:56\n",
        "etc/NetworkManager/system-connections/FRITZ!Box 7590 Keller.nmconnection": "",
    }.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    veil = Redactor({}, {}, root=tmp_path)
    assert veil("on 10000000a1b2c3d4 and b827eb123456") == "on … and …"
    assert veil("0123456789abcdef0123456789abcdef") == "…"
    assert veil("joined FRITZ!Box 7590 Keller") == "joined …"
    assert veil("ply 12, seed 42, match 10000000a1b2") == "ply 12, seed 42, match 10000000a1b2"
