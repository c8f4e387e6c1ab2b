"""Settings: typed, refused with a sentence that names file and key, never changed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from companion.settings.settings import (
    Settings,
    SettingsError,
    load_settings,
    settings_path,
    state_folder,
)

EVERYTHING = """
version = 1
lang = "en"
enforcement = "penalise"

[manners]
commit_s = 1
quiet_s = 0.5
reason_s = 2.0
desync_s = 8
commit = "button"

[camera]
source = "/dev/video0"
width = 1280
height = 720

[screen]
theme = "limestone"
animations = false

[rig]
hold_s = 0.5
pin_factory = "mock"
buttons = { commit = "enter", undo = 17 }

[rig.lamps]
kind = "adalight"
port = "/dev/ttyACM0"
count = 33

[rig.score]
kind = "cfa635"
port = "/dev/ttyUSB0"

[rig.sound]
kind = "voice"
language = "en"

[lamp_sites.knizia_stonehenge]
A = 4
B = 0
"""


def load(tmp_path: Path, text: str | bytes) -> Settings:
    """Load settings from a file with this text; the file is the same afterwards."""
    path = tmp_path / "settings.toml"
    data = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(data)
    try:
        return load_settings(path)
    finally:
        assert path.read_bytes() == data
        assert [p.name for p in tmp_path.iterdir()] == ["settings.toml"]


def refusal(tmp_path: Path, text: str | bytes) -> str:
    """Why settings with this text are refused."""
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text)
    said = str(caught.value)
    assert said.startswith(str(tmp_path / "settings.toml"))
    assert "\n" not in said
    return said


def test_without_a_file_everything_has_a_default(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "settings.toml")
    assert settings == Settings() == load(tmp_path, "")
    assert (settings.lang, settings.enforcement, settings.camera.source) == (None, "enforce", "")
    assert settings.manners.quiet_s == pytest.approx(1.0)
    assert settings.manners.reason_s == pytest.approx(3.0)
    assert settings.rig.score.kind == settings.rig.lamps.kind == "none"


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"no settings file .*mine\.toml"):
        load_settings(tmp_path / "mine.toml", required=True)


def test_every_key_can_be_set(tmp_path: Path) -> None:
    settings = load(tmp_path, EVERYTHING)
    assert settings.lang == "en"
    assert settings.manners.commit == "button"
    assert settings.manners.desync_s == pytest.approx(8.0)
    assert settings.rig.lamps.count == 33
    assert settings.rig.buttons == {"commit": "enter", "undo": 17}
    assert settings.lamp_sites == {"knizia_stonehenge": {"A": 4, "B": 0}}


def test_settings_can_be_written_and_read_back(tmp_path: Path) -> None:
    settings = load(tmp_path, EVERYTHING)
    assert msgspec.convert(msgspec.to_builtins(settings), Settings) == settings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lang = 7", "`lang`"),
        ('lang = "fr"', "`lang`"),
        ('enforcement = "sometimes"', "`enforcement`"),
        ('[manners]\ncommit_s = "soon"', "`manners.commit_s`"),
        ("[manners]\ncommit_s = -1", "`manners.commit_s`"),
        ("[manners]\nquiet_s = inf", "`manners.quiet_s`"),
        ("[manners]\nreason_s = nan", "`manners.reason_s`"),
        ("[camera]\nwidth = 0", "`camera.width`"),
        ("camera = 3", "`camera`"),
        ("[screen]\nanimations = 1", "`screen.animations`"),
        ("[rig.lamps]\ncount = -4", "`rig.lamps.count`"),
        ('[rig]\nbuttons = { commit = "space" }', "`rig.buttons"),
        ("[lamp_sites]\nmybox = 4", "`lamp_sites"),
    ],
)
def test_a_wrong_type_or_value_is_refused_by_its_key(tmp_path: Path, text: str, said: str) -> None:
    assert said in refusal(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('enforcement = "odd"',
         "`enforcement`: expected one of off, advise, enforce, penalise, found 'odd'"),
        ('[manners]\ncommit = "x"',
         "`manners.commit`: expected one of stillness, button, found 'x'"),
        ('[rig.lamps]\npins = [1, "x"]',
         "`rig.lamps.pins`: expected a whole number from 0 to 63 or a list of 3, found 'x'"),
        ("[rig.lamps]\npins = [[1, 2]]", "or a list of 3, found [1, 2]"),
        ("[rig.lamps]\npins = [[1, 2, 99]]", "expected a whole number from 0 to 63, found 99"),
        ('[rig.score]\nkind = "matrix_orbital"\noptions.color = [1, 2]',
         "`rig.score.options.color`: expected a list of 3, found [1, 2]"),
        ("[rig.buttons]\ncommit = []", "`rig.buttons.commit`: expected "),
        ("[lamp_sites.knizia_stonehenge]\nA = 'x'", "`lamp_sites.knizia_stonehenge.A`: expected "),
        ("[lamp_sites]\nmybox = 7", "`lamp_sites.mybox`: expected a section, found 7"),
        (".".join("a" * 20_000) + " = 1", "nested too deeply"),
        ("[camera]\nbare = ['*', 7]", "`camera.bare`: expected a text, found 7"),
    ],
)  # fmt: skip
def test_what_is_wrong_within_a_list_or_a_table_is_named_itself(
    tmp_path: Path, text: str, said: str
) -> None:
    assert said in refusal(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('langg = "de"', "unknown key 'langg'; did you mean 'lang'?"),
        ("[manners]\ncomit_s = 1", "unknown key 'comit_s' in [manners]; did you mean 'commit_s'?"),
        ('[rig.score]\nprot = "x"', "unknown key 'prot' in [rig.score]; did you mean 'port'?"),
        ("[rig.lamps]\ncuont = 3", "unknown key 'cuont' in [rig.lamps]; did you mean 'count'?"),
        ('theme = "night"', "unknown key 'theme'; it belongs in [screen]"),
        ('[screen]\nlang = "de"', "unknown key 'lang' in [screen]; it belongs above all sections"),
        (
            "xyzzy = 1",
            "unknown key 'xyzzy'; there are: version, lang, enforcement, "
            "manners, camera, screen, rig, web, players, mqtt, memory_mb, lamp_sites",
        ),
        (
            '"a`b" = 1',
            "unknown key 'a`b'; there are: version, lang, enforcement, "
            "manners, camera, screen, rig, web, players, mqtt, memory_mb, lamp_sites",
        ),
        ("[manner]\ncommit_s = 1", "unknown key 'manner'; did you mean 'manners'?"),
    ],
)
def test_a_misspelt_or_misplaced_key_is_named_with_what_was_meant(
    tmp_path: Path, text: str, said: str
) -> None:
    assert refusal(tmp_path, text).endswith(said)


def test_an_older_file_has_the_options_of_its_display_beside_the_kind(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[rig.score]\nkind = "lcdd"\nhost = "attic"\ndisplay = "lcd"\n')
    assert load_settings(file).rig.score.options == {"host": "attic"}
    file.write_text('[rig.score]\nkind = "lcdd"\ntcp_port = 0\n')
    with pytest.raises(SettingsError, match=r"rig\.score\.options\.tcp_port"):
        load_settings(file)


def test_a_newer_file_asks_for_an_update_whatever_else_it_holds(tmp_path: Path) -> None:
    for more in ("", "\nhologram = true", '\nlang = "la"'):
        assert "newer Heelstone (version 2); please update" in refusal(
            tmp_path, f"version = 2{more}"
        )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"lang = 'de", "not valid TOML"),
        (b"lang = 'de'\nlang = 'en'", "not valid TOML"),
        ("lang = 'de' # Grüße".encode("latin-1"), "not a text file in UTF-8"),
        (b"\x00\x01", "not valid TOML"),
        (b"a = " + b"[" * 20_000, "not valid TOML"),
        (b"a = " + b"9" * 20_000, "not valid TOML"),
        (b".".join([b"a"] * 20_000) + b" = 1", "not valid TOML"),
        (b"\n[" + b" . ".join([b'"a b"', b"'c'"] * 10_000) + b"]", "not valid TOML"),
    ],
    ids=["open", "twice", "latin-1", "binary", "deep", "long", "parts", "quoted"],
)
def test_what_is_no_toml_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    assert said in refusal(tmp_path, data)


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot read"):
        load_settings(tmp_path)


KEYS = st.sampled_from(
    ["version", "lang", "enforcement", "manners", "camera", "rig", "lamp_sites", "commit_s",
     "score", "kind", "buttons", "width", "langg", "`", "$.", ""]
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(),
        st.sampled_from(["de", "en", "mock", "none", "enforce", "ü", "`"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=6,
)


def toml(value: object) -> str:
    """A value as TOML, everything in one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return text(value) if isinstance(value, str) else repr(value)


def text(value: str) -> str:
    """A TOML string."""
    return f'"{value}"'


PATIENT = hypothesis_settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@PATIENT
@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_toml_gives_settings_or_a_refusal(tmp_path: Path, data: dict[str, object]) -> None:
    written = "\n".join(f"{text(key)} = {toml(value)}" for key, value in data.items())
    try:
        assert isinstance(load(tmp_path, written), Settings)
    except SettingsError as error:
        assert str(error).startswith(str(tmp_path))


@PATIENT
@given(st.one_of(st.text(max_size=200).map(str.encode), st.binary(max_size=200)))
def test_any_file_at_all_gives_settings_or_a_refusal(tmp_path: Path, data: bytes) -> None:
    try:
        assert isinstance(load(tmp_path, data), Settings)
    except SettingsError as error:
        assert str(error).startswith(str(tmp_path))


def test_folders_come_from_the_option_then_the_service_then_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "conf"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.delenv("CONFIGURATION_DIRECTORY", raising=False)
    assert state_folder() == tmp_path / "mine" / "heelstone"
    assert settings_path() == tmp_path / "conf" / "heelstone" / "settings.toml"
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/heelstone")
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", "/etc/heelstone")
    assert state_folder() == Path("/var/lib/heelstone")
    assert settings_path() == Path("/etc/heelstone/settings.toml")
    assert state_folder("here") == Path("here")
    assert settings_path("here.toml") == Path("here.toml")
