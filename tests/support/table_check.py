"""Figures of a camera for a table that is being checked."""

from __future__ import annotations

from dataclasses import dataclass

from companion.setup.table_check import (
    CameraLook,
)


@dataclass(frozen=True)
class Seen:
    """The figures of a good picture."""

    board: str = "found"
    light: float = 0.5
    sharpness: float = 0.3
    px_per_module: float = 3.5
    pose_error_px: float = 0.4


GOOD = CameraLook(configured=True, frames=20, per_s=9.5, waited_s=2.0, figures=Seen())
