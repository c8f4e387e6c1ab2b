"""Combinations of what a test is run with: some in every run, all of them in the thorough one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest


def widely(*axes: Sequence[Any], most: int | None = None) -> list[Any]:
    """Every combination as parameters; in the quick run each value of each axis occurs once or so.

    The others are marked ``thorough``. Axes of equal length are shifted against each other, so that
    the quick run does not only meet the first with the first. ``most``: maximum number for the
    quick run.
    """
    longest = most or max(map(len, axes))
    quick = {
        tuple((n + place * (n // len(axis))) % len(axis) for place, axis in enumerate(axes))
        for n in range(longest)
    }
    return [
        pytest.param(
            *(axis[index] for axis, index in zip(axes, at, strict=True)),
            marks=() if at in quick else pytest.mark.thorough,
        )
        for at in product(*(range(len(axis)) for axis in axes))
    ]


def some(values: Sequence[Any], most: int = 3) -> list[Any]:
    """All ``values`` as parameters, tuples as several; ``most`` of them in the quick run.

    They are spread evenly, and others in every file, so that all games, seeds and pages are met by
    something that is alike for all of them.
    """
    first = crc32(Path(sys._getframe(1).f_code.co_filename).name.encode())
    quick = {(first + n * len(values) // most) % len(values) for n in range(most)}
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if n in quick else pytest.mark.thorough,
        )
        for n, value in enumerate(values)
    ]
