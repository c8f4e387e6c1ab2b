"""Recent players and last setups."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.settings.enforcement import Enforcement
from companion.settings.people import LONGEST_NAME, MOST_NAMES, MatchSetup, People, clean_name
from tests.support.guests import as_guest, open_folder

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
