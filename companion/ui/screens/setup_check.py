"""Before a match with real pieces: what must lie where, ticked off while it is put down."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.scene import Scene
from companion.presentation.words.sentences import card_names, teller_of
from companion.presentation.words.translate import _
from companion.setup.set_out import Task, places, progress, task_text, tasks, unwanted
from companion.ui.drawing.board import Board
from companion.ui.drawing.build_view import BuildView
from companion.ui.shell import Shell
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key
from companion.ui.widgets.choice import build_words
from companion.ui.widgets.page import PageScreen, beside, head
from companion.ui.widgets.step_row import StepRow
from rules.box import TRAY
from rules.games import find_game
from rules.reading.sighting import SiteBelief
from rules.telling import Teller

BARE = -1
"""Number of the line that says that nothing else lies on the board."""

LOOK_S = 0.3
"""Seconds between two looks through the camera."""


class SetupCheckScreen(PageScreen):
    """``on_begin``: everything lies ready, or is said to; ``on_leave``: no match after all."""

    def __init__(
        self,
        shell: Shell,
        view: TableView,
        on_begin: Callable[[], None],
        on_leave: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.shell, self.view = shell, view
        self._on_begin, self._on_leave = on_begin, on_leave
        self._box = box_of(view)
        self.tasks = tasks(view, self._box)
        self._by_hand: set[int] = set()
        """Numbers of tasks that were ticked off by touch."""
        self._sites: dict[str, SiteBelief] | None = None
        """Last sighting without a hand; None if the camera sees no board."""
        self._wrong: tuple[str, ...] = ()
        self._rows: list[StepRow] = []
        self._bare: StepRow | None = None
        self._board: Board | None = None
        self._foot_ready: bool | None = None
        self._lit: tuple[str, ...] | None = None
        self._clock = Clock.schedule_interval(self._look, LOOK_S)

    @property
    def ready(self) -> bool:
        """True if the table is set, as far as the camera and people say.

        For what lies in front of players there is only a reminder: no camera looks there.
        """
        table = [number for number, task in enumerate(self.tasks) if task.seat is None]
        return self._is_bare and not any(self._missing(number) for number in table)

    @property
    def _is_bare(self) -> bool:
        """True if nothing lies where nothing should."""
        if BARE in self._by_hand:
            return True
        return self._sites is not None and not self._wrong

    # -- what touches do ------------------------------------------------------------------

    def tick(self, number: int) -> None:
        """Ticks a task off by touch, or takes that back."""
        self._by_hand ^= {number}
        self._refresh()

    def leave(self) -> None:
        """The screen is no longer shown."""
        self._clock.cancel()
        super().leave()

    # -- what the camera sees -------------------------------------------------------------

    def _look(self, *_: Any) -> None:
        sighting = self.shell.camera.sees()
        if sighting is None:
            self._sites = None
        elif not sighting.hand:
            self._sites = dict(sighting.sites)
        self._refresh()

    def _missing(self, number: int) -> tuple[str, ...]:
        task = self.tasks[number]
        if number in self._by_hand:
            return ()
        if self._sites is None or task.seat is not None:
            return task.sites or ("",)
        return progress(task, self._sites).missing

    def _refresh(self) -> None:
        if self._left or self._bare is None:
            return
        self._wrong = () if self._sites is None else unwanted(self.view, self._box, self._sites)
        for number, row in enumerate(self._rows):
            task, missing = self.tasks[number], self._missing(number)
            many = len(task.sites)
            lying = f"{many - len(missing)} / {many}" if many > 1 else ""
            row.show("good" if not missing else "open", lying)
        if self._bare is not None:
            state = "good" if self._is_bare else ("bad" if self._wrong else "open")
            where = places(self._wrong, self._teller()) if state == "bad" else ""
            self._bare.show(state, where)
        self._light()
        self._draw()
        if self._foot_ready != self.ready:
            Clock.schedule_once(self.renew)

    def _light(self) -> None:
        """The lamps show where the next thing belongs."""
        lit: tuple[str, ...] = ()
        for number, task in enumerate(self.tasks):
            missing = self._missing(number)
            if missing and task.seat is None:
                lit = missing
                break
        if lit != self._lit:
            self._lit = lit
            self.shell.point_at(lit)

    def _draw(self) -> None:
        if self._board is None:
            return
        missing = {s for number in range(len(self.tasks)) for s in self._missing(number)}
        # Dice are thrown, not set out.
        sites = self._box.sites
        items = tuple(
            item for item in self.view.items
            if item.seen and not (item.site in sites and sites[item.site].kind == TRAY)
        )  # fmt: skip
        self._board.show(
            Scene(
                self._box, self.view.colours,
                items=tuple(item for item in items if item.site not in missing),
                ghosts=tuple(item for item in items if item.site in missing),
                asked=frozenset(self._lit or ()), wrong=frozenset(self._wrong),
                names=card_names(self.view, style.lang),
            )
        )  # fmt: skip

    # -- building -------------------------------------------------------------------------

    def _teller(self) -> Teller:
        return teller_of(self.view, style.lang)

    def build(self, frame: Any, width: float) -> None:
        told = _("setup.the_camera_ticks_off_what")
        if not self.shell.camera.is_set_up:
            told = _("setup.touch_a_line")
        frame.add_widget(head(_("setup.set_the_game_up"), told, width))
        teller = self._teller()
        column = width * 0.52 if self.landscape else width
        inner = column - style.gap
        self._rows = [
            StepRow(
                title, partial(self.tick, number), inner, text=text,
                share=0.2 if len(self.tasks[number].sites) > 1 else 0.0,
            )
            for number, (title, text) in enumerate(self._words(task, teller) for task in self.tasks)
        ]  # fmt: skip
        rows: list[Any] = list(self._rows)
        built = self._built(teller)
        anything = any(task.seat is None for task in self.tasks)
        bare = _("setup.nothing_else_is_on_the_board") if anything else _("setup.the_board_is_bare")
        if built is not None:
            bare = _("setup.built_as_drawn")
        self._bare = StepRow(bare, partial(self.tick, BARE), inner, share=0.3)
        rows.insert(len([task for task in self.tasks if task.seat is None]), self._bare)
        self._board = Board()
        area = BoxLayout(
            orientation="horizontal" if self.landscape else "vertical", spacing=style.margin
        )
        listing = self.listing(rows, style.gap_s)
        if self.landscape:
            listing.size_hint_x, listing.width = None, column
        area.add_widget(self._board if built is None else built)
        area.add_widget(listing)
        frame.add_widget(area)
        back = Key(_("screens.go_back"), self._on_leave, symbol="←", size_hint_x=0.6)
        self._foot_ready = self.ready
        if self._foot_ready or not self.shell.camera.is_set_up:
            begin = Key(_("screens.start_playing"), self._on_begin, symbol="✓", primary=True)
        else:
            begin = Key(_("setup.start_anyway"), self._on_begin)
        frame.add_widget(beside(back, begin))
        self._refresh()

    def _built(self, teller: Teller) -> Any:
        """Instead of the board: what is built on it, where the camera cannot help."""
        build = find_game(self.view.game).touch.build(self.view.options)
        if build is None:
            return None
        words = build_words(build, teller, self.width * (0.4 if self.landscape else 0.9))
        view = BuildView(self._box)
        view.show(build)
        column = BoxLayout(orientation="vertical", spacing=style.gap_s)
        for widget in (view, *words):
            column.add_widget(widget)
        return column

    def _words(self, task: Task, teller: Teller) -> tuple[str, str]:
        what, where = task_text(task, teller)
        if task.seat is None:
            return what, where
        return _("setup.before_name").format(name=teller.seat(task.seat)), what
