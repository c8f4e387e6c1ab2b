"""Whether the outputs show a sign of life: a thread that hangs is alive and yet does none."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from hardware.stuck import HANGS_S, Stuck
from tests.support.rig import rig_of

T = TypeVar("T")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def begun(target: object, *args: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=args, name="heelstone-test", daemon=True)  # type: ignore[arg-type]
    thread.start()
    return thread


def found(look: Callable[[], T], clock: Clock) -> T | None:
    """What is seen once the thread has come to its place, which may take it a while."""
    for _ in range(500):
        clock.now += HANGS_S
        if seen := look():
            return seen
        time.sleep(0.01)
    return None


def test_a_thread_that_hangs_in_its_work_is_found_and_one_that_rests_is_not(
    pipe: tuple[int, int],
) -> None:
    clock, wanted, within = Clock(), threading.Event(), threading.Event()

    def hang() -> None:
        within.set()
        os.read(pipe[0], 1)

    resting, hanging = begun(wanted.wait), begun(hang)
    within.wait()
    stuck = Stuck([resting, hanging], clock=clock)
    assert stuck.names() == []
    assert found(stuck.names, clock) == [hanging.name]
    os.write(pipe[1], b"x")
    hanging.join()
    assert stuck.names() == []
    wanted.set()
    resting.join()


def test_a_rig_with_a_hanging_thread_shows_no_sign_of_life(pipe: tuple[int, int]) -> None:
    clock = Clock()
    with rig_of({"lamps": {"kind": "mock", "count": 3}}) as rig:
        assert rig.alive()
        hanging = begun(os.read, pipe[0], 1)
        rig._stuck = Stuck([hanging], clock=clock)
        assert rig.alive()
        assert found(lambda: not rig.alive(), clock)
        os.write(pipe[1], b"x")
        hanging.join()
        assert rig.alive()
