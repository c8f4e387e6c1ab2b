"""The ways of pieces between two scenes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from companion.presentation.boxes import game_box
from companion.presentation.plan import Plan
from companion.presentation.scene import Scene, ways_between
from rules.core import Item

BOX = game_box("knizia_stonehenge")
PLAN = Plan(BOX, 0, 0, 600, 600, 8)
SEATS = {0: (700.0, 500.0), 1: (700.0, 400.0)}
STONE = "stone black 3"


def scene(*items: Item, black: int = 0, brown: int = 0) -> Scene:
    """Pieces on the board, and how many black threes each player has before them."""
    supplies = tuple(Counter({STONE: count}) for count in (black, brown))
    return Scene(BOX, ("black", "brown"), items, supplies=supplies)


def at(site: str) -> tuple[float, float]:
    return PLAN.px(BOX.sites[site].at)


@pytest.mark.parametrize(
    ("before", "after", "start", "end"),
    [
        # A piece walks from where it was, comes from the player who had it, or goes to the one who
        # gets it; what nobody had appears, and what nobody gets is gone.
        (scene(Item("A", STONE, 0)), scene(Item("C", STONE, 0)), at("A"), at("C")),
        (scene(black=1), scene(Item("C", STONE, 0)), SEATS[0], at("C")),
        (scene(Item("C", STONE, 0)), scene(brown=1), at("C"), SEATS[1]),
        (scene(), scene(Item("C", STONE, 0)), None, at("C")),
        (scene(Item("C", STONE, 0)), scene(), at("C"), None),
    ],
)
def test_a_piece_has_a_way_from_where_it_was_to_where_it_is(
    before: Scene, after: Scene, start: object, end: object
) -> None:
    (way,) = ways_between(before, after, PLAN, SEATS)
    assert (way.start, way.end) == (start, end)
    assert way.lies is bool(after.items)
    assert way.walks is bool(before.items and after.items)


def test_of_several_alike_each_goes_to_what_is_next_to_it() -> None:
    near, far = at("A"), at("R")
    before = scene(Item("A", STONE, 0), Item("R", STONE, 0))
    after = scene(Item("O", STONE, 0), Item("C", STONE, 0))
    ways = {way.start: way.end for way in ways_between(before, after, PLAN, SEATS)}
    assert ways == {near: at("C"), far: at("O")}


def test_what_lies_where_it_lay_has_no_way() -> None:
    same = scene(Item("A", STONE, 0), black=2)
    assert ways_between(same, same, PLAN, SEATS) == ()
    marked = replace(same, targets=frozenset({"C"}))
    assert ways_between(same, marked, PLAN, SEATS) == ()


def test_a_player_without_a_place_beside_the_board_leaves_a_piece_to_appear() -> None:
    (way,) = ways_between(scene(black=1), scene(Item("C", STONE, 0)), PLAN, {})
    assert (way.slot.item, way.start, way.end) == (Item("C", STONE, 0), None, at("C"))
