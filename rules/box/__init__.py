"""Boxes: the physical material of games, as data."""

from rules.box.box import Box, BoxError, Corner, PieceKind, Point, Site, Stroke
from rules.box.file import MOST_BYTES, add_box, box_ids, load_box, parse_box

__all__ = [
    "MOST_BYTES",
    "Box",
    "BoxError",
    "Corner",
    "PieceKind",
    "Point",
    "Site",
    "Stroke",
    "add_box",
    "box_ids",
    "load_box",
    "parse_box",
]
