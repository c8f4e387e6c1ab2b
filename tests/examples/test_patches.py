"""Patches, a game of pieces over several squares, in a package of its own."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.match.view import PlayMove
from companion.presentation.boxes import box_of
from companion.presentation.scene import scene_of
from companion.presentation.touching import Ask, Finger, Picked, Play
from companion.web.board_shapes import board_of
from rules.box import around, below, covered, load_box
from rules.core import Game, Move
from rules.match import Match
from rules.testing.conformance import check_game
from rules.testing.playout import random_match
from tests.support.phone_pictures import play_on, public_json, seat_json, table_of, taken
from tests.support.table_in_sight import TableInSight


def test_it_conforms(patches: Game[Any]) -> None:
    assert check_game(patches, matches=2).problems == []


def test_patches_that_overlap_on_the_table_are_found(
    patches: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = type(patches.setup(2, {}, False))
    right = state.layout
    # Bars lie one cell to the right of where they were laid.
    monkeypatch.setattr(state, "layout", lambda self: Counter(
        item._replace(site=around(item.site, 4)[0]) if "bar" in item.kind else item
        for item in right(self).elements()
    ))  # fmt: skip
    told = " ".join(str(one) for one in check_game(patches, matches=2).problems)
    assert re.search(r"\w+ at \S+ covers \S+, as bar \w+ does", told), told


def test_each_side_against_the_other_colour_is_a_point(patches: Game[Any]) -> None:
    match = Match(patches, 2, {})
    match.push("p0 lay L 0:0 0")  # 0:0, 1:0 and 0:1
    match.push("p1 lay Q 1:1 0")  # in the corner: below it and to the left of it
    assert match.scores == (0, 2)
    match.push("p0 lay B 2:3 0")  # along its upper side
    assert match.scores == (2, 2)


def test_patches_overlap_none_and_lie_beside_none_of_their_own(patches: Game[Any]) -> None:
    match = Match(patches, 2, {})
    match.push("p0 lay B 0:0 0")
    match.push("p1 lay B 0:1 0")
    told = {
        text: [objection.code for objection in match.why_not(text)]
        for text in (
            "p0 lay D 1:1 0", "p0 lay D 2:0 0", "p0 lay D 5:0 0", "p1 lay D 2:1 0",
            "p0 lay D 2:1 0", "p0 lay D 2:1 2",
        )
    }  # fmt: skip
    assert list(told.values()) == [
        ["occupied"], ["beside_own"], ["apart"], ["wrong_player"], [], ["unknown_move"],
    ]  # fmt: skip


@pytest.mark.parametrize("bare", [pytest.param((), marks=pytest.mark.thorough), ("patch",)])
def test_a_match_on_a_table_is_read_wherever_stickers_are_and_after_all_was_pushed_aside(
    patches: Game[Any], bare: tuple[str, ...]
) -> None:
    here, pushes = TableInSight(load_box(patches.box), 9, bare), Random(9)
    here.look()
    match, table, elsewhere = Match(patches, 2, {}, physical=True), here.table, 0
    for _before, _moves, move in random_match(patches, 2, {}, 9, physical=True):
        match.push(move)
        assert here.lay(match.layout)
        if match.layout.total() in (4, 9):
            table.shove(pushes.uniform(-50, 50), pushes.uniform(-50, 50), pushes.uniform(-90, 90))
            assert here.shows(match.layout)
        if table.make_room():
            here.look()
        if bare and match.ply == 10:
            return
    for piece in table.pieces:
        at = "" if piece.site is None else piece.site
        elsewhere += bool(at) and not table.box.sites[at].holds(table.drift.on_lattice(piece.at))
    # Some lie the other way round: their sticker is at their other end.
    assert elsewhere > 1


# -- screens and phones --------------------------------------------------------------------------


def test_a_patch_is_touched_and_then_its_squares_and_a_second_touch_lets_one_go(
    patches: Game[Any],
) -> None:
    table = table_of(patches.id, 2, physical=False)
    for text in ("p0 lay B 0:0 0", "p1 lay B 0:1 0"):
        table.handle(PlayMove(Move.parse(text)), 0.0)
    asked = 0
    view = table.view()
    for move in view.legal:
        finger = Finger()
        finger.learn(view)
        box = box_of(view)
        letter, site, turn = move.args
        kind = next(k for k in box.kinds.values() if k.mark == letter and k.owner == "white")
        squares = covered(kind, site, turn)
        finger.touch_kind(view, kind.id)
        answer: object = finger.touch_site(view, box, squares[-1])
        if isinstance(answer, Picked):
            finger.touch_site(view, box, squares[-1])
            assert finger.picked == Picked(kind=kind.id)
            for square in squares:
                answer = finger.touch_site(view, box, square)
                if not isinstance(answer, Picked):
                    break
        # One question is left where a corner's three squares begin a patch of another shape, too.
        asked += isinstance(answer, Ask)
        assert answer == Play(move) or (isinstance(answer, Ask) and move in answer.moves)
    assert asked == 0


@pytest.mark.parametrize("physical", [False, True])
def test_phones_and_screen_show_whole_patches_and_every_square_that_may_be_touched(
    patches: Game[Any], physical: bool
) -> None:
    table, random, box = (
        table_of(patches.id, 2, physical=physical),
        Random(3),
        load_box(patches.box),
    )
    while table.match.outcome is None:
        play_on(table, 1, random)
        view, snapshot = table.view(), taken(table)
        part = public_json(snapshot, "en")["board"]["window"]
        shapes = board_of(patches.id, physical, "en", part=part)
        live = {s for seat in (0, 1) for move in seat_json(snapshot, seat, "en")["moves"]
                for s in move["sites"]}  # fmt: skip
        assert below(box, view.items) | live <= shapes["sites"].keys()
        assert scene_of(view, Picked()).box.sites.keys() == shapes["sites"].keys()
    outline = shapes["kinds"]["corner black"]["cells"]
    assert list(outline) == ["0", "1", "2", "3"]
    assert len({tuple(map(tuple, points)) for points in outline.values()}) == 4
