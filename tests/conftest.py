"""Rules for every test: which of them run, and that no library gets in their way."""

from __future__ import annotations

import atexit
import gc
import os
import threading
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.processor_time import ProcessorTime

# Of what is imported and collected nothing is garbage.
gc.disable()

# Kivy reads these while it is imported; without them it takes over the root logger.
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
os.environ.setdefault("KIVY_NO_CONFIG", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")

# Whoever runs the tests, what they try answers as on a computer that names no language.
os.environ["LC_ALL"] = "C.UTF-8"

# Each worker has one core; threads of these libraries would only wait for each other.
for variable in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# Pictures come and go: the C library keeps their memory instead of having each page of it cleared
# anew. It reads this as a program starts, so in workers and in what tests start.
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(1 << 25))
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(1 << 31))

# OpenCV reads this when it opens its first film; the commands set it, but a test may be earlier.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

# How long an example takes says something about the machine and nothing about the example.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("any machine"), max_examples=25)
settings.load_profile("any machine")


@pytest.fixture(scope="session", autouse=True)
def at_home() -> Iterator[None]:
    """A private home network, whatever network the machine is in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.web.network.addresses", lambda: ("127.0.0.1",))
        yield


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Unexpected errors of threads in this test; without it, they fail the test."""
    found: list[str] = []
    monkeypatch.setattr("hardware.supervised_thread._told", {})
    monkeypatch.setattr(threading, "excepthook", lambda args: found.append(str(args.exc_value)))
    return found


LEVELS = ("thorough", "long")
"""Markers of what the quick run leaves out, the shorter first; each has an option of its name."""


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ProcessorTime())
    if not (config.getoption("--long") or config.getoption("--thorough")):
        settings.load_profile("quick")
        # Each worker would read a thousand modules for numbers and words to try.
        name = "hypothesis.internal.conjecture.providers.is_local_module_file"
        pytest.MonkeyPatch().setattr(name, lambda _path: False, raising=False)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker:
        # At its end it has told everything; to let go of a million objects takes it seconds.
        atexit.register(os._exit, 0)
    if worker and [Path(arg).name for arg in config.args] == config.getini("testpaths"):
        number = int(worker.removeprefix("gw"))
        of = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        config.args[:] = _files_beginning_with_a_share(number, of)


def _files_beginning_with_a_share(worker: int, of: int) -> list[str]:
    """All files of tests, beginning with those of this worker.

    Whoever imports a file first compiles it and keeps that for the others. If all workers began
    with the same file, each of them would compile everything.
    """
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = worker * len(files) // of
    return [str(file) for file in files[first:] + files[:first]]


def pytest_collection_finish() -> None:
    """Look for garbage seldom: screens that come and go would be searched again and again.

    A third of what is made survives a search and is looked at again after ten more. Where there is
    memory for four workers none of them comes to that in the quick run, which saves it seconds.
    """
    gc.freeze()
    much = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) >= 4
    gc.set_threshold(3_500_000 if much else 1_500_000, 10, 100)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Pytest looks for garbage once more, which takes seconds: only what ends now is left to it."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="the wider sweeps too")
    parser.addoption("--long", action="store_true", help="everything there is, whole matches too")


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """True if a test may take its time: the quick run tries fewer of what is all alike."""
    return any(request.config.getoption(f"--{level}") for level in LEVELS)


def _left_out(config: pytest.Config) -> tuple[str, ...]:
    """Marks of the tests that this run leaves out."""
    if config.getoption("--long"):
        return ()
    return LEVELS[1:] if config.getoption("--thorough") else LEVELS


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
    """Makes no items of what this run leaves out: every worker would make thousands of them."""
    marks = getattr(obj, "pytestmark", None)
    if isinstance(marks, list) and not isinstance(obj, type):
        left_out = _left_out(collector.config)
        kept = [_narrowed(mark, left_out) for mark in marks]
        if _has(marks, left_out) or not all(
            mark.args[1] for mark in kept if mark.name == "parametrize"
        ):
            return []
        marks[:] = kept
    return None


def _narrowed(mark: pytest.Mark, left_out: tuple[str, ...]) -> pytest.Mark:
    """Parameters without those that are left out; another mark as it is."""
    if mark.name != "parametrize":
        return mark
    names, values = mark.args[0], list(mark.args[1])
    kept = [n for n, value in enumerate(values) if not _has(getattr(value, "marks", ()), left_out)]
    ids = mark.kwargs.get("ids")
    named = {"ids": [ids[n] for n in kept]} if isinstance(ids, list | tuple) else {}
    return pytest.mark.parametrize(
        names, [values[n] for n in kept], **(dict(mark.kwargs) | named)
    ).mark


def _has(marks: Iterable[pytest.Mark | pytest.MarkDecorator], names: tuple[str, ...]) -> bool:
    return any(mark.name in names for mark in marks)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long") or config.getoption("--thorough"):
        # What is wider than the quick run may take its time.
        for item in items:
            item.add_marker(pytest.mark.timeout(0))
    items.sort(key=lambda item: item.path)  # the same order in all workers
    left_out = _left_out(config)
    kept: list[pytest.Item] = []
    rest: list[pytest.Item] = []
    for item in items:
        (rest if any(map(item.get_closest_marker, left_out)) else kept).append(item)
    config.hook.pytest_deselected(items=rest)
    items[:] = _longest_first(kept, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


FIRST = (
    ("companion/app/demo/test_demo.py", "companion/web", "endurance"),
    ("companion/club", "hardware"),
)
"""Files and folders that a worker begins with, and keeps: what takes longest, mostly waits, and
shares what is dear to set up (a browser; a broker and a database). Others take from a worker what
it has last; whoever began with one of these late would end long after all others."""


def _longest_first(items: list[pytest.Item], of: int) -> list[pytest.Item]:
    """Each worker gets the next share of the tests; begin each with the longest."""
    folder = Path(__file__).parent
    begun: list[list[pytest.Item]] = [[] for _worker in range(of)]
    first = [(number % of, folder / name) for number, names in enumerate(FIRST) for name in names]
    others: list[pytest.Item] = []
    for file, found_there in groupby(items, lambda item: item.path):
        worker = next((w for w, path in first if file.is_relative_to(path)), None)
        (others if worker is None else begun[worker]).extend(found_there)
    rest, found = iter(others), list[pytest.Item]()
    for worker in range(of):
        most = (len(items) - len(found)) // (of - worker)
        found += [*begun[worker], *islice(rest, max(most - len(begun[worker]), 0))]
    return found
