"""A real limit of memory: a control group of this system's kernel."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

TOP = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class MemoryGroup:
    """The control group of a program and of all that it starts."""

    folder: Path
    version: int

    def enter(self) -> None:
        """Move this process into it; for ``preexec_fn``."""
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def held(self) -> int:
        """Bytes that cannot be given back, since there is nowhere to put them: what the kernel can
        read again from files is not counted."""
        wanted = ("anon", "shmem") if self.version == 2 else ("total_rss", "total_shmem")
        told = dict(line.split() for line in (self.folder / "memory.stat").read_text().splitlines())
        return sum(int(told.get(name, 0)) for name in wanted)

    def killed(self) -> int:
        """Number of processes that were ended because the limit was reached."""
        name = "memory.events" if self.version == 2 else "memory.oom_control"
        found = re.search(r"^oom_kill (\d+)$", (self.folder / name).read_text(), re.M)
        return int(found[1]) if found else 0


def limits_possible() -> bool:
    """True if this user may make such groups here."""
    with suppress(OSError), memory_group(64):
        return True
    return False


@contextmanager
def memory_group(limit_mb: int) -> Iterator[MemoryGroup]:
    """A group that may hold so many MB, without any swap. Raises OSError where none can be made."""
    version = 2 if (TOP / "cgroup.controllers").exists() else 1
    folder = (TOP if version == 2 else TOP / "memory") / f"heelstone-test-{os.getpid()}"
    folder.mkdir()
    try:
        limit = str(limit_mb << 20)
        if version == 2:
            (folder / "memory.max").write_text(limit)
            with suppress(OSError):
                (folder / "memory.swap.max").write_text("0")
        else:
            (folder / "memory.limit_in_bytes").write_text(limit)
            with suppress(OSError):
                (folder / "memory.memsw.limit_in_bytes").write_text(limit)
        yield MemoryGroup(folder, version)
    finally:
        _empty(folder)
        folder.rmdir()


def _empty(folder: Path) -> None:
    """End what a program that was ended has left behind."""
    while left := (folder / "cgroup.procs").read_text().split():
        for number in left:
            with suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGKILL)
        time.sleep(0.05)
