"""Dice: their box, what a throw can show, and who throws."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rules.box import BoxError, parse_box
from rules.core import Actor, Move, Prompt, Throw
from rules.games import add_games, find_game
from rules.match import Match
from rules.testing.conformance import check_game
from tests.support.box_file import DICE, FILE_TEXT
from tests.support.elsewhere import elsewhere

RACE = Path(__file__).parents[1] / "support" / "race"


def test_a_die_has_six_faces_with_dark_pips_and_its_tray_has_room_for_all() -> None:
    box = parse_box(FILE_TEXT + DICE, "b.toml")
    die = box.kinds["die"]
    assert die.poses == die.faces == tuple("123456") and die.is_die
    assert die.pips < die.colour and die.height == 16
    assert box.sites["tray"].room == 2


def test_a_die_with_stickers_may_have_any_faces() -> None:
    faces = 'faces = ["axe", "shield", "none"]\nstickers = [30, 31, 32]\nsticker_mm = 11\n'
    die = parse_box(FILE_TEXT + DICE + faces, "b.toml").kinds["die"]
    assert die.poses == ("axe", "shield", "none") and die.face_of(31) == "shield"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("count = 2", 'count = 2\npips = "#e8e8e0"', "pips can hardly be told from #f4f1e8"),
        ("count = 2", 'count = 2\nfaces = ["a", "b"]', "give the die a sticker for each face"),
        ("count = 2", 'count = 2\nfaces = ["1", "1"]\nstickers = [30, 31]\nsticker_mm = 11',
         "each face needs a word of its own"),
        ("count = 2", "count = 2\nstickers = [30, 31]\nsticker_mm = 11", "for each of its 6 faces"),
        ("[16, 16]", "[16, 20]", "a die is as wide as it is high"),
        ('shape = "die"', 'shape = "box"\npips = "#000000"', "only dice have this"),
        ('takes = ["die"]', 'takes = ["stone"]', "a tray takes dice; name their group"),
        ("size = [90, 40]", "size = [20, 20]", "of die only 1 fit here side by side"),
    ],
)  # fmt: skip
def test_dice_that_cannot_be_read_are_refused(old: str, new: str, complaint: str) -> None:
    with pytest.raises(BoxError, match=r"b.toml, line \d+: ") as refused:
        parse_box(FILE_TEXT + DICE.replace(old, new), "b.toml")
    assert complaint in str(refused.value)


def test_a_throw_can_show_what_dice_can_and_as_often_as_they_do() -> None:
    throw = Throw("die red", "die", "die")
    ways = dict(zip(throw.moves, throw.weights(throw.moves), strict=True))
    counted = dict.fromkeys(ways, 0)
    for red, *white in product("123456", repeat=3):
        counted[Move.parse(f"dealer roll {red} {' '.join(sorted(white))}")] += 1
    assert ways == counted


def test_only_the_dice_of_the_throw_show_it() -> None:
    throw = Throw("die red", "die", "die")
    seen = {("die red", "6"): 1, ("die", "4"): 1, ("die", "2"): 1}
    assert throw.showing(seen) == Move.parse("dealer roll 6 2 4")
    assert throw.showing({**seen, ("die", "4"): 2}) is None
    assert throw.showing({("die red", "6"): 1, ("die", "4"): 1}) is None
    assert throw.showing({**seen, ("coin", "head"): 1}) is None


def test_loaded_dice_and_throws_for_another_player_are_hinted_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with elsewhere():
        add_games(RACE)
        game = find_game("dice_race")
        state = type(Match("dice_race", 2).state)
        asked = state.prompt

        def prompt(self: Any) -> Prompt | None:
            found: Prompt | None = asked(self)
            if found is None or found.actor is not Actor.DEALER or found.player is None:
                return found
            return replace(found, player=1 - found.player)

        monkeypatch.setattr(state, "weights", lambda _self, moves: [1] * len(moves))
        monkeypatch.setattr(state, "prompt", prompt)
        report = check_game(game)
    assert report.ok
    assert any("dice fall otherwise" in hint for hint in report.hints)
    assert any("throws are another player's" in hint for hint in report.hints)
