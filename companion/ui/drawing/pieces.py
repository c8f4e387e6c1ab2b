"""Pieces as drawings: the shape of the kind, its colour, the sign of that colour and its value."""

from __future__ import annotations

from dataclasses import dataclass, replace
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

from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import rim_tone
from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.ink import sign_texture, text_texture
from companion.ui.theme.style import style
from rules.box import PieceKind, sign_of

_LEAST_SIGN = 6
"""Side of the smallest sign, px."""
_SIGN_SHARE = {"pawn": 0.46, "bar": 0.72, "arch": 0.72, "card": 0.5, "octagon": 0.56, "disc": 0.56}
"""Side of a sign, as a share of the shorter side of the piece."""

_TURNS = {"cw": "↻", "ccw": "↺"}


_ROUND = ("disc", "octagon", "pawn")
_ROUNDING = {"card": 0.12, "bar": 0.2, "arch": 0.12}
"""Rounding of the other shapes' corners, as a share of their shorter side."""


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


_PLAIN = PieceLook()


@dataclass(frozen=True, slots=True)
class _Ink:
    """Position and colours for the parts of one piece."""

    group: InstructionGroup
    at: tuple[float, float]
    """Middle of the piece, px."""
    fill: theme.Rgba
    rim: theme.Rgba
    line: float
    """Width of the rim, px."""
    alpha: float

    def paint(self, tone: theme.Rgba, strength: float = 1.0) -> None:
        """Sets the colour of what is added next."""
        self.group.add(Color(*tone[:3], self.alpha * strength))


def draw_piece(
    group: InstructionGroup,
    kind: PieceKind,
    at: tuple[float, float],
    px_per_mm: float,
    look: PieceLook = _PLAIN,
) -> None:
    """Add a piece to ``group``, centred at ``at`` (px)."""
    width, height = kind.size[0] * px_per_mm, kind.size[1] * px_per_mm
    if kind.shape == "box" and width == height:
        width, height = width * 0.92, height * 1.2
    fill = fill_of(kind, style.chosen.piece_colours)
    line = max(1.1, min(min(width, height) * 0.045, style.stroke))
    ink = _Ink(group, at, fill, rim_tone(fill, style.palette), line, look.alpha)
    if look.pose == "lying":
        group.add(PushMatrix())
        group.add(Rotate(angle=90, origin=at))
    if kind.shape in _ROUND:
        _draw_round(ink, kind, (width, height))
    else:
        _draw_square(ink, kind, (width, height))
    text = _TURNS.get(look.pose, look.name or kind.mark) if look.mark else ""
    _draw_sign(ink, kind, (width, height), beside=bool(text))
    if text:
        _draw_mark(ink, kind, (width, height), text, look)
    if look.pose == "lying":
        group.add(PopMatrix())


def draw_sign(
    group: InstructionGroup, colour: str, at: tuple[float, float], side: float, ink: theme.Rgba
) -> None:
    """Add the sign of a colour, ``side`` px wide, centred at ``at`` (px), in ``ink``."""
    texture = sign_texture(colour, max(round(side), _LEAST_SIGN))
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
    corner = (at[0] - side / 2, at[1] - side / 2)
    group.add(SmoothEllipse(pos=corner, size=(side, side)))
    draw_sign(group, colour, at, side * 0.6, rim_tone(fill, style.palette))


def _draw_sign(ink: _Ink, kind: PieceKind, size: tuple[float, float], *, beside: bool) -> None:
    """The sign of a piece's colour: in its middle, or small above what is printed there."""
    small = min(size)
    side, (x, y) = small * _SIGN_SHARE.get(kind.shape, 0.5), ink.at
    if kind.shape == "pawn":
        y -= size[1] * 0.15
    if beside:
        side, y = small * 0.27, y + min(size[1] * 0.3, small * 0.42)
    draw_sign(ink.group, kind.owner, (x, y), side, (*ink.rim[:3], ink.alpha))


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
    if sign_of(kind.owner):
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


def outline_box(
    group: InstructionGroup, at: tuple[float, float], size: tuple[float, float]
) -> None:
    """Add the empty place of a piece that was used up; the colour is set before."""
    group.add(_rounded(at, size[0], size[1], min(size) * 0.25, style.hairline * 0.8))


def _draw_round(ink: _Ink, kind: PieceKind, size: tuple[float, float]) -> None:
    """A disc, an octagon, or a pawn from above."""
    segments = 8 if kind.shape == "octagon" else 64
    width, height = (min(size) * 0.9,) * 2 if kind.shape == "pawn" else size
    _ring(ink, width / 2, segments)
    if kind.shape == "pawn":
        at = (ink.at[0], ink.at[1] + height * 0.12)
        _ring(replace(ink, at=at, line=ink.line * 0.8), width * 0.26, 64)


def _ring(ink: _Ink, radius: float, segments: int) -> None:
    """A round surface with its rim."""
    # Too many corners on a small circle fold its soft edge over itself.
    segments = min(segments, max(16, round(radius * 2)))
    for tone, reach in ((ink.rim, radius), (ink.fill, radius - ink.line)):
        ink.paint(tone)
        corner = (ink.at[0] - reach, ink.at[1] - reach)
        ink.group.add(SmoothEllipse(pos=corner, size=(2 * reach, 2 * reach), segments=segments))


def _draw_square(ink: _Ink, kind: PieceKind, size: tuple[float, float]) -> None:
    """A box, a bar, an arch or a card."""
    (width, height), small = size, min(size)
    rounding = small * _ROUNDING.get(kind.shape, 0.26)
    ink.paint(ink.rim)
    ink.group.add(_filled(ink.at, width, height, rounding))
    ink.paint(ink.fill)
    inner = max(rounding - ink.line, 0.5)
    ink.group.add(_filled(ink.at, width - 2 * ink.line, height - 2 * ink.line, inner))
    if kind.shape == "arch":
        _uprights(ink, width, height)


def _uprights(ink: _Ink, width: float, height: float) -> None:
    """A trilithon from above is its lintel; this is where its two uprights stand."""
    ink.paint(ink.rim, 0.45)
    wide = width >= height
    for side in (-1, 1):
        dx, dy = (side * width * 0.3, 0.0) if wide else (0.0, side * height * 0.3)
        size = (width * 0.16, height * 0.6) if wide else (width * 0.6, height * 0.16)
        ink.group.add(_filled((ink.at[0] + dx, ink.at[1] + dy), *size, 1.0))


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
