"""Boards are cut between their rows of places, and drawn and named by packages outside too."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from companion.printing.art import designs
from companion.printing.art.board import BoardArt
from companion.printing.art.knizia import KniziaArt
from companion.printing.names import kind_names
from companion.printing.plan import Obstacle, cuts, plan_tiles
from companion.printing.sheet import PrintError
from rules.box import Box, Stroke, load_box, parse_box
from rules.games import find_game
from tests.support.box_file import FILE_TEXT


def _grid(pitch: float, count: int) -> Box:
    """A board of ``count`` × ``count`` fields."""
    box = parse_box(FILE_TEXT, "b.toml")
    site = box.sites["B"]
    half = (count - 1) / 2
    sites = {
        f"{x}{y}": replace(site, id=f"{x}{y}", at=((x - half) * pitch, (y - half) * pitch))
        for x in range(count)
        for y in range(count)
    }
    side = pitch * count + 80
    corners = tuple(
        replace(
            corner, at=(corner.at[0] / 80 * (side / 2 - 20), corner.at[1] / 80 * (side / 2 - 20))
        )
        for corner in box.corners
    )
    return replace(box, size=(side, side), sites=sites, corners=corners, strokes=())


@pytest.mark.parametrize("count", [5, 6, 7, 8])
@pytest.mark.parametrize("paper", ["a4", "a3"])
def test_no_seam_runs_through_a_row_of_fields_where_there_is_room_between(
    count: int, paper: str
) -> None:
    box = _grid(50, count)
    plan = plan_tiles(box, paper)
    assert len(plan.tiles) > 1
    for tile in plan.tiles:
        for site in box.sites.values():
            for cut, at in ((tile.right, site.at[0]), (tile.bottom, site.at[1])):
                assert abs(cut - at) >= site.radius


def test_the_cheapest_cut_that_leaves_every_part_on_its_sheet_is_taken() -> None:
    assert cuts(300, 190, 10, []) == [0, 145, 300]
    assert cuts(180, 190, 10, []) == [0, 180]
    assert cuts(300, 190, 10, [Obstacle(100, 160, 1)])[1] == pytest.approx(160, abs=1)
    assert cuts(369, 190, 10, [Obstacle(0, 369, 5)]) == [0, pytest.approx(179.5, abs=1), 369]


def test_a_seam_does_not_run_along_a_line() -> None:
    box = replace(_grid(50, 6), sites={})
    cut = plan_tiles(box, "a3").tiles[0].right
    side = box.size[0] / 2
    line = Stroke("line", "path", ((cut, -side), (cut, side)), "#000000", 2.0, "", ())
    assert abs(plan_tiles(replace(box, strokes=(line,)), "a3").tiles[0].right - cut) > 2


def test_a_package_outside_draws_the_board_of_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    art = EntryPoint("theirs", "companion.printing.art.knizia:KniziaArt", "heelstone.board_art")
    none = EntryPoint("wrong", "companion.printing.art.knizia:math", "heelstone.board_art")
    monkeypatch.setattr(designs, "entries", lambda _group: {"theirs": art, "wrong": none})
    assert designs.design_of("theirs").board is KniziaArt
    assert designs.design_of("nobodys").board is BoardArt
    with pytest.raises(PrintError, match="is not a BoardArt but math"):
        designs.design_of("wrong")


def test_pieces_are_called_what_a_game_from_outside_calls_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = find_game("knizia_stonehenge")
    box = replace(load_box(game.box), id="theirs")

    class Theirs(type(game)):  # type: ignore[misc]
        """Knizia's game in a box with a path, as packages outside have them."""

        box = "/somewhere/theirs.toml"

    wanted = kind_names(load_box(game.box), "de")["megalith black"]
    monkeypatch.setattr("companion.printing.names.game_ids", lambda: ["knizia_stonehenge"])
    monkeypatch.setattr("companion.printing.names.find_game", lambda _name: Theirs())
    monkeypatch.setattr("companion.printing.names.load_box", lambda _path: box)
    assert kind_names(box, "de")["megalith black"] == wanted != "megalith black"
