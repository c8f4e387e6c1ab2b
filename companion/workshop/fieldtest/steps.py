"""A check of the field test, and everything it may use.

A check is a generator. It yields a ``Step``: the present state, and a question to people if it has
one. It is resumed several times a second, with an answer if there is a new one, and returns its
findings, the first of them its own. What it has borrowed it gives back when it ends or is closed,
so that it may be left at any moment.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from companion.support.finding import Figure, Finding, Verdict
from companion.support.machine import read_small
from hardware.supervised_thread import SupervisedThread

if TYPE_CHECKING:
    from companion.camera.owner import TableCamera
    from companion.setup.table_check import Bench
    from companion.workshop.devices import DeviceBench
    from companion.workshop.fieldtest.record import Record
    from rules.box import Box

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """Present state of a check, with the answers that it takes."""

    code: str
    """Key of its words in the texts ``fieldtest.steps``."""
    values: Mapping[str, object] = field(default_factory=dict)
    """Fill these words."""
    choices: tuple[str, ...] = ()
    """Possible answers: keys of ``fieldtest.answers``, or words to be read or heard."""
    panel: str = ""
    """Part of the screen for it: ``lamps``, ``target``, ``fingers``, ``colours``, ``photo``; or
    nothing."""
    at: tuple[float, float] = (0.5, 0.5)
    """Place of a target, as shares of the screen's width and height from the lower left."""
    lamps: int = 0
    """Number of lamps to choose from; the answer is an index from 0."""


@dataclass(frozen=True, slots=True)
class Touch:
    """Fingers on the glass, as an answer."""

    off_px: tuple[float, float] = (0.0, 0.0)
    """Position relative to the target, to the right and up."""
    to_frame_ms: float = 0.0
    """From the touch's arrival in the program to the next drawn frame."""
    fingers: int = 1


Answer: TypeAlias = str | Touch
Steps: TypeAlias = Generator[Step, Answer | None, Sequence[Finding]]
Check: TypeAlias = "Callable[[Kit], Steps]"


class Glass(Protocol):
    """The screen that the test runs on."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, px."""

    @property
    def frames(self) -> int:
        """Frames drawn so far; while a step without a panel is shown as fast as it can."""

    @property
    def reach_px(self) -> float:
        """Half of the smallest key."""


@dataclass
class Kit:
    """A table and its computer, as the checks use them."""

    bench: Callable[[], Bench]
    """Borrows camera, lamps, display and sound."""
    devices: DeviceBench
    camera: TableCamera
    game: str
    """Game whose board lies below the camera."""
    box: Box
    """The box of it."""
    state: Path
    settings_file: Path
    record: Record
    """The mark of the check under way is kept there at once, from any thread."""
    glass: Glass | None = None
    """None: the test runs without a screen."""
    root: Path = Path("/")
    """Where ``/proc``, ``/sys`` and ``/dev`` are."""
    clock: Callable[[], float] = time.monotonic
    chance: random.Random = field(default_factory=random.Random)

    def read(self, path: str) -> str:
        """A small file of the system, stripped; empty if it cannot be read."""
        return read_small(self.root / path)


def absent(check: str, code: str = "") -> list[Finding]:
    """Findings of a check whose subject is not there."""
    return [Finding(check, Verdict.ABSENT, code=code)]


def apart(
    step: Step, work: Callable[[SupervisedThread], T]
) -> Generator[Step, Answer | None, T | None]:
    """Shows a step while a thread does ``work``; its result, or None if it failed, which is told.

    ``work`` looks at ``closing`` of its thread, so that the check may be left meanwhile.
    """
    results: list[T] = []
    thread = SupervisedThread("field test", lambda: results.append(work(thread)), once=True)
    thread.start()
    try:
        while thread.is_alive():
            yield step
    finally:
        thread.close(10)
    return results[0] if results else None


def pause(step: Step, seconds: float, clock: Callable[[], float]) -> Generator[Step, Answer | None]:
    """Shows a step for a while."""
    end = clock() + seconds
    while clock() < end:
        yield step


def wait_for(
    step: Step, done: Callable[[], bool], seconds: float, clock: Callable[[], float]
) -> Generator[Step, Answer | None, bool]:
    """Shows a step until something holds; False if it does not within ``seconds``."""
    end = clock() + seconds
    while not done():
        if clock() > end:
            return False
        yield step
    return True


def ask(step: Step) -> Generator[Step, Answer | None, Answer]:
    """Shows a step until people answer."""
    while True:
        answer = yield step
        if answer is not None:
            return answer


def highest(
    name: str, values: Sequence[float], unit: str = "", most: float | None = None
) -> Figure:
    """The 95th percentile of what was measured, with a limit."""
    ordered = sorted(values)
    return Figure(name, round(ordered[int(0.95 * (len(ordered) - 1) + 0.5)], 3), unit, most=most)
