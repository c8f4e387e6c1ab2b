"""Pieces over several cells of a board that shows them: a whole match of Domineering."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.core import Game, Layout, Move
from rules.games import add_games, find_game
from rules.match import Match
from rules.reading.reading import read
from rules.reading.sighting import looks
from tests.support.elsewhere import elsewhere
from vision.camera.sources import Frame
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

FOLDER = Path(__file__).parents[2] / "support/domineering"


@pytest.fixture(scope="module")
def domineering() -> Iterator[Game[Any]]:
    with elsewhere():
        (name,) = add_games(FOLDER)
        yield find_game(name)


def test_dominoes_are_read_in_their_fields_and_one_laid_across_is_refused_for_it(
    domineering: Game[Any],
) -> None:
    box = load_box(domineering.box)
    table, camera, tracker = VirtualTable(box, 4), Camera.over(box, seed=4), Tracker(box)
    match, random, number = Match(domineering, 2, {}, physical=True), Random(4), 0

    def look(layout: Layout) -> Sighting:
        nonlocal number
        number += 1
        table.set_layout(layout)
        seen = tracker.look(Frame(camera.render(table), number, "", float(number)), settled=True)
        assert not seen.hand and not seen.occluded
        assert {site: one.best for site, one in seen.sites.items() if one.best} == looks(layout)
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


def _is_turned(match: Match, move: Move) -> bool:
    return [one.code for one in match.why_not(move)] == ["turned"]
