"""Calibrated lenses, one file per camera in the state folder."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.settings.writing import set_aside, write_whole
from vision.camera.calibration import Calibrated
from vision.camera.lens import Lens
from vision.camera.sources import camera_name

__all__ = ["KeptLens", "Lenses"]

log = logging.getLogger(__name__)


class KeptLens(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A lens as it is in the file."""

    size: tuple[int, int]
    """Width and height of the pictures it is for, px."""
    focal: float
    radial: float
    offset: tuple[float, float]
    higher: tuple[float, float]
    error_px: float
    """Reprojection error when it was calibrated."""
    views: int

    @property
    def lens(self) -> Lens:
        """What vision works with."""
        return Lens(self.size, self.focal, self.radial, self.offset, self.higher)


class LensFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All lenses of one camera, one per picture size."""

    version: int = 1
    camera: str
    lenses: tuple[KeptLens, ...] = ()


class Lenses:
    """The calibrated lenses of this computer's cameras."""

    def __init__(self, state: Path) -> None:
        """``state``: the state folder; the files are in ``lens`` below it."""
        self._folder = state / "lens"

    def path(self, camera: str) -> Path:
        """The file of a camera, given its name."""
        return self._folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', camera)}.json"

    def of(self, source: str) -> Callable[[tuple[int, int]], Lens | None] | None:
        """What ``vision.tracker.Tracker`` asks for lenses; None if ``source`` is not a camera."""
        name = camera_name(source)
        return (lambda size: self.load(name, size)) if name else None

    def load(self, camera: str, size: tuple[int, int]) -> Lens | None:
        """The lens of a camera for pictures of ``size`` px; None if it was never calibrated.

        A damaged file is reported in the log: the table can be played without it.
        """
        try:
            kept = self._read(self.path(camera)).lenses
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            log.warning(
                "the lens in %s cannot be used, calibrate again: %s", self.path(camera), error
            )
            return None
        return next((one.lens for one in kept if one.size == size), None)

    def keep(self, camera: str, result: Calibrated) -> Path:
        """Save a lens; the camera's others, for other sizes, stay. Raises OSError."""
        path, lens = self.path(camera), result.lens
        others: tuple[KeptLens, ...] = ()
        try:
            others = self._read(path).lenses
        except FileNotFoundError:
            pass
        except (ValueError, RecursionError):
            log.warning("%s was damaged and is kept as %s", path, set_aside(path))
        new = KeptLens(
            size=lens.size, focal=lens.focal, radial=lens.radial, offset=lens.offset,
            higher=lens.higher, error_px=result.error_px, views=result.views,
        )  # fmt: skip
        lenses = (*(one for one in others if one.size != lens.size), new)
        data = msgspec.to_builtins(LensFile(camera=camera, lenses=lenses))
        write_whole(path, json.dumps(data, indent=2) + "\n")
        return path

    @staticmethod
    def _read(path: Path) -> LensFile:
        return msgspec.json.decode(path.read_bytes(), type=LensFile)
