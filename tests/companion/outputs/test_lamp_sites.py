"""Places of the lamps: found out lamp by lamp, kept per box, never lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.outputs.lamp_sites import LampSites, LampWalk, WalkFile
from rules.box import load_box

BOX = load_box("knizia_stonehenge")


def test_what_was_shown_on_the_screen_overrides_the_settings(tmp_path: Path) -> None:
    settings = {BOX.id: {"A": 7}, "dominion": {"supply": 1}}
    LampSites(tmp_path / "lamps", settings).keep(BOX, {"B": (0,), "A": (1, 2)})
    again = LampSites(tmp_path / "lamps", settings)
    assert again[BOX.id] == {"B": (0,), "A": (1, 2)}
    assert again["dominion"] == {"supply": (1,)}
    assert (again.found(BOX.id), again.found("dominion")) == (True, False)
    assert set(again) == {BOX.id, "dominion"}
    again.forget(BOX.id)
    assert LampSites(tmp_path / "lamps", settings)[BOX.id] == {"A": (7,)}


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        '{"box": "other", "lamps": {}}',
        '{"box": "knizia_stonehenge", "lamps": {"Nowhere": 1}}',
        '{"box": "knizia_stonehenge", "lamps": {"A": -1}}',
        '{"box": "knizia_stonehenge", "lamps": {"A": true}}',
        '{"box": "knizia_stonehenge", "lamps": {"A": []}}',
        '{"box": "knizia_stonehenge", "lamps": {"A": [1, "2"]}}',
        '{"box": "knizia_stonehenge", "lamps": {"A": {"1": 2}}}',
    ],
)
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, damage: str) -> None:
    (tmp_path / "knizia_stonehenge.json").write_text(damage)
    found = LampSites(tmp_path, {})
    assert BOX.id not in found
    (trouble,) = found.troubles
    assert "knizia_stonehenge.json" in str(trouble)
    assert trouble.told("de").startswith("Die Plätze der Lampen")
    assert trouble.told("de").endswith("beiseitegelegt; bitte zeigt sie neu.")
    (aside,) = tmp_path.glob("*-damaged-*.json")
    assert aside.read_text() == damage
    assert LampSites(tmp_path, {}).troubles == [], "the file set aside is not read again"


def test_a_game_that_shares_its_box_leaves_the_lamps_of_the_others(tmp_path: Path) -> None:
    whole = load_box("stonehenge_anthology")
    games = {game for site in whole.sites.values() for game in site.games}
    one, other = sorted(games)[:2]
    own = next(s for s in whole.for_game(one).sites if s not in whole.for_game(other).sites)
    foreign = next(s for s in whole.for_game(other).sites if s not in whole.for_game(one).sites)
    found = LampSites(tmp_path, {})
    found.keep(whole.for_game(other), {foreign: (3,)})
    found.keep(whole.for_game(one), {own: (3, 4)})
    assert found[whole.id] == {foreign: (3,), own: (3, 4)}
    written = json.loads((tmp_path / f"{whole.id}.json").read_text())
    assert written["lamps"] == {foreign: 3, own: [3, 4]}


def test_every_step_of_the_walk_can_be_taken_back() -> None:
    walk = LampWalk(3)
    walk.stands_at("A")
    walk.skip()
    assert (walk.lamp, walk.places) == (2, {"A": (0,)})
    walk.undo()
    walk.stands_at("B")
    walk.stands_at("C")
    assert (walk.lamp, walk.places) == (None, {"A": (0,), "B": (1,), "C": (2,)})
    walk.stands_at("D")
    walk.skip()
    assert len(walk.steps) == 3, "there are no more lamps"
    for _ in range(5):
        walk.undo()
    assert (walk.lamp, walk.places) == (0, {})


def test_a_field_that_is_touched_for_two_lamps_has_both() -> None:
    walk = LampWalk(3, ["A", "A"])
    assert walk.places == {"A": (0, 1)}
    walk.undo()
    assert walk.places == {"A": (0,)}


def test_lamps_that_were_not_asked_about_stay_where_they_are(tmp_path: Path) -> None:
    found = LampSites(tmp_path, {})
    found.keep(BOX, {"A": (0,), "B": (1, 5), "C": (2,)})
    walk = LampWalk(33, ["C", "B"])
    found.keep(BOX, walk.places, asked=2)
    assert found[BOX.id] == {"C": (0, 2), "B": (1, 5)}
    assert LampSites(tmp_path, {})[BOX.id] == found[BOX.id]
    found.keep(BOX, {"D": (9,)})
    assert found[BOX.id] == {"D": (9,)}, "a whole walk begins anew"


def test_a_walk_that_was_broken_off_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    WalkFile(tmp_path).keep("knizia_stonehenge", ["A", None, "B"])
    assert WalkFile(tmp_path).steps("knizia_stonehenge", BOX) == ["A", None, "B"]
    assert WalkFile(tmp_path).steps("dominion", load_box("dominion")) == []
    assert BOX.id not in LampSites(tmp_path, {}), "it is not kept before somebody says so"
    assert LampSites(tmp_path, {}).troubles == []
    WalkFile(tmp_path).keep("knizia_stonehenge", [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", ["", "{", "[1]", '{"steps": 4}', '{"steps": ["Nowhere"]}'])
def test_a_damaged_walk_is_begun_anew(tmp_path: Path, damage: str) -> None:
    (tmp_path / "knizia_stonehenge.walk").write_text(damage)
    assert WalkFile(tmp_path).steps("knizia_stonehenge", BOX) == []
