"""Changes of the settings file: what fits is written, what people wrote stays."""

from __future__ import annotations

import io
import stat
import tomllib
from pathlib import Path

import pytest

from companion.app.cli import main
from companion.settings.changing import change_settings
from companion.settings.settings import SettingsError, load_settings

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
    assert load_settings(file).screen.theme == "limestone"


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
