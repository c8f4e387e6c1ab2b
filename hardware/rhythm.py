"""Rhythms that lamps and buzzer share. Colour alone never carries a meaning.

Slow pulse: a question. Fast double blink: not allowed. Steady: all is well.
No rhythm flashes three times or more within one second (WCAG 2.3.1).
"""

from __future__ import annotations

import math
from enum import Enum

PULSE_PERIOD_S = 2.0
PULSE_FLOOR = 0.15
BLINK_PERIOD_S = 1.25
BLINK_EDGES_S = (0.0, 0.16, 0.36, 0.52)
"""On, off, on, off within each period: 0.36 s between the two flashes is 2.8 per second."""
FRAME_S = 0.05
"""A pulse is drawn at 20 steps per second."""


class Rhythm(Enum):
    """The behaviour of a light or a tone over time."""

    OFF = "off"
    STEADY = "steady"
    SLOW_PULSE = "slow_pulse"
    DOUBLE_BLINK = "double_blink"


def level(rhythm: Rhythm, seconds: float) -> float:
    """Strength from 0 to 1, `seconds` after the rhythm was started."""
    if rhythm is Rhythm.OFF:
        return 0.0
    if rhythm is Rhythm.STEADY:
        return 1.0
    if rhythm is Rhythm.SLOW_PULSE:
        wave = (1 + math.cos(2 * math.pi * seconds / PULSE_PERIOD_S)) / 2
        return PULSE_FLOOR + (1 - PULSE_FLOOR) * wave
    phase = seconds % BLINK_PERIOD_S
    first_on, first_off, second_on, second_off = BLINK_EDGES_S
    return float(first_on <= phase < first_off or second_on <= phase < second_off)


def until_change(rhythm: Rhythm, seconds: float) -> float:
    """Seconds for which the strength stays as it is at `seconds`; infinite if it is constant."""
    if rhythm in (Rhythm.OFF, Rhythm.STEADY):
        return math.inf
    if rhythm is Rhythm.SLOW_PULSE:
        return FRAME_S
    phase = seconds % BLINK_PERIOD_S
    return next(edge for edge in (*BLINK_EDGES_S, BLINK_PERIOD_S) if edge > phase) - phase
