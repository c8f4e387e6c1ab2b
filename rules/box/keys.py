"""The keys of a box file: the only list of them. ``docs/box-file.md`` says what each does.

Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = [
    "FILE", "PLAYER_COLOURS", "POSES", "REQUIRED", "SHAPES", "STROKES", "TABLES", "WEIGHTS", "Key",
]  # fmt: skip

REQUIRED: Final = "required"
"""The default of a key that must be there."""

SHAPES: Final = ("disc", "octagon", "box", "pawn", "bar", "arch", "card")
"""Shapes of pieces that screen, printer and camera know."""
STROKES: Final = ("line", "polygon", "circle", "text")
"""Kinds of strokes."""
WEIGHTS: Final = ("strong", "faint")
"""How strong a stroke is drawn on the screen."""
POSES: Final = ("standing", "lying", "cw", "ccw")
"""Poses that the camera can tell apart."""
PLAYER_COLOURS: Final = ("white", "blue", "green", "yellow", "red", "black", "brown", "grey")
"""Colours that print has a pattern for; a site may have one without the box naming its tone."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table of the file."""

    wants: str
    """What its value must be; ``rules.box.entry`` has a check for each."""
    default: Any = REQUIRED
    """The value where the key is missing."""
    among: tuple[str, ...] = ()
    """The only values, if there are so few."""


FILE: Final[Mapping[str, Key]] = {
    "box": Key("table"),
    "corner": Key("tables"),
    "site": Key("tables", []),
    "kinds": Key("table", {}),
    "stroke": Key("tables", []),
    "lists": Key("table", {}),
}
"""What stands on the outermost floor."""

TABLES: Final[Mapping[str, Mapping[str, Key]]] = {
    "box": {
        "id": Key("word"),
        "names": Key("names"),
        "size": Key("size"),
        "dictionary": Key("text"),
        "colours": Key("colours", {}),
        "weight": Key("text", "strong", WEIGHTS),
    },
    "corner": {"id": Key("count"), "at": Key("point"), "size": Key("length")},
    "site": {
        "id": Key("word"),
        "kind": Key("text"),
        "at": Key("point"),
        "radius": Key("length", 0.0),
        "drawn_radius": Key("extent", None),
        "size": Key("size", None),
        "takes": Key("texts", []),
        "room": Key("number_of", 1),
        "label": Key("text", None),
        "colour": Key("text", ""),
        "neighbours": Key("texts", []),
        "one_way": Key("texts", []),
        "games": Key("texts", []),
        "single_in": Key("texts", []),
        "otherwise": Key("table", {}),
        "printed": Key("flag", True),
    },
    "otherwise": {"at": Key("point"), "size": Key("size"), "room": Key("number_of", 1)},
    "kinds": {
        "group": Key("text"),
        "owner": Key("text", ""),
        "stickers": Key("counts", []),
        "lying_stickers": Key("counts", []),
        "sticker_mm": Key("length", 0.0),
        "height": Key("extent", 0.0),
        "shape": Key("text", among=SHAPES),
        "size": Key("size"),
        "colour": Key("colour"),
        "mark": Key("text", ""),
        "poses": Key("texts", [], POSES),
        "count": Key("count"),
        "back": Key("text", ""),
    },
    "stroke": {
        "kind": Key("text", among=STROKES),
        "role": Key("text"),
        "points": Key("points"),
        "colour": Key("colour"),
        "width": Key("extent", 0.0),
        "weight": Key("text", None, WEIGHTS),
        "text": Key("text", ""),
        "sites": Key("texts", []),
    },
    "series": {
        "copies": Key("number_of", None),
        "each": Key("rows", []),
        "parts": Key("parts", []),
    },
    "ring": {
        "radius": Key("extent", 0.0),
        "first": Key("degrees", 90.0),
        "step": Key("degrees", None),
        "at": Key("point", (0.0, 0.0)),
    },
    "grid": {"columns": Key("number_of"), "at": Key("point"), "step": Key("point")},
    "shape": {
        "at": Key("point", None),
        "through": Key("texts", []),
        "rectangle": Key("table", None),
        "sector": Key("table", None),
    },
    "rectangle": {"size": Key("size"), "cut": Key("extent", 0.0)},
    "sector": {"inner": Key("length"), "outer": Key("length"), "degrees": Key("length")},
}
"""Keys by table: ``otherwise`` is the table of a game within ``site.otherwise``; those from
``series`` on are of tables that stand for several, see ``rules.box.series``."""
