"""Boxes: the physical material of games, as data, and their boards as display lists."""

from rules.box.box import (
    PLAYER_COLOURS,
    TRAY,
    Box,
    BoxError,
    Corner,
    PieceKind,
    Point,
    Site,
    Stroke,
)
from rules.box.file import MOST_BYTES, add_box, box_ids, load_box, parse_box
from rules.box.lattice import Cell, Lattice, around, cell_name, cell_of
from rules.box.shapes import (
    PIP,
    BoardShape,
    arrow_points,
    box_points,
    foot_points,
    pip_points,
    printed_shapes,
    ring_points,
    stroke_shapes,
)
from rules.box.signs import SIGNED, Sign, sign_of
from rules.box.spots import room_for, side_by_side
from rules.box.spread import (
    covered,
    drawn_in,
    middles_of,
    parts_of,
    rings_of,
    settled,
    span_of,
    turn_of,
)
from rules.box.windows import (
    GROUND,
    below,
    is_cell,
    longest,
    looked_at,
    near,
    on_open_ground,
    window,
    window_name,
    window_named,
    with_cells,
)

__all__ = [
    "GROUND", "MOST_BYTES", "PIP", "PLAYER_COLOURS", "SIGNED", "TRAY", "BoardShape", "Box",
    "BoxError", "Cell", "Corner", "Lattice", "PieceKind", "Point", "Sign", "Site", "Stroke",
    "add_box", "around", "arrow_points", "below", "box_ids", "box_points", "cell_name", "cell_of",
    "covered", "drawn_in", "foot_points", "is_cell", "load_box", "longest", "looked_at",
    "middles_of", "near", "on_open_ground", "parse_box", "parts_of", "pip_points",
    "printed_shapes", "ring_points", "rings_of", "room_for", "settled", "side_by_side", "sign_of",
    "span_of", "stroke_shapes", "turn_of", "window", "window_name", "window_named", "with_cells",
]  # fmt: skip
