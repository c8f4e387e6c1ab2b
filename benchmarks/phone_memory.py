"""Memory for phones: ``python -m benchmarks.phone_memory`` prints it, MB, as JSON.

A process of its own: the server is loaded only when it is turned on.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from benchmarks.phones import crowd_at, house, moves, served
from companion.settings.people import MatchSetup


def _main() -> None:
    with house() as table:
        session = table.start(MatchSetup("dominion", 4, {}, names=tuple("ABCD"), physical=False))
        for _ in moves(session, 20):
            pass
        assert "starlette" not in sys.modules, "it is loaded already"
        before = _resident_mb()
        with served(session) as server:
            time.sleep(0.5)
            on = _resident_mb()
            with crowd_at(server, session):
                for _ in moves(session, 60):
                    time.sleep(0.05)
                phones = _resident_mb()
    print(json.dumps({"on": on - before, "phones": phones - before}))


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


if __name__ == "__main__":
    _main()
