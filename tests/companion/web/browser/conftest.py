"""A browser for the tests of this folder, and pages for each of them.

Not for a whole worker: Playwright leaves its event loop running in the thread that started it,
and every later test there that calls `asyncio.run` would be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import Visits, chromium, visits
from tests.support.looked_at import LookedAt


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def pages(browser: Any) -> Iterator[Visits]:
    with visits(browser) as seen:
        yield seen


@pytest.fixture
def serve(pages: Visits, tmp_path: Path) -> Iterator[Callable[..., LookedAt]]:
    """Puts a table with its pages up; nobody looks any more when it is cleared away."""
    served: list[LookedAt] = []

    def put_up(game: str, players: int = 2, **options: Any) -> LookedAt:
        served.append(LookedAt.put_up(game, players, tmp_path, pages, **options))
        return served[-1]

    yield put_up
    pages.close()
    for one in served:
        one.close()
