"""The display list of a board on screens, whose ground is not the board's. Free of Kivy.

A ``strong`` stroke is as wide as the box says and stands out from the ground of the theme; a
``faint`` one is thin and quiet. Contrast as in WCAG 2.2, https://www.w3.org/TR/WCAG22/.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from companion.presentation.theme import tokens as theme
from companion.presentation.theme.tokens import Palette, Rgba
from rules.box import BoardShape, Box, Site, Stroke, stroke_shapes

CLEAR: Final = 4.5
"""Contrast of a strong line with the ground, like that of a text."""
_TEXT_ALPHA: Final = {"strong": 1.0, "faint": 0.7}
"""Opacity of writing on the board."""
_LABEL_ALPHA: Final = 0.62
_LONGEST_LABEL: Final = 3
"""Maximum length of a label, letters."""
_LINE_SHARE: Final = {"strong": 1.0, "faint": 0.62}
"""Share of a line's width that is drawn."""
_LEAST_PX: Final = {"strong": 2.4, "faint": 1.8}
"""The thinnest a line gets, px."""
_LEAST_TEXT_PX: Final = 6.0
_AREA: Final = {"strong": 0.8, "faint": 0.4}
"""Share of an area's colour; the rest is the theme's."""
_LINE_ALPHA: Final = 0.42
_STEPS: Final = 20


def ground_shapes(box: Box, unit: float, hairline: float, label: float) -> Iterator[BoardShape]:
    """Each stroke, one shape for each; then the places that the board shows, with their labels.

    ``unit``: millimetres per px; ``hairline``, ``label``: px of half a thin line, and of half the
    smallest place with a label.
    """
    for stroke in box.strokes:
        yield stroke_shape(stroke, unit, hairline)
    for site in box.sites.values():
        if site.printed and (site.size is not None or site.drawn > 0):
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
            return replace(shape, reach=(0.0, max(shape.reach[1], _LEAST_TEXT_PX * unit)))
        case _, "circle" if stroke.weight == "faint":
            return replace(shape, width=thin)
        case _, "circle":
            return replace(shape, reach=(max(shape.reach[0], thick / 2),) * 2)
    return shape


def tone_of(shape: BoardShape, palette: Palette) -> Rgba:
    """The colour of a shape over the theme's ground."""
    tint, part = theme.rgba(shape.colour or palette.stone), palette.site_mix
    match shape.role:
        case "place":
            return theme.mix(theme.rgba(palette.slate), tint, part * 0.55)
        case "rim":
            return theme.mix(theme.rgba(palette.edge), tint, part * 1.6)
        case "label":
            return theme.rgba(palette.ash, _LABEL_ALPHA)
    weight = shape.of.weight if isinstance(shape.of, Stroke) else "strong"
    if shape.role == "text":
        return theme.rgba(palette.ash, _TEXT_ALPHA[weight])
    if shape.role == "line" and weight == "faint":
        return theme.rgba(palette.dawn, _LINE_ALPHA)
    if weight == "faint" or (shape.role == "area" and shape.form == "polygon"):
        return theme.mix(theme.rgba(palette.slate), tint, _AREA[weight])
    return _clear(shape.colour, palette)


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
    place = BoardShape(form, "place", colour, site, (site.at,), (x, y), bend=bend)
    yield place
    yield replace(place, role="rim", width=1.5 * hairline)
    if site.label and len(site.label) <= _LONGEST_LABEL and small >= label:
        reach = (0.0, small * 0.58)
        yield BoardShape("text", "label", "", site, (site.at,), reach, text=site.label)


@lru_cache(maxsize=256)
def _clear(colour: str, palette: Palette) -> Rgba:
    """The colour; where the ground would swallow it, with as much of the text's as it needs."""
    grounds = [theme.rgba(tone) for tone in (palette.night, palette.dusk, palette.slate)]
    own, text = theme.rgba(colour), theme.rgba(palette.bone)
    tones = (theme.mix(own, text, step / _STEPS) for step in range(_STEPS))
    return next(
        (tone for tone in tones if min(theme.contrast(tone, g) for g in grounds) >= CLEAR), text
    )
