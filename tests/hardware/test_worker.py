"""No thread ends by accident, and none fails in silence."""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import worker
from hardware.lamps.lamps import DARK, Frame, Lamps, Light
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.rhythm import Rhythm
from hardware.sound.buzzer import Buzzer
from hardware.status import TEXTS, Report
from hardware.worker import Worker, tell_failure
from tests.hardware.conftest import Heard
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
PLAIN = {
    "hardware/twin/pty.py": "a simulated device, no part of a real table",
    "vision/camera/usb.py": "vision knows no hardware; its own loop hands on whatever it raises",
    "rules/players/judging_apart.py": "the rules know no hardware; whoever asked sees it fail",
    "rules/players/serving.py": "the same; the reader's end is the end of the process",
    "companion/demo/table_thread.py": "it keeps its error, and the window tells",
}
"""Files with threads that are no ``Worker``, and why."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "FIRST_AGAIN_S", 0.005)
    monkeypatch.setattr(worker, "LONGEST_AGAIN_S", 0.02)


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


def test_every_thread_of_the_program_is_a_worker() -> None:
    found = {
        str(path.relative_to(ROOT))
        for package in ("rules", "vision", "hardware", "companion")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "worker.py" and list(threads_of(path))
    }
    assert found == set(PLAIN)


def test_work_that_fails_is_told_once_and_taken_up_again(failures: list[str]) -> None:
    tried, owner = list[int](), list[int]()

    def work() -> None:
        tried.append(1)
        if len(tried) < 5:
            raise ValueError("what nobody expected")

    thread = Worker(work, "test", failed=lambda: owner.append(1))
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

    thread = Worker(work, "test", failed=failed, once=True)
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
