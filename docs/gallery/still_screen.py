"""A screen whose time is that of its frames, however slow the machine is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.presentation.faces import wear
from tests.support.ui_harness import need_screen

FRAME_S = 1 / 60
FACES = {
    "Anna": "auburn", "Ben": "beard", "Clara": "curls", "David": "glasses", "Emma": "braids",
    "Ada": "bob", "Cleo": "hijab",
}  # fmt: skip
"""Faces of the people in the pictures."""


@contextmanager
def faces_worn() -> Iterator[None]:
    """The people in the pictures wear their faces meanwhile, and nobody does afterwards: else a
    picture would depend on those drawn before it."""
    wear(FACES)
    try:
        yield
    finally:
        wear({})


@contextmanager
def still_screen() -> Iterator[None]:
    """Every frame takes a sixtieth of a second meanwhile: what fades, fades equally far in each
    picture. Skips where nothing can be drawn."""
    need_screen()
    from kivy.clock import Clock

    clock: Any = Clock
    # A frame has passed already: Kivy would wait for it, and no time passes while it waits.
    began_s, first = clock.time(), clock.frames - 1
    clock.time = lambda: began_s + (clock.frames - first) * FRAME_S
    try:
        with faces_worn():
            yield
    finally:
        del clock.time
