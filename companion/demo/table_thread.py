"""The thread that owns the virtual table behind a window.

First it plays the story there, then it does what fingers ask for. Between it and the window there
are a queue of gestures and the newest picture.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from companion.camera.camera_thread import CameraThread
from companion.camera.observer import Observer
from companion.demo.fingers import Fingers
from companion.demo.lamp_light import LampLight
from companion.demo.stage import Stage
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import DealForUs, TableView
from companion.presentation.virtual_table import (
    Asked,
    Carry,
    Glimpse,
    LayOut,
    PlayAgain,
    TableSide,
)
from companion.presentation.words.sentences import card_names
from companion.simulator import Camera
from rules.core import Layout
from vision.camera.sources import MemorySource

if TYPE_CHECKING:
    from companion.presentation.virtual_table import Stock, TableWindow

__all__ = ["TableThread"]

_SHOWN = (960, 720)
"""Size of the camera's picture on the screen, px."""

_STORY_FRAME_S = 0.05
_FRAME_S = 0.1
"""Seconds from picture to picture: while the story is told, and afterwards."""

_PICTURE_S = 60.0
"""Seconds after which a picture of the window is given up."""

Picture = Callable[[str, TableView], None]
Frame = npt.NDArray[np.uint8]


class _WindowClosed(Exception):
    """Nobody is looking any more."""


class _Mirror(MemorySource):
    """Passes the camera's pictures on to the eyes, and keeps the newest for the window."""

    def __init__(
        self, behind: MemorySource, pause_s: float, faces: Callable[[], Frame | None]
    ) -> None:
        """``faces``: what people see if they do not want to see stickers, else None."""
        super().__init__()
        self._behind, self._faces = behind, faces
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
        small = self._faces()
        if small is None:
            small = cv2.resize(image, _SHOWN, interpolation=cv2.INTER_AREA).astype(np.uint8)
        number = self.latest[0] + 1 if self.latest else 0
        self.latest = (number, small)


class TableThread(threading.Thread):
    """Owns the virtual table; nobody else touches it. ``app`` is the window, once it is built."""

    app: TableWindow
    photograph: Callable[[TableView, Path, Callable[[], None]], None]
    """Writes what the window shows of a view; only a story asks for it."""

    def __init__(self, stage: Stage, tell: Callable[[Picture], None]) -> None:
        super().__init__(name="virtual table", daemon=True)
        self.stage, self._tell = stage, tell
        self.faces = False
        """Whether people see the pieces' own faces, not their stickers."""
        self._people: Camera | None = None
        self.deals = False
        """Whether it draws and lays out by itself what everybody may see of a set-up."""
        self._dealt: tuple[str, int] | None = None
        """The match and its number of moves when it was last asked for that."""
        self.mirror = self._mirrored(_STORY_FRAME_S)
        self.error: BaseException | None = None
        self.story_over = False
        self.stock: tuple[Stock, ...] = ()
        """Pieces out of the camera's sight, those that can be played now first."""
        self._asked: queue.SimpleQueue[Asked] = queue.SimpleQueue()
        self._fingers = Fingers(stage)
        self._turns = self._fingers.turns
        self._light = LampLight(stage)
        self._journal: Journal | None = None

    # -- for the window's thread ----------------------------------------------------------

    def side(self) -> TableSide:
        """What the window is given of the table."""
        return TableSide(
            self.start, self._glimpse, self._asked.put, self._speak, self._show_faces, self.close
        )

    def close(self) -> None:
        """Nobody looks any more; the thread ends with its next picture."""
        self.mirror.window_closed = True

    def _glimpse(self) -> Glimpse:
        number, picture = self.mirror.latest or (-1, None)
        display = tuple(self.stage.rig.twins["score"].rows())
        return Glimpse(number, picture, self.stock, self._turns, display, self._light.shining())

    def _speak(self, lang: str) -> None:
        self.stage.director.lang = lang

    def _show_faces(self, faces: bool) -> None:
        self.faces = faces

    def end(self) -> None:
        """The window is closed."""
        self.close()
        if self.is_alive():
            self.join(timeout=_PICTURE_S)
        self.forget()

    def forget(self) -> None:
        """Close what the thread has written into, after its end."""
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
                self._deal()
                self.stage.frame()
                self.stock = self._fingers.stock()
        except _WindowClosed:
            return
        except BaseException as error:
            self.error = error
            self.app.soon(self.app.stop)

    def _mirrored(self, pause_s: float) -> _Mirror:
        mirror = _Mirror(self.stage.source, pause_s, self._with_faces)
        self.stage.source = mirror
        return mirror

    def _with_faces(self) -> Frame | None:
        """The table as people would see it without stickers; None if they want to see those."""
        if not self.faces:
            return None
        names = card_names(self.stage.view, self.stage.director.lang)
        if self._people is None or self._people.faces != names:
            # The same lens, so that a finger means the same place in both pictures.
            self._people = Camera.over(self.stage.box, *_SHOWN, seed=1)
            self._people.faces = names
        return self._people.render(self.stage.virtual)

    def _picture(self, name: str, view: TableView) -> None:
        """Keep a picture of the window while it shows ``view``."""
        done = threading.Event()
        path = self.stage.out / f"{name}.png"
        self.app.soon(lambda: self.photograph(view, path, done.set))
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
        header = stage.new_match(self._journal, "play")
        stage.follow(stage.out / "play.db", header.id)
        stage.eyes.close()
        stage.session.close()
        stage.virtual.clear()
        stage.session = Session(Table(self._journal, header, stage.manners))
        stage.session.listen(stage.director)
        stage.director(stage.session.view, ())
        stage.virtual.set_layout(Layout(stage.session.view.items))
        stage.source = MemorySource()
        stage.eyes = CameraThread(stage.source, Observer(stage.box, stage.game.id), stage.session)
        stage.session.start()
        stage.eyes.start()
        closed = self.mirror.window_closed
        self.mirror = self._mirrored(_FRAME_S)
        self.mirror.window_closed = closed
        session = stage.session
        self.app.soon(lambda: self.app.watch(session))

    def _deal(self) -> None:
        """Nobody wants to lay thirty blocks with one finger."""
        stage, view = self.stage, self.stage.view
        now = (view.match_id, view.ply)
        if not (self.deals and view.may_deal) or stage.virtual.carried is not None:
            return
        if now != self._dealt:
            self._dealt = now
            stage.session.post(DealForUs())
            stage.session.settle()
            stage.set_out(Layout(stage.view.items))

    def _obey(self) -> None:
        """Do what was asked for since the last picture; of many movements only the last matters."""
        carry: Carry | None = None
        while not self._asked.empty():
            asked = self._asked.get_nowait()
            if isinstance(asked, Carry):
                carry = asked
                continue
            carry = None
            if isinstance(asked, PlayAgain):
                self._new_match()
            elif isinstance(asked, LayOut):
                if self.stage.virtual.carried is None:
                    self.stage.set_out(Layout(self.stage.view.items))
            else:
                self._fingers.do(asked)
        if carry is not None:
            self._fingers.do(carry)
