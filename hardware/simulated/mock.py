"""Simulated display and lamps in place of those of the kind "mock"."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace

from hardware.displays.cfa635.simulated import Cfa635Twin
from hardware.settings import RigSettings
from hardware.simulated.picture import Picture
from hardware.simulated.strip import AdalightTwin

USUAL_LAMPS = 24


class Twin(Protocol):
    """The common interface of all simulated devices."""

    def rows(self) -> list[str]:
        """The device as lines of text."""

    @property
    def picture(self) -> Picture:
        """The device as plain shapes to draw."""

    def close(self) -> None:
        """Removes the device."""


def simulated(settings: RigSettings, twins: dict[str, Twin]) -> RigSettings:
    """The settings with a twin plugged in wherever the kind is "mock"; adds the twins by part.

    Display and lamps are then of the twin's kind and at its port, so the real driver serves them.
    """
    score, lamps = settings.score, settings.lamps
    if score.kind == "mock":
        display = twins["score"] = Cfa635Twin()
        score = replace(score, kind="cfa635", port=display.url, columns=20, rows=4)
    if lamps.kind == "mock":
        count = lamps.count or USUAL_LAMPS
        strip = twins["lamps"] = AdalightTwin(count)
        lamps = replace(lamps, kind="adalight", port=strip.url, count=count)
    return replace(settings, score=score, lamps=lamps)
