"""Pieces as drawings: the shape of the kind, its colour, its value and its owner's second mark.

Seats differ without colour: the first has one rim, the second an inner ring, the third an inner
ring of dashes, the fourth four notches, the fifth two rings.
"""

from __future__ import annotations

import math
from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
)

from companion.ui.drawing.ink import dashed_ring, ring_reach, text_texture
from companion.ui.model.piece_colours import fill_of, hatching_of, strokes
from companion.ui.theme import tokens as theme
from companion.ui.theme.style import style
from rules.box import PieceKind

__all__ = ["draw_piece", "draw_text", "outline_box"]

_LEAST_HATCHED = 12.0
"""Pieces smaller than so many px are not hatched: the lines would run together."""

_TURNS = {"cw": "↻", "ccw": "↺"}


def draw_piece(
    group: InstructionGroup,
    kind: PieceKind,
    at: tuple[float, float],
    px_per_mm: float,
    seat: int | None,
    *,
    alpha: float = 1.0,
    pose: str = "",
    mark: bool = True,
    name: str = "",
    foot: float = 0.0,
) -> None:
    """Add a piece to ``group``, centred at ``at`` (px); ``name`` stands for what is printed.

    ``foot``: so many px at its lower end something else is written on.
    """
    width, height = kind.size[0] * px_per_mm, kind.size[1] * px_per_mm
    if kind.shape == "box" and width == height:
        width, height = width * 0.92, height * 1.2
    if pose == "lying":
        group.add(PushMatrix())
        group.add(Rotate(angle=90, origin=at))
    fill = fill_of(kind, style.piece_colours)
    rim = _rim(fill)
    small = min(width, height)
    line = max(1.1, min(small * 0.045, style.stroke))
    if kind.shape in ("disc", "octagon", "pawn"):
        segments = 8 if kind.shape == "octagon" else 64
        if kind.shape == "pawn":
            width = height = small * 0.9
        _round(group, at, width / 2, segments, fill, rim, line, alpha)
        _hatch(group, kind, at, (width - 2 * line, height - 2 * line), rim, alpha)
        if kind.shape == "pawn":
            head = (at[0], at[1] + height * 0.12)
            _round(group, head, width * 0.26, 64, fill, rim, line * 0.8, alpha)
        else:
            _second_mark(group, at, width / 2, seat, rim, line, alpha)
    else:
        _square(group, at, width, height, kind.shape, fill, rim, line, alpha)
        _hatch(group, kind, at, (width - 2 * line, height - 2 * line), rim, alpha)
        if seat is not None and seat % 2 and kind.shape == "box":
            group.add(Color(*rim[:3], alpha * 0.7))
            inset = small * 0.22
            group.add(_rounded(at, width - 2 * inset, height - 2 * inset, small * 0.1, line * 0.6))
    text = _TURNS.get(pose, name or kind.mark)
    if mark and text and hatching_of(kind, style.piece_colours) and small > _LEAST_HATCHED:
        # What is printed stands on a bare spot.
        spot = small * 0.3
        group.add(Color(*fill[:3], alpha))
        corner = (at[0] - spot, at[1] - spot)
        group.add(SmoothEllipse(pos=corner, size=(2 * spot, 2 * spot)))
    if mark and kind.shape == "card" and len(text) > 2:
        _write_along(group, text, (at[0], at[1] + foot / 2), (width, height - foot), rim, alpha)
    elif mark and text:
        room = small * (0.56 if len(text) == 1 else 0.92 / len(text) + 0.1)
        draw_text(group, text, at, room, rim, alpha, "symbol" if pose in _TURNS else "bold")
    if pose == "lying":
        group.add(PopMatrix())


def _hatch(
    group: InstructionGroup,
    kind: PieceKind,
    at: tuple[float, float],
    size: tuple[float, float],
    rim: theme.Rgba,
    alpha: float,
) -> None:
    """Lines over the surface, for who does not go by colours."""
    degrees, small = hatching_of(kind, style.piece_colours), min(size)
    if not degrees or small < _LEAST_HATCHED:
        return
    gap = max(small / 5, 4.0)
    group.add(Color(*rim[:3], alpha * 0.55))
    is_round = kind.shape in ("disc", "octagon", "pawn")
    for angle in degrees:
        for x0, y0, x1, y1 in strokes(*size, angle, gap, is_round=is_round):
            ends = [at[0] + x0, at[1] + y0, at[0] + x1, at[1] + y1]
            group.add(SmoothLine(points=ends, width=max(gap * 0.09, 0.6)))


_LEAST_LETTERS = 4
"""A name of fewer letters tells nobody which card it is."""


def _write_along(
    group: InstructionGroup,
    text: str,
    at: tuple[float, float],
    size: tuple[float, float],
    tone: theme.Rgba,
    alpha: float,
) -> None:
    """A card's name along its longer side: cut short rather than too small, and none on a card
    too small for four letters."""
    short, long = sorted(size)
    least = style.type_xs * 0.5
    room = int(long * 1.5 / least)
    if len(text) > room > _LEAST_LETTERS:
        text = text[: room - 1] + "."
    letters = min(short * 0.42, style.type_s, long * 1.5 / len(text))
    if letters < least:
        return
    if size[1] > size[0]:
        group.add(PushMatrix())
        group.add(Rotate(angle=90, origin=at))
    draw_text(group, text, at, letters, tone, alpha)
    if size[1] > size[0]:
        group.add(PopMatrix())


def draw_text(
    group: InstructionGroup,
    text: str,
    at: tuple[float, float],
    size_px: float,
    colour: theme.Rgba,
    alpha: float = 1.0,
    font: str = "bold",
) -> None:
    """Add text centred at ``at`` (px), letters ``size_px`` high."""
    texture = text_texture(text, max(6, round(size_px)), font)
    width, height = texture.size
    group.add(Color(*colour[:3], alpha))
    corner = (round(at[0] - width / 2), round(at[1] - height / 2))
    group.add(Rectangle(texture=texture, pos=corner, size=(width, height)))


def outline_box(
    group: InstructionGroup, at: tuple[float, float], size: tuple[float, float]
) -> None:
    """Add the empty place of a piece that was used up; the colour is set before."""
    group.add(_rounded(at, size[0], size[1], min(size) * 0.25, style.hairline * 0.8))


def _rim(fill: theme.Rgba) -> theme.Rgba:
    light, dark = style.tone("rim_light"), style.tone("rim_dark")
    # Light rims look better on middle tones, so dark ones must win clearly.
    return light if theme.contrast(fill, light) * 2.0 >= theme.contrast(fill, dark) else dark


def _round(
    group: InstructionGroup,
    at: tuple[float, float],
    radius: float,
    segments: int,
    fill: theme.Rgba,
    rim: theme.Rgba,
    line: float,
    alpha: float,
) -> None:
    # Too many corners on a small circle fold its soft edge over itself.
    segments = min(segments, max(16, round(radius * 2)))
    corner = (at[0] - radius, at[1] - radius)
    group.add(Color(*rim[:3], alpha))
    group.add(SmoothEllipse(pos=corner, size=(2 * radius, 2 * radius), segments=segments))
    inner = radius - line
    group.add(Color(*fill[:3], alpha))
    group.add(
        SmoothEllipse(
            pos=(at[0] - inner, at[1] - inner), size=(2 * inner, 2 * inner), segments=segments
        )
    )


def _second_mark(
    group: InstructionGroup,
    at: tuple[float, float],
    radius: float,
    seat: int | None,
    rim: theme.Rgba,
    line: float,
    alpha: float,
) -> None:
    if seat is None or seat == 0 or radius < 11:
        return
    group.add(Color(*rim[:3], alpha * 0.75))
    inner = radius * 0.8
    if seat in (1, 4):
        group.add(SmoothLine(circle=(*at, inner), width=max(line * 0.35, 0.6)))
    if seat == 4:
        group.add(SmoothLine(circle=(*at, radius * 0.66), width=max(line * 0.35, 0.6)))
    if seat == 2:
        ring = dashed_ring(max(round(inner), 3), max(line * 0.9, 1.2), 12)
        reach = ring_reach(max(round(inner), 3), max(line * 0.9, 1.2))
        corner = (at[0] - reach, at[1] - reach)
        group.add(Rectangle(texture=ring, pos=corner, size=(2 * reach, 2 * reach)))
    if seat == 3:
        for quarter in range(4):
            angle = math.pi / 4 + quarter * math.pi / 2
            x, y = math.cos(angle), math.sin(angle)
            ends = [at[0] + x * radius * 0.72, at[1] + y * radius * 0.72]
            ends += [at[0] + x * radius * 0.95, at[1] + y * radius * 0.95]
            group.add(SmoothLine(points=ends, width=max(line * 0.6, 0.8)))


def _square(
    group: InstructionGroup,
    at: tuple[float, float],
    width: float,
    height: float,
    shape: str,
    fill: theme.Rgba,
    rim: theme.Rgba,
    line: float,
    alpha: float,
) -> None:
    rounding = min(width, height) * {"card": 0.12, "bar": 0.2, "arch": 0.12}.get(shape, 0.26)
    group.add(Color(*rim[:3], alpha))
    group.add(_filled(at, width, height, rounding))
    inner = max(rounding - line, 0.5)
    group.add(Color(*fill[:3], alpha))
    group.add(_filled(at, width - 2 * line, height - 2 * line, inner))
    if shape == "arch":
        # A trilithon from above: the lintel, and where its two uprights stand.
        group.add(Color(*rim[:3], alpha * 0.45))
        wide = width >= height
        for side in (-1, 1):
            dx, dy = (side * width * 0.3, 0.0) if wide else (0.0, side * height * 0.3)
            size = (width * 0.16, height * 0.6) if wide else (width * 0.6, height * 0.16)
            group.add(_filled((at[0] + dx, at[1] + dy), *size, 1.0))


def _filled(at: tuple[float, float], width: float, height: float, rounding: float) -> Any:
    return SmoothRoundedRectangle(
        pos=(at[0] - width / 2, at[1] - height / 2),
        size=(max(width, 1), max(height, 1)),
        radius=[max(rounding, 0.1)] * 4,
    )


def _rounded(
    at: tuple[float, float], width: float, height: float, rounding: float, line: float
) -> Any:
    corner = (at[0] - width / 2, at[1] - height / 2)
    return SmoothLine(
        rounded_rectangle=(*corner, max(width, 2), max(height, 2), rounding, 12), width=line
    )
