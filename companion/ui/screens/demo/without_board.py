"""The virtual table and its match: as a part of the program, where people choose a game, drag its
pieces and go back to the shelf, and as the demo's window. No real camera is looked through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.match.session import Session
from companion.match.view import Intent, TableView
from companion.presentation.virtual_table import LayOut, PlayAgain, TableSide
from companion.presentation.words.translate import _
from companion.ui.picture import snapshot
from companion.ui.screens.demo.screen import DemoScreen, TableWays
from companion.ui.screens.play.screen import PlayScreen
from companion.ui.shell import Ways
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key
from companion.ui.widgets.page import PageScreen, beside, head

_LOOK_S = 1 / 20
"""Time between two glimpses of the table."""

_REST_S = 0.35
"""Seconds until moving pieces and layouts have settled."""


class VirtualGamesScreen(PageScreen):
    """Choice of a game to be played without a board: ``games`` by id, with their names."""

    def __init__(
        self,
        games: Callable[[], Sequence[tuple[str, str]]],
        choose: Callable[[str], None],
        leave: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._games, self._choose, self._leave = games, choose, leave

    def build(self, frame: Any, width: float) -> None:
        text = _("demo.drag_the_pieces_on_the_screen")
        frame.add_widget(head(_("screens.virtual_table"), text, width))
        keys: list[Widget] = [
            Key(name, partial(self._choose, game), type_px=style.body)
            for game, name in self._games()
        ]
        if len(keys) % 2:
            keys.append(Widget(size_hint_y=None, height=0))
        rows = [beside(*keys[n : n + 2]) for n in range(0, len(keys), 2)]
        frame.add_widget(self.listing(rows, style.gap_s))
        frame.add_widget(Key(_("screens.to_the_shelf"), self._leave, symbol="←"))


class VirtualTableScreen(FloatLayout):  # type: ignore[misc]
    """A table that ``open_side`` opens, and its match; ``gone``: there is no table any more.

    Implements ``TableWindow``. ``leave``: back to where people came from; None: it is a window of
    its own, with ``ways`` that lead on. ``resumed``: the match goes on after the power was cut.
    """

    def __init__(
        self,
        open_side: Callable[[VirtualTableScreen], TableSide],
        leave: Callable[[], None] | None,
        gone: Callable[[], None],
        ways: Ways | None = None,
        *,
        resumed: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._gone, self._left = gone, False
        self._session: Session | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._shown = -1
        self.table = open_side(self)
        again = replace(ways or Ways(leave=leave), again=lambda: self.table.ask(PlayAgain()))
        self.play = PlayScreen(self._post, again, embedded=leave is not None)
        table_ways = None
        if leave is not None:
            lay_out = partial(self.table.ask, LayOut())
            table_ways = TableWays(leave, lay_out, self.table.show_faces)
        self.screen = DemoScreen(self.play, self.table.ask, table_ways)
        self.screen.resumed = resumed
        if leave is not None:
            self.screen.choose(True)
            self.bind(size=lambda *_: style.use_size(*self.size))
            style.use_size(*self.size)
        self.add_widget(self.screen)
        style.bind(lang=self._speak)
        self._looking = Clock.schedule_interval(self._look, _LOOK_S)
        self.table.start()

    def leave(self) -> None:
        """The screen is no longer shown; the table is gone with all that was played on it."""
        self._left = True
        style.unbind(lang=self._speak)
        self._looking.cancel()
        if self._unsubscribe is not None:
            self._unsubscribe()
        self.table.close()
        self.screen.leave()

    # -- for the thread of the table ------------------------------------------------------

    def soon(self, do: Callable[[], None]) -> None:
        """Do something in the window's thread; returns at once."""

        def now(_passed: float) -> None:
            if not self._left:
                do()

        Clock.schedule_once(now)

    # -- in the window's thread -----------------------------------------------------------

    def watch(self, session: Session) -> None:
        """Show this session's table from now on."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._session = session
        # Views come on the session's thread; nothing of Kivy may be touched there.
        self._unsubscribe = session.subscribe(lambda _view: self.soon(self._show_newest))
        self._show_newest()

    def hand_over(self) -> None:
        """People may drag pieces now."""
        self.screen.hand_over()

    def stop(self) -> None:
        """The table is gone."""
        self._gone()

    def photograph(self, view: TableView, path: Path, done: Callable[[], None]) -> None:
        """Write what is shown of ``view``, when everything has settled."""
        session = self._session
        self.play.show(view, () if session is None else session.score_lines)

        def shoot(_passed: float) -> None:
            snapshot(self.screen, path)
            done()

        Clock.schedule_once(shoot, _REST_S)

    def _post(self, intent: Intent) -> None:
        if self._session is not None:
            self._session.post(intent)

    def _show_newest(self) -> None:
        session = self._session
        if session is not None and self.play.view is not session.view:
            self.play.show(session.view, session.score_lines, session.score_history)

    def _look(self, _passed: float) -> None:
        seen = self.table.glimpse()
        if seen.picture is not None and seen.number != self._shown:
            self._shown = seen.number
            self.screen.camera.show(seen.picture)
        if self.screen.your_turn:
            self.screen.show_stock(seen.stock, seen.turns)
        self.screen.show_display(seen.display)
        self.screen.camera.light(seen.lamps)

    def _speak(self, *_: Any) -> None:
        self.table.speak(style.lang)
