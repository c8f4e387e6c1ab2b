"""Findings of ``heelstone check`` about games at whose moves a table stumbles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from companion.match.rehearsing.expecting import unmet
from companion.match.rehearsing.hands import Came, Manner, Step, Tried, natural_order, stumbles
from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.rehearsing.scene import read_scene
from rules.core import Game, Inference, Lies
from rules.reading.sighting import Glimpse


@contextmanager
def answering(game: Game[Any], **hooks: Any) -> Iterator[None]:
    """The game, with other answers to what a reading asks."""
    with patch.object(type(game), "inference", type("Answering", (Inference,), hooks)()):
        yield


def test_at_whole_turns_of_a_sound_game_no_table_stumbles(kalah: Game[Any]) -> None:
    tried = Tried(enough=1)
    assert [*stumbles(kalah, tried)] == []
    assert tried.laid == {(verb, manner): 1 for verb in ("sow", "take") for manner in Manner}


@pytest.mark.parametrize(
    ("hooks", "came"),
    [
        ({"may_lie": lambda self, *asked: {}}, Came.DIFFERS),
        ({"may_lie": lambda self, state, sites, *_: dict.fromkeys(sites, Lies.FOR_GOOD)},
         Came.BLIND),
        ({"fitting": lambda self, state, moves, boards: [m for m in moves if m.verb != "take"]},
         Came.BLIND),
        ({"plausible": lambda self, state, moves, board, since: 1 / 0}, Came.FAILED),
    ],
)  # fmt: skip
def test_a_reading_that_makes_something_else_of_a_move_is_told_with_a_scene_that_shows_it(
    kalah: Game[Any], hooks: Any, came: Came
) -> None:
    with answering(kalah, **hooks):
        found = next(one for one in stumbles(kalah, Tried(enough=1)) if one.came is came)
        scene = read_scene(found.text, "found.jsonl")
        table = Rehearsal(kalah, 2, scene.heading.options)
        try:
            table.play(scene)
        except ZeroDivisionError:
            return
        assert unmet(scene.heading.expect, table)


def test_hands_put_nothing_down_before_they_took_it_up() -> None:
    seed, captured = Glimpse("seed"), Glimpse("stone black")
    steps = [Step("a1", (seed, seed), ()), Step("x", (captured,), ()),
             Step("b1", (), (seed,)), Step("c1", (), (seed,))]  # fmt: skip
    orders = {tuple(step.site for step in natural_order(steps, n)) for n in range(200)}
    assert len(orders) == 8  # b1 and c1 after a1, either way; x at any time
    assert all(order.index("a1") < min(order.index("b1"), order.index("c1")) for order in orders)
