"""Pieces over several cells: of hexagons, and of a board in a whole match of Domineering."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.camera.observer import kinds_by_site
from rules.box import load_box, parse_box
from rules.core import Game, Item, Layout, Move
from rules.games import add_games, find_game
from rules.match import Match
from rules.reading.reading import read
from rules.reading.sighting import looks
from tests.support.elsewhere import elsewhere
from tests.support.table_in_sight import TableInSight, lying
from vision.pieces.sighting import Sighting

FOLDER = Path(__file__).parents[2] / "support/domineering"
TRAILS = Path(__file__).parents[3] / "examples/trails/trails/box.toml"


@pytest.fixture(scope="module")
def domineering() -> Iterator[Game[Any]]:
    with elsewhere():
        (name,) = add_games(FOLDER)
        yield find_game(name)


def test_dominoes_are_read_in_their_fields_and_one_laid_across_is_refused_for_it(
    domineering: Game[Any],
) -> None:
    here = TableInSight(load_box(domineering.box), 4)
    match, random = Match(domineering, 2, {}, physical=True), Random(4)

    def look(layout: Layout) -> Sighting:
        here.table.set_layout(layout)
        seen = here.look()
        assert lying(seen) == looks(layout)
        return seen

    look(match.layout)
    while match.outcome is None:
        tried = [random.choice(match.legal_moves())]
        if match.ply == 3:
            tried.insert(0, next(m for m in match.state.pseudo_moves() if _is_turned(match, m)))
        for move in tried:
            match.force(move)
            layout = match.layout
            match.pop()
            found = read(match, look(layout))
            codes = [one.code for one in found.objections]
            turned = _is_turned(match, move)
            assert (found.moves, codes) == (((), ["turned"]) if turned else ((move,), []))
        match.push(tried[-1])
    assert match.ply > 12


HEXAGONS = Counter((
    Item("0:0", "tile white", pose="0"), Item("1:1", "tile white", pose="1"),
    Item("2:0", "tile black", pose="0"), Item("-1:1", "tile black", pose="1"),
    Item("2:-3", "tile black", pose="2"),
))  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.thorough)])
def test_pieces_over_hexagons_are_read_at_any_angle_and_whichever_end_bears_the_sticker(
    seed: int,
) -> None:
    text = TRAILS.read_text(encoding="utf-8").replace("size = [37, 37]", "size = [38, 38]")
    for cells in ("[[0, 0], [1, 0], [0, 1]]", "[[0, 0], [1, 0], [2, 0]]"):
        text = text.replace("turns = true", f"cells = {cells}", 1)
    box = parse_box(text, "box.toml")
    here, items = TableInSight(box, seed), list(HEXAGONS.elements())
    here.tracker.expect(kinds_by_site(items), {item.site: item.pose for item in items})
    here.look()
    here.table.set_layout(HEXAGONS)
    for push in ((0.0, 0.0, 0.0), (30.0, -20.0, 75.0)):
        here.table.shove(*push)
        assert here.shows(HEXAGONS)


def _is_turned(match: Match, move: Move) -> bool:
    return [one.code for one in match.why_not(move)] == ["turned"]
