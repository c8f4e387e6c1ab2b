"""Waiting for other threads without counting on their speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

PATIENCE_S = 60.0
"""Maximum wait for what must happen, seconds: far beyond what it takes on the busiest machine. It
is waited for in full only where something is wrong."""

PAUSE_S = 0.005
"""Time between two questions, seconds."""
ANSWER_S = 2.0
"""Maximum wait for an answer of a display, seconds, each of three times. A cable that is pulled in
between is noticed only then."""
LIMITS = {
    "companion.match.session.SETTLE_S": PATIENCE_S,
    "companion.words.progress.PATIENCE_S": PATIENCE_S,
    "hardware.displays.cfa635.REPLY_WAIT_S": ANSWER_S,
    "hardware.displays.lcdd.REPLY_WAIT_S": 3 * ANSWER_S,
    "hardware.displays.pico.REPLY_WAIT_S": ANSWER_S,
    "hardware.lamps.wled.ANSWER_WAIT_S": PATIENCE_S,
    "hardware.lamps.wled.PATIENCE_S": PATIENCE_S,
    "hardware.ports.link.CLOSE_WAIT_S": PATIENCE_S,
    "hardware.ports.serial_port.WRITE_TIMEOUT_S": PATIENCE_S,
}
"""Limits of the program for what is done at once, unless something is wrong, and their values in
tests."""


@contextmanager
def patience(within: str = "") -> Iterator[None]:
    """Raises the program's limits, so that nothing is taken for hanging because the machine is
    busy.

    ``within``: only limits of this package. A test of what happens when patience ends shortens it
    itself, as soon as all is where the test wants it.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name, seconds in LIMITS.items():
            if name.startswith(within):
                patch.setattr(name, seconds)
        yield


def until(done: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
    """Waits until something holds; True if it came to hold."""
    asked = time.monotonic()
    end = asked + seconds
    while not done():
        now = time.monotonic()
        if now > end:
            return False
        # What is waited for needs the processor as well, so asking takes half of it at most.
        time.sleep(max(PAUSE_S, now - asked))
        asked = time.monotonic()
    return True
