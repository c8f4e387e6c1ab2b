"""The demo in a window: a story is played, and then whoever looks on may drag pieces.

Kivy runs in the main thread. The virtual table belongs to one other thread: first it plays the
story there, afterwards it does what fingers ask for. Between the two there are a queue of
gestures and the newest picture.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.demo.stage import MANNERS, Stage
from companion.eyes import Eyes
from companion.journal import Header, Journal, new_match_id
from companion.session import Session
from companion.table import Table
from companion.ui import kivy_env
from companion.view import TableView
from companion.virtual import TableError
from vision.sources import MemorySource

__all__ = ["CLOSED", "play_in_window"]

CLOSED = 3
"""Exit code of the program if the window was closed before the end of the story."""

SIZE = (1280, 720)
"""Of the window, px; it may be made larger or smaller."""

_SHOWN = (960, 720)
"""Size of the camera's picture on the screen, px."""

_STORY_FRAME_S = 0.05
_FRAME_S = 0.1
"""Seconds from picture to picture: while the story is told, and afterwards."""

_PICTURE_S = 20.0
"""A picture of the window is given up after so many seconds."""

_REACH_MM = 260.0
"""A hand reaches so far beyond the board's edge."""

Picture = Callable[[str, TableView], None]


class _WindowClosed(Exception):
    """Nobody looks on any more."""


class _Mirror(MemorySource):
    """Hands the camera's pictures on to the eyes, and keeps the newest for the window."""

    def __init__(self, behind: MemorySource, pause_s: float) -> None:
        super().__init__()
        self._behind = behind
        self._pause_s = pause_s
        self._due = 0.0
        self.latest: tuple[int, npt.NDArray[np.uint8]] | None = None
        """Number of the picture, and the picture in the size of the screen."""
        self.window_closed = False

    def push(
        self, image: npt.NDArray[np.uint8], time_s: float | None = None, name: str | None = None
    ) -> None:
        if self.window_closed:
            raise _WindowClosed
        # People cannot follow pieces as fast as vision can.
        time.sleep(max(0.0, min(self._due - time.monotonic(), self._pause_s)))
        self._due = time.monotonic() + self._pause_s
        self._behind.push(image, time_s, name)
        small = cv2.resize(image, _SHOWN, interpolation=cv2.INTER_AREA).astype(np.uint8)
        number = self.latest[0] + 1 if self.latest else 0
        self.latest = (number, small)


def play_in_window(stage: Stage, lang: str, tell: Callable[[Picture], None]) -> None:
    """Play the story ``tell`` on ``stage`` before somebody's eyes, then let him play himself.

    Returns when the window is closed after the story; before that, SystemExit(``CLOSED``) is
    raised. What goes wrong in the story is raised here.
    """
    kivy_env.prepare(stage.out, SIZE)
    from companion.ui.demo_app import DemoApp

    table = _TableThread(stage, tell)
    app = DemoApp(stage, table, lang)
    table.app = app
    app.run()
    table.end()
    if table.error is not None:
        raise table.error
    if not table.story_over:
        stage.close()
        raise SystemExit(CLOSED)


class _TableThread(threading.Thread):
    """Owns the virtual table; nobody else touches it."""

    def __init__(self, stage: Stage, tell: Callable[[Picture], None]) -> None:
        super().__init__(name="virtual table", daemon=True)
        self.stage, self._tell = stage, tell
        self.app: Any = None
        self.mirror = self._mirrored(_STORY_FRAME_S)
        self.error: BaseException | None = None
        self.story_over = False
        self._asked: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._grip = (0.0, 0.0)
        """From the finger to the middle of the piece it holds, mm."""
        self._journal: Journal | None = None

    # -- for the window's thread ----------------------------------------------------------

    def ask(self, what: Any) -> None:
        """A gesture, or ``"again"`` for a new match; returns at once."""
        self._asked.put(what)

    def end(self) -> None:
        """The window is closed."""
        self.mirror.window_closed = True
        if self.is_alive():
            self.join(timeout=_PICTURE_S)
        if self._journal is not None:
            self._journal.close()

    # -- the thread -----------------------------------------------------------------------

    def run(self) -> None:
        try:
            self._tell(self._picture)
            self.story_over = True
            self._new_match()
            self.app.soon(self.app.hand_over)
            while True:
                self._obey()
                self.stage.frame()
        except _WindowClosed:
            return
        except BaseException as error:
            self.error = error
            self.app.soon(self.app.stop)

    def _mirrored(self, pause_s: float) -> _Mirror:
        mirror = _Mirror(self.stage.source, pause_s)
        self.stage.source = mirror
        return mirror

    def _picture(self, name: str, view: TableView) -> None:
        """Keep a picture of the window while it shows ``view``."""
        done = threading.Event()
        path = self.stage.out / f"{name}.png"
        self.app.soon(lambda: self.app.photograph(view, path, done.set))
        deadline = time.monotonic() + _PICTURE_S
        while not done.wait(0.05):
            if self.mirror.window_closed:
                raise _WindowClosed
            if time.monotonic() > deadline:
                raise TimeoutError(f"the window did not draw {path.name} in {_PICTURE_S:.0f} s")

    def _new_match(self) -> None:
        """A bare board and a match of its own, in a journal of its own."""
        stage = self.stage
        if self._journal is None:
            self._journal = Journal(stage.out / "play.db")
        header = Header(
            id=new_match_id(),
            game=stage.game.id,
            players=2,
            options=stage.game.complete_options(2, {}),
            physical=True,
            seed="play",
            names=("", ""),
            enforcement="enforce",
            created_s=time.time(),
        )
        self._journal.create(header)
        stage.eyes.close()
        stage.session.close()
        stage.virtual.clear()
        stage.session = Session(Table(self._journal, header, MANNERS))
        stage.session.listen(stage.director)
        stage.director(stage.session.view, ())
        stage.source = MemorySource()
        stage.eyes = Eyes(stage.source, stage.box, stage.session)
        stage.session.start()
        stage.eyes.start()
        closed = self.mirror.window_closed
        self.mirror = self._mirrored(_FRAME_S)
        self.mirror.window_closed = closed
        session = stage.session
        self.app.soon(lambda: self.app.watch(session))

    def _obey(self) -> None:
        """Do what was asked for since the last picture; of many ways only the last counts."""
        from companion.ui.widgets.camera_view import Carry, Drop, Lift

        carry: Carry | None = None
        while True:
            try:
                asked = self._asked.get_nowait()
            except queue.Empty:
                break
            match asked:
                case Lift():
                    self._lift(asked.x, asked.y)
                case Carry():
                    carry = asked
                case Drop():
                    carry = None
                    self._drop(asked.x, asked.y)
                case "again":
                    carry = None
                    self._new_match()
        if carry is not None and self.stage.virtual.carried is not None:
            self.stage.virtual.carry(*self._goal(carry.x, carry.y))

    def _lift(self, x: float, y: float) -> None:
        virtual, camera = self.stage.virtual, self.stage.camera
        piece = camera.pick(virtual, x * camera.width, y * camera.height)
        if piece is None or virtual.carried is not None:
            return
        finger = self._under(x, y)
        self._grip = (piece.x_mm - finger[0], piece.y_mm - finger[1])
        # What something lies on stays where it is; the finger then drags nothing.
        with contextlib.suppress(TableError):
            virtual.lift(piece.id)

    def _drop(self, x: float, y: float) -> None:
        if self.stage.virtual.carried is not None:
            self.stage.virtual.drop(*self._goal(x, y))

    def _goal(self, x: float, y: float) -> tuple[float, float]:
        """Where the held piece is wanted, mm."""
        finger = self._under(x, y)
        half = [side / 2 + _REACH_MM for side in self.stage.box.size]
        wanted = (finger[0] + self._grip[0], finger[1] + self._grip[1])
        across, up = (min(max(w, -h), h) for w, h in zip(wanted, half, strict=True))
        return (across, up)

    def _under(self, x: float, y: float) -> tuple[float, float]:
        """Board mm below a place of the picture."""
        camera, nudge = self.stage.camera, self.stage.virtual.nudge
        return camera.px_to_board(x * camera.width, y * camera.height, 0.0, nudge)
