"""Shares of the computer's memory: pictures, the camera's buffers, computer players.

A program for one board that takes what its memory allows would be ended on a smaller one, and what
fits the smallest would waste the others. So each board has a row here, and the row is chosen by
what is offered: by the system, and by the control groups this process is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Share(NamedTuple):
    """The use that is made of the memory of one board."""

    board_mb: int
    """Memory of the board that it is meant for, MB."""
    least_mb: int
    """It is chosen from so much offered memory on, MB: a system keeps a part for itself."""
    most_px: int
    """Pixels of a picture at most, unless a size is set."""
    buffers: int
    """Pictures in the hands of a Pi camera."""
    players_mb: int
    """Memory with which computer players stop thinking ahead, MB."""
    rest_s: float
    """Seconds without a question after which their process ends."""
    most_held_mb: int
    """Memory that the program holds at most, MB; ``tests/endurance/boards.py`` measures it."""


SHARES = (
    Share(512, 0, 3_300_000, 2, 64, 30.0, 200),
    Share(1024, 600, 13_000_000, 2, 128, 60.0, 320),
    Share(2048, 1400, 13_000_000, 3, 256, 300.0, 350),
    Share(4096, 2800, 64_000_000, 3, 512, 300.0, 350),
)
"""By board. 3.3 megapixels are half the width of twelve: of 2304 × 1296 px, three bytes each, two
buffers, two pictures and a look at one take 60 MB, of twelve megapixels 300."""


def share_of(offered_mb: int | None) -> Share:
    """The share of the largest board that has no more memory than is offered; None: it is not
    known, as on a computer without ``/proc``."""
    return [s for s in SHARES if offered_mb is None or s.least_mb <= offered_mb][-1]


def offered_mb(root: Path = Path("/")) -> int | None:
    """The memory that this process may take, MB: all of the computer's, or what its control groups
    allow; None if nothing tells. ``root``: where ``/proc`` and ``/sys`` are."""
    whole_mb = memory_mb(root, "MemTotal")
    offers = [limit >> 20 for limit in _limits(root)]
    return min(offers if whole_mb is None else [whole_mb, *offers], default=None)


def still_needed_mb(share: Share, tables: Iterable[int] = (), root: Path = Path("/")) -> int:
    """The memory that must be free for a table, MB: what it holds at most, without what this
    process and running tables, by their numbers, hold already."""
    holds_kb = 0
    for process in ("self", *tables):
        with suppress(OSError):
            told = (root / f"proc/{process}/status").read_text(encoding="ascii", errors="replace")
            holds_kb += sum(
                map(int, re.findall(r"^Rss(?:Anon|Shmem):\s*(\d+)", told, re.MULTILINE))
            )
    return max(share.most_held_mb - (holds_kb >> 10), 0)


def memory_mb(root: Path = Path("/"), line: str = "MemAvailable") -> int | None:
    """Memory still available to programs, or what another line of ``/proc/meminfo`` tells, in MB;
    None if this computer does not tell."""
    with suppress(OSError):
        for told in (root / "proc/meminfo").read_text(encoding="ascii").splitlines():
            name, _, rest = told.partition(":")
            if name == line:
                return int(rest.split()[0]) >> 10
    return None


def _limits(root: Path) -> Iterator[int]:
    """The limits of this process's control groups and all above them, bytes.

    Lines of ``/proc/self/cgroup`` are ``number:controllers:path``; of version 2 there is one,
    without controllers.
    """
    lines: list[str] = []
    with suppress(OSError):
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    for line in lines:
        _number, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        top = root / "sys/fs/cgroup" / ("memory" if controllers else "")
        name = "memory.limit_in_bytes" if controllers else "memory.max"
        group = top / path.lstrip("/")
        # In a container the path may be one of the system outside.
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):
                yield int((folder / name).read_text(encoding="ascii"))
            if folder == top:
                break
