"""A game in a package of its own is known while its tests run, as if it were installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rules.core import Game
from tests.support.outside import known_from


@pytest.fixture(scope="module", autouse=True)
def morris() -> Iterator[Game[Any]]:
    """Nine Men's Morris, from the folder of the examples."""
    with known_from("nine_mens_morris") as game:
        yield game
