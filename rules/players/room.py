"""The memory that a process of computer players may take."""

from __future__ import annotations

import os
from collections.abc import Callable


def room_used(most_mb: int | None) -> Callable[[], bool]:
    """A question that is answered with True once this process holds so many MB; None: never.

    It is asked after every playout: ``/proc/self/statm`` is opened once, and tells in pages.
    """
    if most_mb is None:
        return lambda: False
    most, told = (
        (most_mb << 20) // os.sysconf("SC_PAGE_SIZE"),
        os.open("/proc/self/statm", os.O_RDONLY),
    )
    return lambda: int(os.pread(told, 64, 0).split()[1]) >= most
