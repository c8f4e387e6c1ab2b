"""The virtual table in a window: hands play a story, and then people may drag pieces.

Kivy runs in the main thread; the hands at the virtual table belong to one other. Between it and
the window there are a queue of gestures and the newest picture. The demo has a window of its own;
the program has a screen for it, with a table that is gone without a trace when it is left.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

import numpy as np
import numpy.typing as npt

from companion.app.demo.stage import Stage
from companion.match.view import AutoDeal, TableView
from companion.presentation.touching import piece_of
from companion.presentation.virtual_table import (
    Asked,
    Carry,
    Drop,
    Gesture,
    Glimpse,
    Lamp,
    LayOut,
    Lift,
    PlayAgain,
    PutAway,
    Stock,
    TableSide,
    Take,
)
from companion.presentation.words.sentences import card_names
from companion.simulator import Camera, TableError
from companion.ui import kivy_env
from hardware.supervised_thread import SupervisedThread
from rules.box import PieceKind
from rules.core import Layout
from rules.games import find_game

if TYPE_CHECKING:
    from companion.presentation.virtual_table import Stock, TableWindow
    from companion.ui.screens.demo.without_board import VirtualTableScreen


# -- fingers and lamps ------------------------------------------------------------------------

_REACH_MM = 260.0
"""Reach of a hand beyond the board's edge, mm."""

_TAP = 0.012
"""Share of the picture below which a finger's way is a tap, which turns a piece instead of moving
it."""


class Fingers:
    """One finger at a time; belongs to the thread that owns the stage."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._grip = (0.0, 0.0)
        """From the finger to the middle of the piece it holds, mm."""
        self._from: tuple[float, float, float, float] | None = None
        """Point where the held piece was taken: shares of the picture, and board mm."""

    def do(self, gesture: Gesture) -> None:
        """Move what the finger holds."""
        with self.stage.simulator.changed:
            self._do(gesture)

    def _do(self, gesture: Gesture) -> None:
        match gesture:
            case Lift(x, y):
                self._lift(x, y)
            case Carry(x, y):
                if self.stage.virtual.carried is not None:
                    self.stage.virtual.carry(*self._goal(x, y))
            case Drop(x, y):
                self._drop(x, y)
            case Take(kind, x, y):
                self._take(kind, x, y)
            case PutAway(tapped):
                self._put_away(tapped=tapped)
            case _:
                assert_never(gesture)

    @property
    def turns(self) -> bool:
        """True if a tap changes any kind of piece."""
        return any(kind.poses or kind.back for kind in self._kinds())

    def stock(self) -> tuple[Stock, ...]:
        """Pieces beside the board and out of the camera's sight, playable kinds first."""
        stage, view = self.stage, self.stage.view
        counts: dict[str, int] = {}
        for piece in stage.virtual.pieces:
            if piece.stored and not stage.in_sight(piece):
                counts[piece.shows] = counts.get(piece.shows, 0) + 1
        wanted = {k.id for m in view.legal if (k := piece_of(m, view, stage.box)) is not None}
        kinds = sorted(self._kinds(), key=lambda kind: kind.id not in wanted)
        return tuple(Stock(kind, counts[kind.id]) for kind in kinds if kind.id in counts)

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

    def _lift(self, x: float, y: float) -> None:
        virtual, camera = self.stage.virtual, self.stage.camera
        piece = camera.pick(virtual, x * camera.width, y * camera.height)
        if piece is None or virtual.carried is not None:
            return
        finger = self._under(x, y)
        self._grip = (piece.x_mm - finger[0], piece.y_mm - finger[1])
        self._from = (x, y, piece.x_mm, piece.y_mm)
        # A piece with something on it stays where it is; the finger then drags nothing.
        with contextlib.suppress(TableError):
            virtual.lift(piece.id)

    def _take(self, kind: str, x: float, y: float) -> None:
        """A piece from the supply comes into the picture."""
        virtual = self.stage.virtual
        stored = [p for p in virtual.pieces if p.stored and p.shows == kind]
        if stored and virtual.carried is None:
            self._grip, self._from = (0.0, 0.0), None
            # The top one; its home may hold a pile.
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

    def _goal(self, x: float, y: float) -> tuple[float, float]:
        """Target of the held piece, mm."""
        finger = self._under(x, y)
        half = [side / 2 + _REACH_MM for side in self.stage.box.size]
        wanted = (finger[0] + self._grip[0], finger[1] + self._grip[1])
        across, up = (min(max(w, -h), h) for w, h in zip(wanted, half, strict=True))
        return (across, up)

    def _under(self, x: float, y: float) -> tuple[float, float]:
        """Board mm below a place of the picture."""
        camera, nudge = self.stage.camera, self.stage.virtual.nudge
        return camera.px_to_board(x * camera.width, y * camera.height, 0.0, nudge)


class LampLight:
    """The lamps' places in the camera's picture, and their light now."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._places = _places(stage)

    def shining(self) -> tuple[Lamp, ...]:
        """The lamps that are on."""
        twin: Any = self._stage.house.rig.twins["lamps"]
        return tuple(
            Lamp(*self._places[index], _light(pixel))
            for index, pixel in enumerate(twin.pixels)
            if index in self._places and any(pixel)
        )


def _places(stage: Stage) -> dict[int, tuple[float, float, float]]:
    """Middle and radius of each lamp's site in the camera's picture: shares of it."""
    camera, places = stage.camera, {}
    for site, lamps in stage.house.director.lamp_of(stage.box.id).items():
        if site not in stage.box.sites:
            # Another game of the same box uses it.
            continue
        place = stage.virtual.place(site)
        x, y = place.at
        reach = place.radius or max(place.size or (0.0, 0.0)) / 2
        u, v = camera.board_to_px(x, y)
        rim, _v = camera.board_to_px(x + reach * 1.15, y)
        for lamp in lamps:
            places[lamp] = (u / camera.width, v / camera.height, (rim - u) / camera.width)
    return places


def _light(pixel: tuple[int, int, int]) -> tuple[float, float, float, float]:
    """A lamp as people see it: what is sent to it is bent to the eye and dimmed for the dark."""
    most = max(pixel)
    red, green, blue = ((part / most) ** (1 / 2.4) for part in pixel)
    return (red, green, blue, min((most / 255 / 0.4) ** (1 / 2.4), 1.0))


log = logging.getLogger(__name__)

CLOSED = 3
"""Exit code of the program if the window was closed before the end of the story."""

SIZE = (1280, 720)
"""Size of the window in px; it may be resized."""

_SHOWN = (960, 720)
"""Size of the camera's picture on the screen, px."""

_STORY_PAUSE_S = 0.05
_PAUSE_S = 0.1
"""Seconds from picture to picture, while the story is told and afterwards: people cannot follow
pieces as fast as vision can."""

_PICTURE_S = 60.0
"""Seconds after which a picture of the window is given up."""

Picture = Callable[[str, TableView], None]


class _WindowClosed(Exception):
    """The window has been closed."""


def play_in_window(stage: Stage, lang: str, tell: Callable[[Picture], None]) -> None:
    """Play the story ``tell`` on ``stage`` in a window, then let onlookers play.

    Returns when the window is closed after the story; before that, SystemExit(``CLOSED``) is
    raised. What goes wrong in the story is raised here.
    """
    kivy_env.prepare(stage.out, SIZE)
    kivy_env.window()
    from companion.ui.screens.demo.app import DemoApp

    table = TableThread(lambda table: table.play(stage, tell), lang)

    def opened(screen: VirtualTableScreen) -> TableSide:
        table.app, table.photograph = screen, screen.photograph
        screen.soon(lambda: screen.watch(stage.session))
        return table.side()

    DemoApp(opened, lang, resumed=stage.resumed).run()
    table.end()
    if table.error is not None:
        raise table.error
    if not table.story_over:
        stage.close()
        raise SystemExit(CLOSED)


def open_table(game: str, lang: str, window: TableWindow) -> TableSide:
    """The way to a new virtual table of ``game`` that shows itself in ``window``."""

    def play(table: TableThread) -> None:
        allowed = find_game(game).players
        with tempfile.TemporaryDirectory(prefix="heelstone-table-") as folder:
            stage = Stage(game, Path(folder), table.lang, 2 if 2 in allowed else allowed[0])
            try:
                table.play(stage, lambda _picture: None)
            finally:
                stage.close()

    table = TableThread(play, lang)
    table.app = window
    table.faces = table.deals = True
    return table.side()


class TableThread:
    """The thread of the hands at a virtual table, and the way to them from a window.

    ``app`` is the window, once it is built. The table need not be there yet when it is shown.
    """

    app: TableWindow
    photograph: Callable[[TableView, Path, Callable[[], None]], None]
    """Writes what the window shows of a view; only a story asks for it."""
    stage: Stage
    """The table, once ``play`` was called."""

    def __init__(self, work: Callable[[TableThread], None], lang: str) -> None:
        """``work``: opens a stage in the thread, and calls ``play`` with it."""
        self._work, self.lang = work, lang
        self._thread = SupervisedThread("virtual table", self._run, once=True)
        self.faces = False
        """True if pictures for people show the pieces' own faces, not their stickers."""
        self._people: Camera | None = None
        self.deals = False
        """True if the public part of a set-up is drawn and laid out automatically."""
        self._dealt: tuple[str, int] | None = None
        """The match and its number of moves when it was last asked for that."""
        self.latest: tuple[int, npt.NDArray[np.uint8]] | None = None
        """Number of the newest picture, and the picture in the size of the screen."""
        self.error: BaseException | None = None
        self.story_over = False
        self.stock: tuple[Stock, ...] = ()
        """Pieces out of the camera's sight, those that can be played now first."""
        self._asked: queue.SimpleQueue[Asked] = queue.SimpleQueue()

    # -- for the window's thread ----------------------------------------------------------

    def side(self) -> TableSide:
        """One moment of the table, for the window."""
        return TableSide(
            self._thread.start, self._glimpse, self._asked.put, self._speak, self._show_faces,
            self.close,
        )  # fmt: skip

    def close(self) -> None:
        """The window is closed; the thread ends with its next picture."""
        self._thread.end()

    def _glimpse(self) -> Glimpse:
        if self.latest is None:
            return Glimpse(-1, None, (), False, (), ())
        number, picture = self.latest
        display = tuple(self.stage.house.rig.twins["score"].rows())
        return Glimpse(number, picture, self.stock, self._turns, display, self._light.shining())

    def _speak(self, lang: str) -> None:
        self.lang = lang
        if self.latest is not None:
            self.stage.house.director.lang = lang

    def _show_faces(self, faces: bool) -> None:
        self.faces = faces

    def end(self) -> None:
        """The window is closed."""
        self._thread.close(_PICTURE_S)

    # -- the thread -----------------------------------------------------------------------

    def play(self, stage: Stage, tell: Callable[[Picture], None]) -> None:
        """Plays the story, and then what fingers ask for, until the window is closed."""
        self.stage = stage
        self._fingers, self._light = Fingers(stage), LampLight(stage)
        self._turns = self._fingers.turns
        stage.house.director.lang = self.lang
        stage.simulator.pause_s = _STORY_PAUSE_S
        stage.looked = self._looked
        tell(self._picture)
        self.story_over = True
        stage.simulator.pause_s = _PAUSE_S
        self._new_match()
        self.app.soon(self.app.hand_over)
        while True:
            self._obey()
            self._deal()
            stage.look()
            self.stock = self._fingers.stock()

    def _run(self) -> None:
        try:
            self._work(self)
        except _WindowClosed:
            return
        except BaseException as error:
            # Nothing that is kept can be harmed; the window says that the table is gone.
            log.exception("the virtual table failed")
            self.error = error
            self.app.soon(self.app.stop)

    def _looked(self) -> None:
        """Keep the newest picture for the window."""
        if self._thread.closing:
            raise _WindowClosed
        snapshot = self.stage.eyes.snapshot()
        if snapshot is not None:
            picture = self._with_faces() if self.faces else snapshot.picture(_SHOWN[0])[0]
            self.latest = snapshot.frame.index, picture

    def _with_faces(self) -> npt.NDArray[np.uint8]:
        """The table as people would see it without stickers."""
        names = card_names(self.stage.view, self.stage.house.director.lang)
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
            if self._thread.closing:
                raise _WindowClosed
            if time.monotonic() > deadline:
                raise TimeoutError(f"the window did not draw {path.name} in {_PICTURE_S:.0f} s")

    def _new_match(self) -> None:
        self.stage.play_again()
        session = self.stage.session
        self.app.soon(lambda: self.app.watch(session))

    def _deal(self) -> None:
        """Thirty blocks are too many to lay with one finger."""
        stage, view = self.stage, self.stage.view
        now = (view.match_id, view.ply)
        if not (self.deals and view.may_deal) or stage.virtual.carried is not None:
            return
        if now != self._dealt:
            self._dealt = now
            stage.session.post(AutoDeal())
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
