"""Boards as eyes and the virtual camera draw them, worked out once for all tests of a board.

A table needs each of them once; hundreds of tests look at the same few boards with trackers and
cameras of their own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import pytest

from companion.simulator.camera import Camera
from companion.simulator.objects import Image
from companion.simulator.table import VirtualTable
from rules.box import Box, printed_shapes
from vision.board.drawn_marks import DrawnMarks

# One alone: that of a large board takes 120 MB.
_marks = lru_cache(maxsize=1)(DrawnMarks)

_KEPT = 8
"""Number of bare tables that are kept; one takes six megabytes."""


@lru_cache(maxsize=32)
def _printed(box: Box) -> str:
    """All of a box that is to be seen of its bare board."""
    seen = (box.size, box.outline, box.dictionary, box.corners, box.colours)
    return repr((*seen, *printed_shapes(box)))


_draw_bare = Camera._draw_bare
_kept: OrderedDict[tuple[object, ...], Image] = OrderedDict()


def _bare_table(camera: Camera, table: VirtualTable) -> Image:
    """The picture of ``Camera._draw_bare``, as any camera that hung like this one drew it."""
    key = (
        camera.width, camera.height, camera.height_mm, camera.tilt, camera.yaw, camera.focal,
        camera.k1, camera.blur, camera.vignette, table.nudge, table.light, _printed(table.box),
    )  # fmt: skip
    picture = _kept.pop(key, None)
    if picture is None:
        picture = _draw_bare(camera, table)
        picture.flags.writeable = False
    _kept[key] = picture
    while len(_kept) > _KEPT:
        _kept.popitem(last=False)
    return picture


@contextmanager
def drawn_once() -> Iterator[None]:
    """Eyes that look at the board that was looked at last know how it is drawn, and cameras that
    hang like an earlier one how the bare table looks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.board.lens_learning.DrawnMarks", _marks)
        patch.setattr(Camera, "_draw_bare", _bare_table)
        yield
