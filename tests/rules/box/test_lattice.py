"""Lattices: cells that arise by play, and the windows in which they are shown."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rules.box import (
    GROUND,
    Box,
    BoxError,
    Lattice,
    around,
    cell_name,
    cell_of,
    load_box,
    near,
    on_open_ground,
    parse_box,
    window,
    window_name,
    window_named,
)

TRAILS = Path(__file__).parents[3] / "examples/trails/trails/box.toml"
DOMINEERING = Path(__file__).parents[2] / "support/domineering/domineering.toml"
HEX, SQUARES = Lattice(6, 38.0, 5, "cell", ("tile",)), Lattice(4, 30.0, 5, "cell", ("tile",))
BOTH = pytest.mark.parametrize("lattice", [HEX, SQUARES])


@pytest.fixture(scope="module")
def box() -> Box:
    return load_box(str(TRAILS))


@BOTH
def test_cells_next_to_each_other_are_a_pitch_apart_in_the_directions_of_a_turn(
    lattice: Lattice,
) -> None:
    for step, name in enumerate(around("1:-2", lattice.turns)):
        cell = cell_of(name)
        assert cell is not None
        (x0, y0), (x1, y1) = lattice.at((1, -2)), lattice.at(cell)
        turn = 2 * math.pi * step / lattice.turns
        assert (x1 - x0, y1 - y0) == pytest.approx(
            (lattice.pitch * math.cos(turn), lattice.pitch * math.sin(turn))
        )


@BOTH
def test_every_point_of_a_cell_belongs_to_it_and_a_turn_moves_cells_as_it_moves_points(
    lattice: Lattice,
) -> None:
    for cell in lattice.cells:
        x, y = lattice.at(cell)
        assert all(
            lattice.cell((x + 0.98 * (a - x), y + 0.98 * (b - y))) == cell
            for a, b in lattice.outline((x, y))
        )
        turned = complex(x, y) * complex(math.cos(t := 2 * math.pi / lattice.turns), math.sin(t))
        assert lattice.cell((turned.real, turned.imag)) == lattice.turned(cell, 1)
        assert lattice.turned(cell, lattice.turns) == cell


def test_a_box_with_a_lattice_has_its_cells_as_places_and_one_place_for_cameras(box: Box) -> None:
    assert box.lattice is not None
    assert len(box.sites) == len(box.lattice.cells) == 1 + 3 * 20 * 21
    assert set(box.sites["0:0"].neighbours) == set(around("0:0"))
    assert not box.printed_sites and not box.site_order
    assert list(on_open_ground(box).sites) == [GROUND]
    assert box.kinds["tile white"].poses == tuple("012345")


def test_a_window_shows_all_that_lies_there_with_a_ring_around_it_and_grows_in_steps(
    box: Box,
) -> None:
    lying, names = ["0:0"], [window_name(box, ["0:0"])]
    for column in range(1, 9):
        lying.append(cell_name((column, 0)))
        shown = window(box, lying)
        assert near(box, lying) <= shown.sites.keys()
        assert all(shown.is_on_board(site.at) for site in shown.sites.values())
        assert all(shown.sites[s].at == box.sites[s].at for s in lying)
        names.append(window_name(box, lying))
    assert 4 <= len(set(names)) < len(names)
    assert window_named(box, names[-1]) is window(box, lying)


def test_cells_of_a_board_lie_in_its_middle_are_drawn_and_shown_as_a_whole() -> None:
    box = load_box(str(DOMINEERING))
    assert box.lattice is not None and len(box.sites) == 36
    assert box.sites["0:0"].at == (-90.0, -90.0) and box.sites["5:5"].at == (90.0, 90.0)
    assert box.lattice.cell((-88.0, -92.0)) == (0, 0)
    assert box.site_order == tuple(box.sites) and len(box.strokes) == len(box.printed_sites) == 36
    assert window(box, ["0:0"]) is box and window_name(box, ["0:0"]) == ""
    ground = on_open_ground(box).sites[GROUND]
    assert ground.at == pytest.approx((0.0, 0.0)) and ground.size == pytest.approx((216.0, 216.0))
    text = DOMINEERING.read_text(encoding="utf-8")
    moved = parse_box(text.replace("rows = 6", "rows = 5\nat = [-80, -70]"), "box.toml")
    assert moved.sites["0:0"].at == (-80.0, -70.0) and len(moved.sites) == 30
    for old, new, told in (
        ("rows = 6", "rows = 0", "columns and rows"), ("rows = 6", "rows = 49", "48"),
        ("rows = 6", "rows = 9", "lattice.columns"),
    ):  # fmt: skip
        with pytest.raises(BoxError, match=told):
            parse_box(text.replace(old, new), "box.toml")


@pytest.mark.parametrize("name", ["", "a", "1.1.1", "0.1.1.1", "1.1.1.100", "1.1.1.1.1"])
def test_no_window_is_made_of_a_name_that_none_has(box: Box, name: str) -> None:
    with pytest.raises(ValueError):
        window_named(box, name)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("size = [37, 37]", "size = [39, 39]", "only 38"),
        ('shape = "hexagon"\nsize', 'shape = "disc"\nsize', "hexagon"),
        ('takes = ["tile"]', 'takes = ["stone"]', "stone"),
        ('shape = "hexagon"\npitch', 'shape = "round"\npitch', "round"),
        ("reach = 20", "reach = 0", "reach"),
    ],
)
def test_a_lattice_that_cannot_be_is_refused_with_its_key(old: str, new: str, told: str) -> None:
    text = TRAILS.read_text(encoding="utf-8").replace(old, new, 1)
    with pytest.raises(BoxError, match=told):
        parse_box(text, "box.toml")
