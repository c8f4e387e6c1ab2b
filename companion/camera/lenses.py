"""Lenses, calibrated or learnt, one file per camera in the state folder."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from companion.settings.writing import set_aside, write_whole
from rules.bounded import is_there, read_bytes
from vision.board.fitting import LensBelief
from vision.board.lens_learning import LearntLens
from vision.camera.calibration import Calibrated
from vision.camera.lens import Lens
from vision.camera.sources import camera_name

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
        """The lens in the form that vision uses."""
        return Lens(self.size, self.focal, self.radial, self.offset, self.higher)


class LearntHere(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A lens learnt from pictures of tables, not calibrated, as it is in the file."""

    size: tuple[int, int]
    """Width and height of the pictures it is for, px."""
    mean: tuple[float, float, float, float, float]
    """Logarithm of the focal length in px, two radial coefficients, the axis' offset in px."""
    information: tuple[tuple[float, float, float, float, float], ...]
    """Inverse covariance of ``mean``."""
    error_mm: float
    """Median error of the corner stickers' corners in the last of the pictures."""
    pictures: int

    @property
    def learnt(self) -> LearntLens:
        """State from which vision goes on learning. Raises ValueError if it describes no lens."""
        information = np.array(self.information, dtype=np.float64)
        if information.shape != (5, 5) or not np.all(np.linalg.eigvalsh(information) > 0):
            raise ValueError("the information about the lens is no covariance")
        belief = LensBelief(self.size, np.array(self.mean), information)
        return LearntLens(belief, self.pictures, self.error_mm)


class LensFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All lenses of one camera, one per picture size."""

    version: int = 1
    camera: str
    lenses: tuple[KeptLens, ...] = ()
    learnt: tuple[LearntHere, ...] = ()


@dataclass(frozen=True)
class CameraLenses:
    """The lenses of one camera; called with a picture size, the calibrated one."""

    shelf: Lenses
    camera: str

    def __call__(self, size: tuple[int, int]) -> Lens | None:
        """The calibrated lens for pictures of this width and height in px, if there is one."""
        return self.shelf.load(self.camera, size)

    def learnt(self, size: tuple[int, int]) -> LearntLens | None:
        """The lens learnt from pictures of tables."""
        return self.shelf.learnt(self.camera, size)

    def keep_learnt(self, learnt: LearntLens) -> None:
        """Keep that; a full disk is only logged."""
        self.shelf.keep_learnt(self.camera, learnt)

    def best(self, size: tuple[int, int]) -> Lens | None:
        """The calibrated lens, else the learnt one, else None."""
        learnt = self.learnt(size)
        return self(size) or (None if learnt is None else learnt.belief.lens)


class Lenses:
    """The lenses of this computer's cameras."""

    def __init__(self, state: Path) -> None:
        """``state``: the state folder; the files are in ``lens`` below it."""
        self._folder = state / "lens"

    def path(self, camera: str) -> Path:
        """The file of a camera, given its name."""
        return self._folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', camera)}.json"

    def of(self, source: str) -> CameraLenses | None:
        """Lenses of a source for ``vision.tracker.Tracker``; None if ``source`` is not a camera."""
        name = camera_name(source)
        return CameraLenses(self, name) if name else None

    def load(self, camera: str, size: tuple[int, int]) -> Lens | None:
        """The lens of a camera for pictures of ``size`` px; None if it was never calibrated.

        A damaged file is reported in the log: the table can be played without it.
        """
        kept = self._kept(camera).lenses
        return next((one.lens for one in kept if one.size == size), None)

    def learnt(self, camera: str, size: tuple[int, int]) -> LearntLens | None:
        """The lens learnt from a camera's pictures of ``size`` px; None if nothing was learnt."""
        for one in self._kept(camera).learnt:
            if one.size == size:
                try:
                    return one.learnt
                except (ValueError, np.linalg.LinAlgError) as error:
                    log.warning("what was learnt in %s is of no use: %s", self.path(camera), error)
        return None

    def keep_learnt(self, camera: str, learnt: LearntLens) -> None:
        """Save what was learnt; it is not worth stopping a match for, so trouble is logged."""
        belief, kept = learnt.belief, self._kept(camera)
        new = LearntHere(
            size=belief.size, mean=tuple(belief.mean.tolist()),
            information=tuple(tuple(row) for row in belief.information.tolist()),
            error_mm=learnt.error_mm, pictures=learnt.pictures,
        )  # fmt: skip
        others = (one for one in kept.learnt if one.size != belief.size)
        try:
            if is_there(self.path(camera)) and not kept.camera:
                return  # damaged; calibrating sets it aside
            self._write(LensFile(camera=camera, lenses=kept.lenses, learnt=(*others, new)))
        except OSError as error:
            log.warning("the learnt lens cannot be kept in %s: %s", self.path(camera), error)

    def keep(self, camera: str, result: Calibrated) -> Path:
        """Save a lens; the camera's others, for other sizes, stay. Raises OSError."""
        path, lens = self.path(camera), result.lens
        kept = LensFile(camera=camera)
        try:
            kept = self._read(path)
        except FileNotFoundError:
            pass
        except (ValueError, RecursionError):
            log.warning("%s was damaged and is kept as %s", path, set_aside(path))
        new = KeptLens(
            size=lens.size, focal=lens.focal, radial=lens.radial, offset=lens.offset,
            higher=lens.higher, error_px=result.error_px, views=result.views,
        )  # fmt: skip
        lenses = (*(one for one in kept.lenses if one.size != lens.size), new)
        self._write(LensFile(camera=camera, lenses=lenses, learnt=kept.learnt))
        return path

    def _kept(self, camera: str) -> LensFile:
        """Contents of a camera's file; empty, of no camera, if it is not there or damaged."""
        try:
            return self._read(self.path(camera))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, RecursionError) as error:
            log.warning(
                "the lens in %s cannot be used, calibrate again: %s", self.path(camera), error
            )
        return LensFile(camera="")

    def _write(self, file: LensFile) -> None:
        data = msgspec.to_builtins(file)
        write_whole(self.path(file.camera), json.dumps(data, indent=2) + "\n")

    @staticmethod
    def _read(path: Path) -> LensFile:
        return msgspec.json.decode(read_bytes(path), type=LensFile)
