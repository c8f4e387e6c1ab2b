"""The doctor's report, and what is left out of a problem report."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal.store import Journal
from companion.support.doctor import Finding, examine
from companion.support.report import Redactor
from rules.texts import Texts
from tests.support.command import Heelstone
from tests.support.journals import filled
from tests.support.table_setup import header


def findings(
    tmp_path: Path, settings: str = "", lang: str = "en", state: Path | None = None
) -> dict[str, Finding]:
    """The doctor's findings with these settings; of several of a check the worst."""
    file = tmp_path / "settings.toml"
    file.write_text(settings)
    found: dict[str, Finding] = {}
    for finding in examine(state or tmp_path / "state", file, lang):
        assert finding.level in ("ok", "hint", "trouble")
        assert finding.text
        if finding.check not in found or finding.level == "trouble":
            found[finding.check] = finding
    return found


@pytest.mark.parametrize("lang", ["de", "en"])
def test_it_runs_on_any_computer(tmp_path: Path, lang: str) -> None:
    found = findings(tmp_path, lang=lang)
    assert {"settings", "python", "state folder", "disk", "journal", "camera", "fonts"} <= set(
        found
    )
    for check in ("settings", "python", "state folder", "journal", "fonts", "msgspec", "numpy"):
        assert found[check].level == "ok", found[check]


def test_it_leaves_nothing_behind(tmp_path: Path) -> None:
    findings(tmp_path)
    assert list((tmp_path / "state").iterdir()) == []


def test_a_text_is_filled_in_and_a_missing_one_is_a_mistake() -> None:
    assert Texts("doctor", "en")("disk_ok", free=12) == "12 MB are free."
    with pytest.raises(KeyError):
        Texts("doctor", "en")("no_such_text")


def test_every_sentence_is_one(tmp_path: Path) -> None:
    for lang in ("de", "en"):
        for finding in findings(tmp_path, lang=lang).values():
            assert "{" not in finding.text and "\n" not in finding.text


def test_a_broken_settings_file_is_a_finding_and_the_rest_is_still_examined(
    tmp_path: Path,
) -> None:
    found = findings(tmp_path, "[manners]\ncomit_s = 1")
    assert found["settings"].level == "trouble"
    assert "did you mean 'commit_s'" in found["settings"].text
    assert found["state folder"].level == "ok"


def test_a_state_folder_that_cannot_be_written_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for state in (tmp_path / "file" / "state", Path("/proc/heelstone")):
        found = findings(tmp_path, state=state)
        assert found["state folder"].level == "trouble"
        assert "--data" in found["state folder"].text
        assert "disk" not in found


def test_the_journal_is_looked_into(tmp_path: Path) -> None:
    state = tmp_path / "state"
    filled(state / "journal.db", 5).close()
    assert "it holds 1 matches" in findings(tmp_path, state=state)["journal"].text
    (state / "journal.db").write_bytes(b"no journal at all" * 300)
    torn = findings(tmp_path, state=state)["journal"]
    assert torn.level == "trouble" and "set aside" in torn.text
    assert findings(tmp_path, state=state)["journal"].level == "ok"


@pytest.mark.parametrize(
    ("settings", "check", "said"),
    [
        ('[camera]\nsource = "/dev/video77"', "camera", "The camera /dev/video77 is not there"),
        (
            '[rig.score]\nkind = "cfa635"\nport = "/dev/ttyX8"',
            "score display",
            "The port /dev/ttyX8",
        ),
        ('[rig.lamps]\nkind = "adalight"\nport = "/dev/ttyX9"', "lamps", "The port /dev/ttyX9"),
    ],
)
def test_a_device_that_was_set_up_and_is_not_there_is_trouble(
    tmp_path: Path, settings: str, check: str, said: str
) -> None:
    finding = findings(tmp_path, settings)[check]
    assert finding.level == "trouble"
    assert finding.text.startswith(said)


@pytest.mark.parametrize(
    "settings",
    [
        '[rig.score]\nkind = "mock"',
        '[rig.score]\nkind = "cfa635"\nport = "socket://127.0.0.1:9"',
    ],
)
def test_a_device_that_is_there_is_well(tmp_path: Path, settings: str) -> None:
    assert findings(tmp_path, settings)["score display"].level == "ok"


def test_a_voice_that_is_wanted_and_missing_is_trouble_otherwise_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.support.doctor.devices.shutil.which", lambda name: None)
    assert findings(tmp_path)["espeak-ng"].level == "hint"
    wanted = findings(tmp_path, '[rig.sound]\nkind = "voice"')["espeak-ng"]
    assert wanted.level == "trouble" and "sudo apt install espeak-ng" in wanted.text


def test_pins_matter_only_where_they_are_used(tmp_path: Path) -> None:
    assert findings(tmp_path)["pins"].level == "ok"
    gpio = '[rig]\nbuttons = { commit = 17 }\npin_factory = "mock"'
    assert findings(tmp_path, gpio)["pins"].level == "ok"


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.support.doctor.software.find_spec", lambda name: None)
    assert findings(tmp_path)["kivy"].text.startswith("The package kivy is missing")


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_command_counts_the_troubles(heelstone: Heelstone, tmp_path: Path, lang: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("lang = 7")
    result = heelstone("doctor", "--settings", file, "--lang", lang)
    assert (result.code, result.err) == (0, "")
    troubles = sum(line.startswith("! ") for line in result.out.splitlines())
    assert troubles >= 1
    assert str(troubles) in result.out.splitlines()[-1]
    records = heelstone("doctor", "--settings", file, "--lang", lang, "--json").records
    assert all(set(record) == {"check", "level", "text"} for record in records)
    assert sum(record["level"] == "trouble" for record in records) == troubles


def test_a_settings_file_that_was_named_and_is_not_there_is_trouble(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    records = heelstone("doctor", "--settings", tmp_path / "none.toml", "--json").records
    assert (records[0]["check"], records[0]["level"]) == ("settings", "trouble")


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
