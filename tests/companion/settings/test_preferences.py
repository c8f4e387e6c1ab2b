"""What is chosen on the screen is kept, and the settings file stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from companion.settings.preferences import Choosable, PreferencesFile, choosable
from companion.settings.settings import Settings
from rules.texts import Texts


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


@pytest.mark.parametrize("row", choosable(), ids=lambda row: row.name)
def test_every_value_on_the_page_can_be_chosen_and_is_kept(tmp_path: Path, row: Choosable) -> None:
    for value in row.values:
        opened(tmp_path).choose(**{row.name: value})
        found = opened(tmp_path, lang=str(value) if row.name == "lang" else "de")
        assert getattr(found.now, row.name) == value
