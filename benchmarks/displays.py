"""Score displays on the wire: delay, number of bytes, and recovery after a cut.

A whole Heelstone plays, and a simulated display at the other end of a real serial line (a pseudo
terminal) reads the wire byte by byte; what counts is what a person reads on it, and when. A pseudo
terminal has no speed, so what the baud rate adds is calculated from the bytes.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.measure import Result
from companion.app.application import Application
from companion.match.session import Session
from companion.match.view import PlayMove, Undo
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.displays.segments import digit_text
from hardware.settings import RigSettings, ScoreSettings
from hardware.simulated.pty import PtyTwin
from rules.testing.playout import pick
from tests.support.devices import Case
from tests.support.plugged_in import SCORE_DISPLAYS

GAME = "knizia_stonehenge"
MOVES = 60
PULLS = 10
PATIENCE_S = 20.0


def results() -> Iterator[Result]:
    """All figures; takes about ten minutes, most of them for the cuts."""
    displays = [
        (name, kind, case)
        for kind, device in SCORE_DISPLAYS.items()
        for name, case in device.models.items()
        if case.at_port
    ]
    for measure in (_playing, _pulled, _cut):
        for name, kind, case in displays:
            yield from measure(name, kind, case)


@contextmanager
def _table(kind: str, case: Case) -> Iterator[tuple[Application, Session, Any]]:
    twin: PtyTwin = case.twin()
    with tempfile.TemporaryDirectory() as folder, twin:
        rig = RigSettings(score=ScoreSettings(kind=kind, port=twin.url, **case.score))
        house = Application(Settings(rig=rig), Path(folder), "en")
        try:
            session = house.start(MatchSetup(GAME, 2, {}, names=("Anna", "Bo"), physical=False))
            _until(lambda: _shows(house, twin))
            yield house, session, twin
        finally:
            house.close()


def _shows(house: Application, twin: Any) -> bool:
    """True if the twin shows what the display was last asked to show."""
    shown = house.rig.score
    if shown.digits is None:
        return bool(tuple(twin.rows()) == shown.read() and any(map(str.strip, shown.lines)))
    line = shown.lines[0] if shown.lines else ""
    wanted = digit_text(line, shown.digits.places, colon=shown.digits.colon)
    if not shown.digits.dots:
        wanted = replace(wanted, dots=frozenset())
    return bool(twin.rows() == [str(wanted)] and line)


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the simulated display does not show what it should")
        time.sleep(0.001)


def _playing(name: str, kind: str, case: Case) -> Iterator[Result]:
    chance, told_at, taken_at = Random(3), [0.0], [0.0]
    late, sizes = [], []
    with _table(kind, case) as (house, session, twin):
        take = twin.take

        def noted(data: bytes) -> None:
            take(data)
            taken_at[0] = time.perf_counter()

        twin.take = noted
        publish = session._publish

        def published(events: Any) -> None:
            told_at[0] = told_at[0] or time.perf_counter()
            publish(events)

        session._publish = published  # type: ignore[method-assign]
        time.sleep(1.2)
        for _ in range(MOVES):
            told_at[0] = 0.0
            before = bytes(twin.received)
            match = session.table.match
            moves = list(match.legal_moves())
            if match.outcome is not None or not moves:
                session.post(Undo())
            else:
                session.post(PlayMove(pick(match.state, moves, chance)))
            session.settle()
            _until(lambda: _shows(house, twin))
            time.sleep(0.06)
            sent = _without_keepalive(bytes(twin.received)[len(before) :])
            if sent:
                late.append((taken_at[0] - told_at[0]) * 1e3)
                sizes.append(len(sent))
    late.sort()
    usual = statistics.median(sizes)
    wire = f", and {10e3 * usual / case.baud:.0f} ms at {case.baud} baud" if case.baud else ""
    yield Result(
        f"{name}: event to letters, usual", statistics.median(late), "ms", "", None, None,
        f"95 of 100 within {late[int(len(late) * 0.95)]:.1f} ms{wire}",
    )  # fmt: skip
    yield Result(
        f"{name}: bytes of an update", usual, "bytes",
        "the whole screen" if case.whole else "", case.whole or None,
        case.whole / usual if case.whole else None,
        f"at most {max(sizes)}, {len(sizes)} updates",
    )  # fmt: skip


def _without_keepalive(data: bytes) -> bytes:
    lines = [line for line in data.split(b"\n") if b",K*" not in line]
    return b"\n".join(lines) if b"$" in data else data


def _pulled(name: str, kind: str, case: Case) -> Iterator[Result]:
    spans = []
    with _table(kind, case) as (house, _session, twin):
        for points in range(PULLS):
            twin.unplug()
            house.rig.score.show([f"Anna\t{points}", "Bo"])
            time.sleep(0.3 * (points + 1) % 2.0)
            start = time.perf_counter()
            twin.replug()
            _until(lambda: _shows(house, twin))
            spans.append(time.perf_counter() - start)
    yield Result(
        f"{name}: back after it was plugged in", statistics.median(spans), "s", "", None, None,
        f"at most {max(spans):.2f} s, {PULLS} times",
    )  # fmt: skip


def _cut(name: str, kind: str, case: Case) -> Iterator[Result]:
    """The cable is pulled at each byte of greeting, screen and update, and plugged in again."""
    tried = failed = 0
    with _table(kind, case) as (house, _session, twin):
        for link in _links(house):
            link._first_wait_s = 0.01
        for cut in count(1):
            twin.unplug()
            twin.replug()
            twin.unplug_after(cut)
            house.rig.score.show([f"{cut % 100:02d}:{cut // 100:02d}", f"second {cut}"])
            if not twin.wait_for(lambda: not twin.plugged, 1.0):
                break  # every byte has been tried
            house.rig.score.show([f"{cut % 100:02d}:99", f"{cut} third"])
            twin.replug()
            tried += 1
            failed += not twin.wait_for(partial(_shows, house, twin), PATIENCE_S)
    yield Result(
        f"{name}: cut at each byte", tried, "cuts", "", None, None,
        f"{failed} of them left another text, {len(twin.errors)} bytes no manual allows",
    )  # fmt: skip


def _links(house: Application) -> list[Any]:
    link = getattr(house.rig.score.device, "_link", None)
    return [] if link is None else [link]
