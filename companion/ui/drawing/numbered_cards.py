"""A numbered card: the colour of its place on the board, its number, whether it can be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle

from companion.presentation.cards import CardPlan, Suit
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.ink import Round, sign_texture, text_texture
from companion.ui.theme.style import style

Rect = tuple[float, float, float, float]
"""x, y, width, height in px."""

BLACK: theme.Rgba = (0.02, 0.025, 0.03, 1.0)
DARK, LIGHT = theme.rgba(theme.NIGHT.ink), theme.rgba(theme.SAFE["white"])
FIGURE_PX, SIGN_PX, FOOT_PX = 25.0, 17.0, 16.0
"""Sizes of letters at a short side of 480, px."""
_FOOT = 1.2
"""Height of a line at the foot of a card, in its letters."""
_DIM = 0.72
"""Share of the ground that shows through a card that cannot be chosen."""
_SIGN_PART = 0.26
"""Side of the sign of its colour, at a corner, as a share of the card's shorter side."""
_OTHER_SIGN = "Π"
"""Sign on cards without a number; two pillars and a capstone."""


@dataclass(frozen=True, slots=True)
class CardLook:
    """Look of a card."""

    able: bool = True
    """True if it can be chosen."""
    chosen: bool = False
    lifted: bool = False
    """True if it is in the hand and lies nearer to the eye than the others."""
    suit: bool = False
    """True if the sign of its suit stands below the number, because no heading says it."""
    foot: Sequence[str] = ()
    """Lines at its foot, such as where it may go; then the sign stands at its corner."""


def suit_sign(suit: Suit) -> tuple[str, str]:
    """The sign of a suit, and the tone of its ink."""
    return ("☀", "dawn") if suit.light else ("☾", "ask")


def draw_card(
    group: InstructionGroup, plan: CardPlan, card: str, cell: Rect, look: CardLook
) -> None:
    """Draw ``card`` into ``cell``."""
    if look.lifted:
        cell = _lifted(group, cell)
    fill = theme.rgba(plan.kinds[card].colour) if look.foot else _fill(plan, card)
    ink = DARK if theme.luminance(fill) > 0.34 else LIGHT
    if not look.able:
        fill, ink = theme.mix(fill, style.tone("night"), _DIM), style.tone("ash", 0.75)
    group.add(Color(*fill))
    group.add(rounded(cell))
    if theme.contrast(fill, style.tone("night")) < 1.6:
        group.add(Color(*style.tone("ash" if look.able else "edge", 0.8)))
        group.add(_frame(cell, 1.0, style.hairline * 0.8))
    group.add(Color(*ink))
    if look.foot:
        x, y, width, height = cell
        below = min(_FOOT * FOOT_PX * style.factor, height * 0.34) * len(look.foot)
        _draw_foot(group, (x, y, width, below), look.foot)
        cell_of_face = (x, y + below, width, height - below)
        group.add(Color(*ink))
        _draw_face(group, plan, card, cell_of_face, suit=look.suit, beside=True)
    else:
        _draw_face(group, plan, card, cell, suit=look.suit)
    if look.chosen:
        _draw_choice(group, cell, tick=not look.lifted)


def _lifted(group: InstructionGroup, cell: Rect) -> Rect:
    """A shadow below a card, and where the card is above it."""
    x, y, width, height = cell
    out, fall = 3 * style.factor, 5 * style.factor
    group.add(Color(0, 0, 0, 0.45))
    group.add(rounded((x + fall - out, y - fall - out, width + 2 * out, height + 2 * out)))
    return x - out, y - out, width + 2 * out, height + 2 * out


def rounded(cell: Rect) -> Any:
    """The outline of a card, filled."""
    x, y, width, height = cell
    return Round((x, y), (width, height), style.radius * 0.55)


def _draw_foot(group: InstructionGroup, cell: Rect, foot: Sequence[str]) -> None:
    """Lines at the foot of a card, in letters of one size."""
    x, y, width, height = cell
    pad, high, size = 6 * style.factor, height / len(foot), round(FOOT_PX * style.factor)
    widest = max(text_texture(line, size, "bold").width for line in foot)
    size = min(size, int(size * (width - 2 * pad) / max(widest, 1)))
    for number, line in enumerate(reversed(foot)):
        word = text_texture(line, size, "bold")
        _put(group, word, (x + width / 2, y + high * (number + 0.5) + pad * 1.1))


def _draw_face(
    group: InstructionGroup, plan: CardPlan, card: str, cell: Rect, *, suit: bool,
    beside: bool = False,
) -> None:  # fmt: skip
    """The number, or the sign of a card without one; the signs of its suit and its colour below or
    ``beside``."""
    x, y, width, height = cell
    kind = plan.kinds[card]
    numbered = kind.mark.isdigit()
    text = kind.mark if numbered else _OTHER_SIGN
    size = min(FIGURE_PX * style.factor, height * 0.5, width * (0.4 if beside else 0.5))
    word = text_texture(text, round(size), "bold" if numbered else "symbol")
    own = next((one for one in plan.suits if card in one.cards), None) if suit else None
    signs = []
    if own is not None:
        side = min(SIGN_PX * style.factor, width * 0.22) if beside else SIGN_PX * style.factor
        signs.append(text_texture(suit_sign(own)[0], round(side), "symbol"))
    colour = sign_texture(kind.signed, round(_SIGN_PART * min(width, height)))
    if colour is not None:
        signs.append(colour)
    centre = (x + width / 2, y + height * (0.64 if signs and not beside else 0.5))
    _put(group, word, centre)
    for number, sign in enumerate(signs):
        if beside:
            away = sign.width * 0.5 + 4 * style.factor
            corner = (x + (away if sign is not colour else width - away), y + height * 0.8)
        else:
            corner = (x + width * (0.5 + 0.19 * (2 * number - len(signs) + 1)), y + height * 0.22)
        _put(group, sign, corner)


def _put(group: InstructionGroup, texture: Any, centre: tuple[float, float]) -> None:
    at = (round(centre[0] - texture.width / 2), round(centre[1] - texture.height / 2))
    group.add(Rectangle(texture=texture, pos=at, size=texture.size))


def _draw_choice(group: InstructionGroup, cell: Rect, *, tick: bool) -> None:
    """A ring inside the card, and a tick at its corner: not by colour alone."""
    x, y, width, height = cell
    group.add(Color(*style.tone("night")))
    group.add(_frame(cell, 4.5 * style.factor, 2.0 * style.factor))
    group.add(Color(*style.tone("dawn")))
    group.add(_frame(cell, 1.5 * style.factor, 2.4 * style.factor))
    if not tick:
        return
    side = 20 * style.factor
    corner = (x + width - side + 2 * style.factor, y + height - side + 2 * style.factor)
    group.add(Round(corner, (side, side)))
    sign = text_texture("✓", round(side * 0.8), "symbol")
    group.add(Color(*style.tone("ink")))
    _put(group, sign, (corner[0] + side / 2, corner[1] + side / 2))


def _fill(plan: CardPlan, card: str) -> theme.Rgba:
    colour = plan.kinds[card].signed
    paint: Mapping[str, Any] = plan.paints
    return fill_of(paint[colour], style.chosen.piece_colours) if colour in paint else BLACK


def _frame(cell: Rect, inset: float, line_px: float) -> Any:
    x, y, width, height = cell
    size = (width - 2 * inset, height - 2 * inset)
    return Round((x + inset, y + inset), size, style.radius * 0.5, line_px)
