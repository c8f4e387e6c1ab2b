"""Misspelt pieces without stickers are told of, wherever settings are read, and left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.settings.settings import Settings, load_settings
from companion.words.bare_names import groups, unknown, unknown_names
from tests.support.command import Heelstone
from tests.support.scenery import album

KNIZIA = "knizia_stonehenge"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """Settings with a misspelt group."""
    file = tmp_path / "settings.toml"
    file.write_text('[camera]\nbare = ["stome", "megalith"]\n')
    return file


def test_only_what_no_box_has_is_unknown() -> None:
    assert unknown(["stone", "druid red", "*", "auto", "stome"]) == ("stome",)
    assert "stone" in groups() and "card" not in groups()


@pytest.mark.parametrize("lang", ["de", "en"])
def test_one_sentence_names_the_word_the_file_and_what_is_possible(
    settings: Path, lang: str
) -> None:
    wrong = unknown_names(["stome"], settings)
    assert wrong is not None
    text = wrong.told(lang)
    assert "stome" in text and str(settings) in text and "stone" in text
    assert unknown_names(["stone"], settings) is None


def test_watching_says_so_and_goes_on(heelstone: Heelstone, tmp_path: Path, settings: Path) -> None:
    folder = album(tmp_path / "pictures", [{}])
    result = heelstone(
        "watch", folder, "--game", KNIZIA, "--settings", settings, "--lang", "en", "--json"
    )
    assert result.code == 0
    assert result.err.count("\n") == 1 and "'stome'" in result.err
    assert result.records[-1]["moves"] == []


def test_the_doctor_says_so(heelstone: Heelstone, tmp_path: Path, settings: Path) -> None:
    result = heelstone(
        "doctor", "--settings", settings, "--data", tmp_path / "state", "--lang", "de"
    )
    assert "! Einstellungen" in result.out and "stome" in result.out


def test_what_is_without_stickers_is_found_out_unless_a_list_says_otherwise(
    tmp_path: Path,
) -> None:
    assert Settings().camera.bare_names == ("auto",)
    file = tmp_path / "settings.toml"
    for written, names in (('"auto"', ("auto",)), ("[]", ()), ('["stone"]', ("stone",))):
        file.write_text(f"[camera]\nbare = {written}\n")
        assert load_settings(file).camera.bare_names == names
