"""Seeing: how small stickers are read, how rarely nothing is read as something, and what it costs.

``HEELSTONE_PHOTOS`` names a folder of photographs with their truth; without it the tests' own are
taken. ``HEELSTONE_THOROUGH=1`` measures every size with as many stickers as the most important one,
and takes some ten minutes instead of about two.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.large_pictures import costs, memory
from benchmarks.measure import Result
from benchmarks.photograph_costs import photograph_costs
from benchmarks.small_stickers import false_accepts, recall

OWN = Path(__file__).parent.parent / "tests" / "support" / "scenes" / "pictures"


def results() -> Iterator[Result]:
    """All figures of ``docs/seeing.md``."""
    thorough = os.environ.get("HEELSTONE_THOROUGH", "") not in ("", "0")
    folder = Path(os.environ.get("HEELSTONE_PHOTOS", OWN))
    yield from costs(OWN, rounds=15 if thorough else 7)
    yield from memory(OWN)
    yield from photograph_costs(folder)
    yield from false_accepts(folder)
    yield from recall(thorough)
