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
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.camera.eyes import Eyes
from companion.demo.stage import Stage
from companion.journal.entries import Header, new_match_id
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import TableView
from companion.ui import kivy_env
from companion.ui.model.touching import piece_of
from companion.virtual import TableError
from rules.box import PieceKind
from rules.core import Layout
from vision.camera.sources import MemorySource

if TYPE_CHECKING:
    from companion.ui.screens.supply_tray import Stock

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

_TAP = 0.012
"""A finger that moves less than this share of the picture turns a piece instead of moving it."""

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
        self._from: tuple[float, float, float, float] | None = None
        """Where the finger took the piece it holds: shares of the picture, and board mm."""
        self.stock: tuple[Stock, ...] = ()
        """Pieces out of the camera's sight, those that can be played now first."""
        self.turns = any(k.poses or k.back for k in self._kinds())
        """Whether a tap does something to any piece."""
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
                self.stock = self._stock()
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
            players=stage.players,
            options=stage.game.complete_options(stage.players, {}),
            physical=True,
            seed="play",
            names=("",) * stage.players,
            enforcement="enforce",
            created_s=time.time(),
        )
        self._journal.create(header)
        stage.follow(stage.out / "play.db", header.id)
        stage.eyes.close()
        stage.session.close()
        stage.virtual.clear()
        stage.session = Session(Table(self._journal, header, stage.manners))
        stage.session.listen(stage.director)
        stage.director(stage.session.view, ())
        stage.virtual.set_layout(Layout(stage.session.view.items))
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
        from companion.ui.drawing.camera_view import Carry, Drop, Lift, PutAway, Take

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
                case Take():
                    self._take(asked.kind, asked.x, asked.y)
                case PutAway():
                    carry = None
                    self._put_away(tapped=asked.tapped)
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
        self._from = (x, y, piece.x_mm, piece.y_mm)
        # What something lies on stays where it is; the finger then drags nothing.
        with contextlib.suppress(TableError):
            virtual.lift(piece.id)

    def _take(self, kind: str, x: float, y: float) -> None:
        """A piece from the supply comes into the picture."""
        virtual = self.stage.virtual
        stored = [p for p in virtual.pieces if p.stored and p.shows == kind]
        if stored and virtual.carried is None:
            self._grip, self._from = (0.0, 0.0), None
            # The one on the top; its home may hold a pile.
            virtual.lift(max(stored, key=lambda p: p.z).id)
            virtual.carry(*self._goal(x, y))

    def _put_away(self, *, tapped: bool) -> None:
        virtual, held = self.stage.virtual, self.stage.virtual.carried
        if held is None:
            return
        face_up = virtual.piece(held).face_up
        virtual.put_back(held)
        if tapped and face_up:
            # It waits for the next finger with its other side up.
            with contextlib.suppress(TableError):
                virtual.turn(held)

    def _drop(self, x: float, y: float) -> None:
        virtual, held = self.stage.virtual, self.stage.virtual.carried
        if held is None:
            return
        start = self._from
        if start is None or max(abs(x - start[0]), abs(y - start[1])) > _TAP:
            virtual.drop(*self._goal(x, y))
            return
        virtual.drop(*start[2:])
        # Most pieces look the same from every side.
        with contextlib.suppress(TableError):
            virtual.turn(held)

    def _kinds(self) -> list[PieceKind]:
        """The kinds this game can put anywhere."""
        box, view = self.stage.box, self.stage.view
        # In some games everybody plays with every colour.
        lying = {box.kinds[item.kind].owner for item in view.items if item.kind in box.kinds}
        colours = {"", *view.colours, *lying}
        groups = {group for site in box.sites.values() for group in site.takes}
        own = [k for k in box.kinds.values() if k.owner in colours]
        backs = {k.back for k in own if k.group in groups}
        return [k for k in own if k.group in groups or k.id in backs]

    def _stock(self) -> tuple[Stock, ...]:
        """What waits beside the board where the camera does not look."""
        from companion.ui.screens.supply_tray import Stock

        stage, view = self.stage, self.stage.view
        counts: dict[str, int] = {}
        for piece in stage.virtual.pieces:
            if piece.stored and not stage.in_sight(piece):
                counts[piece.shows] = counts.get(piece.shows, 0) + 1
        wanted = {k.id for m in view.legal if (k := piece_of(m, view, stage.box)) is not None}
        kinds = sorted(self._kinds(), key=lambda kind: kind.id not in wanted)
        return tuple(Stock(kind, counts[kind.id]) for kind in kinds if kind.id in counts)

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
