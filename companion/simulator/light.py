"""The lamp above the table: how bright and warm it is, and where it stands."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

__all__ = ["Floats", "Glare", "Image", "Light", "Shade"]

Image = npt.NDArray[Any]
"""A picture or mask: (height, width) or (height, width, channels), uint8."""

Floats = npt.NDArray[Any]
"""Any array of real numbers; the docstring of its owner says shape and unit."""


@dataclass(frozen=True, slots=True)
class Glare:
    """The bright spot that a lamp leaves on a glossy board."""

    x_mm: float
    y_mm: float
    radius_mm: float = 45.0
    strength: float = 0.5
    """Brightness added at its middle, 1 being white."""


@dataclass(frozen=True, slots=True)
class Shade:
    """The soft shade of somebody who leans over the table."""

    x_mm: float
    y_mm: float
    radius_mm: float = 120.0
    strength: float = 0.35
    """Share of the light that is missing at its middle."""


@dataclass(frozen=True, slots=True)
class Light:
    """The light on the table; angles are seen from above, 0 deg to the right, 90 deg up."""

    brightness: float = 1.0
    kelvin: float = 5200.0
    """Colour temperature: 3000 is a warm bulb, 5500 leaves colours alone, 7000 is a grey sky."""
    gradient: tuple[float, float] = (-0.07, 0.07)
    """Relative gain of brightness from the picture's centre to its right and upper edge."""
    from_deg: float = 128.0
    """Direction in which the lamp stands."""
    height_deg: float = 58.0
    """Height of the lamp above the horizon; lower lamps make longer shadows."""
    glare: Glare | None = None
    shade: Shade | None = None

    @property
    def tint(self) -> tuple[float, float, float]:
        """Gain of blue, green and red, each about 1."""
        warmth = (5500.0 - min(max(self.kelvin, 2500.0), 9000.0)) / 1000.0
        return (1.0 - 0.065 * warmth, 1.0, 1.0 + 0.045 * warmth)

    @property
    def cast(self) -> tuple[float, float]:
        """How far (mm in x and y) the shadow of a point falls per mm of its height."""
        length = 1.0 / math.tan(math.radians(self.height_deg))
        angle = math.radians(self.from_deg)
        return (-length * math.cos(angle), -length * math.sin(angle))

    @property
    def towards(self) -> tuple[float, float, float]:
        """Unit vector from the table to the lamp in board axes."""
        flat, angle = math.cos(math.radians(self.height_deg)), math.radians(self.from_deg)
        return (
            flat * math.cos(angle),
            flat * math.sin(angle),
            math.sin(math.radians(self.height_deg)),
        )
