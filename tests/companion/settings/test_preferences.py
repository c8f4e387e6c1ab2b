"""Choices of people: preferences, language, names and the last set-up."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from companion.settings.enforcement import Enforcement
from companion.settings.language import find_language
from companion.settings.people import LONGEST_NAME, MOST_NAMES, MatchSetup, People, clean_name
from companion.settings.preferences import Choosable, PreferencesFile, choosable
from companion.settings.settings import Settings
from rules.texts import Texts
from tests.support.guests import as_guest, open_folder


def opened(state: Path, lang: str = "de", **screen: object) -> PreferencesFile:
    settings = msgspec.convert({"screen": screen}, Settings)
    return PreferencesFile(state, settings, lang)


def test_what_was_never_chosen_is_as_the_settings_say(tmp_path: Path) -> None:
    found = opened(tmp_path, "en", theme="limestone", animations=False)
    assert (found.now.lang, found.now.theme, found.now.animations) == ("en", "limestone", False)
    assert not found.path.exists(), "nothing was chosen, so nothing is kept"


def test_a_choice_survives_a_restart_and_leaves_the_rest_to_the_settings(tmp_path: Path) -> None:
    opened(tmp_path).choose(speech="full", volume=0.4, bgg={"dominion": 7})
    again = opened(tmp_path, "en", theme="limestone")
    assert again.now.bgg == {"dominion": 7}
    assert (again.now.speech, again.now.volume) == ("full", 0.4)
    assert (again.now.lang, again.now.theme) == ("en", "limestone")


def test_a_wrong_value_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    found = opened(tmp_path)
    with pytest.raises(msgspec.ValidationError):
        found.choose(volume=3.0)
    assert found.now.volume == 0.8
    assert not found.path.exists()


DAMAGED = (
    "{", '{"volume": "loud"}', "[1]", '{"lang": "fr"}', '{"bgg": 7}', '{"bgg": {"dominion": "7"}}',
    '{"bgg": {"dominion": 0}}', '{"bgg": {"a\\u001b[2J": 7}}', json.dumps({"bgg": {"x" * 81: 7}}),
    '{"bgg": {"dominion\\n": 7}}', json.dumps({"bgg": {f"g{n}": 1 for n in range(201)}}),
)  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_set_aside_said_and_written_anew(tmp_path: Path, damage: str) -> None:
    (tmp_path / "preferences.json").write_text(damage)
    found = opened(tmp_path)
    assert "was damaged" in str(found.trouble)
    (aside,) = tmp_path.glob("preferences-damaged-*.json")
    assert aside.read_text() == damage
    found.choose(theme="limestone")
    assert found.trouble is None
    assert opened(tmp_path).now.theme == "limestone"


def test_a_disk_that_refuses_is_said_and_the_choice_counts_all_the_same(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.write_text("a file where the folder should be")
    found = opened(state)
    assert found.choose(theme="limestone").theme == "limestone"
    assert "cannot be" in str(found.trouble)


def test_the_language_of_the_start_counts_until_another_is_chosen(tmp_path: Path) -> None:
    opened(tmp_path).choose(lang="de")
    found = opened(tmp_path, "en")
    assert found.now.lang == "en", "as --lang said"
    assert found.choose(volume=0.2).lang == "en"
    assert json.loads(found.path.read_text())["lang"] == "de", "for one start only"
    assert found.choose(lang="de").lang == "de"


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_row_of_the_settings_page_has_its_words_and_nothing_else_has(lang: str) -> None:
    wanted = {"yes", "no"}
    for row in choosable():
        named = set() if row.unit else {str(v) for v in row.values if not isinstance(v, bool)}
        wanted |= {row.name, f"{row.name}_hint", *(f"{row.name}_{value}" for value in named)}
        wanted |= {f"{row.name}_{value}_hint" for value in named}
    words = Texts("preferences", lang).all()
    assert set(words) <= wanted
    assert {key for key in wanted if not key.endswith("_hint")} <= set(words)


@pytest.mark.parametrize("row", [row for row in choosable() if row.key.startswith("screen.")],
                         ids=lambda row: row.name)  # fmt: skip
def test_every_choice_of_the_screen_holds_as_the_settings_say_until_it_is_made(
    tmp_path: Path, row: Choosable
) -> None:
    for value in row.values:
        assert getattr(opened(tmp_path, **{row.name: value}).now, row.name) == value


@pytest.mark.parametrize("row", choosable(), ids=lambda row: row.name)
def test_every_value_on_the_page_can_be_chosen_and_is_kept(tmp_path: Path, row: Choosable) -> None:
    for value in row.values:
        opened(tmp_path).choose(**{row.name: value})
        found = opened(tmp_path, lang=str(value) if row.name == "lang" else "de")
        assert getattr(found.now, row.name) == value


VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """A table on a computer that names no language."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return ("--data", str(tmp_path), "--settings", str(tmp_path / "settings.toml"))


def test_what_was_chosen_counts_before_the_computer(
    where: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_language(where) == "en"
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    assert find_language(where) == "de"
    (tmp_path / "settings.toml").write_text('lang = "en"\n')
    assert find_language(where) == "en"
    (tmp_path / "preferences.json").write_text(json.dumps({"lang": "de"}))
    assert find_language(where) == "de"
    assert find_language((*where, "--lang", "en")) == "en"
    assert find_language(("--lang=en", *where)) == "en"
    (tmp_path / "preferences.json").write_text("{")
    assert find_language(where) == "en"


@pytest.mark.parametrize("said", ["", '{"lang": "fr"}', '{"lang": 7}', "[]", "[" * 100_000])
def test_a_source_that_names_no_language_of_ours_says_nothing(
    where: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    (tmp_path / "preferences.json").write_text(said)
    (tmp_path / "settings.toml").write_text("lang = 7")
    assert find_language((*where, "--lang", "fr")) == "de"


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_CH@euro"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:de:en"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_the_computer_s_language_is_read_as_other_programs_read_it(
    where: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], lang: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert find_language(where) == lang


TWO = MatchSetup("knizia_stonehenge", 2, {"hidden": "on"}, Enforcement.ADVISE, ("Anna", "Bo"))


def test_who_played_last_comes_first_and_nobody_twice(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.remember(TWO)
    people.remember(MatchSetup("dominion", 3, names=("Cem", "Anna", "")))
    assert people.recent == ("Cem", "Anna", "Bo")
    assert People(tmp_path).recent == ("Cem", "Anna", "Bo")


def test_a_setup_is_remembered_per_game_and_group(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.remember(TWO)
    others = MatchSetup(
        "knizia_stonehenge", 2, {"hidden": "off"}, names=("Cem", "Dana"), commit="button"
    )
    people.remember(others)
    again = People(tmp_path)
    assert again.last("knizia_stonehenge") == others
    same_people = again.last("knizia_stonehenge", ["Bo", "Anna"])
    assert same_people == TWO
    assert again.last("dominion") is None


def test_the_same_group_replaces_its_own_setup(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.remember(TWO)
    people.remember(MatchSetup("knizia_stonehenge", 2, names=("Bo", "Anna"), physical=False))
    found = people.last("knizia_stonehenge", ("Anna", "Bo"))
    assert found is not None
    assert not found.physical
    assert found.names == ("Bo", "Anna")


def test_a_forgotten_name_is_not_offered_any_more(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.remember(TWO)
    people.forget("Anna")
    assert People(tmp_path).recent == ("Bo",)


def test_a_face_is_kept_with_its_name_until_that_is_forgotten(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.keep_faces({"Anna": "bun", "Bo": "cap"})
    people.remember(TWO)
    again = People(tmp_path)
    assert again.faces == {"Anna": "bun", "Bo": "cap"}
    again.forget("Anna")
    assert People(tmp_path).faces == {"Bo": "cap"}


def test_a_face_of_somebody_who_never_played_goes_with_the_next_match(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.keep_faces({"Zoe": "bun"})
    assert people.everybody == {"Zoe"}
    people.remember(TWO)
    assert people.faces == {} and people.everybody == {"Anna", "Bo"}


def test_a_file_without_faces_is_read(tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text('{"version":1,"names":["Anna"],"setups":[]}')
    assert People(tmp_path).recent == ("Anna",) and not People(tmp_path).faces


def test_only_so_many_names_are_kept(tmp_path: Path) -> None:
    people = People(tmp_path)
    for number in range(MOST_NAMES + 5):
        people.remember(MatchSetup("dominion", 2, names=(f"N{number}", "Anna")))
    assert len(people.recent) == MOST_NAMES
    assert people.recent[:2] == (f"N{MOST_NAMES + 4}", "Anna")


@pytest.mark.parametrize("rubbish", [b"\xff\x00{", b"[]", b'{"names": 3}', b'{"version": 9}'])
def test_a_damaged_file_is_said_set_aside_and_nothing_stops(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / "people.json").write_bytes(rubbish)
    people = People(tmp_path)
    assert "people.json" in str(people.salvage)
    assert people.recent == ()
    (kept,) = tmp_path.glob("people-damaged-*.json")
    assert kept.read_bytes() == rubbish
    people.remember(TWO)
    assert People(tmp_path).recent == ("Anna", "Bo")
    assert People(tmp_path).salvage is None


def test_a_folder_that_cannot_be_written_stops_nobody() -> None:
    with open_folder() as folder:
        folder.chmod(0o555)
        with as_guest():
            people = People(folder)
            people.remember(TWO)
        assert people.recent == ("Anna", "Bo")
        assert not list(folder.iterdir())


def test_a_power_cut_while_writing_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People(tmp_path)
    people.remember(TWO)

    def cut(_file: int) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(os, "fsync", cut)
    people.remember(MatchSetup("dominion", 2, names=("Cem", "Dana")))
    assert People(tmp_path).recent == ("Anna", "Bo")
    assert [path.name for path in tmp_path.iterdir()] == ["people.json"]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("  Anna  Lena ", "Anna Lena"), ("Jürgen", "Jürgen"), ("a\tb\x00", "a b"), ("   ", "")],
)
def test_names_are_kept_clean(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


def test_a_long_name_is_cut_to_what_a_display_can_show() -> None:
    assert len(clean_name("Maximiliane Philippa von Stein")) <= LONGEST_NAME


def test_every_seat_has_a_name_even_if_it_is_empty() -> None:
    assert MatchSetup("dominion", 3, names=("Anna",)).seats == ("Anna", "", "")
    assert MatchSetup("dominion", 2, names=("Anna", "Bo", "Cem")).seats == ("Anna", "Bo")
