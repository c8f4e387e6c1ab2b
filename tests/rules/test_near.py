"""The probable meaning of an unknown name."""

from __future__ import annotations

import pytest

from rules.games import game_ids
from rules.near import MOST_LISTED, hint, nearest


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("domnion", ("dominion",)),
        ("Dolmengötter", ("dolmengoetter",)),
        ("hoher-rat", ("hoher_rat",)),
        ("knizia", ("knizia_stonehenge",)),
        ("stonehenge", ("erbaut_stonehenge", "knizia_stonehenge")),
        ("chess", ()),
        ("", ()),
    ],
)
def test_a_misspelt_game_is_found(typed: str, meant: tuple[str, ...]) -> None:
    assert nearest(typed, game_ids()) == meant


def test_a_number_is_never_taken_for_another() -> None:
    assert nearest("55", ["5", "6", "50"]) == ()


def test_one_near_name_is_asked_for_and_otherwise_all_are_listed_in_both_languages() -> None:
    near, far = hint("stkn", ["skin", "stickers"], ["stone"]), hint("dice", ["board", "pieces"])
    assert (near.told("en"), near.told("de")) == ("did you mean 'skin'?", "ist ‚skin‘ gemeint?")
    assert (far.told("en"), far.told("de")) == (
        "there are: board, pieces",
        "es gibt: board, pieces",
    )
    assert hint("comit_s", ["lang"], ["commit_s"]).told("en") == "did you mean 'commit_s'?"


def test_a_list_too_long_for_a_line_is_cut() -> None:
    told = hint("none of them", range(10 * MOST_LISTED)).told("en")
    assert told.endswith(f", {MOST_LISTED - 1}, …")
