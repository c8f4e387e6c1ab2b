"""Settings changed, validated against the schema and written whole."""

from __future__ import annotations

import io
import json
import stat
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app.application import Application
from companion.app.cli import main
from companion.settings.changing import change_settings
from companion.settings.schema import settings_schema
from companion.settings.settings import Settings, SettingsError, load_settings
from companion.settings.validating import faults
from companion.settings.writing import set_aside, write_whole
from companion.setup.table_check import CheckFile
from companion.support.doctor import examine
from tests.support.command import ROOT, Heelstone

OWN = """\
# Ours, by hand.
lang = "en"  # the children learn it

[mqtt] # the house
host = 'old.local' # in the cellar

[rig.lamps]
kind = "mock"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "heelstone" / "settings.toml"


def test_a_setting_on_a_fresh_computer_makes_folder_and_file(file: Path) -> None:
    change_settings(file, {"mqtt.host": "broker.local", "lang": "en", "rig.lamps.count": "33"})
    settings = load_settings(file, required=True)
    assert (settings.mqtt.host, settings.lang, settings.rig.lamps.count) == (
        "broker.local", "en", 33,
    )  # fmt: skip


def test_the_same_change_twice_leaves_the_same_file(file: Path) -> None:
    wanted = {"mqtt.host": "broker.local", "mqtt.user": "table", "web.enabled": "true"}
    change_settings(file, wanted)
    once = file.read_text()
    change_settings(file, wanted)
    assert file.read_text() == once


def test_what_people_wrote_stays_with_its_comments(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(OWN)
    change_settings(file, {"mqtt.host": "new.local", "screen.theme": "limestone"})
    changed = file.read_text()
    assert changed.startswith(OWN.replace("'old.local'", '"new.local"'))
    assert msgspec.to_builtins(load_settings(file).screen)["theme"] == "limestone"


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("mqtt.password", "1234", "1234"),
        ("mqtt.password", 'a"b\\c = # ä', 'a"b\\c = # ä'),
        ("mqtt.password", '"', '"'),
        ("mqtt.password", "", ""),
        ("mqtt.port", "8883", 8883),
        ("mqtt.tls", "true", True),
        ("mqtt.user", "true", "true"),
        ("mqtt.user", "x\nhost = 'evil'", "x\nhost = 'evil'"),
        ("camera.source", "0", "0"),
        ("camera.bare", '["stone", "disc"]', ["stone", "disc"]),
        ("rig.buttons.undo", "17", 17),
        ("rig.buttons.undo", "exit", "exit"),
        ("manners.quiet_s", "2", 2),
        ("lamp_sites.knizia_stonehenge.A", "[1, 2]", [1, 2]),
    ],
)
def test_a_value_is_taken_as_toml_where_that_fits_and_else_as_text(
    file: Path, key: str, typed: str, value: object
) -> None:
    change_settings(file, {key: typed})
    data = tomllib.loads(file.read_text())
    for place in key.split("."):
        data = data[place]
    assert data == value


@pytest.mark.parametrize(
    ("key", "typed", "told"),
    [
        ("mqtt.hots", "x", "did you mean 'host'?"),
        ("mqtt.port", "many", "`mqtt.port`: expected a whole number from 1 to 65535"),
        ("lang.x", "1", "`lang`: expected one of de, en"),
        ("mqtt", "1", "`mqtt`: expected a section"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_file_stays(
    file: Path, key: str, typed: str, told: str
) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(OWN)
    with pytest.raises(SettingsError) as refused:
        change_settings(file, {"lang": "de", key: typed})
    assert told in str(refused.value)
    assert file.read_text() == OWN


def test_a_file_that_is_wrong_already_is_not_made_worse(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("lang = 5\n")
    with pytest.raises(SettingsError, match="`lang`"):
        change_settings(file, {"lang": "de"})
    assert file.read_text() == "lang = 5\n"


def test_a_layout_that_the_writer_would_spoil_is_left_to_people(file: Path) -> None:
    text = 'rig.lamps.kind = "none"\nscreen = {theme = "night"}\n'
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(SettingsError, match=r"write it there yourself: rig\.score\.kind"):
        change_settings(file, {"rig.score.kind": "mock"})
    assert file.read_text() == text


@pytest.mark.parametrize(("before", "after"), [(None, 0o640), (0o644, 0o640), (0o600, 0o600)])
def test_other_users_may_not_read_a_password(file: Path, before: int | None, after: int) -> None:
    if before is not None:
        file.parent.mkdir(parents=True)
        file.write_text(OWN)
        file.chmod(before)
    change_settings(file, {"mqtt.password": "secret"})
    assert stat.S_IMODE(file.stat().st_mode) == after


def test_a_password_is_asked_for_and_never_shown(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("pass word\nrest\n"))
    command = ["settings", "set", "lang=en", "mqtt.password", "--settings", str(file)]
    assert main(command) == 0
    assert load_settings(file).mqtt.password == "pass word"
    told = capsys.readouterr()
    assert (
        told.out == f"{file}: lang, mqtt.password. Heelstone follows that from its next start on.\n"
    )
    assert told.err == ""


def test_what_is_no_key_and_value_is_one_sentence(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("a b=1", "=1", "mqtt..host=x", '"x"=1'):
        assert main(["--lang", "en", "settings", "set", text, "--settings", str(file)]) == 2
        assert "KEY=VALUE" in capsys.readouterr().err
    assert not file.exists()


def known(schema: dict[str, Any], kind: dict[str, Any]) -> dict[str, Any]:
    """The keys of a section."""
    name = kind.get("$ref", "").rpartition("/")[2]
    found = schema["definitions"][name] if name else kind
    keys: dict[str, Any] = found.get("properties", {})
    return keys


def misfits(schema: dict[str, Any], kind: dict[str, Any], data: dict[str, Any]) -> list[str]:
    """Keys that a section has not."""
    keys = known(schema, kind)
    found = [key for key in data if keys and key not in keys]
    for key, value in data.items():
        if isinstance(value, dict) and key in keys:
            found += misfits(schema, keys[key], value)
    return found


def test_every_key_is_there_and_no_other_is_let_through() -> None:
    schema = settings_schema()
    assert misfits(schema, schema, msgspec.to_builtins(Settings())) == []
    assert misfits(schema, schema, {"manners": {"comit_s": 1}}) == ["comit_s"]
    sections = [schema, *(kind for kind in schema["definitions"].values() if "properties" in kind)]
    assert all(section["additionalProperties"] is False for section in sections)


def test_the_example_of_the_docs_fits() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    example = tomllib.loads(page.split("```toml\n", 1)[1].split("```", 1)[0])
    schema = settings_schema()
    assert misfits(schema, schema, example) == []


def test_an_editor_is_told_what_keys_and_sections_mean() -> None:
    schema = settings_schema()
    camera = schema["definitions"]["CameraSettings"]["properties"]
    assert camera["lock"]["description"].startswith("Lock exposure")
    assert schema["properties"]["rig"]["description"].startswith("The settings of all devices")
    assert {"enum": ["de", "en"]} in schema["properties"]["lang"]["anyOf"]
    # Python's own way to end a pattern means something else elsewhere.
    assert r"\\Z" not in json.dumps(schema)


@pytest.mark.parametrize("where", ["stdout", "a file"])
def test_the_command_writes_it(heelstone: Heelstone, tmp_path: Path, where: str) -> None:
    file = tmp_path / "settings.schema.json"
    out = heelstone("settings", "schema", *(("--out", file) if where == "a file" else ())).out
    assert json.loads(out or file.read_text()) == settings_schema()


WRONG = [
    ("[rig.buttons]\ncomit = 17", "no button called 'comit'"),
    ('[rig.buttons]\nundo = "enter"', "rig.buttons.undo is 'enter'"),
    ("[rig.buttons]\nundo = 17\nredo = 17", "for rig.buttons.undo and for rig.buttons.redo"),
    ('[rig.sound]\nkind = "buzzer"', "[rig.sound] names no GPIO pin"),
    ('[rig.sound]\nkind = "voice"\npin = 4\n[rig.buttons]\nundo = 4', "GPIO 4 is used twice"),
    ('[rig.lamps]\nkind = "gpio"', "[rig.lamps] names no GPIO pin"),
    ('[rig.lamps]\nkind = "wled"\nport = "/dev/x"', "needs 'count'"),
    ('[rig.lamps]\nkind = "wled"\ncount = 4', "[rig.lamps] needs 'port'"),
    ('[rig.lamps]\nkind = "display"', "needs a display with lamps"),
    ('[rig.score]\nkind = "cfa635"', "[rig.score] needs 'port'"),
    (
        '[rig.score]\nkind = "cfa635"\nport = "/dev/x"\n'
        '[rig.lamps]\nkind = "adalight"\nport = "/dev/x"\ncount = 3',
        "have the same 'port', /dev/x",
    ),
    (
        '[rig.score]\nkind = "pico"\nport = "/dev/x"\n[rig.lamps]\nkind = "display"\ncount = 200',
        "a Pico lights 100 lamps at most",
    ),
    ("[lamp_sites.chess]\nA = 1", "a box that does not exist: 'chess'"),
    ("[lamp_sites.knizia_stonehenge]\nH111 = 1", "no such field"),
    (
        '[rig.lamps]\nkind = "gpio"\npins = [4, 5]\n[lamp_sites.knizia_stonehenge]\nA = [1, 2]',
        "names lamp 2 for 'A', but the lamps are numbered 0 to 1",
    ),
    ('[camera]\nbare = ["stoen"]', "names 'stoen' in [camera] bare"),
    ("[camera]\nwidth = 1920", "'width' and 'height'"),
    ('[mqtt]\nhost = "b"\nca_file = "/ca.pem"', "ca_file is ignored without tls"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_the_program_and_the_doctor_say_the_same_of_settings_that_cannot_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    settings = load_settings(file)
    found = [fault.told("en") for fault in faults(settings, file)]
    assert len(found) == 1
    assert said in found[0] and str(file) in found[0]
    assert [f.text for f in examine(tmp_path, file, "en") if f.check == "settings"] == found
    house = Application(settings, tmp_path / "state", "en", file)
    try:
        assert [notice.told("en") for notice in house.notices()] == found
        assert found[0] in caplog.messages
    finally:
        house.close()
    german = faults(settings, file)[0].told("de")
    assert german != found[0] and "{" not in german


def test_a_file_that_is_not_there_is_not_called_fine(tmp_path: Path) -> None:
    (found,) = (f for f in examine(tmp_path, tmp_path / "none.toml", "en") if f.check == "settings")
    assert (found.level, "no settings file" in found.text) == ("ok", True)


def test_a_file_set_aside_at_the_same_time_as_another_does_not_replace_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a battery a clock tells the same time again after every start."""
    monkeypatch.setattr("companion.settings.writing.time.strftime", lambda _: "20260101-000000")
    path = tmp_path / "people.json"
    for text in ("one", "two", "three"):
        path.write_text(text)
        set_aside(path)
    assert sorted(p.read_text() for p in tmp_path.iterdir()) == ["one", "three", "two"]


def test_a_write_without_room_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.json"
    write_whole(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.settings.writing.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("people.json", "old")]


def test_a_check_of_the_table_that_is_no_text_is_set_aside_and_said(tmp_path: Path) -> None:
    kept = CheckFile(tmp_path)
    kept.path.write_bytes(b'{"when_s": 1, "findings": [{"step": "\xff"}]}')
    assert kept() is None
    assert "was damaged" in str(kept.salvage)
    assert list(tmp_path.glob("table_check-damaged-*"))
