"""One broker and one database for all tests of clubs in a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.club import Servers, servers


@pytest.fixture(scope="session")
def club() -> Iterator[Servers]:
    with servers() as found:
        yield found


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables look, ask and note at once what they do now and then, and what a writer was given and
    did not store comes again soon."""
    for limit in ("upload.LOOK_S", "upload.ASK_S", "upload.SAVE_S"):
        monkeypatch.setattr(f"companion.club.{limit}", 0.1)
    monkeypatch.setattr("companion.club.writer.AGAIN_S", 1.0)
