"""Boxes: the physical material of games, as data, and their boards as display lists."""

from rules.box.box import TRAY, Box, BoxError, Corner, PieceKind, Point, Site, Stroke
from rules.box.file import MOST_BYTES, add_box, box_ids, load_box, parse_box
from rules.box.shapes import BoardShape, box_points, printed_shapes, ring_points, stroke_shapes
from rules.box.signs import SIGNED, Sign, sign_of
from rules.box.spots import room_for, side_by_side

__all__ = [
    "MOST_BYTES", "SIGNED", "TRAY", "BoardShape", "Box", "BoxError", "Corner", "PieceKind", "Point",
    "Sign", "Site", "Stroke", "add_box", "box_ids", "box_points", "load_box", "parse_box",
    "printed_shapes", "ring_points", "room_for", "side_by_side", "sign_of", "stroke_shapes",
]  # fmt: skip
