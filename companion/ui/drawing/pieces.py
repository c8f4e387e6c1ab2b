"""Pieces as drawings: a body in the shape of the kind, the sign of its colour, and its value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
)

from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import rim_tone
from companion.presentation.theme.piece_colours import fill_of
from companion.presentation.theme.silhouettes import (
    FOOT,
    TALL,
    Outline,
    Px,
    arrow,
    is_upright,
    outlines,
    shrunk,
    stands,
    turned,
)
from companion.ui.drawing.ink import disc, picture_texture, sign_texture, text_texture
from companion.ui.theme.style import style
from rules.box import PIP, PieceKind, box_points, pip_points, ring_points, sign_of, span_of

_SIGN_SHARE = {"pawn": 0.34, "bar": 0.72, "arch": 0.78, "card": 0.5, "octagon": 0.56, "disc": 0.56}
"""Side of a sign, as a share of the shorter side of the piece."""
_TURNS = {"cw": "↻", "ccw": "↺"}
_DARKEST = 0.03
"""Luminance below which an edge is lighter than its surface."""
_LIFTED, _OVER = 1.5, 9.0
"""Size of a piece in the hand, and how far it is above its place, px at a short side of 480."""
_STONE_TONE = theme.rgba(theme.SURFACE["stone"])
"""Trilithons of a colour are of stone, with a disc of that colour."""


@dataclass(frozen=True, slots=True)
class PieceLook:
    """Look of a piece, besides its kind."""

    alpha: float = 1.0
    pose: str = ""
    mark: bool = True
    """True if its print is drawn; the sign of its colour always is."""
    name: str = ""
    """Shown instead of what is printed."""
    foot: float = 0.0
    """Height at its lower end that is taken by other writing, px."""
    turn: float = 0.0
    """Degrees clockwise by which a long piece lies askew."""
    afoot: bool = False
    """True if it is on its place and rises above it; else all of it is within its size."""
    lifted: bool = False
    """True if it is in the hand: nearer to the eye, with its shadow farther away."""


_PLAIN = PieceLook()


@dataclass(frozen=True, slots=True)
class _Ink:
    """Position and colours for what is on a piece."""

    group: InstructionGroup
    at: tuple[float, float]
    """Middle of the piece, px."""
    rim: theme.Rgba
    alpha: float


def draw_piece(
    group: InstructionGroup,
    kind: PieceKind,
    at: tuple[float, float],
    px_per_mm: float,
    look: PieceLook = _PLAIN,
) -> None:
    """Add a piece to ``group``, centred at ``at`` (px)."""
    scale = px_per_mm * (_LIFTED if look.lifted else 1.0)
    if look.lifted:
        at = (at[0], at[1] + _OVER * style.factor)
    if kind.cells and not look.afoot:
        (wide, high), (dx, dy) = span_of(kind)
        scale *= max(kind.size) / max(wide, high)
        at = (at[0] - dx * scale, at[1] - dy * scale)
    size = width, height = kind.size[0] * scale, kind.size[1] * scale
    if stands(kind, look.pose):
        if look.afoot:
            size, at = (width, width * TALL), (at[0], at[1] + width * FOOT)
        else:
            size = (height / TALL, height)
    elif kind.shape == "pawn" and look.pose == "lying" and look.afoot:
        size = (width, width * TALL)
    fill = fill_of(kind, style.chosen.piece_colours)
    key = (round(size[0], 1), round(size[1], 1))
    fall = (16.0 if look.lifted else min(3.0, max(min(size) * 0.12, 1.0))) * style.factor
    body = _body(kind, key, look.pose, round(look.turn), fill, round(fall, 1))
    group.add(Color(1, 1, 1, look.alpha))
    corner = (round(at[0] - body.width / 2), round(at[1] - body.height / 2))
    group.add(Rectangle(texture=body, pos=corner, size=body.size))
    ink = _Ink(group, at, rim_tone(fill, style.palette), look.alpha)
    printed = _TURNS.get(look.pose, look.name or kind.mark)
    if kind.is_die:
        printed = "" if pip_points(kind, look.pose) else look.pose
    text = printed if look.mark else ""
    if not pip_points(kind, look.pose):
        _draw_sign(ink, kind, size, look, beside=bool(text))
    if text:
        _draw_mark(ink, kind, size, text, look)


@lru_cache(maxsize=1024)
def _body(
    kind: PieceKind, size: tuple[float, float], pose: str, turn: int, fill: theme.Rgba, fall: float
) -> Any:
    """The texture of a piece without what is printed on it, its shadow included."""
    from companion.ui.drawing.material import Part, piece_picture

    lines = outlines(kind, size, pose, turn)
    pad = math.ceil(fall * 2) + 2
    reach = [max(abs(point[axis]) for line in lines for point in line) for axis in (0, 1)]
    wide, high = (2 * (math.ceil(far) + pad) for far in reach)
    middle = (wide / 2, high / 2)
    small = min(size)
    deep = 0.0 if kind.shape in ("card", "pawn") or is_upright(kind) else min(small * 0.09, 3.0)
    rim = max(1.0, small * 0.06)
    stone = kind.shape == "arch" or (not kind.owner and kind.shape not in ("card", "die"))
    face = _STONE_TONE if kind.shape == "arch" and kind.owner else fill
    parts = []
    for line in lines:
        if deep:
            parts.append(Part(_moved(line, middle, deep * 0.5), _dark(face, 0.5), "", 2.0))
        top = _moved(line, middle, -deep * 0.5)
        surface = "stone" if stone and small > 8 else ""
        parts.append(Part(top, _dark(face, 0.8), "", 3.0))
        inner = shrunk(kind, top, rim)
        parts.append(Part(inner, face, surface, 3.8 if kind.shape != "card" else 3.2))
    parts += [
        Part(_moved(line, middle, -deep * 0.5), tone, "", rise)
        for line, tone, rise in _ornaments(kind, size, turn, fill, face)
    ]
    if kind.turns:
        tone = rim_tone(fill, style.palette)
        parts.append(Part(_moved(arrow(kind, size, pose), middle, -deep * 0.5), tone, "", 4.0))
    parts += [
        Part(_moved(dot, middle, -deep * 0.5), _pip_tone(kind, fill), "", 4.0)
        for dot in _pips(kind, size, pose)
    ]
    dome = {"card": 0.0, "bar": 0.8, "arch": 0.8}.get(kind.shape, min(small * 0.16, 6.0))
    return picture_texture(piece_picture((wide, high), parts, fall, dome))


def _ornaments(
    kind: PieceKind, size: tuple[float, float], turn: float, fill: theme.Rgba, face: theme.Rgba
) -> list[tuple[Outline, theme.Rgba, float]]:
    """Outlines on the face of a piece, their tones, and how far they rise."""
    width, height = size
    found: list[tuple[Outline, theme.Rgba, float]] = []
    if kind.shape == "arch":
        # A trilithon from above is its lintel; this is where its two uprights stand.
        for side in (-1, 1):
            block = box_points(
                (side * width * 0.36, 0), (width * 0.16, height * 0.62), height * 0.12
            )
            found.append((turned(block, turn), _dark(face, 0.72), 3.2))
        if kind.owner:
            found.append((ring_points((0, 0), height * 0.5, 32), _dark(fill, 0.8), 4.4))
            found.append((ring_points((0, 0), height * 0.5 - 1, 32), fill, 5.0))
    elif kind.shape == "card" and not kind.mark and min(size) > 14:
        frame = min(size) * 0.1
        inner = (width - 2 * frame, height - 2 * frame)
        found.append((box_points((0, 0), inner, frame * 0.6), _dark(face, 0.72), 3.0))
        inner = (inner[0] - 2, inner[1] - 2)
        found.append((box_points((0, 0), inner, frame * 0.5), _dark(face, 0.9), 3.1))
        unit = min(inner) * 0.5
        for x, y, w, h in (
            (-0.34, 0.16, 0.24, 0.62),
            (0.34, 0.16, 0.24, 0.62),
            (0, -0.26, 1.1, 0.24),
        ):
            block = box_points((x * unit, y * unit), (w * unit, h * unit), unit * 0.05)
            found.append((block, theme.mix(face, (1.0, 1.0, 1.0, 1.0), 0.3), 3.8))
    return found


def _pip_tone(kind: PieceKind, fill: theme.Rgba) -> theme.Rgba:
    """The colour of pips; players may have chosen another for their dice."""
    return rim_tone(fill, style.palette) if kind.owner else theme.rgba(kind.pips)


def _pips(kind: PieceKind, size: tuple[float, float], face: str) -> list[Outline]:
    px = size[0] / kind.size[0]
    points = pip_points(kind, face)
    return [ring_points((x * px, -y * px), PIP * size[0], 20) for x, y in points]


def _moved(line: Outline, by: Px, down: float) -> Outline:
    return [(x + by[0], y + by[1] + down) for x, y in line]


def _dark(tone: theme.Rgba, part: float) -> theme.Rgba:
    if theme.luminance(tone) < _DARKEST:
        # The edge of what is black is where it shines.
        return theme.mix(tone, _STONE_TONE, 0.8 * (1 - part) + 0.12)
    return (tone[0] * part, tone[1] * part, tone[2] * part, tone[3])


def draw_sign(
    group: InstructionGroup, colour: str, at: tuple[float, float], side: float, ink: theme.Rgba
) -> None:
    """Add the sign of a colour, ``side`` px wide, centred at ``at`` (px), in ``ink``."""
    texture = sign_texture(colour, round(side))
    if texture is None:
        return
    group.add(Color(*ink))
    corner = (round(at[0] - texture.width / 2), round(at[1] - texture.height / 2))
    group.add(Rectangle(texture=texture, pos=corner, size=texture.size))


def draw_badge(
    group: InstructionGroup, colour: str, fill: theme.Rgba, at: tuple[float, float], side: float
) -> None:
    """Add the badge of a player: a disc, ``side`` px wide, in their colour and with its sign."""
    group.add(Color(*fill))
    group.add(disc(at, side / 2))
    draw_sign(group, colour, at, side * 0.6, rim_tone(fill, style.palette))


def _draw_sign(
    ink: _Ink, kind: PieceKind, size: tuple[float, float], look: PieceLook, *, beside: bool
) -> None:
    """The sign of a piece's colour: in its middle, or small above what is printed there."""
    small = min(size)
    side, (x, y) = small * _SIGN_SHARE.get(kind.shape, 0.5), ink.at
    if kind.shape == "pawn":
        tall = size[1]
        side = max(tall * 0.3, small * 0.3)
        x, y = (x - tall * 0.24, y - tall * 0.06) if look.pose == "lying" else (x, y - tall * 0.24)
    elif is_upright(kind):
        side = small * 0.56
    if beside:
        side, y = small * 0.27, ink.at[1] + min(size[1] * 0.3, small * 0.42)
    draw_sign(ink.group, kind.signed, (x, y), side, (*ink.rim[:3], ink.alpha))


def _draw_mark(
    ink: _Ink, kind: PieceKind, size: tuple[float, float], text: str, look: PieceLook
) -> None:
    """Draws the print of a piece, its name, or the way it turns."""
    small = min(size)
    if kind.shape == "card" and len(text) > 2:
        _write_along(ink, text, size, look.foot)
        return
    room = small * (0.56 if len(text) == 1 else 0.92 / len(text) + 0.1)
    at = ink.at
    if sign_of(kind.signed):
        at, room = (at[0], at[1] - small * 0.1), room * 0.9
    font = "symbol" if look.pose in _TURNS else "bold"
    draw_text(ink.group, text, at, room, ink.rim, ink.alpha, font)


_LEAST_LETTERS = 4
"""Least number of letters of a name by which a card is recognised."""


def _write_along(ink: _Ink, text: str, size: tuple[float, float], foot: float) -> None:
    """A card's name along its longer side: cut short rather than too small, and left out on a card
    too small for four letters."""
    width, height = size[0], size[1] - foot
    at = (ink.at[0], ink.at[1] + foot / 2)
    short, long = sorted((width, height))
    least = style.type_xs * 0.5
    room = int(long * 1.5 / least)
    if len(text) > room > _LEAST_LETTERS:
        text = text[: room - 1] + "."
    letters = min(short * 0.42, style.type_s, long * 1.5 / len(text))
    if letters < least:
        return
    # Wide letters need more than most.
    wide = text_texture(text, max(6, round(letters))).width
    letters *= min(long * 0.92 / max(wide, 1), 1.0)
    if height > width:
        ink.group.add(PushMatrix())
        ink.group.add(Rotate(angle=90, origin=at))
    draw_text(ink.group, text, at, letters, ink.rim, ink.alpha)
    if height > width:
        ink.group.add(PopMatrix())


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
