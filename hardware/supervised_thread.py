"""Supervised threads: named, woken, closed within a limit, and never ended by accident.

Unexpected errors go to ``threading.excepthook``, where Python reports whatever ends a thread.
So there is one place that hears of every failure, ours or a library's: the program at a table hangs
itself in there and tells people (``companion.support.failures``); anywhere else Python prints it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import asyncio

FIRST_AGAIN_S = 0.1
LONGEST_AGAIN_S = 2.0
"""Work that fails again and again is taken up this rarely."""
CALM_S = 10.0
"""Work that went well for this long is taken up soon again."""
TOLD_S = 60.0
"""The same failure is not told again sooner: it may happen with every picture."""
HANGS_S = 40.0
"""No thread of a rig works in one place for longer: a phrase lasts 30 s at most, and a port that
closes may wait as long."""

M = TypeVar("M")

_Place = tuple[int, int]

_told: dict[tuple[str, str, int], float] = {}
"""Time of the last report of a failure, by thread, kind of error and line of the program."""


class SupervisedThread(threading.Thread):
    """A daemon thread that does ``work`` until that returns.

    If ``work`` raises, the failure is told and, unless it is done ``once`` or the thread was
    closed, the work begun anew. It looks at ``closing`` and sleeps with ``rest``. ``failed`` is
    called after each failure, in this thread.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], None],
        *,
        failed: Callable[[], None] | None = None,
        once: bool = False,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.once = once
        self._work, self._failed = work, failed
        self._closing = threading.Event()
        self._beginning = threading.Lock()
        self._busy: tuple[_Place, float] | None = None
        """Place at which it was at work in the last look, and since when (s)."""

    # -- any thread -----------------------------------------------------------------------

    def start(self) -> None:
        """Begin; does nothing if it has begun, or was closed before."""
        with self._beginning:
            if self.ident is None and not self.closing:
                super().start()

    def end(self) -> None:
        """Ask it to end, and do not wait for that."""
        with self._beginning:
            self._closing.set()

    def close(self, within_s: float | None = None) -> None:
        """Ask it to end, and wait for that; ``within_s`` is the limit. Does not wait for itself."""
        self.end()
        if self.ident is not None and self is not threading.current_thread():
            self.join(within_s)

    @property
    def closing(self) -> bool:
        """True if it was asked to end."""
        return self._closing.is_set()

    def hangs(self, now_s: float) -> bool:
        """True if it was at one and the same place in every look for ``HANGS_S``, and at work.

        A thread rests in a condition or an event of ``threading`` until it is wanted. One that
        stays at the same place anywhere else (a port that never closes, a bus that never answers)
        will not come back by itself, though it still counts as alive.
        """
        place = _busy_at(sys._current_frames().get(self.ident or 0))
        if place is None:
            self._busy = None
            return False
        if self._busy is None or self._busy[0] != place:
            self._busy = (place, now_s)
        return now_s - self._busy[1] >= HANGS_S

    # -- this thread ----------------------------------------------------------------------

    def rest(self, seconds: float | None = None) -> bool:
        """Sleep, at most until it is asked to end; True if it was."""
        return self._closing.wait(seconds)

    def run(self) -> None:
        """The life of the thread."""
        wait_s = FIRST_AGAIN_S
        while True:
            began = time.monotonic()
            try:
                self._work()
                return
            except Exception as error:
                tell_failure(error)
            self._tell_owner()
            if self.once:
                return
            if time.monotonic() - began > CALM_S:
                wait_s = FIRST_AGAIN_S
            self.rest(wait_s)
            if self._is_over():
                return
            wait_s = min(2 * wait_s, LONGEST_AGAIN_S)

    def _is_over(self) -> bool:
        return self.closing

    def _tell_owner(self) -> None:
        if self._failed is None:
            return
        try:
            self._failed()
        except Exception as error:
            tell_failure(error)


class InboxThread(SupervisedThread, Generic[M]):
    """A supervised thread that deals with one message after another, and with the time.

    ``take`` deals with a message. When the inbox is empty, ``tick`` is called after ``wake``, and
    when the seconds are over that ``due`` names; None: nothing is due. What was put in before the
    thread is closed is dealt with; then it does what is ``last``, and ends. ``limit``: if more
    messages wait, the oldest are lost. A tick that fails is tried again, a message is not.
    """

    def __init__(
        self,
        name: str,
        take: Callable[[M], object] = lambda _message: None,
        *,
        tick: Callable[[], object] = lambda: None,
        due: Callable[[], float | None] = lambda: None,
        last: Callable[[], object] = lambda: None,
        limit: int | None = None,
        failed: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(name, self._deal, failed=failed)
        self._take, self._tick, self._due, self._last = take, tick, due, last
        self._changed = threading.Condition()
        self._inbox: deque[M] = deque(maxlen=limit)
        self._woken = False
        self._left = False

    def put(self, message: M) -> None:
        """Leave a message, and return at once; after the end it is dropped."""
        with self._changed:
            if not self.closing:
                self._inbox.append(message)
                self._changed.notify()

    def wake(self) -> None:
        """Have ``tick`` called soon; several calls before that count once."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    @property
    def waiting(self) -> int:
        """Number of messages that have not been taken yet."""
        return len(self._inbox)

    def end(self) -> None:
        with self._changed:
            super().end()
            self._changed.notify()

    def _deal(self) -> None:
        while not self._left:
            wait_s = None if self.closing else self._due()
            with self._changed:
                self._changed.wait_for(self._is_wanted, wait_s)
                taken = [self._inbox.popleft()] if self._inbox else []
                if not taken:
                    self._woken, self._left = False, self.closing
            if taken:
                self._take(taken[0])
            elif self._left:
                self._last()
            else:
                try:
                    self._tick()
                except Exception:
                    self.wake()
                    raise

    def _is_wanted(self) -> bool:
        return self._woken or bool(self._inbox) or self.closing

    def _is_over(self) -> bool:
        return self._left


class AsyncThread(SupervisedThread):
    """A supervised thread that runs ``main`` in an event loop of its own.

    ``main`` is given an event that is set in the loop when the thread is to end.
    """

    def __init__(
        self, name: str, main: Callable[[asyncio.Event], Coroutine[Any, Any, None]]
    ) -> None:
        super().__init__(name, self._run_loop)
        self._main = main
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Event | None = None

    def call(self, what: Callable[[], object]) -> bool:
        """Have ``what`` done in the loop, from any thread; False if there is none."""
        loop = self._loop
        if loop is None:
            return False
        # It may have ended just now; then there is nothing to wake.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(what)
            return True
        return False

    def end(self) -> None:
        super().end()
        over = self._over
        if over is not None:
            self.call(over.set)

    def _run_loop(self) -> None:
        # Imported only where needed: it takes longer than all of this package.
        import asyncio

        async def main() -> None:
            over = asyncio.Event()
            self._over, self._loop = over, asyncio.get_running_loop()
            try:
                if not self.closing:
                    await self._main(over)
            finally:
                self._loop = None

        asyncio.run(main())


def tell_failure(error: Exception) -> None:
    """Report an unexpected error, as if it had ended this thread; never raises."""
    thread = threading.current_thread()
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    key = (thread.name, type(error).__name__, 0 if trace is None else trace.tb_lineno)
    now_s = time.monotonic()
    if now_s - _told.get(key, -TOLD_S) < TOLD_S:
        return
    for old in [known for known, when in _told.items() if now_s - when >= TOLD_S]:
        _told.pop(old, None)
    _told[key] = now_s
    args = threading.ExceptHookArgs((type(error), error, error.__traceback__, thread))
    try:
        threading.excepthook(args)
    except Exception:
        # The listener has failed as well; Python's own hook only prints.
        threading.__excepthook__(args)


def _busy_at(frame: FrameType | None) -> _Place | None:
    """The place where a thread is at work; None if it has ended or rests."""
    if frame is None:
        return None
    if frame.f_globals.get("__name__") == "threading" and frame.f_code.co_name == "wait":
        return None
    return id(frame), frame.f_lasti
