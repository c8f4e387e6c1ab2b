"""Trails, a game whose table grows, in a package of its own."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.camera.observer import kinds_by_site
from companion.presentation import boxes
from companion.presentation.scene import scene_of
from companion.presentation.touching import Picked
from companion.setup.set_out import places
from companion.simulator import Camera, VirtualTable
from companion.web.board_shapes import board_of
from rules.box import Site, around, load_box, with_cells
from rules.core import Game, Item, Move
from rules.match import Match
from rules.reading.sighting import EMPTY, looks
from rules.telling import Teller
from rules.testing.conformance import check_game
from rules.testing.playout import random_match
from tests.support.one_finger import Hand
from tests.support.phone_pictures import play_on, public_json, seat_json, table_of, taken
from tests.support.table_in_sight import TableInSight, lying
from tests.support.ui_harness import need_screen, touch_place
from vision.camera.sources import Frame
from vision.pieces.bare import AUTO
from vision.tracker import Tracker


def test_it_conforms(trails: Game[Any]) -> None:
    assert check_game(trails, matches=2).problems == []


def test_a_trail_is_followed_from_tile_to_tile_of_one_colour(trails: Game[Any]) -> None:
    match = Match(trails, 2, {})
    for text in (
        "p0 lay 0:0 0", "p1 lay 1:0 3", "p0 lay -1:0 0", "p1 lay 2:0 3", "p0 lay -1:1 4",
        "p1 lay -2:0 0",
    ):  # fmt: skip
        match.push(text)
    # Three white ones; black's third points at a white one and begins anew.
    assert match.scores == (3, 2)


def test_an_arrow_that_points_at_nothing_and_a_tile_apart_are_refused(trails: Game[Any]) -> None:
    match = Match(trails, 2, {})
    match.push("p0 lay 0:0 0")
    told = {
        text: [objection.code for objection in match.why_not(text)]
        for text in ("p1 lay 1:0 0", "p1 lay 2:0 3", "p1 lay 0:0 3", "p0 lay 1:0 3", "p1 lay 1:0 3")
    }
    assert list(told.values()) == [
        ["points_nowhere"],
        ["apart"],
        ["occupied"],
        ["wrong_player"],
        [],
    ]


def test_all_places_that_a_match_can_reach_are_in_the_box(trails: Game[Any]) -> None:
    sites = load_box(trails.box).sites
    for seed in range(3):
        for _match, moves, _move in random_match(trails, 2, {}, seed):
            assert {move.args[0] for move in moves} <= sites.keys()
    # A line is the longest that twenty tiles can be.
    match, site, random = Match(trails, 2, {}), "0:0", Random(1)
    match.push("p0 lay 0:0 0")
    while match.outcome is None:
        site = around(site)[random.choice((0, 0, 1))]
        match.push(next(m for m in match.legal_moves() if m.args[0] == site))
        assert site in sites


@pytest.mark.parametrize("bare", [(), pytest.param(("tile",), marks=pytest.mark.thorough)])
def test_a_match_on_a_table_is_read_wherever_it_lies_and_after_all_was_pushed_aside(
    trails: Game[Any], bare: tuple[str, ...]
) -> None:
    here, pushes = TableInSight(load_box(trails.box), 5, bare), Random(4)
    here.look()
    match = Match(trails, 2, {"tiles": "7"}, physical=True)
    for before, _moves, move in random_match(trails, 2, {"tiles": "7"}, 8, physical=True):
        match.push(move)
        assert here.lay(match.layout)
        if match.layout.total() in (1, 4, 9):
            # Nothing is a move of the game: the cells follow.
            here.table.shove(
                pushes.uniform(-50, 50), pushes.uniform(-50, 50), pushes.uniform(-90, 90)
            )
            assert here.shows(match.layout)
        assert before.ply + 1 == match.ply
        here.table.make_room()
        if bare and match.ply == 10:
            break


def test_cells_are_not_called_by_numbers_that_nobody_can_find(trails: Game[Any]) -> None:
    for lang, named in (("de", "der gezeigte Platz"), ("en", "the place shown")):
        teller = Teller(trails, lang, ("White", "Black"))
        assert places(("0:0", "0:1"), teller) == named[:1].upper() + named[1:]


@pytest.mark.parametrize("bare", [(), pytest.param(("tile",), marks=pytest.mark.thorough)])
def test_a_tile_between_two_places_belongs_to_none(
    trails: Game[Any], bare: tuple[str, ...]
) -> None:
    box = load_box(trails.box)
    table, camera = VirtualTable(box.without_stickers(bare), 2), Camera.over(box, seed=2)
    tracker = Tracker(box, bare=bare)
    table.put("tile white", "0:0", pose="0")
    tracker.look(Frame(camera.render(table), 0, "", 0.0), settled=True)
    tile = table.put("tile black", "1:0", pose="3")
    (x0, y0), (x1, y1) = table.place("1:0").at, table.place("1:-1").at
    table.move(tile.id, (x0 + x1) / 2, (y0 + y1) / 2)
    seen = tracker.look(Frame(camera.render(table), 1, "", 1.0), settled=True)
    assert "tile black" in {stray.kind for stray in seen.strays if abs(stray.at_mm[0]) < 280}
    assert {site for site, one in seen.sites.items() if one.best != EMPTY} == {"0:0"}
    assert seen.lattice == ("between",)


def test_tiles_without_stickers_are_found_out_by_two_of_the_record(trails: Game[Any]) -> None:
    box = load_box(trails.box)
    table, camera = VirtualTable(box.without_stickers(("tile",)), 1), Camera.over(box, seed=1)
    tracker = Tracker(box, bare=(AUTO,))
    record: list[Item] = []
    for number, item in enumerate((Item("0:0", "tile white", pose="0"),
                                   Item("1:0", "tile black", pose="3"))):  # fmt: skip
        table.put(item.kind, item.site, pose=item.pose)
        seen = tracker.look(Frame(camera.render(table), number, "", float(number)), settled=True)
        # Until then, nothing is said of what lies there.
        assert item.site in seen.occluded and not seen.bare_found
        record.append(item)
        tracker.expect(kinds_by_site(record), {one.site: one.pose for one in record})
    seen = tracker.look(Frame(camera.render(table), 2, "", 2.0), settled=True)
    assert seen.bare_found == {"tile"}
    assert lying(seen) == looks(Counter(record))


def test_a_bare_tile_whose_arrow_is_hidden_may_point_anywhere(trails: Game[Any]) -> None:
    box = load_box(trails.box)
    shop = box.without_stickers(("tile",))
    plain = {name: replace(kind, turns=False) for name, kind in shop.kinds.items()}
    here = TableInSight(box, 2, ("tile",))
    here.table = VirtualTable(replace(shop, kinds=plain), 2)
    here.look()
    here.table.put("tile white", "0:0")
    told = here.look().sites["0:0"].looks
    assert {look[0].pose for look, score in told.items() if look and score == 0} == {*"012345"}


def test_a_tile_that_lies_on_others_is_read_and_so_is_what_it_leaves_free(
    trails: Game[Any],
) -> None:
    box = load_box(trails.box)
    table, camera, tracker = VirtualTable(box, 1), Camera.over(box, seed=1), Tracker(box)
    low = [Item("0:0", "tile white", pose="0"), Item("1:0", "tile black", pose="3")]
    on_top = [low[0]._replace(seen=False), low[1], Item("0:0", "tile black", level=1, pose="2")]
    for number, items in enumerate(([], low[:1], low, on_top, low)):
        table.set_layout(layout := Counter(items))
        seen = tracker.look(Frame(camera.render(table), number, "", float(number)), settled=True)
        assert {site: one.best for site, one in seen.sites.items() if one.best} == looks(layout)
        tracker.expect(kinds_by_site(items), {item.site: item.pose for item in items if item.seen})


def test_tiles_at_the_edge_of_the_table_are_told_of_and_stay_where_they_are(
    trails: Game[Any],
) -> None:
    box = load_box(trails.box)
    table, camera, tracker = VirtualTable(box, 3), Camera.over(box, seed=3), Tracker(box)
    tracker.look(Frame(camera.render(table), 0, "", 0.0), settled=True)
    for number, told in enumerate(((), ("at_edge",), ()), 1):
        table.put("tile white", "0:0", pose="0") if number == 1 else None
        x, y, _angle = table.drift
        table.shove((0.0, 240.0, 0.0)[number - 1] - x, -y)
        seen = tracker.look(Frame(camera.render(table), number, "", float(number)), settled=True)
        assert seen.lattice == told
        tracker.expect({"0:0": ["tile white"]}, {"0:0": "0"})
        assert [site for site, one in seen.sites.items() if one.best != EMPTY] == ["0:0"]


# -- screens and phones --------------------------------------------------------------------------


@pytest.mark.parametrize("physical", [False, True])
def test_phones_and_screen_show_what_lies_there_and_every_place_that_may_be_touched(
    trails: Game[Any], physical: bool
) -> None:
    table, random, windows = table_of(trails.id, 2, physical=physical), Random(3), set()
    while table.match.outcome is None:
        play_on(table, 1, random)
        view, snapshot = table.view(), taken(table)
        lying = {item.site for item in view.items}
        page = public_json(snapshot, "en")
        part = page["board"]["window"]
        windows.add(part)
        shapes = board_of(trails.id, physical, "en", part=part)
        live = {s for seat in (0, 1) for move in seat_json(snapshot, seat, "en")["moves"]
                for s in move["sites"]}  # fmt: skip
        assert lying | live <= shapes["sites"].keys()
        assert scene_of(view, Picked()).box.sites.keys() == shapes["sites"].keys()
        left, top, wide, high = page["board"]["frame"]
        assert len(page["board"]["pieces"]) == len(lying)
        for piece in page["board"]["pieces"]:
            # Nothing moves in the picture when more of it is shown.
            x, y = load_box(trails.box).sites[piece["site"]].at
            assert piece["at"] == pytest.approx((x, -y), abs=0.02)
            assert left < x < left + wide and top < -y < top + high
    assert 2 <= len(windows) < 10


def test_a_line_that_leads_beyond_the_places_of_the_box_is_drawn_and_laid_by_three_touches(
    trails: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    need_screen()
    small = with_cells(load_box(trails.box), around("0:0"))
    for name in ("game_box", "screen_box"):
        monkeypatch.setattr(boxes, name, lambda game: small)
    with closing(Hand(Match(trails.id, 2))) as hand:
        hand.deal()
        match, board = hand.table.match, hand.screen.board

        def touch(move: Move) -> None:
            hand.touches, ply = 0, match.ply
            for site in hand.screen.view.places[move]:
                # What goes on close by is shown as large as it was, and nothing of it is missing.
                assert not board.enlarged or all(map(board.plan.shows, map(of, places())))
                touch_place(board, site, hand._tap)
                if match.ply > ply:
                    break
            assert match.log[-1].move == move and not board.enlarged
            assert board.plan.shows(of(move.args[0]))

        def places() -> frozenset[str]:
            return frozenset(board.scene.targets | board.scene.picked)

        def of(site: str) -> Site:
            found: Site = board.scene.box.sites[site]
            return found

        for column in range(14):
            touch(next(one for one in match.legal_moves() if one.args[0] == f"{column}:0"))
        touch(Move.parse("p0 lay 9:1 4"))
        assert hand.touches == 3
