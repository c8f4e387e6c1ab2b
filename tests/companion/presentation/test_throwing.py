"""Dice on a screen: one touch for each, in any order, and pips as on the dice."""

from __future__ import annotations

from itertools import permutations

from companion.presentation.choosing import throw_section
from rules.box import parse_box, pip_points
from rules.core import Throw
from rules.games import find_game
from rules.telling import Teller
from tests.support.box_file import DICE, FILE_TEXT

TELLER = Teller(find_game("knizia_stonehenge"), "en", ("white", "black"))


def entered(throw: Throw, faces: tuple[str, ...]) -> str:
    """The move that touches of ``faces`` enter, one after the other."""
    chosen: tuple[str, ...] = ()
    for number, face in enumerate(faces, 1):
        section = throw_section(throw, TELLER, chosen)
        (tile,) = [tile for tile in section.tiles if tile.text == face]
        assert (tile.move is not None) == (number == len(faces))
        chosen = tile.chosen
    return "" if tile.move is None else tile.move.text


def test_equal_dice_are_entered_in_any_order_with_one_touch_each() -> None:
    throw = Throw("die", "die", "die")
    for faces in permutations(("5", "2", "5")):
        assert entered(throw, faces) == "dealer roll 2 5 5"
    assert len(throw_section(throw, TELLER, ("5",)).tiles) == 6


def test_dice_of_another_kind_are_entered_after_the_first() -> None:
    throw = Throw("die red", "die white", "die white")
    assert entered(throw, ("6", "4", "2")) == "dealer roll 6 2 4"
    assert "die white" in throw_section(throw, TELLER, ("6",)).title


def test_each_face_has_as_many_pips_as_it_says() -> None:
    die = parse_box(FILE_TEXT + DICE, "b.toml").kinds["die"]
    for face in die.faces:
        pips = {*pip_points(die, face)}
        assert len(pips) == int(face)
        assert {(-x, -y) for x, y in pips} == pips
    assert pip_points(die, "axe") == []
