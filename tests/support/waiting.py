"""Waiting for other threads without counting on their speed."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["until"]


def until(done: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Wait until something holds; whether it came to hold."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
