"""Pieces over several cells: what they cover in which turn, and their outlines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from rules.box import (
    BoxError,
    PieceKind,
    Point,
    cell_name,
    covered,
    longest,
    parse_box,
    parts_of,
    rings_of,
    settled,
    span_of,
    window,
)
from rules.box.lattice import Cell, Lattice
from rules.box.spread import length_of

PATCHES = Path(__file__).parents[3] / "examples/patches/patches/box.toml"


def kind(cells: Sequence[Cell], shape: str = "box", *, turns: bool = False) -> PieceKind:
    """A kind of a box with pieces of these cells, 28 mm wide."""
    text = PATCHES.read_text(encoding="utf-8")
    text = text.replace("[[0, 0], [1, 0], [0, 1], [1, 1]]", str([list(one) for one in cells]))
    if shape == "hexagon":
        text = text.replace('shape = "square"', 'shape = "hexagon"').replace(
            'shape = "box"', 'shape = "hexagon"'
        )
    if turns:
        text = text.replace('mark = "Q"', "turns = true")
    return parse_box(text, "box.toml").kinds["square white"]


def area(outline: Sequence[Point]) -> float:
    pairs = zip(outline, [*outline[1:], outline[0]], strict=True)
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs) / 2


SHAPES = [
    ("box", [(0, 0), (1, 0)], 2),
    ("box", [(0, 0), (1, 0), (1, 1), (2, 1)], 2),
    ("box", [(0, 0), (1, 0), (0, 1), (1, 1)], 1),
    ("box", [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)], 4),
    ("hexagon", [(0, 0), (1, 0)], 3),
    ("hexagon", [(0, 0), (1, 0), (0, 1)], 2),
    ("hexagon", [(0, 0), (1, 0), (2, 0), (0, 1)], 6),
]


@pytest.mark.parametrize(("shape", "cells", "ways"), SHAPES)
def test_each_turn_in_which_a_piece_covers_others_is_a_pose_and_no_other_is(
    shape: str, cells: list[Cell], ways: int
) -> None:
    piece, steps = kind(cells, shape), 6 if shape == "hexagon" else 4
    assert piece.poses == (tuple(map(str, range(ways))) if ways > 1 else ())
    for turn in range(steps):
        lattice = Lattice(steps, 28.0, 9, "", ())
        under = {
            cell_name((3 + x, y - 2)) for x, y in (lattice.turned(cell, turn) for cell in cells)
        }
        at, way = settled(piece, (3, -2), turn)
        assert way == turn % ways
        assert {*covered(piece, cell_name(at), str(way))} == under
        # Where the rules tell all turns, the piece lies below its sticker.
        told = kind(cells, shape, turns=True)
        assert settled(told, (3, -2), turn) == ((3, -2), turn)
        assert covered(told, "3:-2", str(turn))[0] == "3:-2"


@pytest.mark.parametrize(("shape", "cells", "_ways"), SHAPES)
def test_the_outline_of_a_piece_is_that_of_its_cells(
    shape: str, cells: list[Cell], _ways: int
) -> None:
    piece = kind(cells, shape)
    one = 28.0**2 * (math.sqrt(0.75) if shape == "hexagon" else 1.0)
    (outer,), (inner,) = rings_of(piece, 0.0), rings_of(piece, 1.0)
    assert area(outer) == pytest.approx(len(cells) * one)
    around = sum(math.dist(a, b) for a, b in zip(outer, [*outer[1:], outer[0]], strict=True))
    # A corner that goes in has as much more as one that goes out has less.
    assert area(inner) == pytest.approx(len(cells) * one - around, abs=6.0)
    assert sum(map(area, parts_of(piece))) == pytest.approx(area(rings_of(piece)[0]), abs=3.0)
    size, (x, y) = span_of(piece)
    assert all(
        abs(px - x) <= size[0] / 2 + 1e-6 and abs(py - y) <= size[1] / 2 + 1e-6
        for px, py in rings_of(piece)[0]
    )


def test_a_window_has_room_for_the_largest_piece_beside_what_lies_there() -> None:
    box = parse_box(PATCHES.read_text(encoding="utf-8"), "box.toml")
    assert longest(box) == 3
    for column in range(-6, 7):
        at = cell_name((column, -column))
        lying = {*window(box, [at]).sites}
        assert {cell_name((column + far, -column)) for far in range(-3, 4)} <= lying
        assert {cell_name((column, far - column)) for far in range(-3, 4)} <= lying
    hexagons = kind([(0, 0), (1, 0), (2, 0), (0, 1)], "hexagon")
    assert length_of(hexagons) == 3
    assert length_of(kind([(0, 0), (1, -1), (1, 0)], "hexagon")) == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[[0, 0], [1, 0]]", "[[1, 0], [2, 0]]", r"\[0, 0\]"),
        ("[[0, 0], [1, 0]]", "[[0, 0], [0, 0]]", "once"),
        ("[[0, 0], [1, 0]]", "[[0, 0]]", "two cells"),
        ("[[0, 0], [1, 0]]", "[[0, 0], [1, 1]]", "hang together"),
        (
            "[[0, 0], [1, 0]]",
            "[[0, 0], [1, 0], [2, 0], [0, 1], [2, 1], [0, 2], [1, 2], [2, 2]]",
            "hole",
        ),
        ("size = [28, 28]", "size = [27, 27]", r"\[28, 28\]"),
        ('shape = "box"', 'shape = "disc"', "box or hexagon"),
        ("[[0, 0], [1, 0]]", "[[0, 0], [0.5, 0]]", "cell"),
    ],
)
def test_cells_that_cannot_be_are_refused_with_their_key(old: str, new: str, told: str) -> None:
    text = PATCHES.read_text(encoding="utf-8").replace(old, new, 1)
    with pytest.raises(BoxError, match=told):
        parse_box(text, "box.toml")
