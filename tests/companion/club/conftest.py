"""One broker and one database for all tests of clubs in a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.club import Servers, servers


@pytest.fixture(scope="session")
def club() -> Iterator[Servers]:
    with servers() as found:
        yield found
