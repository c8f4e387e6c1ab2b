"""Processor time of a run of tests and of its dearest files, told at its end.

What the tests cost must be seen to grow, whatever else the machine has to do: a clock on the wall
shows its load, processor time hardly. ``docs/testing.md`` says how much it may be.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any

import pytest

DEAREST = 10
"""Number of files that are told."""


def spent() -> float:
    """Processor time of this process and of its children that have ended, seconds."""
    return sum(os.times()[:4])


class ProcessorTime:
    """A plugin for workers, which measure, and for the process that tells people."""

    def __init__(self) -> None:
        self._last_s = 0.0
        self._by_file: dict[str, float] = defaultdict(float)
        self._workers_s = 0.0

    def pytest_collection_finish(self) -> None:
        self._last_s = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        report = yield
        now = spent()
        # xdist passes it on with the report.
        report.processor_s, self._last_s = now - self._last_s, now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._by_file[report.location[0]] += getattr(report, "processor_s", 0.0)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["processor_s"] = spent()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._workers_s += getattr(node, "workeroutput", {}).get("processor_s", 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        whole_s = self._workers_s + sum(os.times()[:2]) if self._workers_s else spent()
        terminalreporter.section(f"{whole_s:.0f} s of processor time; the dearest files")
        dearest = sorted(self._by_file.items(), key=lambda row: -row[1])[:DEAREST]
        for file, seconds in dearest:
            terminalreporter.line(f"{seconds:6.1f} s {file}")
