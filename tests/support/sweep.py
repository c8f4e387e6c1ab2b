"""Combinations of what a test is run with: some in every run, all of them in the thorough one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

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
