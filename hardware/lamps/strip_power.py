"""What a strip draws, and what it may draw: too much takes the power from everything else.

A USB port supplies 500 to 900 mA, and all four of a Raspberry Pi 5 together 600 mA; a hundred
white lamps would take 6 A. The port then switches off, or the Pi runs on too low a voltage.
"""

from __future__ import annotations

from collections.abc import Sequence

Color = tuple[int, int, int]

PART_MA = 20.0
"""What one colour of a WS2812B draws at full light, in mA (its data sheet says 18 to 20)."""
DARK_MA = 1.0
"""What a lamp draws while it is dark."""
LEAST_PART = 0.2
"""This much of the supply is always left for light, however many dark lamps there are."""


def within_supply(frame: tuple[Color, ...], supply_ma: float) -> tuple[Color, ...]:
    """The frame, dimmed as a whole if it would draw more than `supply_ma`; 0: no limit."""
    wanted = _light_ma(frame)
    room = max(supply_ma - len(frame) * DARK_MA, supply_ma * LEAST_PART)
    if not supply_ma or wanted <= room:
        return frame
    part = room / wanted
    return tuple((int(red * part), int(green * part), int(blue * part))
                 for red, green, blue in frame)  # fmt: skip


def _light_ma(frame: Sequence[Color]) -> float:
    return sum(map(sum, frame)) / 255 * PART_MA
