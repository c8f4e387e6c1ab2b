"""Fixtures for the tests of the benchmarks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.drawn_once import drawn_once


@pytest.fixture(scope="session", autouse=True)
def boards_are_drawn_once() -> Iterator[None]:
    """Keep the drawing of each board, which many eyes would reckon anew."""
    with drawn_once():
        yield
