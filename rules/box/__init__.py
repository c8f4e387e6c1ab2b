"""Boxes: the physical material of games, as data, and their boards as display lists."""

from rules.box.box import TRAY, Box, BoxError, Corner, PieceKind, Point, Site, Stroke
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
from rules.box.windows import (
    GROUND,
    is_cell,
    looked_at,
    near,
    on_open_ground,
    window,
    window_name,
    window_named,
    with_cells,
)

__all__ = [
    "GROUND", "MOST_BYTES", "PIP", "SIGNED", "TRAY", "BoardShape", "Box", "BoxError", "Cell",
    "Corner", "Lattice", "PieceKind", "Point", "Sign", "Site", "Stroke", "add_box", "around",
    "arrow_points", "box_ids", "box_points", "cell_name", "cell_of", "foot_points", "is_cell",
    "load_box", "looked_at", "near", "on_open_ground", "parse_box", "pip_points", "printed_shapes",
    "ring_points", "room_for", "side_by_side", "sign_of", "stroke_shapes", "window", "window_name",
    "window_named", "with_cells",
]  # fmt: skip
