"""One language for everything that a call says, found before any settings are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.settings.language import find_language

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
