"""A finger before the demo's window: it drags pieces in the camera's picture and taps the screen.

The window is drawn off-screen; touches go through Kivy like those of a real finger, the virtual
table lives in its own thread as in the program, and the camera's pictures go through the real
vision into the real session.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.app.demo.stage import Stage
from companion.match.session import Session
from companion.match.view import TableState, TableView
from companion.presentation.virtual_table import TableSide
from companion.settings.manners import Manners
from companion.settings.settings import Settings
from companion.simulator import Drag, Piece, PutBack, Step, Turn
from companion.simulator.objects import thickness
from companion.ui.shell import Ways
from rules.core import Layout, Move
from rules.games import find_game
from rules.reading.sighting import looks
from tests.support.at_the_screen import Finger
from tests.support.ui_harness import frames_until, key, tap, tick, walk
from tests.support.virtual_truth import layout_seen
from tests.support.waiting import PATIENCE_S

SETTINGS = Settings(manners=Manners(commit_s=0.8, quiet_s=0.3, reason_s=0.9, desync_s=30.0))
"""Settings with longer waits: a finger that drags by steps needs longer from piece to piece than
the demo's own hands."""

TRIES = 4


class DraggingFinger(Finger):
    """Both players of a match at the virtual table, in a window of ``size`` px."""

    def __init__(self, game: str, folder: Path, size: tuple[int, int], lang: str) -> None:
        from companion.ui.offscreen import open_window

        super().__init__(open_window(size), lang)
        from companion.app.demo.window import TableThread
        from companion.ui.screens.demo.without_board import VirtualTableScreen
        from companion.ui.theme.style import style

        players = find_game(game).players[0]
        self.stage = Stage(game, folder, lang, players, settings=SETTINGS)
        self.thread = TableThread(lambda table: table.play(self.stage, lambda picture: None), lang)
        style.change(animations=False, theme="night")

        def opened(screen: Any) -> TableSide:
            self.thread.app = screen
            return self.thread.side()

        self.app = VirtualTableScreen(
            opened, None, lambda: None, Ways(), size_hint=(None, None), size=size
        )
        self.window.add_widget(self.app)
        self.until(lambda: self.app.screen.your_turn, "people may drag")
        # The supply below the picture comes with the first picture, and moves it.
        self._until_seen()
        self._until_seen()
        tick(4)

    def close(self) -> None:
        """End everything."""
        self.thread.end()
        self.app.leave()
        self.window.remove_widget(self.app)
        self.stage.close()
        error = self.thread.error
        if error is not None:
            raise error

    @property
    def screen(self) -> Any:
        """The play screen."""
        return self.app.play

    @property
    def session(self) -> Session:
        """The match under way."""
        return self.stage.session

    def until(self, done: Callable[[], bool], what: str) -> None:
        """Runs frames until ``done``."""

        def well() -> bool:
            assert self.thread.error is None, self.thread.error
            return done()

        frames_until(well, what)

    # -- what a whole match asks of hands -----------------------------------------------------

    def carry_out(self, step: Step) -> None:
        """Drag, put back or turn a piece."""
        self._show(table=True)
        piece = self.stage.virtual.piece(step.piece)
        match step:
            case Turn() if not self.stage.in_sight(piece):
                self._tap_stock(piece)
            case Turn():
                tap(*self._at(piece))
                self.touches += 1
                self.until(
                    lambda: self.stage.virtual.piece(piece.id) != piece
                    and self.stage.virtual.carried is None, f"a tap turns {piece.kind}",
                )  # fmt: skip
            case PutBack():
                self._drag(piece, None)
            case Drag():
                self._drag(piece, step.to)

    def set_out(self, layout: Layout) -> None:
        """The window sets a new match out by itself; nothing else is out of a finger's reach."""
        shown = looks(layout_seen(self.stage.virtual))
        assert {s: [g.kind for g in look] for s, look in shown.items()} == {
            s: [g.kind for g in look] for s, look in looks(layout).items()
        }

    def tap(self, move: Move) -> None:
        """Touch whatever plays the move on the play screen."""
        self._show(table=False)
        ply = self.stage.view.ply
        self.settle()
        if self.stage.view.state is TableState.AMBIGUOUS:
            self.press(self.word("play.something_else"))
        if self.screen.covered:
            self.press("◉")
        self.touch_move(move)
        self.until(lambda: self.stage.view.ply > ply, f"'{move}' is played by touch")

    def choose(self, number: int) -> None:
        """Touch the candidate on the play screen."""
        from companion.presentation.words.sentences import candidate_text, teller_of
        from companion.ui.screens.play.answers import AnswerCard

        self._show(table=False)
        self.settle()
        cards = [w for w in walk(self.screen) if isinstance(w, AnswerCard)]
        meant = candidate_text(
            self.view.candidates[number], self.view, teller_of(self.view, self.lang)
        )
        (card,) = (found for found in cards if found.text == meant)
        self.touch(card)
        self.settle()

    def hold(self, what: str, done: Callable[[TableView], bool]) -> float:
        """Take the hand away until ``done``."""
        start = time.monotonic()
        self.until(lambda: done(self.stage.view), f"{what}; now {self.stage.view.state}")
        return time.monotonic() - start

    # -- fingers ------------------------------------------------------------------------------

    def _show(self, *, table: bool) -> None:
        """Chooses the table or the match where there is room for one only."""
        screen = self.app.screen
        if screen.beside or screen.shows_table == table:
            return
        word = self.word("demo.table" if table else "demo.game")
        self.touches += 1
        found = key(screen, word)
        tap(*found.to_window(*found.center))
        self.until(lambda: screen.shows_table == table, f"'{word}' is shown")
        tick(3)

    def _px(self, u: float, v: float) -> tuple[float, float]:
        """Window px of a pixel of the camera's picture, as exact as a finger."""
        camera = self.stage.camera
        x, y, width, height = self.app.screen.camera.picture_box
        return (
            float(round(x + u / camera.width * width)),
            float(round(y + (1 - v / camera.height) * height)),
        )

    def _uv(self, x: float, y: float) -> tuple[float, float]:
        camera = self.stage.camera
        left, low, width, height = self.app.screen.camera.picture_box
        return ((x - left) / width * camera.width, (1 - (y - low) / height) * camera.height)

    def _at(self, piece: Piece) -> tuple[float, float]:
        """Point at which a finger touches a piece it sees, window px."""
        camera, virtual = self.stage.camera, self.stage.virtual
        high = thickness(self.stage.box.kinds[piece.shows], piece.pose)
        for z in (piece.z + high, piece.z + high / 2, piece.z):
            at = self._px(*camera.board_to_px(piece.x_mm, piece.y_mm, z))
            found = camera.pick(virtual, *self._uv(*at))
            if found is not None and found.id == piece.id:
                return at
        raise AssertionError(f"nothing of {piece} can be touched")

    def _drag(self, piece: Piece, to: tuple[float, float] | None) -> None:
        """Drag a piece to board mm, or home."""
        camera, virtual = self.stage.camera, self.stage.virtual
        touch, start, grip = self._grasp(piece)
        tray = self.app.screen.tray
        if to is None and tray is not None:
            end = (float(tray.center_x), float(tray.center_y))
        else:
            far = self.stage.box.size[0] / 2 + 30.0
            goal = to or (far if piece.x_mm > 0 else -far, piece.y_mm)
            end = self._px(*camera.board_to_px(goal[0] - grip[0], goal[1] - grip[1]))
        held = virtual.piece(virtual.carried if virtual.carried is not None else -1)
        assert held.shows == piece.shows, f"{held.shows} was taken, {piece.shows} was meant"
        for share in (0.4, 0.8, 1.0):
            touch.touch_move(*(a + share * (b - a) for a, b in zip(start, end, strict=True)))
            self._until_seen()
        touch.touch_up()
        self.until(lambda: virtual.carried is None, f"{piece.kind} is laid down")

    def _grasp(self, piece: Piece) -> tuple[Any, tuple[float, float], tuple[float, float]]:
        """Touch a piece until the hand holds it; gives the finger, where it came down (px), and
        how far the piece's middle is from it (mm)."""
        from kivy.tests.common import UnitTestTouch

        camera, virtual = self.stage.camera, self.stage.virtual
        for _try in range(TRIES):
            if self.stage.in_sight(piece):
                start = self._at(piece)
                under = camera.px_to_board(*self._uv(*start), 0.0)
                grip = (piece.x_mm - under[0], piece.y_mm - under[1])
            else:
                start, grip = self._stock_place(piece), (0.0, 0.0)
            touch = UnitTestTouch(*start)
            self.touches += 1
            touch.touch_down()
            deadline = time.monotonic() + PATIENCE_S / TRIES
            while virtual.carried is None and time.monotonic() < deadline:
                tick(1)
                time.sleep(0.003)
            if virtual.carried is not None:
                return touch, start, grip
            # The picture had just moved, or the supply had just been sorted: people try again.
            touch.touch_up()
            tick(4)
        raise AssertionError(f"the finger never got hold of {piece}, last at {start}")

    def _until_seen(self) -> None:
        """Waits until the camera has taken another picture."""
        latest = self.thread.latest
        before = -1 if latest is None else latest[0]

        def later() -> bool:
            now = self.thread.latest
            return now is not None and now[0] > before

        self.until(later, "the camera takes pictures")

    def _stock_place(self, piece: Piece) -> tuple[float, float]:
        """Place of this kind in the supply, window px; its pages are turned until it is there."""
        from companion.ui.screens.demo.screen import StockPiece

        self.until(
            lambda: self.app.screen.tray is not None
            and any(s.kind.id == piece.shows for s in self.app.screen.tray.stock),
            f"{piece.shows} is in the supply",
        )  # fmt: skip
        tick(2)
        tray: Any = self.app.screen.tray
        for _page in range(tray.pages):
            for found in walk(tray):
                if isinstance(found, StockPiece) and found.stock.kind.id == piece.shows:
                    x, y = found.to_window(*found.center)
                    return (x, y)
            self.touches += 1
            tap(*key(tray, "›").center)
            tick(2)
        raise AssertionError(f"the supply does not offer {piece.shows}")

    def _tap_stock(self, piece: Piece) -> None:
        """Turn a piece in the supply."""
        before = [s for s in self.thread.stock if s.kind.id == piece.shows]
        self.touches += 1
        tap(*self._stock_place(piece))
        self.until(
            lambda: [s for s in self.thread.stock if s.kind.id == piece.shows] != before
            and self.stage.virtual.carried is None, f"a tap turns {piece.shows} in the supply",
        )  # fmt: skip
