"""A small box file that is right, to be spoilt, and what its tables are declared as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, get_args, get_type_hints

from rules.box.box import Corner, PieceKind, Stroke
from rules.box.file import Elsewhere, Head, LatticeTable, SiteTable
from rules.box.series import Grid, Rectangle, Ring, Sector, Series, Shape
from rules.declared import NAME

TABLES: Final[Mapping[str, type]] = {
    "box": Head, "corner": Corner, "site": SiteTable, "otherwise": Elsewhere, "kinds": PieceKind,
    "stroke": Stroke, "series": Series, "ring": Ring, "grid": Grid, "shape": Shape,
    "rectangle": Rectangle, "sector": Sector, "lattice": LatticeTable,
}  # fmt: skip


def keys(*tables: type) -> dict[str, Any]:
    """Declarations of a table's keys, by name."""
    hints = {
        name: hint
        for table in tables
        for name, hint in get_type_hints(table, include_extras=True).items()
    }
    return {name: hint for name, hint in hints.items() if NAME not in get_args(hint)}


def defaults(*tables: type) -> dict[str, Any]:
    """Defaults of missing keys; a factory's is made."""
    found: dict[str, Any] = {}
    for one in (one for table in tables for one in fields(table)):
        if one.default_factory is not MISSING:
            found[one.name] = one.default_factory()
        elif one.default is not MISSING:
            found[one.name] = one.default
    return found


def required(table: type) -> list[str]:
    """The keys that must be there."""
    return [key for key in keys(table) if key not in defaults(table)]


FILE_TEXT = """\
[box]
id = "b"
names = { de = "Brett", en = "Board" }
size = [200, 200]
dictionary = "DICT_4X4_50"
colours = { board = "#76926b", pale = "#e0e0d0" }

[[corner]]
id = 0
at = [-80, 80]
size = 24
[[corner]]
id = 1
at = [80, 80]
size = 24
[[corner]]
id = 2
at = [80, -80]
size = 24
[[corner]]
id = 3
at = [-80, -80]
size = 24

[[site]]
id = "A"
kind = "field"
at = [-20, 0]
radius = 18
drawn_radius = 6
takes = ["stone"]
neighbours = ["B"]

[[site]]
id = "B"
kind = "field"
at = [20, 0]
radius = 18
colour = "pale"
takes = ["stone"]
neighbours = ["A"]

[[site]]
id = "bag"
kind = "captured"
at = [0, -150]
size = [80, 40]
room = 9
takes = ["stone"]
printed = false
games = ["tric", "trac"]
otherwise.trac = { at = [0, 150], size = [60, 40] }

[kinds."stone black"]
group = "stone"
stickers = [9]
sticker_mm = 16
shape = "disc"
size = [30, 30]
colour = "#202020"
count = 9
back = "stone back"

[kinds."stone back"]
group = "stone"
shape = "disc"
size = [30, 30]
colour = "#d0d0c0"
count = 9

[[stroke]]
kind = "line"
role = "path"
points = [[-20, 0],
          [20, 0]]
colour = "#303030"
width = 2
sites = ["A", "B"]
"""

DICE = """
[[site]]
id = "tray"
kind = "tray"
at = [0, -140]
size = [90, 40]
takes = ["die"]
printed = false

[kinds.die]
group = "die"
shape = "die"
size = [16, 16]
colour = "#f4f1e8"
count = 2
"""
"""A tray and two dice for the same box."""
