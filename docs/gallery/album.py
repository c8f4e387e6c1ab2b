"""All pictures of the documentation: what draws each of them, and which have become old.

A picture is old if what is drawn today differs from it by more than drawing libraries differ from
each other. Only those are written anew, so that a picture that nobody can tell from the one before
does not change.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import pytest

from docs.gallery.camera_pictures import CAMERA_PICTURES, camera_pictures
from docs.gallery.contact_sheet import Picture, as_file, coarser, read
from docs.gallery.devices import DEVICE_PICTURES, device_pictures
from docs.gallery.hall import HALL_PICTURES, hall_pictures
from docs.gallery.phone_pages import PHONE_PICTURES, phone_pictures
from docs.gallery.play import MOMENT_PICTURES, moment_pictures
from docs.gallery.prints import PRINT_PICTURES, print_pictures
from docs.gallery.screens import SCREEN_PICTURES, screen_pictures
from docs.gallery.try_page import TRY_PICTURES, try_pictures
from docs.gallery.two_tables import TWO_TABLES_PICTURE, two_tables_picture

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
COMMAND = "make screenshots"
BLOCK_PX = 12
"""About as large as a letter."""
SAME = {".png": 6.0, ".jpg": 12.0}
"""Mean difference of a block, of 255, that other drawing libraries may make. Mesa's two ways to
draw by software, llvmpipe and softpipe, differ by up to 3.6 in a PNG, whose tones are rounded, and
by 7.2 in a JPEG; a changed letter makes 35."""
KEPT = 0.25
"""Share of it up to which a picture is kept, so that what other libraries do has its room."""

Draw = Callable[[Collection[str]], Iterator[tuple[str, Picture | str]]]


@dataclass(frozen=True, slots=True)
class Painter:
    """Draws some of the pictures, those that are wanted or all of its own."""

    names: tuple[str, ...]
    draw: Draw


PAINTERS = (
    Painter(MOMENT_PICTURES, moment_pictures),
    Painter(SCREEN_PICTURES, screen_pictures),
    Painter(TWO_TABLES_PICTURE, two_tables_picture),
    Painter(DEVICE_PICTURES, device_pictures),
    Painter(CAMERA_PICTURES, camera_pictures),
    Painter(PRINT_PICTURES, print_pictures),
    Painter(PHONE_PICTURES, phone_pictures),
    Painter(HALL_PICTURES, hall_pictures),
    Painter(TRY_PICTURES, try_pictures),
)

DRAWN_BY_HAND = ("dataflow.svg", "touch.svg")
"""Its own source."""


@dataclass(frozen=True)
class Drawn:
    """A picture as it is drawn today, or the text of an SVG."""

    name: str
    picture: Picture | str

    @cached_property
    def file(self) -> bytes:
        """Contents of its file."""
        if isinstance(self.picture, str):
            return self.picture.encode()
        return as_file(self.picture, Path(self.name).suffix)


@dataclass(frozen=True, slots=True)
class NotDrawn:
    """Pictures that cannot be drawn on this machine."""

    names: tuple[str, ...]
    reason: str


def draw(wanted: Collection[str] = ()) -> Iterator[Drawn | NotDrawn]:
    """Pictures by name; all if none is named."""
    with _same_clock():
        for painter in PAINTERS:
            left = [name for name in painter.names if not wanted or name in wanted]
            if not left:
                continue
            try:
                for name, picture in painter.draw(frozenset(left)):
                    if name in left:
                        left.remove(name)
                        yield Drawn(name, picture)
            except pytest.skip.Exception as skipped:
                yield NotDrawn(tuple(left), str(skipped))


def write(folder: Path, wanted: Collection[str] = ()) -> Iterator[str]:
    """Draw pictures and write those that are new or old into a folder; says what was done."""
    folder.mkdir(parents=True, exist_ok=True)
    for drawn in draw(wanted):
        if isinstance(drawn, NotDrawn):
            yield f"left as they are, {', '.join(drawn.names)}: {drawn.reason}"
            continue
        path = folder / drawn.name
        if not path.exists():
            path.write_bytes(drawn.file)
            yield f"{path}: new"
        elif differ(path.read_bytes(), drawn, share=KEPT):
            path.write_bytes(drawn.file)
            yield f"{path}: drawn anew"
        else:
            yield f"{path}: as before"


def differ(stored: bytes, drawn: Drawn, share: float = 1.0) -> str:
    """Differences of a stored picture from today's by more than a share of ``SAME``; empty
    if there are none."""
    if isinstance(drawn.picture, str):
        return "" if stored == drawn.file else "its text is another"
    before, allowed, told = read(stored), share * SAME[Path(drawn.name).suffix], "another size"
    for now in _as_kept(drawn, drawn.picture):
        if before.shape == now.shape:
            told = _between(before, now, allowed)
            if not told:
                break
    return told


def _as_kept(drawn: Drawn, picture: Picture) -> Iterator[Picture]:
    """A picture as its file may hold it. To code it takes longer than to draw it, and is needed
    only where that makes a difference of its own."""
    if drawn.name.endswith(".png"):
        yield from coarser(picture)
    else:
        yield picture
        yield read(drawn.file)


def _between(before: Picture, now: Picture, allowed: float) -> str:
    """Largest difference of a block, if it is more than ``allowed``; empty otherwise."""
    off = cv2.absdiff(before, now).max(axis=2).astype(np.float32)
    blocks = cv2.blur(off, (BLOCK_PX, BLOCK_PX))
    _least, most, _at, (x, y) = cv2.minMaxLoc(blocks)
    return f"by {most:.0f} of 255 around {x}, {y} px" if most > allowed else ""


@contextmanager
def _same_clock() -> Iterator[None]:
    """Days and hours are those of UTC meanwhile, wherever the machine stands."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "UTC"
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()
