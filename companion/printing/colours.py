"""Colours in print, and the pattern that says the same without colour."""

from __future__ import annotations

from companion.words.errors import HeelstoneError

Rgb = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

INK: Rgb = (38, 36, 33)
ASH: Rgb = (118, 116, 110)
PAPER: Rgb = (255, 255, 255)

VEIL, GAIN = 0.05, 1.5
"""Lightening of a drawn board: share of white, and factor, both in linear light."""

MARKS = {
    "white": "plain",
    "blue": "waves",
    "green": "dots",
    "yellow": "slanted",
    "red": "crossed",
    "black": "upright",
    "brown": "slanted",
    "grey": "plain",
}
"""The pattern that goes with a colour name, the same on boards, cards and pieces."""


class ColourError(HeelstoneError, ValueError):
    """A box names a colour in another way than we can read."""


def rgb(colour: str) -> Rgb:
    """``#rrggbb`` as numbers; raises ColourError on anything else."""
    if len(colour) != 7 or colour[0] != "#":
        raise ColourError("no_colour", found=colour)
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def mixed(one: Rgb, other: Rgb, part: float) -> Rgb:
    """``part`` of ``other`` in ``one``."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def tinted(colour: str, veil: float = VEIL, gain: float = GAIN) -> Rgb:
    """A colour of the box file as printed on a board: lighter, to save ink.

    All colours become brighter by the same factor (as far as that goes) and are then mixed with
    the same share of white, both in linear light. To the camera that is the drawn board in strong
    light behind a veil, which it allows for anyway.
    """
    linear = [(c / 255) ** 2.2 for c in rgb(colour)]
    gain = min(gain, max(1.0, 0.9 / max(*linear, 0.01)))
    red, green, blue = (round(255 * (veil + (1 - veil) * c * gain) ** (1 / 2.2)) for c in linear)
    return red, green, blue


def lighter(colour: Rgb, part: float) -> Rgb:
    """``colour`` with ``part`` of paper in it."""
    return mixed(colour, PAPER, part)


def brightness(colour: Rgb) -> float:
    """0 for black to 1 for white."""
    red, green, blue = colour
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def pattern_of(name: str) -> str:
    """Pattern for a colour name; ``plain`` for names that have none."""
    return MARKS.get(name, "plain")
