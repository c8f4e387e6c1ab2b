"""Lattices that float: pieces to cells and turns, wherever on the table all of it lies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from rules.box import Box, cell_of, load_box
from vision.pieces.floating import FloatingLattice, Frame
from vision.pieces.sighting import SeenPiece

BOX = load_box(str(Path(__file__).parents[3] / "examples/trails/trails/box.toml"))
LAID = {
    "0:0": ("tile white", "0"), "1:0": ("tile black", "3"), "-1:0": ("tile white", "0"),
    "-1:1": ("tile black", "5"), "2:0": ("tile white", "3"), "-2:2": ("tile black", "4"),
}  # fmt: skip
Laid = Mapping[str, tuple[str, str]]


def seen(laid: Laid, at: complex, degrees: float, loose: float = 0.0) -> list[SeenPiece]:
    """Tiles on a lattice whose first cell is ``at`` (mm) and that is turned by ``degrees``."""
    rng, found = np.random.default_rng(1), []
    for site, (name, pose) in laid.items():
        kind, cell = BOX.kinds[name], cell_of(site)
        assert BOX.lattice is not None and cell is not None
        way = complex(math.cos(t := math.radians(degrees)), math.sin(t))
        middle = at + way * complex(*BOX.lattice.at(cell))
        middle += complex(*rng.uniform(-loose, loose, 2))
        turn = math.radians(degrees + 60 * int(pose) + rng.uniform(-loose, loose))
        half = kind.sticker_mm / 2
        square = [complex(x, y) * half for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        corners = [middle + one * complex(math.cos(turn), math.sin(turn)) for one in square]
        mm = np.array([(one.real, one.imag) for one in corners])
        found.append(
            SeenPiece(name, kind.stickers[0], (middle.real, middle.imag), "ground", mm, mm, mm)
        )
    return found


def told(pieces: Sequence[SeenPiece]) -> dict[str, tuple[str, str]]:
    return {piece.site: (piece.kind, piece.pose) for piece in pieces if piece.site is not None}


def floating(box: Box = BOX, laid: Laid | None = None) -> FloatingLattice:
    lattice = FloatingLattice(box)
    record = LAID if laid is None else laid
    poses = {site: pose for site, (_, pose) in record.items()}
    lattice.expect({site: [kind] for site, (kind, _) in record.items()}, poses)
    return lattice


@pytest.mark.parametrize("degrees", [0.0, 29.0, 31.0, 95.0, -170.0])
def test_a_structure_that_lies_anywhere_at_any_angle_is_read_as_the_record_has_it(
    degrees: float,
) -> None:
    lattice, pieces = floating(), seen(LAID, 30 - 20j, degrees, loose=3.0)
    frame = lattice.follow(pieces, (), None)
    assert told(lattice.snapped(pieces, frame)) == LAID


def test_the_first_piece_of_a_match_is_at_the_first_cell_and_not_turned() -> None:
    lattice = floating(laid={})
    for at, degrees in ((0j, 10.0), (90 + 40j, 200.0)):
        pieces = seen({"0:0": ("tile white", "0")}, at, degrees)
        # Where a lattice was in another match does not matter.
        frame = lattice.follow(pieces, (), Frame(-100 + 0j, 1 + 0j))
        assert told(lattice.snapped(pieces, frame)) == {"0:0": ("tile white", "0")}


def test_all_that_was_pushed_and_turned_together_is_where_it_was() -> None:
    lattice, before = floating(), seen(LAID, 0j, 0.0)
    frame = lattice.follow(before, (), None)
    for at, degrees in ((38 + 0j, 0.0), (19 + 33j, 60.0), (-76 + 0j, 180.0), (5 + 3j, 4.0)):
        pieces = seen(LAID, at, degrees, loose=2.0)
        frame = lattice.follow(pieces, before, frame)
        assert told(lattice.snapped(pieces, frame)) == LAID
        before = pieces


def test_while_the_others_stay_a_piece_that_moves_has_moved() -> None:
    # As seen from one of two equal pieces, the other is where the record has the first.
    laid = {"0:0": ("tile white", "0"), "1:0": ("tile white", "0")}
    lattice, before = floating(laid=laid), seen(laid, 0j, 20.0)
    frame = lattice.follow(before, (), None)
    after = {"1:0": ("tile white", "0"), "2:0": ("tile white", "0")}
    pieces = seen(after, 0j, 20.0)
    frame = lattice.follow(pieces, before, frame)
    assert told(lattice.snapped(pieces, frame)) == after


def test_a_small_push_at_every_look_is_followed_all_the_way() -> None:
    lattice, before = floating(), seen(LAID, 0j, 0.0)
    frame = lattice.follow(before, (), None)
    for step in range(1, 60):
        pieces = seen(LAID, step * (2 + 1j), 1.5 * step)
        frame = lattice.follow(pieces, before, frame)
        before = pieces
    assert told(lattice.snapped(before, frame)) == LAID


def test_a_piece_between_two_cells_or_askew_is_at_no_place() -> None:
    lattice, pieces = floating(), seen(LAID, 0j, 0.0)
    between = seen({"1:1": ("tile white", "0")}, 19 + 0j, 0.0)
    askew = seen({"0:2": ("tile white", "0")}, 0j, 30.0)
    every = [*pieces, *between]
    frame = lattice.follow(every, pieces, lattice.follow(pieces, (), None))
    assert told(lattice.snapped(every, frame)) == LAID
    turned = lattice.snapped([*pieces, *askew], lattice.follow(pieces, (), None))
    assert "0:2" not in told(turned)


def test_only_cells_around_what_lies_there_are_looked_at() -> None:
    lattice, pieces = floating(), seen(LAID, 0j, 0.0)
    frame = lattice.follow(pieces, (), None)
    table = np.ones((210, 280), dtype=np.bool_)
    cells = lattice.cells(lattice.snapped(pieces, frame), frame, table)
    assert LAID.keys() < cells and len(cells) < 50
    assert "3:1" in cells and "5:0" not in cells
