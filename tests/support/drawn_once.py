"""A board's drawing tile by tile, worked out once for all tests of that board.

A table needs it once; hundreds of tests look at the same few boards with trackers of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import pytest

from vision.board.drawn_marks import DrawnMarks

# One alone: that of a large board takes 120 MB.
_marks = lru_cache(maxsize=1)(DrawnMarks)


@contextmanager
def drawn_once() -> Iterator[None]:
    """Eyes that look at the board that was looked at last know how it is drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.board.lens_learning.DrawnMarks", _marks)
        yield
