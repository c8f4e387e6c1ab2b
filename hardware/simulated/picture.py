"""Pictures of simulated devices as plain data: patches of colour and single letters, in mm.

Drawing them takes no more than filling a polygon and centring a letter. `svg` does both without
any package.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

Color = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""
Point = tuple[float, float]
"""Millimetres to the right and down, from the picture's upper left corner."""

BODY: Color = (30, 32, 36)
UNLIT: Color = (46, 48, 54)
INK: Color = (244, 246, 250)


@dataclass(frozen=True, slots=True)
class Patch:
    """A filled polygon."""

    color: Color
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter, centred at a point."""

    color: Color
    text: str
    centre: Point
    height_mm: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of a device; later shapes cover earlier ones."""

    width_mm: float
    height_mm: float
    shapes: tuple[Patch | Letter, ...]

    def above(self, other: Picture) -> Picture:
        """This picture with another one right below it."""
        width = max(self.width_mm, other.width_mm)
        height = self.height_mm + other.height_mm
        lower = tuple(_lowered(shape, self.height_mm) for shape in other.shapes)
        return Picture(width, height, (box(BODY, 0, 0, width, height), *self.shapes, *lower))

    def svg(self) -> str:
        """The picture as an SVG document."""
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{4 * self.width_mm:g}" '
            f'height="{4 * self.height_mm:g}" viewBox="0 0 {self.width_mm:g} {self.height_mm:g}">'
        ]
        for shape in self.shapes:
            fill = "#{:02x}{:02x}{:02x}".format(*shape.color)
            if isinstance(shape, Patch):
                points = " ".join(f"{x:.3g},{y:.3g}" for x, y in shape.points)
                parts.append(f'<polygon fill="{fill}" points="{points}"/>')
            else:
                x, y = shape.centre
                parts.append(
                    f'<text fill="{fill}" x="{x:.4g}" y="{y + 0.36 * shape.height_mm:.4g}" '
                    f'font-size="{shape.height_mm:.3g}" font-family="monospace" '
                    f'text-anchor="middle">{escape(shape.text)}</text>'
                )
        return "\n".join([*parts, "</svg>", ""])


def box(color: Color, x: float, y: float, width: float, height: float) -> Patch:
    """An upright rectangle; `x` and `y` are its upper left corner in mm."""
    return Patch(color, ((x, y), (x + width, y), (x + width, y + height), (x, y + height)))


def mixed(dark: Color, bright: Color, part: float) -> Color:
    """The colour `part` of the way (0 to 1) from `dark` to `bright`."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(dark, bright, strict=True))
    return red, green, blue


def brightness(color: Color) -> float:
    """Perceived brightness of a colour, from 0 to 1 (Rec. 709 weights)."""
    red, green, blue = color
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def letters_picture(
    rows: Sequence[str], *, light: float, color: Color = (52, 92, 180), leds: Iterable[Color] = ()
) -> Picture:
    """A character display: `light` (0 to 1) of a background of `color`, lamps at its left side."""
    cell_w, cell_h, edge = 3.6, 6.2, 4.0
    lamps = list(leds)
    left = edge + (7.0 if lamps else 0.0)
    columns = max((len(row) for row in rows), default=0)
    width, height = left + columns * cell_w + 2 + edge, len(rows) * cell_h + 2 + 2 * edge
    glass = mixed(UNLIT, color, light)
    shapes: list[Patch | Letter] = [
        box(BODY, 0, 0, width, height),
        box(glass, left, edge, columns * cell_w + 2, len(rows) * cell_h + 2),
    ]
    # Letters are light on dark glass, and dark on light glass, as they are made.
    ink = BODY if brightness(glass) > 0.5 else mixed(BODY, INK, 0.35 + 0.65 * light)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != " ":
                centre = (left + 1 + (x + 0.5) * cell_w, edge + 1 + (y + 0.5) * cell_h)
                shapes.append(Letter(ink, letter, centre, 5.4))
    step = (height - 2 * edge) / max(1, len(lamps))
    for place, lamp in enumerate(lamps):
        middle = edge + (place + 0.5) * step
        shapes.append(box(lit(lamp), edge, middle - 1.5, 3, 3))
    return Picture(width, height, tuple(shapes))


def digits_picture(
    segments: Sequence[int],
    dots: Iterable[int] = (),
    colon: bool = False,
    *,
    light: float = 1.0,
    color: Color = (255, 64, 48),
) -> Picture:
    """Seven-segment digits: a mask each, bit 0 is a (top), clockwise to f, bit 6 is g (middle)."""
    pitch, edge, height = 12.0, 4.0, 22.0
    on = mixed(UNLIT, color, 0.25 + 0.75 * light)
    shining = set(dots)
    width = 2 * edge + pitch * len(segments)
    shapes: list[Patch | Letter] = [box(BODY, 0, 0, width, height)]
    for place, mask in enumerate(segments):
        left = edge + place * pitch + 1
        for bit, (x1, y1, x2, y2) in enumerate(_SEGMENTS):
            shapes.append(
                _bar(on if mask >> bit & 1 else UNLIT, left + x1, 4 + y1, left + x2, 4 + y2)
            )
        shapes.append(box(on if place in shining else UNLIT, left + 7.9, 17.2, 1.2, 1.2))
    if len(segments) == 4:
        x = edge + 2 * pitch - 1.7
        shapes += [box(on if colon else UNLIT, x, y, 1.3, 1.3) for y in (8.0, 13.0)]
    return Picture(width, height, tuple(shapes))


def strip_picture(pixels: Sequence[Color]) -> Picture:
    """A strip of lamps, sixteen to a row."""
    pitch, edge, each = 6.0, 3.0, 16
    columns, rows = min(each, max(1, len(pixels))), -(-max(1, len(pixels)) // each)
    width, height = 2 * edge + columns * pitch, 2 * edge + rows * pitch
    shapes: list[Patch | Letter] = [box(BODY, 0, 0, width, height)]
    for place, pixel in enumerate(pixels):
        x, y = edge + place % each * pitch, edge + place // each * pitch
        shapes.append(box(lit(pixel), x + 0.6, y + 0.6, pitch - 1.2, pitch - 1.2))
    return Picture(width, height, tuple(shapes))


def said_picture(phrases: Sequence[str]) -> Picture:
    """The last phrases of a loudspeaker, as lines of text."""
    rows = list(phrases) or [""]
    return letters_picture(rows, light=0.0)


def read_segments(mask: int) -> str:
    """The character that a digit shows; bit 7 (the dot) does not count. "?" for no known shape."""
    return _READ.get(mask & 0x7F, "?")


def lit(pixel: Color) -> Color:
    """A lamp as the eye sees it: LEDs are driven linearly, screens are not."""
    red, green, blue = (round(255 * (part / 255) ** (1 / 2.2)) for part in pixel)
    return (max(UNLIT[0], red), max(UNLIT[1], green), max(UNLIT[2], blue)) if any(pixel) else UNLIT


def _lowered(shape: Patch | Letter, by_mm: float) -> Patch | Letter:
    if isinstance(shape, Patch):
        return Patch(shape.color, tuple((x, y + by_mm) for x, y in shape.points))
    x, y = shape.centre
    return Letter(shape.color, shape.text, (x, y + by_mm), shape.height_mm)


_READ = {
    0x00: " ", 0x40: "-", 0x08: "_", 0x48: "=", 0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3",
    0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8", 0x6F: "9", 0x77: "A", 0x7C: "b",
    0x39: "C", 0x58: "c", 0x5E: "d", 0x79: "E", 0x71: "F", 0x76: "H", 0x74: "h", 0x30: "I",
    0x1E: "J", 0x38: "L", 0x54: "n", 0x5C: "o", 0x73: "P", 0x50: "r", 0x78: "t", 0x3E: "U",
    0x1C: "u", 0x6E: "y",
}  # fmt: skip

_SEGMENTS = (
    (0, 0, 7, 0), (7, 0, 7, 7), (7, 7, 7, 14), (0, 14, 7, 14), (0, 7, 0, 14), (0, 0, 0, 7),
    (0, 7, 7, 7),
)  # fmt: skip
"""Segments a to g, each with its beginning and end in mm within a digit."""


def _bar(color: Color, x1: float, y1: float, x2: float, y2: float) -> Patch:
    """A segment with pointed ends."""
    half, gap = 0.75, 0.25
    if y1 == y2:
        a, b = x1 + gap, x2 - gap
        points = [(a, y1), (a + half, y1 - half), (b - half, y1 - half), (b, y1)]
        points += [(b - half, y1 + half), (a + half, y1 + half)]
    else:
        a, b = y1 + gap, y2 - gap
        points = [(x1, a), (x1 + half, a + half), (x1 + half, b - half), (x1, b)]
        points += [(x1 - half, b - half), (x1 - half, a + half)]
    return Patch(color, tuple(points))
