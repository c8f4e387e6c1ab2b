"""The display list of a board on screens, in the light of a theme. Free of Kivy.

A ``strong`` stroke is as wide as the box says and stands out from the ground of the theme; a
``faint`` one is thin and quiet. Areas and places are of wood, stone or felt. Contrast as in
WCAG 2.2, https://www.w3.org/TR/WCAG22/.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from companion.presentation.theme import tokens as theme
from companion.presentation.theme.tokens import Palette, Rgba
from rules.box import BoardShape, Box, Site, Stroke, sign_of, stroke_shapes

CLEAR: Final = 4.5
"""Contrast of a strong line with the ground, like that of a text."""
_TEXT_ALPHA: Final = 0.9
"""Opacity of writing on the board."""
_ON_HOLLOW: Final = theme.rgba(theme.NIGHT.bone, 0.62)
"""Tone of letters and lines in a hollow, which is dark by day too."""
_LONGEST_LABEL: Final = 3
"""Maximum length of a label, letters."""
_LINE_SHARE: Final = {"strong": 1.0, "faint": 0.62}
"""Share of a line's width that is drawn."""
_LEAST_PX: Final = {"strong": 2.4, "faint": 1.8}
"""The thinnest a line gets, px."""
_LEAST_TEXT_PX: Final = 13.0
"""Letters are as high as this, if that is not more than twice what the box says."""
_TINT: Final = {"wood": 0.3, "stone": 0.55, "felt": 0.6, "hollow": 0.45}
"""Share of the box's colour in a surface; the rest is the surface's own."""
_STRONG: Final = 0.85
"""The same where the box says that an area is strong."""
_DEEP: Final = 0.4
"""Light in a hollow."""
_PAINTED: Final = (0.9, 0.85)
"""Share of its colour, and light, in a hollow that has a colour of its own."""
_GROWS: Final = 0.55
"""Share of the growth of letters by which their middle moves."""
_LINE_ALPHA: Final = 0.8
_READ: Final = 5.0
"""Contrast of secondary words with a surface below them: its grain takes some of it."""
_STEPS: Final = 20


def ground_shapes(box: Box, unit: float, hairline: float, label: float) -> Iterator[BoardShape]:
    """Each stroke, one shape for each; then the places that the board shows, with their labels.

    ``unit``: millimetres per px; ``hairline``, ``label``: px of half a thin line, and of half the
    smallest place with a label.
    """
    for stroke in box.strokes:
        shape = stroke_shape(stroke, unit, hairline)
        if shape.role == "area" and not _is_disc(shape):
            surface = box.surfaces.get(stroke.role, "stone")
            # Only colours that count in the game are seen: the rest is bare.
            idle = bool(stroke.sites) and box.sites.keys().isdisjoint(stroke.sites)
            shape = replace(shape, surface=surface, colour="" if idle else shape.colour)
        elif shape.role == "text":
            shape = _outwards(shape, box)
        yield shape
    for site in box.sites.values():
        if site.printed and site.shows:
            yield from _site(box, site, unit * hairline, unit * label)


def stroke_shape(stroke: Stroke, unit: float = 1.0, hairline: float = 1.0) -> BoardShape:
    """A stroke as wide as it is on a screen."""
    (shape,) = stroke_shapes(stroke)
    width, thin = shape.width, 2 * hairline * unit
    thick = max(stroke.width * _LINE_SHARE[stroke.weight], _LEAST_PX[stroke.weight] * unit)
    match shape.role, stroke.kind:
        case "line", _:
            return replace(shape, width=thick)
        case "outline", _:
            return replace(shape, width=max(width, thin))
        case "text", _:
            own = shape.reach[1]
            return replace(shape, reach=(0.0, max(own, min(_LEAST_TEXT_PX * unit, 2 * own))))
        case _, "circle":
            return replace(shape, reach=(max(shape.reach[0], thick / 2),) * 2)
    return shape


def _outwards(shape: BoardShape, box: Box) -> BoardShape:
    """Letters that are larger than the box says, and stand beside their place, grow away from the
    nearest place, to the middle of the board or away from it: a piece may lie there."""
    stroke, (x, y) = shape.of, shape.points[0]
    if not isinstance(stroke, Stroke):
        return shape
    beside = [
        name for name in stroke.sites if name not in box.sites or box.sites[name].at != (x, y)
    ]
    grown, far = shape.reach[1] - stroke.width, math.hypot(x, y)
    if not beside or grown <= 0 or not far:
        return shape
    near = min(
        (site for site in box.sites.values() if not box.is_beside_board(site)),
        key=lambda site: math.dist(site.at, (x, y)) - site.radius, default=None,
    )  # fmt: skip
    inwards = near is not None and math.hypot(*near.at) > far
    part = 1 + (-grown if inwards else grown) * _GROWS / far
    return replace(shape, points=((x * part, y * part),))


def slab_tone(box: Box, palette: Palette) -> Rgba:
    """The colour of the board below everything."""
    return _face(box.surfaces.get("board", "wood"), box.colours.get("board", ""), palette)


def cloth_tone(box: Box, palette: Palette) -> Rgba:
    """The board's surface below words: as much of its colour as leaves them easy to read."""
    ground, slab, ink = theme.rgba(palette.night), slab_tone(box, palette), theme.rgba(palette.ash)
    tones = (theme.mix(slab, ground, step / _STEPS) for step in range(_STEPS))
    return next((tone for tone in tones if theme.contrast(ink, tone) >= _READ), ground)


def tone_of(shape: BoardShape, palette: Palette) -> Rgba:
    """The colour of a shape on the board."""
    if _is_disc(shape):
        return _clear(shape.colour, palette)
    match shape.role:
        case "place" if _is_painted(shape):
            return _painted(shape.colour, palette)
        case "place" | "area":
            surface = shape.surface or "stone"
            strong = isinstance(shape.of, Stroke) and shape.of.weight == "strong"
            return _face(surface, shape.colour, palette, _STRONG if strong else _TINT[surface])
        case "rim":
            return theme.mix(_face("stone", shape.colour, palette), theme.rgba(palette.night), 0.3)
        case "label" | "sign" if _is_painted(shape):
            ground = _painted(shape.colour, palette)
            return theme.mix(rim_tone(ground, palette), ground, 0.2)
        case "label" | "sign":
            return _ON_HOLLOW if shape.surface == "hollow" else theme.rgba(palette.bone, 0.75)
        case "text":
            return theme.rgba(palette.bone, _TEXT_ALPHA)
    if isinstance(shape.of, Stroke) and shape.of.weight == "faint":
        if shape.role == "outline":
            return _face("hollow", shape.colour, palette)
        return theme.rgba(shape.colour, _LINE_ALPHA)
    return _clear(shape.colour, palette)


def _is_painted(shape: BoardShape) -> bool:
    """True for a hollow with a colour of its own, which counts for more than its depth."""
    return shape.surface == "hollow" and isinstance(shape.of, Site) and bool(shape.of.colour)


def _painted(colour: str, palette: Palette) -> Rgba:
    return _face("hollow", colour, palette, *_PAINTED)


def _is_disc(shape: BoardShape) -> bool:
    """True for a strong disc: like a strong line it is the board, and no ground of it."""
    stroke = shape.of
    return isinstance(stroke, Stroke) and stroke.kind == "circle" and stroke.weight == "strong"


@lru_cache(maxsize=512)
def _face(
    surface: str, colour: str, palette: Palette, tint: float | None = None, deep: float = _DEEP
) -> Rgba:
    """A surface with a share of a colour of the box, in the light of a theme; ``deep``: light in a
    hollow."""
    tone = theme.rgba(theme.SURFACE[surface])
    if colour:
        tone = theme.mix(tone, theme.rgba(colour), _TINT[surface] if tint is None else tint)
    hue, light, strength = colorsys.rgb_to_hls(*tone[:3])
    light += (1 - light if palette.daylight > 0 else light) * palette.daylight
    red, green, blue = colorsys.hls_to_rgb(hue, light, strength * 0.9)
    part = deep if surface == "hollow" else 1.0
    return (red * part, green * part, blue * part, 1.0)


def held_width(line: BoardShape, unit: float) -> float:
    """Width of a line that a piece at its end holds, mm."""
    width = line.of.width if isinstance(line.of, Stroke) else line.width
    return 2 * max(width * 0.55, 1.5 * unit)


def line_tone(fill: Rgba, palette: Palette) -> Rgba:
    """The colour of a line that belongs to the owner of a piece with this colour."""
    if theme.contrast(fill, theme.rgba(palette.night)) < 1.8:
        return theme.mix(theme.rgba(palette.ash), theme.rgba(palette.night), 0.42)
    return fill


@lru_cache(maxsize=512)
def rim_tone(fill: Rgba, palette: Palette) -> Rgba:
    """The colour of a piece's rim and of what is printed on it."""
    light, dark = theme.rgba(palette.rim_light), theme.rgba(palette.rim_dark)
    # Light rims look better on middle tones, so dark ones must win clearly.
    return light if theme.contrast(fill, light) * 2.0 >= theme.contrast(fill, dark) else dark


def _site(box: Box, site: Site, hairline: float, label: float) -> Iterator[BoardShape]:
    """A place, its rim, and what is written on it; mm."""
    form, bend, (x, y) = "circle", 0.0, (site.drawn, site.drawn)
    if site.size is not None:
        form, (x, y) = "box", (site.size[0] / 2, site.size[1] / 2)
        bend = min(x, y) * 0.2
    colour, small = box.colour_of(site), min(x, y)
    surface = box.surfaces.get(site.kind, "hollow")
    place = BoardShape(form, "place", colour, site, (site.at,), (x, y), bend=bend, surface=surface)
    yield place
    yield replace(place, role="rim", width=1.5 * hairline)
    written = replace(place, form="text", reach=(0.0, small * 0.58), bend=0.0)
    if sign_of(site.colour):
        yield replace(written, form="sign", role="sign", text=site.colour)
    elif site.label and len(site.label) <= _LONGEST_LABEL and small >= label:
        yield replace(written, role="label", text=site.label)


@lru_cache(maxsize=256)
def _clear(colour: str, palette: Palette) -> Rgba:
    """The colour; where the ground would swallow it, with as much of the text's as it needs."""
    grounds = [theme.rgba(tone) for tone in (palette.night, palette.dusk, palette.slate)]
    own, text = theme.rgba(colour), theme.rgba(palette.bone)
    tones = (theme.mix(own, text, step / _STEPS) for step in range(_STEPS))
    return next(
        (tone for tone in tones if min(theme.contrast(tone, g) for g in grounds) >= CLEAR), text
    )
