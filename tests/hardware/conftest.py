"""Rules for every hardware test: nothing it started is left running, nothing is hurried."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from hardware.settings import DISPLAYS
from hardware.status import Report
from tests.support.waiting import patience, until


@pytest.fixture(autouse=True)
def patient() -> Iterator[None]:
    """No device is taken for a silent one because the machine is busy."""
    with patience("hardware."):
        yield


@pytest.fixture
def hasty(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that was lost with the cable is not waited for long.

    For tests that ask only what there is in the end: a busy machine makes some tries fail, and
    the next one succeeds.
    """
    for driver in DISPLAYS.values():
        monkeypatch.setattr(f"{driver}.REPLY_WAIT_S", 0.5, raising=False)


@pytest.fixture(autouse=True)
def no_thread_is_left(patient: None) -> Iterator[None]:
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
        return until(lambda: self.codes.count(code) >= times)


@pytest.fixture
def heard() -> Heard:
    return Heard()
