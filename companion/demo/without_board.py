"""A virtual table inside the program: made while people wait, played, and gone without a trace."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from random import randrange

from companion.demo.stage import Stage
from companion.demo.table_thread import TableThread
from companion.presentation.virtual_table import Asked, Glimpse, TableSide, TableWindow
from hardware.supervised_thread import SupervisedThread
from rules.games import find_game

__all__ = ["open_table"]

log = logging.getLogger(__name__)

_NOTHING_YET = Glimpse(-1, None, (), False, (), ())


def open_table(game: str, lang: str, window: TableWindow) -> TableSide:
    """The way to a new virtual table of ``game`` that shows itself in ``window``."""
    opened = _Opened(game, lang, window)
    return TableSide(
        opened.thread.start, opened.glimpse, opened.ask, opened.speak, opened.show_faces,
        opened.close,
    )  # fmt: skip


class _Opened:
    """Between the window and a table that may not be ready yet."""

    def __init__(self, game: str, lang: str, window: TableWindow) -> None:
        self._game, self._lang, self._window = game, lang, window
        self._faces, self._closed = True, False
        self._side: TableSide | None = None
        self.thread = SupervisedThread("virtual table", self._run, once=True)

    # -- for the window's thread ----------------------------------------------------------

    def glimpse(self) -> Glimpse:
        return _NOTHING_YET if self._side is None else self._side.glimpse()

    def ask(self, asked: Asked) -> None:
        if self._side is not None:
            self._side.ask(asked)

    def speak(self, lang: str) -> None:
        self._lang = lang
        if self._side is not None:
            self._side.speak(lang)

    def show_faces(self, faces: bool) -> None:
        self._faces = faces
        if self._side is not None:
            self._side.show_faces(faces)

    def close(self) -> None:
        self._closed = True
        if self._side is not None:
            self._side.close()

    # -- the thread -----------------------------------------------------------------------

    def _run(self) -> None:
        try:
            with tempfile.TemporaryDirectory(prefix="heelstone-table-") as folder:
                self._play(Path(folder))
        except Exception:
            # Nothing that is kept can be harmed; the window says that the table is gone.
            log.exception("the virtual table failed")
            self._window.soon(self._window.stop)

    def _play(self, folder: Path) -> None:
        allowed = find_game(self._game).players
        players = 2 if 2 in allowed else allowed[0]
        stage = Stage(self._game, folder, self._lang, seed=randrange(1 << 30), players=players)
        try:
            table = TableThread(stage, lambda _picture: None)
            table.app = self._window
            table.deals = True
            side = table.side()
            side.show_faces(self._faces)
            side.speak(self._lang)
            self._side = side
            if not self._closed:
                table.run()
                table.forget()
            if table.error is not None:
                raise table.error
        finally:
            stage.close()
