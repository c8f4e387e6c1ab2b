"""Boards as eyes, screens and the virtual camera draw them, worked out once for all tests.

A table needs each of them once; hundreds of tests look at the same few boards with trackers,
screens and cameras of their own, and several workers do so side by side: pictures are kept in the
folder for temporary files, which all workers of a run share.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.simulator.camera import Camera
from companion.simulator.objects import Image
from companion.simulator.table import VirtualTable
from companion.ui.drawing import material
from rules.box import Box, printed_shapes
from vision.board.drawn_marks import DrawnMarks

# One alone: that of a large board takes 120 MB.
_marks = lru_cache(maxsize=1)(DrawnMarks)


@lru_cache(maxsize=32)
def _printed(box: Box) -> str:
    """All of a box that is to be seen of its bare board."""
    seen = (box.size, box.outline, box.dictionary, box.corners, box.colours)
    return repr((*seen, *printed_shapes(box)))


_draw_bare = Camera._draw_bare
_draw_screen = material.board_picture


def _kept(key: object, draw: Callable[[], Any]) -> Any:
    """The picture that ``draw`` makes, which any worker of this run may have drawn before."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    name = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
    file = Path(tempfile.gettempdir(), f"drawn-once-{run}", f"{name}.npy")
    try:
        return np.load(file, mmap_mode="r")
    except FileNotFoundError:
        picture = draw()
    file.parent.mkdir(exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}.npy")
    np.save(unfinished, picture)
    unfinished.replace(file)
    picture.flags.writeable = False
    return picture


def _bare_table(camera: Camera, table: VirtualTable) -> Image:
    """The picture of ``Camera._draw_bare``, as any camera that hung like this one drew it."""
    key = (
        camera.width, camera.height, camera.height_mm, camera.tilt, camera.yaw, camera.focal,
        camera.k1, camera.blur, camera.vignette, table.nudge, table.light, _printed(table.box),
    )  # fmt: skip
    return _kept(key, lambda: _draw_bare(camera, table))  # type: ignore[no-any-return]


def _board_on_screen(*drawn: Any) -> material.Pixels:
    """The picture of ``board_picture``."""
    return _kept(drawn, lambda: _draw_screen(*drawn))  # type: ignore[no-any-return]


@contextmanager
def drawn_once() -> Iterator[None]:
    """Eyes that look at the board that was looked at last know how it is drawn, cameras that hang
    like an earlier one how the bare table looks, and screens how a board looks in a size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.board.lens_learning.DrawnMarks", _marks)
        patch.setattr(Camera, "_draw_bare", _bare_table)
        patch.setattr(material, "board_picture", _board_on_screen)
        yield
