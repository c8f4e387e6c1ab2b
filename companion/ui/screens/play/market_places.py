"""Where everything of a market lies on the screen, at both shapes."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ui.drawing.cards import Rect
from companion.ui.theme.style import style

__all__ = ["Places", "cells", "key_cells", "places_in", "row"]

_ONE_ROW = 5
"""So many different cards of a hand lie in one row; more lie in two."""
_HEAD, _LINE, _HAND, _KEYS = 50.0, 48.0, 132.0, 276.0
"""Heights, and the width of the keys beside the hand, at 800 × 480."""
_HIGH_HEAD, _HIGH_LINE, _HIGH_HAND, _HIGH_KEYS = 54.0, 78.0, 150.0, 72.0
"""Heights on a screen that stands upright."""
_SHORT = 0.92
"""With less of the usual height, beside a lesson, the hand gives way to the supply."""
_FIGURES = 500.0
"""Width of the figures and the menu beside them."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything is, px."""

    head: Rect
    figures: Rect
    wares: Rect
    columns: int
    line: Rect
    """What was played, or what is asked."""
    hand: Rect
    keys: Rect
    keys_beside: bool
    """The keys lie beside each other, not one below the other."""


def places_in(x: float, y: float, width: float, height: float, *, naming: bool) -> Places:
    """Where everything is on a screen; only choosing what is for sale needs more room for it."""
    if width > height:
        return _across(x, y, width, height, naming=naming)
    return _upright(x, y, width, height, naming=naming)


def _across(x: float, y: float, width: float, height: float, *, naming: bool) -> Places:
    factor, gap = style.factor, style.gap_s * 0.75
    left, width = x + style.gap, width - 2 * style.gap
    head, line, hand, keys = (px * factor for px in (_HEAD, _LINE, _HAND, _KEYS))
    # Two keys of two lines each, however large the words are.
    hand += (style.body - 20.0 * factor) * 2
    if height < 480.0 * factor * _SHORT:
        hand, head = hand * 0.95, head * 0.96
    top, bottom = y + height - style.grid - head, y + style.grid * 1.5
    between = bottom if naming else bottom + hand + gap
    field = between + line + gap
    figures = _FIGURES * factor
    return Places(
        head=(left, top, width, head),
        figures=(left + width - figures, top, figures - style.target - 3 * style.gap_s, head),
        wares=(left, field, width, top - gap / 2 - field),
        columns=5 if naming else 6,
        line=(left, between, width, line),
        hand=(left, bottom, width - keys - style.gap, hand),
        keys=(left + width - keys, bottom, keys, hand),
        keys_beside=False,
    )


def _upright(x: float, y: float, width: float, height: float, *, naming: bool) -> Places:
    factor, gap = style.factor, style.gap_s
    left, width = x + style.gap, width - 2 * style.gap
    head, line, hand, keys = (
        px * factor for px in (_HIGH_HEAD, _HIGH_LINE, _HIGH_HAND, _HIGH_KEYS)
    )
    if height < 853.0 * factor * _SHORT:
        hand, line, keys = hand * 0.74, line * 0.8, keys * 0.84
    bottom, top = y + style.gap, y + height - gap - head
    low = bottom + keys + style.gap
    figures = top if naming else top - head
    between = bottom if naming else low + hand + style.gap
    field = between + line + style.gap
    return Places(
        head=(left, top, width, head),
        figures=(left, figures, width, head),
        wares=(left, field, width, figures - gap - field),
        columns=3,
        line=(left, between, width, line),
        hand=(left, low, width, hand),
        keys=(left, bottom, width, keys),
        keys_beside=True,
    )


def cells(area: Rect, number: int, columns: int) -> list[Rect]:
    """``number`` equal places in rows of ``columns``, from the upper left."""
    x, y, width, height = area
    gap = style.gap_s * 0.75
    lines = max(-(-number // columns), 1)
    wide = (width - gap * (columns - 1)) / columns
    high = (height - gap * (lines - 1)) / lines
    return [
        (x + column * (wide + gap), y + height - line * (high + gap) - high, wide, high)
        for line, column in (divmod(place, columns) for place in range(number))
    ]


def row(area: Rect, number: int) -> list[Rect]:
    """Places for the different cards of a hand: in one row while they have room, else in two."""
    x, y, width, height = area
    if number > _ONE_ROW:
        return cells(area, number, -(-number // 2))
    gap = style.gap_s * 0.75
    wide = min((width - gap * (number - 1)) / number, height * 0.86)
    return [(x + place * (wide + gap), y, wide, height) for place in range(number)]


def key_cells(area: Rect, number: int, *, beside: bool) -> list[Rect]:
    """Places for keys, beside each other or one below the other."""
    x, y, width, height = area
    gap = style.gap_s
    if beside:
        wide = (width - gap * (number - 1)) / number
        return [(x + place * (wide + gap), y, wide, height) for place in range(number)]
    high = (height - gap * (number - 1)) / number
    tops = (y + height - place * (high + gap) for place in range(number))
    return [(x, top - high, width, high) for top in tops]
