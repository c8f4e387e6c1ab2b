"""The lamps of a stage as they shine in its camera's picture."""

from __future__ import annotations

from typing import Any

from companion.demo.stage import Stage
from companion.presentation.virtual_table import Lamp

__all__ = ["LampLight"]


class LampLight:
    """Where each lamp is, and how it shines now."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._places = _places(stage)

    def shining(self) -> tuple[Lamp, ...]:
        """The lamps that are on."""
        twin: Any = self._stage.rig.twins["lamps"]
        return tuple(
            Lamp(*self._places[index], _light(pixel))
            for index, pixel in enumerate(twin.pixels)
            if index in self._places and any(pixel)
        )


def _places(stage: Stage) -> dict[int, tuple[float, float, float]]:
    """Where each lamp's site lies in the camera's picture, and how large it is: shares of it."""
    camera, places = stage.camera, {}
    for site, lamps in stage.director.lamp_of(stage.box.id).items():
        if site not in stage.box.sites:
            # Another game of the same box uses it.
            continue
        x, y = stage.box.sites[site].at
        reach = stage.box.sites[site].radius or max(stage.box.sites[site].size or (0.0, 0.0)) / 2
        u, v = camera.board_to_px(x, y)
        rim, _v = camera.board_to_px(x + reach * 1.15, y)
        for lamp in lamps:
            places[lamp] = (u / camera.width, v / camera.height, (rim - u) / camera.width)
    return places


def _light(pixel: tuple[int, int, int]) -> tuple[float, float, float, float]:
    """A lamp as people see it: what is sent to it is bent to the eye and dimmed for the dark."""
    most = max(pixel)
    red, green, blue = ((part / most) ** (1 / 2.4) for part in pixel)
    return (red, green, blue, min((most / 255 / 0.4) ** (1 / 2.4), 1.0))
