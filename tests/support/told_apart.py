"""An eye and a finger on a screen of play: do they tell lights, places and colours apart?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import dist
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.presentation.plan import room_between
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.piece_colours import fill_of
from docs.gallery.contact_sheet import photographed
from rules.box import PieceKind, sign_of
from tests.support.ui_harness import too_small, walk

CLEAR = 4.5
"""Contrast of a light with what it lies on."""
BRIGHTNESS = np.array([0.0722, 0.7152, 0.2126])
EYES = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""How eyes that lack one kind of cone see linear light (Machado, Oliveira, Fernandes, 2009)."""
TOLD_APART = 3.0
"""Contrast of two surfaces that are told apart without their hue."""


# -- lights ---------------------------------------------------------------------------------


def faint(screen: Any) -> list[str]:
    """Lights of the board that do not stand out from what they lie on, as they are drawn now."""
    board = screen.board
    if board.parent is None or not board.lit:
        return []
    seen, found = _luminance(photographed(screen)), []
    for light in board.lit:
        bright, dark = np.percentile(_around(seen, board, light), [99, 3])
        if (contrast := (bright + 0.05) / (dark + 0.05)) < CLEAR:
            found.append(f"a light at {light.at} stands out by {contrast:.1f}")
    return found


def _luminance(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Relative luminance (WCAG) of each pixel, blue-green-red."""
    c = picture / 255
    return np.asarray(np.where(c <= 0.03928, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ BRIGHTNESS)


def _around(seen: npt.NDArray[np.float64], board: Any, light: Any) -> npt.NDArray[np.float64]:
    """The pixels of a light's ring or frame, with its casing."""
    (x, y), (wide, high) = board.to_window(*light.at), light.half
    left, top = max(int(x - wide - 4), 0), max(int(seen.shape[0] - y - high - 4), 0)
    part = seen[top : top + int(2 * high) + 9, left : left + int(2 * wide) + 9]
    rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    across = np.abs(left + columns + 0.5 - x)
    up = np.abs(seen.shape[0] - top - rows - 0.5 - y)
    away = np.hypot(across, up) - wide if light.is_round else np.maximum(across - wide, up - high)
    return np.asarray(part[(away > -10) & (away < 3)])


# -- places for the finger ------------------------------------------------------------------


def cramped(screen: Any) -> list[str]:
    """Places smaller or closer to each other than a fingertip, unless a touch enlarges them."""
    from companion.ui.theme.style import style

    found, board = too_small(screen), screen.board
    for light in () if board.parent is None else board.lit:
        others = [other.at for other in board.lit if other is not light]
        close = any(dist(light.at, other) < style.apart - 0.5 for other in others)
        if not light.crowded and (close or 2 * min(light.half) < style.apart - 0.5):
            found.append(f"a light at {light.at} of {light.half}")
    for widget in walk(screen):
        middles = [(x + wide / 2, y + high / 2) for x, y, wide, high in _cells(widget)]
        if (room := room_between(middles)) < style.target - 0.5:
            found.append(f"{len(middles)} of a {type(widget).__name__} are {room:.0f} apart")
    return found


def _cells(widget: Any) -> Iterator[tuple[float, float, float, float]]:
    """Where each card, piece or tile of a row is, if a widget has such and they can be touched."""
    cells = getattr(widget, "cells", ())
    for cell in cells.values() if hasattr(cells, "values") else cells:
        yield cell if len(cell) == 4 else cell[1]


# -- colours --------------------------------------------------------------------------------


def seen_by(eye: str, colour: theme.Rgba) -> theme.Rgba:
    """A colour as an eye of ``EYES`` sees it."""
    light = [part**2.2 for part in colour[:3]]
    rows = (sum(f * part for f, part in zip(row, light, strict=True)) for row in EYES[eye])
    red, green, blue = (min(max(row, 0.0), 1.0) ** (1 / 2.2) for row in rows)
    return (red, green, blue, 1.0)


def by_hue_alone(kinds: Iterable[PieceKind], choice: str) -> list[str]:
    """Pairs of owners whose pieces differ neither by a sign nor by brightness, for some eye;
    ``choice``: the colours of pieces, as in the settings."""
    found, owned = [], {kind.signed: kind for kind in kinds if kind.signed}
    for one, other in combinations(owned.values(), 2):
        signs = [sign_of(kind.signed) for kind in (one, other)]
        if all(signs) and signs[0] != signs[1]:
            continue
        fills = [fill_of(kind, choice) for kind in (one, other)]
        for eye in EYES:
            if theme.contrast(*(seen_by(eye, fill) for fill in fills)) < TOLD_APART:
                found.append(f"{one.signed}, {other.signed} for {eye}")
    return found
