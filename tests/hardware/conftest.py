"""What every hardware test is held to: nothing it started is left running."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from hardware.status import Report


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = threading.enumerate()
    yield
    assert [thread.name for thread in threading.enumerate() if thread not in before] == []


class Heard:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.reports: list[Report] = []

    def __call__(self, report: Report) -> None:
        self.reports.append(report)

    @property
    def codes(self) -> list[str]:
        return [report.code for report in self.reports]

    def wait_for(self, code: str, times: int = 1) -> bool:
        return eventually(lambda: self.codes.count(code) >= times)


def eventually(seen: Callable[[], bool], timeout_s: float = 30.0) -> bool:
    until = time.monotonic() + timeout_s
    while not seen():
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


@pytest.fixture
def heard() -> Heard:
    return Heard()
