"""A queue of tasks, one per frame, so that touches are never kept waiting.

A screen appears sooner when its slow parts come one by one after it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from kivy.clock import Clock

_tasks: deque[Callable[[], object]] = deque()


def soon(task: Callable[[], object]) -> None:
    """Do ``task`` in one of the next frames, after those that were asked for before."""
    _tasks.append(task)
    _next_frame()


def waiting() -> bool:
    """True if something is still to be done."""
    return bool(_tasks)


def finish() -> None:
    """Do everything now, for callers that need the whole picture."""
    while _tasks:
        _tasks.popleft()()


def _one(*_: object) -> None:
    if _tasks:
        _tasks.popleft()()
    if _tasks:
        _next_frame()


_next_frame = Clock.create_trigger(_one, 0)
