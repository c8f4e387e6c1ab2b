"""The doctor: runs everywhere, finds what is wrong and says what to do, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.support.doctor import Finding, examine
from rules.texts import Texts
from tests.support.command import Heelstone
from tests.support.journals import filled


def findings(
    tmp_path: Path, settings: str = "", lang: str = "en", state: Path | None = None
) -> dict[str, Finding]:
    """What the doctor finds with these settings; of several findings of a check the worst."""
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
