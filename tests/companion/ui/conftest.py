"""Closes everything that tests of screens open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Protocol, TypeVar

import pytest


class Closable(Protocol):
    """Something that is open."""

    def close(self) -> None:
        """Close it."""


C = TypeVar("C", bound=Closable)
Opened = Callable[[C], C]


@pytest.fixture
def opened() -> Iterator[Callable[[C], C]]:
    """Closes what it is given when the test is over, the last first."""
    with ExitStack() as stack:

        def opened(one: C) -> C:
            return stack.enter_context(closing(one))

        yield opened
