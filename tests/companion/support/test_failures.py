"""A thread that fails is told on the screen and goes on, whichever it is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.app.application import Application
from companion.camera.card_counter import CardWatch
from companion.export.sticks import StickDesk
from companion.match.view import MachineNote, PlayMove
from companion.outputs.cues import ClockTicker
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from companion.support.failures import FailureWatch
from companion.support.heartbeat import Heartbeat, Notifier
from companion.support.machine import MachineWatch
from hardware.supervised_thread import SupervisedThread
from tests.support.fans import BOX
from tests.support.waiting import until
from vision.camera.sources import MemorySource

NOTE = MachineNote("mistake")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.supervised_thread.FIRST_AGAIN_S", 0.005)
    monkeypatch.setattr("hardware.supervised_thread._told", {})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Application]:
    before = threading.excepthook
    found = Application(Settings(), tmp_path, "de")
    yield found
    found.close()
    assert threading.excepthook is before


def fail(*_: object) -> None:
    raise ZeroDivisionError("nobody expected this")


def test_a_thread_that_fails_is_in_the_log_and_on_the_screen(
    house: Application, caplog: pytest.LogCaptureFixture
) -> None:
    session = house.start(MatchSetup("knizia_stonehenge", 2, physical=False))
    house.begin()
    SupervisedThread("test", fail, once=True).start()
    threading.Thread(target=fail, name="of a library").start()
    assert until(lambda: NOTE in session.view.machine)
    assert house.machine_notes() == (NOTE,), "and on the shelf"
    assert until(lambda: caplog.text.count("a mistake in") == 2)
    assert "'test'" in caplog.text and "'of a library'" in caplog.text
    session.post(PlayMove(session.view.legal[0]))
    assert session.settle() and session.view.ply == 2


def test_a_session_whose_listener_or_view_fails_says_so_and_plays_on(
    house: Application, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = house.start(MatchSetup("knizia_stonehenge", 2, physical=False))
    stop = session.listen(fail)
    session.post(PlayMove(session.view.legal[0]))
    assert until(lambda: NOTE in session.view.machine)
    stop()
    with monkeypatch.context() as patched:
        patched.setattr(session.table, "view", Once())
        session.device("score", "unplugged")
        assert until(lambda: caplog.text.count("a mistake in") == 2)
    assert session.settle() and session.view.ply == 2
    session.post(PlayMove(session.view.legal[0]))
    assert session.settle() and session.view.ply == 4
    house.pause()
    assert not any(thread.name == "session" for thread in threading.enumerate())


class Once:
    """Fails the first time and then does what ``act`` does."""

    def __init__(self, act: Callable[[], object] = lambda: None) -> None:
        self.calls, self._act = 0, act

    def __call__(self, *_: object) -> object:
        self.calls += 1
        if self.calls == 1:
            raise ZeroDivisionError("the first time")
        return self._act()


def beats(once: Once, path: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    found = Heartbeat({}, Notifier(""), once)  # type: ignore[arg-type]
    found._interval_s = 0.001
    return found.start().close


def second_hand(once: Once, path: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    patch.setattr("companion.outputs.cues._until_next", lambda *_: 0.001)
    found = ClockTicker(once)  # type: ignore[arg-type]
    found.follow(SimpleNamespace(running=True))  # type: ignore[arg-type]
    return found.close


def machine(once: Once, path: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    found = MachineWatch(path, lambda _notes: None, path)
    patch.setattr("companion.support.machine.LOOK_S", 0.001)
    patch.setattr("companion.support.machine.power_bits", once)
    return found.start().close


def sticks(once: Once, path: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    patch.setattr("companion.export.sticks.LOOK_S", 0.001)
    return StickDesk(once, [path]).start().close  # type: ignore[arg-type]


def cards(once: Once, path: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    patch.setattr("companion.camera.card_counter.AGAIN_S", 0.001)
    return CardWatch(once, BOX).start().close  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("begun", "answer"),
    [(beats, None), (second_hand, None), (machine, None), (sticks, '{"blockdevices": []}'),
     (cards, MemorySource())],
)  # fmt: skip
def test_every_thread_tells_and_goes_on(
    begun: Callable[[Once, Path, pytest.MonkeyPatch], Callable[[], object]],
    answer: object,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failures: list[str],
) -> None:
    once = Once(lambda: answer)
    close = begun(once, tmp_path, monkeypatch)
    assert until(lambda: once.calls > 1)
    close()
    assert failures == ["the first time"]


def test_a_file_for_a_stick_that_fails_as_nobody_expected_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: list[str]
) -> None:
    from companion.export.sticks import Stick

    monkeypatch.setattr("companion.export.sticks.free_place", fail)
    desk = StickDesk(lambda: '{"blockdevices": []}', [tmp_path])
    desk.keep(Stick("LISA", tmp_path, 10**9, True), ("a.jsonl", b"x"))
    desk.look()
    assert not desk.news.writing and desk.news.trouble is not None
    assert failures == ["nobody expected this"]


def test_a_mistake_is_no_quarrel_with_a_failing_screen(
    house: Application, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.machine, "_tell", fail)
    printed: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "__excepthook__", lambda args: printed.append(args.exc_type))
    SupervisedThread("test", fail, once=True).start()
    assert until(lambda: bool(printed))
    assert logging.getLogger("companion.support.failures").name in caplog.text


def test_whoever_ceased_to_listen_hears_nothing_and_keeps_nothing_back(
    failures: list[str],
) -> None:
    first, second = FailureWatch(fail).start(), FailureWatch(fail).start()
    first.stop()
    second.stop()
    SupervisedThread("test", fail, once=True).start()
    assert until(lambda: failures == ["nobody expected this"])
