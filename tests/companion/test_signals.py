"""A signal calls its callbacks in order, in the emitting thread, whatever one of them does."""

from __future__ import annotations

import threading

from companion.signals import Signal


def test_callbacks_are_called_in_order_in_the_thread_that_emits() -> None:
    heard: list[tuple[str, int, threading.Thread]] = []
    signal = Signal[[int]]()
    for name in ("first", "second"):
        signal.add(lambda n, name=name: heard.append((name, n, threading.current_thread())))  # type: ignore[misc]
    signal(7)
    here = threading.current_thread()
    assert heard == [("first", 7, here), ("second", 7, here)]


def test_a_callback_that_fails_is_reported_and_the_others_are_called(failures: list[str]) -> None:
    heard: list[int] = []

    def fail(_number: int) -> None:
        raise ValueError("no ears")

    signal = Signal[[int]]()
    signal.add(fail)
    signal.add(heard.append)
    signal(1)
    signal(2)
    assert heard == [1, 2] and failures == ["no ears"]


def test_a_handle_stops_its_own_callback_only_and_may_be_used_twice() -> None:
    heard: list[int] = []
    signal = Signal[[int]]()
    stop, _other = signal.add(heard.append), signal.add(heard.append)
    stop()
    stop()
    signal(1)
    assert heard == [1]
    signal.clear()
    signal(2)
    assert heard == [1]


def test_a_callback_may_add_and_remove_others() -> None:
    heard: list[str] = []
    signal = Signal[[]]()

    def first() -> None:
        heard.append("first")
        stop_second()
        signal.add(lambda: heard.append("new"))

    stop_first = signal.add(first)
    stop_second = signal.add(lambda: heard.append("second"))
    signal()
    assert heard == ["first", "second"], "who was there when it was emitted is called"
    stop_first()
    signal()
    assert heard == ["first", "second", "new"]
