"""No thread ends by accident, and none fails in silence."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import supervised_thread
from hardware.buttons.buttons import Buttons
from hardware.lamps.lamps import DARK, Frame, Lamps, Light
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.rhythm import Rhythm
from hardware.sound.buzzer import Buzzer
from hardware.status import TEXTS, Report
from hardware.supervised_thread import (
    HANGS_S,
    AsyncThread,
    InboxThread,
    SupervisedThread,
    tell_failure,
)
from tests.hardware.conftest import Heard
from tests.support.rig import rig_of
from tests.support.waiting import PATIENCE_S, until

ROOT = Path(__file__).parents[2]
PLAIN = {
    "companion/club/seasons/kept_up.py": "what it raises comes out where its result is awaited",
    "vision/camera/usb.py": "vision knows no hardware; its own loop hands on whatever it raises",
    "rules/players/analysis_server.py": "the rules know no hardware; whoever asked sees it fail",
    "rules/players/engine_server.py": "the same; the reader's end is the end of the process",
}
"""Files with threads that are not supervised, and why."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervised_thread, "FIRST_AGAIN_S", 0.005)
    monkeypatch.setattr(supervised_thread, "LONGEST_AGAIN_S", 0.02)


def threads_of(path: Path) -> Iterator[str]:
    """Names in a file that begin a thread of Python's own."""
    text = path.read_text(encoding="utf-8")
    if not re.search(r"Thread\b|Timer|Executor|start_new_thread", text):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call | ast.ClassDef):
            named = [node.func] if isinstance(node, ast.Call) else node.bases
            for name in map(ast.unparse, named):
                if name.rpartition(".")[2] in {"Thread", "Timer", "start_new_thread"} or (
                    name.endswith("PoolExecutor")
                ):
                    yield name


def test_every_thread_of_the_program_is_supervised() -> None:
    found = {
        str(path.relative_to(ROOT))
        for package in ("rules", "vision", "hardware", "companion")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "supervised_thread.py" and list(threads_of(path))
    }
    assert found == set(PLAIN)


def test_work_that_fails_is_told_once_and_taken_up_again(failures: list[str]) -> None:
    tried, owner = list[int](), list[int]()

    def work() -> None:
        tried.append(1)
        if len(tried) < 5:
            raise ValueError("what nobody expected")

    thread = SupervisedThread("test", work, failed=lambda: owner.append(1))
    thread.start()
    thread.join(3)
    assert (len(tried), len(owner)) == (5, 4)
    assert failures == ["what nobody expected"]


def test_work_that_is_done_once_is_told_and_not_repeated(failures: list[str]) -> None:
    tried: list[int] = []

    def work() -> None:
        tried.append(1)
        raise ValueError("no")

    def failed() -> None:
        raise KeyError("the owner fails as well")

    thread = SupervisedThread("test", work, failed=failed, once=True)
    thread.start()
    thread.join(3)
    assert tried == [1]
    assert failures == ["no", "'the owner fails as well'"]


def test_a_listener_that_fails_itself_leaves_it_to_python(
    monkeypatch: pytest.MonkeyPatch, failures: list[str]
) -> None:
    def broken(_args: object) -> None:
        raise OSError("no log")

    printed: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", broken)
    monkeypatch.setattr(threading, "__excepthook__", lambda args: printed.append(args.exc_value))
    tell_failure(mistake := ValueError("x"))
    assert printed == [mistake]


def test_messages_come_in_order_and_a_tick_once_none_waits() -> None:
    begun, heard = threading.Event(), list[object]()

    def take(message: str) -> None:
        begun.wait(PATIENCE_S)
        heard.append(message)

    thread = InboxThread("test", take, tick=lambda: heard.append(None))
    thread.start()
    for message in "abc":
        thread.put(message)
        thread.wake()
    begun.set()
    assert until(lambda: heard == ["a", "b", "c", None])
    thread.close()
    assert heard == ["a", "b", "c", None], "however often it was woken"


def test_what_was_put_in_before_the_end_is_dealt_with_and_nothing_after_it() -> None:
    heard: list[str] = []
    thread = InboxThread[str]("test", heard.append, last=lambda: heard.append("last"))
    thread.put("a")
    thread.start()
    thread.put("b")
    thread.close()
    thread.put("c")
    assert heard == ["a", "b", "last"] and not thread.waiting and not thread.is_alive()


def test_an_inbox_with_a_limit_loses_the_oldest() -> None:
    heard: list[int] = []
    thread = InboxThread[int]("test", heard.append, limit=2)
    for number in range(5):
        thread.put(number)
    thread.start()
    thread.close()
    assert heard == [3, 4]


def test_a_message_that_fails_costs_no_other_and_a_tick_that_fails_is_tried_again(
    failures: list[str],
) -> None:
    heard, ticks = list[int](), list[int]()

    def take(number: int) -> None:
        if number == 2:
            raise ValueError("two")
        heard.append(number)

    def tick() -> None:
        ticks.append(1)
        if len(ticks) < 3:
            raise ValueError("not yet")

    def due() -> None:
        if len(ticks) == 3:
            raise ValueError("no clock")

    def leave() -> None:
        raise ValueError("not even the end")

    thread = InboxThread("test", take, tick=tick, due=due, last=leave)
    for number in (1, 2, 3):
        thread.put(number)
    thread.start()
    assert until(lambda: heard == [1, 3])
    thread.wake()
    assert until(lambda: "no clock" in failures)
    thread.close()
    assert failures == ["two", "not yet", "no clock", "not even the end"]


def test_a_thread_ticks_when_something_is_due_and_asks_anew_when_a_message_came() -> None:
    wait_s: list[float | None] = [None]
    ticks: list[float] = []

    def tick() -> None:
        ticks.append(time.monotonic())
        wait_s[0] = None

    def take(seconds: float) -> None:
        wait_s[0] = seconds

    thread = InboxThread("test", take, tick=tick, due=lambda: wait_s[0])
    thread.start()
    began = time.monotonic()
    thread.put(1000.0)
    thread.put(0.05)
    assert until(lambda: len(ticks) == 1)
    thread.close()
    assert ticks[0] - began >= 0.05


def test_a_thread_can_be_closed_before_it_begins_and_by_itself() -> None:
    heard: list[str] = []
    thread = InboxThread[str]("test", heard.append)
    thread.close()
    thread.start()
    assert thread.ident is None, "what is closed does not begin any more"

    own = InboxThread[str]("test", lambda _message: own.close(), last=lambda: heard.append("last"))
    own.start()
    own.start()
    own.put("close yourself")
    own.join(PATIENCE_S)
    assert heard == ["last"]


def test_an_event_loop_ends_when_its_thread_is_closed_and_begins_anew_if_it_fails(
    failures: list[str],
) -> None:
    begun, called = list[int](), threading.Event()

    async def main(over: asyncio.Event) -> None:
        begun.append(1)
        if len(begun) == 1:
            raise ValueError("in the loop")
        await over.wait()
        begun.append(2)

    thread = AsyncThread("test", main)
    assert not thread.call(called.set), "there is no loop yet"
    thread.start()
    assert until(lambda: thread.call(called.set)) and called.wait(PATIENCE_S)
    assert until(lambda: len(begun) == 2)
    thread.close()
    assert begun == [1, 1, 2] and failures == ["in the loop"]
    assert not thread.call(called.set)


class Failing:
    """A driver that fails at one of its deeds, as often as is said."""

    def __init__(self, deed: str, times: int) -> None:
        self._deed, self._times = deed, times
        self.shown: list[str] = []

    def _may_fail(self, deed: str) -> None:
        if deed == self._deed and self._times:
            self._times -= 1
            raise ZeroDivisionError(f"in {deed}")

    def greet(self, port: SerialPort) -> None:
        port.write(b"hello")
        self._may_fail("greet")

    def send(self, port: SerialPort, value: str) -> None:
        self._may_fail("send")
        self.shown.append(value)

    def received(self, data: bytes) -> None:
        self._may_fail("received")

    def lost(self) -> None:
        self._may_fail("lost")


@pytest.mark.parametrize("deed", ["greet", "send", "received"])
def test_a_driver_that_fails_is_told_and_the_device_is_shown_the_newest(
    deed: str, heard: Heard, failures: list[str]
) -> None:
    driver = Failing(deed, 3)
    link = Link("test", "loop://", driver, heard, first_wait_s=0.01)
    link.put("7")
    assert heard.wait_for("mistake")
    assert until(lambda: heard.codes[-1] == "connected")
    link.put("8")
    assert until(lambda: driver.shown[-1:] == ["8"])
    link.close()
    assert failures == [f"in {deed}"]


@pytest.mark.parametrize("deed", ["greet", "send", "received", "lost"])
def test_a_driver_that_always_fails_is_never_called_connected_and_can_be_closed(
    deed: str, heard: Heard, failures: list[str]
) -> None:
    link = Link("test", "loop://", Failing(deed, 10_000), heard, first_wait_s=0.01)
    link.put("7")
    if deed != "lost":
        assert heard.wait_for("mistake")
        assert heard.codes[-1] == "mistake"
    link.close()
    assert not link._thread.is_alive()
    assert "{port}" in TEXTS["mistake"] and not Report("mistake").ok


def test_lamps_whose_backend_fails_once_show_what_they_were_to_show(failures: list[str]) -> None:
    class Backend:
        count, is_strip = 1, False
        frames: list[Frame]

        def __init__(self) -> None:
            self.frames = []
            self.act: Callable[[], None] = self.fail

        def fail(self) -> None:
            self.act = lambda: None
            raise RuntimeError("no lamps")

        def show(self, frame: Frame) -> None:
            self.act()
            self.frames.append(frame)

        def close(self) -> None:
            pass

    backend = Backend()
    lamps = Lamps(backend, brightness=1.0, rest=DARK)
    lamps.show({0: Light((255, 0, 0))})
    assert until(lambda: ((255, 0, 0),) in backend.frames)
    lamps.close()
    assert failures == ["no lamps"]


def test_a_buzzer_whose_pin_is_gone_can_be_closed(failures: list[str]) -> None:
    class Gone:
        def on(self) -> None:
            raise OSError("no pin")

        def off(self) -> None:
            raise OSError("no pin")

        def close(self) -> None:
            pass

    buzzer = Buzzer(Gone())
    buzzer.buzz(Rhythm.STEADY)
    closing = threading.Thread(target=buzzer.close, daemon=True)
    closing.start()
    closing.join(5)
    assert not closing.is_alive()
    assert "no pin" in failures


@pytest.fixture
def hanging() -> Iterator[SupervisedThread]:
    """A thread that hangs in the middle of its work until the test is over."""
    out, into = os.pipe()
    thread = SupervisedThread("heelstone-test", lambda: (os.read(out, 1), None)[1])
    thread.start()
    yield thread
    os.write(into, b"x")
    thread.join()
    os.close(out)
    os.close(into)


def found_to_hang(hangs: Callable[[float], bool]) -> bool:
    """True once the thread, which may need a while to come to its place, is found to hang."""
    now_s = 0.0
    for _ in range(500):
        now_s += HANGS_S
        if hangs(now_s):
            return True
        time.sleep(0.01)
    return False


def test_a_thread_that_hangs_in_its_work_is_found_and_one_that_rests_is_not(
    hanging: SupervisedThread,
) -> None:
    resting = SupervisedThread("rests", lambda: (resting.rest(), None)[1])
    waiting = InboxThread[str]("waits")
    resting.start()
    waiting.start()
    assert not hanging.hangs(0.0)
    assert found_to_hang(hanging.hangs)
    for thread in (resting, waiting):
        assert not thread.hangs(1000.0) and not thread.hangs(2000.0)
        thread.close()
    assert not resting.hangs(3000.0), "what has ended does not hang"


def test_a_rig_with_a_hanging_thread_shows_no_sign_of_life(hanging: SupervisedThread) -> None:
    with rig_of({"lamps": {"kind": "mock", "count": 3}}) as rig:
        assert rig.alive()
        rig._threads.append(hanging)
        assert rig.alive()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(supervised_thread, "HANGS_S", 0.05)
            assert until(lambda: not rig.alive())
        rig._threads.remove(hanging)
        assert rig.alive()


def test_buttons_that_nobody_presses_do_not_hang() -> None:
    buttons = Buttons(["commit"])
    assert until(lambda: not buttons._thread.hangs(0.0))
    assert not any(buttons._thread.hangs(HANGS_S * look) for look in range(1, 5))
    buttons.close()
