"""Lamps on the wire: number of frames, delay, and recovery after a mishap.

A whole Heelstone plays, and a simulated controller at the other end of a real serial line (a pseudo
terminal) reads the wire byte by byte; what counts is what its strip shows, and when.
"""

from __future__ import annotations

import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.measure import Result
from companion.app.application import Application
from companion.match.events import TableEvent
from companion.match.session import Listener, Session
from companion.match.view import PlayMove, TableView, Undo
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from companion.signals import Signal
from hardware.lamps.adalight import AdalightStrip, adalight_frame
from hardware.lamps.lamps import Lamps, Light
from hardware.lamps.wled import Wled, WledStrip
from hardware.ports.serial_port import SerialPort
from hardware.rhythm import Rhythm
from hardware.settings import LampSettings, RigSettings
from hardware.simulated.strip import AdalightTwin, Pixel, StripTwin
from hardware.simulated.wled import WledTwin
from hardware.status import Report
from rules.testing.playout import pick

COUNT = 33
GAME = "knizia_stonehenge"
BUSY_S = 60.0
THINKING_S = 0.8
EVENTS = 150
APART_S = 0.15
MISHAPS = 15
WIRE_BYTES_S = 11520
"""Capacity of 115200 baud, bytes a second."""


def results() -> Iterator[Result]:
    """All figures; takes about three minutes."""
    yield from _busy_minute()
    yield from _latency()
    yield from _garbage()
    yield from _silence()
    yield from _unplugged()


class _Watched(WledTwin):
    """A strip that counts bytes and notes when every frame was whole."""

    def __init__(self, count: int) -> None:
        self.whole: list[float] = []
        self.bytes = 0
        super().__init__(count)

    def take(self, data: bytes) -> None:
        self.bytes += len(data)
        super().take(data)

    def light(self, data: bytes) -> None:
        super().light(data)
        self.whole.append(time.perf_counter())


@contextmanager
def _table(twin: StripTwin) -> Iterator[tuple[Application, Session]]:
    lamps = LampSettings(kind="wled", port=twin.url, count=COUNT)
    with tempfile.TemporaryDirectory() as folder:
        house = Application(Settings(rig=RigSettings(lamps=lamps)), Path(folder), "en")
        try:
            session = house.start(MatchSetup(GAME, 2, {}, names=("Anna", "Bo"), physical=False))
            _until(lambda: house.rig.status()[0].code == "connected")
            yield house, session
        finally:
            house.close()


def _busy_minute() -> Iterator[Result]:
    """A move, a breach or a move taken back every 0.8 s, and a lamp that always blinks."""
    chance = random.Random(5)
    with ExitStack() as stack:
        twin = stack.enter_context(_Watched(COUNT))
        house, session = stack.enter_context(_table(twin))
        began, before = time.perf_counter(), twin.bytes
        frames = twin.frames
        sent_at: list[float] = []
        send = Wled.send

        def noted(wled: Wled, port: SerialPort, value: bytes) -> None:
            sent_at.append(time.perf_counter())
            send(wled, port, value)

        stack.enter_context(patch.object(Wled, "send", noted))
        while time.perf_counter() - began < BUSY_S:
            match = session.table.match
            if match.outcome is not None or chance.random() < 0.2:
                session.post(Undo())
            else:
                session.post(PlayMove(pick(match.state, list(match.legal_moves()),
                                          chance)))  # fmt: skip
            session.settle()
            blinking = {0: Light((213, 94, 0), Rhythm.DOUBLE_BLINK)}
            house.rig.lamps.show(blinking | {1: Light((86, 180, 233), Rhythm.SLOW_PULSE)})
            time.sleep(THINKING_S)
        spent = time.perf_counter() - began
        number, sent = twin.frames - frames, twin.bytes - before
    most = max(sum(start <= at < start + 1 for at in sent_at[n:n + 40])
               for n, start in enumerate(sent_at))  # fmt: skip
    yield _figure("lamps: frames in a busy minute", number, "frames", "1200")
    yield _figure("lamps: most frames in one second", most, "frames", "20")
    yield _figure(f"lamps: bytes a frame, {COUNT} lamps", sent / number, "bytes", "")
    yield _figure("lamps: part of 115200 baud", 100 * sent / spent / WIRE_BYTES_S, "%", "")


def heard_first(session: Session, listener: Listener) -> Callable[[], None]:
    """Let ``listener`` hear of everything before all others; returns how to stop that."""
    first = Signal[[TableView, Sequence[TableEvent]]]()
    stop = first.add(listener)
    first.add(session._published)
    session._published = first
    return stop


def _latency() -> Iterator[Result]:
    """Time from an event of the session until its frame has come through the serial line."""
    chance = random.Random(7)
    spans: list[float] = []
    with _Watched(COUNT) as twin, _table(twin) as (_house, session):
        at = [0.0]

        def heard(_view: Any, _events: Any) -> None:
            at[0] = time.perf_counter()

        heard_first(session, heard)
        shown: list[Pixel] = []
        before = resource.getrusage(resource.RUSAGE_SELF)
        while len(spans) < EVENTS:
            match = session.table.match
            if match.outcome is not None:
                session.post(Undo(20))
            else:
                move = pick(match.state, list(match.legal_moves()), chance)
                session.post(PlayMove(move))
            session.settle()
            time.sleep(APART_S + chance.random() * 0.05)
            # Two moves may leave the same lamps as they are; then nothing is sent.
            later = [when for when in islice(twin.whole, max(len(twin.whole) - 5, 0), None)
                     if when > at[0]]  # fmt: skip
            if later and twin.pixels != shown:
                spans.append((later[0] - at[0]) * 1e3)
            shown = twin.pixels
        after = resource.getrusage(resource.RUSAGE_SELF)
    spans.sort()
    cpu = (after.ru_utime - before.ru_utime) * 1e3 / EVENTS
    yield _figure("lamps: event to wire, median", statistics.median(spans), "ms", "50")
    yield _figure("lamps: event to wire, 95 of 100", spans[round(0.95 * len(spans))], "ms", "100")
    yield _figure("lamps: user CPU a move, all in all", cpu, "ms", "")


def _garbage() -> Iterator[Result]:
    """A torn frame and noise on the wire until the strip shows what it should again.

    Nothing on our side notices it; the frames that follow put it right.
    """
    chance = random.Random(9)
    for name, twin_of, wled in (("Adalight", AdalightTwin, False), ("WLED", WledTwin, True)):
        spans = []
        twin: StripTwin = twin_of(COUNT)
        with twin, _lamps(twin, wled) as lamps:
            for number in range(MISHAPS):
                time.sleep(chance.random())
                red = Light((200 - number, 0, 0))
                frame = adalight_frame(((9, 9, 9),) * COUNT)
                with twin._news:
                    # No command of WLED is in the noise; that is measured below.
                    twin.take(bytes(chance.choice(b"Ad\x00\x10\x55\xff") for _ in range(60)))
                    twin.take(frame[: chance.randrange(1, len(frame))])
                    began = time.perf_counter()
                lamps.show({number: red})
                _until(lambda: any(twin.pixels[number]) and twin.pixels.count((0, 0, 0)) == 32)  # noqa: B023
                spans.append(time.perf_counter() - began)
        yield _figure(f"{name}: after noise, median", statistics.median(spans), "s", "2")
        yield _figure(f"{name}: after noise, longest", max(spans), "s", "5")


def _silence() -> Iterator[Result]:
    """A WLED that no longer understands anything, until that is noticed; then it restarts."""
    told: list[Report] = []
    with WledTwin(COUNT) as twin, _lamps(twin, wled=True, listener=told.append) as lamps:
        lamps.show({1: Light((200, 0, 0))})
        _until(lambda: any(twin.pixels[1]))
        with twin._news:
            twin.baud = 230400
        began = time.perf_counter()
        _until(lambda: told[-1].code == "fell_silent", 30)
        noticed = time.perf_counter() - began
        with twin._news:
            twin.boot()
        began = time.perf_counter()
        _until(lambda: any(twin.pixels[1]), 30)
        back = time.perf_counter() - began
    yield _figure("WLED: silence noticed after", noticed, "s", "10")
    yield _figure("WLED: lit after its restart", back, "s", "10")


def _unplugged() -> Iterator[Result]:
    """Time from the plug going in again until the strip shows what it should."""
    for gone_s, times in ((0.5, 10), (10.0, 3)):
        spans = []
        with WledTwin(COUNT, boot_s=0.0) as twin, _lamps(twin, wled=True) as lamps:
            for number in range(times):
                twin.unplug()
                lamps.show({number: Light((200, 0, 0))})
                time.sleep(gone_s)
                twin.replug()
                began = time.perf_counter()
                _until(lambda: any(twin.pixels[number]), 20)  # noqa: B023
                spans.append(time.perf_counter() - began)
        name = f"WLED: unplugged for {gone_s:g} s, lit after"
        yield _figure(f"{name}, median", statistics.median(spans), "s", "")
        yield _figure(f"{name}, longest", max(spans), "s", "5")


@contextmanager
def _lamps(
    twin: StripTwin, wled: bool, listener: Callable[[Report], None] = lambda _: None
) -> Iterator[Lamps]:
    strip = (WledStrip if wled else AdalightStrip)(twin.url, listener, count=COUNT)
    lamps = Lamps(strip, brightness=1)
    lamps.show({0: Light((200, 0, 0))})
    _until(lambda: any(twin.pixels[0]))
    try:
        yield lamps
    finally:
        lamps.close()


def _until(done: Callable[[], bool], seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the strip never showed what it should")
        time.sleep(0.001)


def _figure(name: str, value: float, unit: str, aim: str) -> Result:
    return Result(name, float(value), unit, "", None, None, f"at most {aim}" if aim else "–")
