"""A game's board and its pieces as plain shapes, for pages that draw them as on the table's screen.

All lengths are millimetres of the box, x to the right and **y down**, as SVG has it. What the
screen measures in px of a screen 480 px high is ``unit`` mm long here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from companion.presentation.boxes import game_box, screen_box
from companion.presentation.plan import Plan
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.piece_colours import fill_of, hatching_of, strokes
from companion.presentation.theme.stroke_looks import is_outline, stroke_tone, thickness
from companion.presentation.words.sentences import card_names_in
from rules.box import Box, PieceKind, Site, Stroke
from rules.core import Shape
from rules.games import find_game

__all__ = ["board_of"]

SCREEN_PX: Final = 480.0
"""The screen's sizes are px at this short side."""
MARGIN_PX: Final = 12.0
"""Around the board on the screen."""
ROUND: Final = ("disc", "octagon", "pawn")

Json = dict[str, Any]


@lru_cache(maxsize=64)
def board_of(game: str, physical: bool, lang: str, colours: str = "printed") -> Json:
    """Everything of a game's board that stays the same during a match.

    ``colours``: of the pieces: ``printed``, ``safe`` or ``patterns``.
    """
    box = game_box(game) if physical else screen_box(game)
    names = card_names_in(game, lang)
    unit = _unit(box)
    return {
        "v": 1,
        "game": game,
        "box": box.id,
        "name": box.names.get(lang, box.id),
        "unit": round(unit, 4),
        "strokes": [_stroke(stroke, unit) for stroke in box.strokes],
        "sites": {site.id: _site(box, site) for site in box.sites.values()},
        "kinds": {kind.id: _kind(kind, names, colours, unit) for kind in box.kinds.values()},
        "pictures": {
            kind: [_shape(shape) for shape in picture]
            for kind, picture in find_game(game).touch.pictures().items()
        },
    }


# -- what stays -------------------------------------------------------------------------------


def _unit(box: Box) -> float:
    """mm per px of a screen whose short side is 480 px, where the board has all of it."""
    left, bottom, right, top = _plan(box, frozenset()).extent
    return max(right - left, top - bottom) / (SCREEN_PX - 2 * MARGIN_PX)


def _plan(box: Box, beside: frozenset[str]) -> Plan:
    """A plan on which a millimetre is a pixel, with its origin at the board's."""
    return Plan.in_mm(box, beside)


def _stroke(stroke: Stroke, unit: float) -> Json:
    found: Json = {
        "kind": stroke.kind,
        "points": [_point(at) for at in stroke.points],
        "width": _mm(stroke.width),
        "outline": is_outline(stroke),
        "tone": {n: _hex(stroke_tone(stroke, p)) for n, p in theme.PALETTES.items()},
        "alpha": stroke_tone(stroke, theme.NIGHT)[3],
    }
    if stroke.kind == "text":
        found["text"] = stroke.text
    if stroke.kind in ("line", "circle"):
        found["thick"] = _mm(thickness(stroke, px=unit))
    return found


def _site(box: Box, site: Site) -> Json:
    half = (site.radius, site.radius) if site.size is None else (site.size[0] / 2, site.size[1] / 2)
    found: Json = {
        "at": _point(site.at),
        "half": [_mm(half[0]), _mm(half[1])],
        "round": site.size is None,
    }
    if site.drawn_radius is not None:
        found["drawn"] = _mm(site.drawn_radius)
    if site.printed:
        found["tone"] = {name: _site_tones(box, site, p) for name, p in theme.PALETTES.items()}
        if site.label and len(site.label) <= 3:
            found["label"] = site.label
    return found


def _site_tones(box: Box, site: Site, palette: theme.Palette) -> list[str]:
    """Surface and rim."""
    tint = theme.rgba(box.colour_of(site) or palette.stone)
    part = palette.site_mix
    return [
        _hex(theme.mix(theme.rgba(palette.slate), tint, part * 0.55)),
        _hex(theme.mix(theme.rgba(palette.edge), tint, part * 1.6)),
    ]


def _kind(kind: PieceKind, names: Mapping[str, str], colours: str, unit: float) -> Json:
    width, height = kind.size
    if kind.shape == "box" and width == height:
        # A cube from above looks like a stone that stands.
        width, height = width * 0.92, height * 1.2
    fill = fill_of(kind, colours)
    found: Json = {
        "shape": kind.shape,
        "group": kind.group,
        "size": [_mm(width), _mm(height)],
        "fill": _hex(fill),
        "rim": {name: rim_of(fill, palette) for name, palette in theme.PALETTES.items()},
        "line": {name: _hex(line_tone(fill, palette)) for name, palette in theme.PALETTES.items()},
        "mark": names.get(kind.id, kind.mark),
    }
    lines = _hatching(kind, colours, (width, height), unit)
    if lines:
        found["hatch"] = lines
    return found


def rim_of(fill: theme.Rgba, palette: theme.Palette) -> str:
    """The colour of a piece's rim and of what is printed on it."""
    light, dark = theme.rgba(palette.rim_light), theme.rgba(palette.rim_dark)
    # Light rims look better on middle tones, so dark ones must win clearly.
    wins = theme.contrast(fill, light) * 2.0 >= theme.contrast(fill, dark)
    return palette.rim_light if wins else palette.rim_dark


def line_tone(fill: theme.Rgba, palette: theme.Palette) -> theme.Rgba:
    """The colour of a line that belongs to the owner of such a piece."""
    if theme.contrast(fill, theme.rgba(palette.night)) < 1.8:
        return theme.mix(theme.rgba(palette.ash), theme.rgba(palette.night), 0.42)
    return fill


def _hatching(
    kind: PieceKind, colours: str, size: tuple[float, float], unit: float
) -> list[list[float]]:
    small = min(size)
    gap = max(small / 5, 4.0 * unit)
    return [
        [_mm(x0), _mm(-y0), _mm(x1), _mm(-y1)]
        for degrees in hatching_of(kind, colours)
        for x0, y0, x1, y1 in strokes(*size, degrees, gap, is_round=kind.shape in ROUND)
    ]


def _shape(shape: Shape) -> Json:
    """Of a card's picture: its own units, 100 wide and high, y down."""
    points = [[round(x, 2), round(y, 2)] for x, y in shape.points]
    if shape.form == "oval":
        (x, y), reach = points
        return {"form": "oval", "colour": shape.colour, "points": [[x, round(100 - y, 2)], reach]}
    turned = [[x, round(100 - y, 2)] for x, y in points]
    return {
        "form": shape.form, "colour": shape.colour, "points": turned, "width": shape.width,
    }  # fmt: skip


def _point(at: tuple[float, float]) -> list[float]:
    return [_mm(at[0]), _mm(-at[1])]


def _mm(value: float) -> float:
    return round(value, 2) + 0.0


def _hex(colour: theme.Rgba) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour[:3])
