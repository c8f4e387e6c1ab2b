"""A game's board and its pieces as plain shapes, for pages that draw them as on the table's screen.

All lengths are millimetres of the box, x to the right and **y down**, as SVG has it. What the
screen measures in px of a screen 480 px high is ``unit`` mm long here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from companion.presentation.boxes import box_for
from companion.presentation.plan import Plan
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import (
    ground_shapes,
    held_width,
    line_tone,
    rim_tone,
    tone_of,
)
from companion.presentation.theme.piece_colours import fill_of
from companion.presentation.words.sentences import card_names_in
from rules.box import (
    PIP,
    BoardShape,
    Box,
    PieceKind,
    Sign,
    Site,
    arrow_points,
    pip_points,
    rings_of,
    window,
    window_named,
)
from rules.core import Picture
from rules.games import find_game

SCREEN_PX: Final = 480.0
"""Short side of the screen for which its sizes are px."""
MARGIN_PX: Final = 12.0
"""Margin around the board on the screen."""

Json = dict[str, Any]


@lru_cache(maxsize=64)
def board_of(
    game: str, physical: bool, lang: str, colours: str = "printed", part: str = ""
) -> Json:
    """The part of a game's board that stays the same during a match.

    ``colours``: of the pieces: ``printed`` or ``safe``. ``part``: the name of the window of a
    lattice; empty: that of an empty one. Raises ValueError if there can be none of that name.
    """
    box = box_for(game, physical=physical)
    box = window_named(box, part) if part else window(box, ())
    names = card_names_in(game, lang)
    unit, sizes = _unit(box), (theme.SIZES.hairline, theme.SIZES.gap_l)
    return {
        "v": 1,
        "game": game,
        "box": box.id,
        "name": box.names.get(lang, box.id),
        "unit": round(unit, 4),
        "shapes": [_painted(shape, unit) for shape in ground_shapes(box, unit, *sizes)],
        "sites": {site.id: _site(site) for site in box.sites.values()},
        "kinds": {kind.id: _kind(kind, names, colours) for kind in box.kinds.values()},
        "pictures": {
            kind: picture_shapes(picture)
            for kind, picture in find_game(game).touch.pictures().items()
        },
    }


# -- what stays -------------------------------------------------------------------------------


def _unit(box: Box) -> float:
    """mm per px of a screen whose short side is 480 px, where the board has all of it."""
    left, bottom, right, top = Plan.in_mm(box).extent
    return max(right - left, top - bottom) / (SCREEN_PX - 2 * MARGIN_PX)


def _painted(shape: BoardShape, unit: float) -> Json:
    """One shape of the display list, with its tones by theme; what it has not is left out."""
    tones = {name: tone_of(shape, palette) for name, palette in theme.PALETTES.items()}
    alpha = tones[theme.NIGHT.name][3]
    found: Json = {
        "form": shape.form,
        "points": [_point(at) for at in shape.points],
        "reach": [_mm(reach) for reach in shape.reach if any(shape.reach)],
        "tone": {name: _hex(tone) for name, tone in tones.items()},
        "alpha": alpha if alpha < 1 else None,
        "width": _mm(shape.width),
        "held": _mm(held_width(shape, unit)) if shape.role == "line" else None,
        "bend": _mm(shape.bend),
        "text": shape.text,
        "site": shape.of.id if isinstance(shape.of, Site) and shape.text else None,
    }
    return {key: value for key, value in found.items() if value}


def _site(site: Site) -> Json:
    """Middle and half size of a site, for touches."""
    half = (site.radius, site.radius) if site.size is None else (site.size[0] / 2, site.size[1] / 2)
    return {"at": _point(site.at), "half": [_mm(half[0]), _mm(half[1])], "round": site.size is None}


def _kind(kind: PieceKind, names: Mapping[str, str], colours: str) -> Json:
    width, height = kind.size
    if kind.shape == "box" and width == height:
        # A cube from above looks like a stone that stands.
        width, height = width * 0.92, height * 1.2
    fill = fill_of(kind, colours)
    return {
        "shape": kind.shape,
        "group": kind.group,
        "size": [_mm(width), _mm(height)],
        "fill": _hex(fill),
        "rim": {name: _hex(rim_tone(fill, palette)) for name, palette in theme.PALETTES.items()},
        "line": {name: _hex(line_tone(fill, palette)) for name, palette in theme.PALETTES.items()},
        "mark": names.get(kind.id, kind.mark),
        "sign": kind.signed,
        "arrow": [_point(at) for at in arrow_points(kind)],
        "turns": len(kind.poses) if kind.turns else 0,
        "cells": {
            pose: [_point(at) for at in rings_of(kind, pose=pose)[0]]
            for pose in (kind.poses or ("",) if kind.cells else ())
        },
        "pips": {face: [_point(at) for at in pip_points(kind, face)] for face in kind.faces},
        "pip": [_mm(PIP * width), kind.pips],
    }


def sign_path(sign: Sign) -> str:
    """A sign for a square from -100 to 100, y down, to be filled by the even-odd rule."""
    outlines = (" ".join(f"{x * 100:.0f} {-y * 100:.0f}" for x, y in line) for line in sign)
    return "".join(f"M{line}Z" for line in outlines)


def picture_shapes(picture: Picture) -> list[Json]:
    """A little picture, in its own units, 100 wide and high, y down; what a shape has not is left
    out."""
    found = []
    for shape in picture:
        told = {**shape._asdict(), "points": [[_mm(x), _mm(y)] for x, y in shape.points]}
        found.append({key: value for key, value in told.items() if value})
    return found


def _point(at: tuple[float, float]) -> list[float]:
    return [_mm(at[0]), _mm(-at[1])]


def _mm(value: float) -> float:
    return round(value, 2) + 0.0


def _hex(colour: theme.Rgba) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour[:3])
