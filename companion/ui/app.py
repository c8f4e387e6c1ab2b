"""The app: one window, one screen at a time, and the thread boundary to the session."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.floatlayout import FloatLayout

from companion.journal.entries import JournalError
from companion.presentation.words.translate import _
from companion.settings.people import MatchSetup
from companion.settings.preferences import Preferences
from companion.setup.shelf import Fronts
from companion.support.memory import tidy
from companion.ui import frame_queue
from companion.ui.drawing.ink import SORTS, meet
from companion.ui.drawing.pictures import CoverPictures
from companion.ui.routes import CODES, PARTS, WAY, screen_class
from companion.ui.screens.start import ShelfPlace, StartScreen, tell_news
from companion.ui.shell import OpenWays, ShelfWays, Shell, TablePort, Unsubscribe
from companion.ui.theme.style import style
from rules.texts import after

if TYPE_CHECKING:
    from companion.match.view import Intent, TableView
    from companion.presentation.remote_table import Pairing
    from companion.presentation.virtual_table import TableSide, TableWindow

OpenTable = Callable[[str, str, "TableWindow"], "TableSide"]
"""Opens a virtual table of a game, in a language, that shows itself in a window."""

log = logging.getLogger(__name__)

BEAT_S = 1.0
HANGS_S = 20.0
"""Seconds without a drawn frame after which the screen hangs."""


_TIDY_S = 2.0
"""Seconds between two returns of memory that screens no longer need to the system."""

_REST_S = 1.5
"""Seconds after which a screen that was neither touched nor changed is at rest."""
_ANSWER_S = 0.03
"""Longest time for which the frame after a touch waits for what comes of it, seconds: else it would
be drawn twice, and the answer seen a frame later."""


class HeelstoneApp(App):  # type: ignore[misc]
    """Screens around a ``Shell``.

    ``start``: a table to show at once; None begins with the start screen. ``page``: a page of the
    workshop to show at once. ``physical``: new matches are played with real pieces. ``fronts``: the
    fronts of the shelf's boxes, as far as they are already known. ``on_style`` hears what is
    switched here, by the names of the preferences, so that it can be saved. ``virtual`` opens a
    virtual table; None: there is none. ``on_drawn`` is called once, when the first frame is drawn.
    """

    title = "Heelstone"

    def __init__(
        self,
        shell: Shell,
        chosen: Preferences,
        *,
        start: TablePort | None = None,
        page: str = "",
        physical: bool = True,
        fronts: Fronts | None = None,
        on_style: Callable[..., object] | None = None,
        on_drawn: Callable[[], object] | None = None,
        virtual: OpenTable | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.shell, self.physical = shell, physical
        self._start, self._on_style, self._on_drawn = start, on_style, on_drawn
        self._page = page
        self._open_virtual = virtual
        self._port: TablePort | None = None
        self._unsubscribe: Unsubscribe | None = None
        self._trail: list[Callable[[], Any]] = []
        self._read: set[str] = set()
        """Texts of the notices that players have read."""
        self._following = False
        """True if invitations of other tables are listened to."""
        self._beaten_s = self._stirred_s = time.monotonic()
        self._fronts = fronts or Fronts()
        self._pictures, self._place = CoverPictures(self._fronts), ShelfPlace()
        style.use(chosen)
        style.bind(name=_colour_window)

    def build(self) -> Any:
        self.root_view = FloatLayout()
        style.use_size(*Window.size)
        Window.clearcolor = style.night
        self._tidying = Clock.schedule_interval(self._tidy, _TIDY_S)
        for touch in ("on_touch_down", "on_touch_move", "on_touch_up"):
            self.root_view.fbind(touch, self._stir)
        if self._start is not None:
            self.play(self._start)
        elif self._page:
            self._trail[:] = [self._shelf]
            self.workshop(self._page)
        elif self.shell.is_new:
            self.show(self._welcome)
        elif self.shell.unfinished():
            self._trail[:] = [self._shelf]
            self.open_matches()
        else:
            self.shelf()
        return self.root_view

    # -- screens --------------------------------------------------------------------------

    @property
    def screen(self) -> Any:
        """The screen that is shown."""
        return self.root_view.children[0] if self.root_view.children else None

    def show(self, make: Callable[[], Any]) -> None:
        """Show the screen that ``make`` builds; ``back`` leads to the one before it.

        ``make`` is called again when a screen above it is left.
        """
        self._trail.append(make)
        self._set(make)

    def back(self) -> None:
        """Leave the screen; the previous one is rebuilt, as things are now."""
        if len(self._trail) > 1:
            self._trail.pop()
            self._set(self._trail[-1])
        else:
            self.shelf()

    def shelf(self) -> None:
        """Show the start screen; nothing is behind it."""
        self._trail.clear()
        self.show(self._shelf)

    def play(self, port: TablePort) -> None:
        """Show a table; the shelf is behind it."""
        self._trail[:] = [self._shelf]
        self.show(partial(self._table, port))

    def open_matches(self) -> None:
        """Show the matches that can be taken up again."""
        self.show(self._open_matches)

    def seats(self, game: str) -> None:
        """Set up a new match of ``game``."""
        make = screen_class("seats")
        tables = self.shell.together
        together = self.invite if tables is not None and tables.knows(game) else None
        puzzles = self._puzzles_of(game)
        self.show(lambda: make(self.shell, game, self._begin, self.back, together, puzzles))

    def invite(self, plan: MatchSetup, table: str = "", here: Collection[int] = ()) -> None:
        """Play what was set up with another table of the club; ``table`` and ``here``: the one that
        is likely to be invited, and the seats that stay at this one."""
        together = self.shell.together
        assert together is not None
        make = screen_class("invite")
        self.show(
            lambda: make(
                together, plan, self._begin_together, self.back, chosen=table, here=here
            )
        )  # fmt: skip

    def invited(self, *_: Any) -> None:
        """Another table invites this one: ask people, unless they are busy with something."""
        together = self.shell.together
        if together is None:
            return
        if isinstance(self.screen, StartScreen):
            self.screen.heed()
        if together.now.received is None:
            return
        calm = (StartScreen, screen_class("open_matches"), screen_class("seats"))
        screen = self.screen
        over = isinstance(screen, screen_class("play")) and screen.view.outcome is not None
        if not over and not isinstance(screen, calm):
            return
        make = screen_class("invitation")
        self.show(lambda: make(together, self._begin_together, self.back))

    def tournament(self) -> None:
        """The one game of a tournament that waits for this table begins; of several, one is
        chosen."""
        together = self.shell.together
        assert together is not None
        own = [one for one in together.now.pairings if one.here]
        if len(own) == 1:
            self._begin_pairing(own[0])
            return
        make = screen_class("pairings")
        self.show(lambda: make(together, self._begin_pairing, self.back))

    def lesson(self, game: str) -> None:
        """The first steps of ``game``, and then a match of one's own."""

        def play() -> None:
            self._trail[:] = [self._shelf]
            self.seats(game)

        make = screen_class("lesson")
        puzzles = self._puzzles_of(game)
        self.show(lambda: make(game, play, self.shelf, puzzles))

    def puzzles(self, game: str) -> None:
        """The puzzles of ``game``, and then a match of one's own."""

        def play() -> None:
            self._trail[:] = [self._shelf]
            self.seats(game)

        make = screen_class("puzzles")
        self.show(lambda: make(game, play, self.shelf))

    def _puzzles_of(self, game: str) -> Callable[[], None] | None:
        from rules.puzzle import has_puzzles

        return partial(self.puzzles, game) if has_puzzles(game) else None

    def virtual_games(self) -> None:
        """Choose what to play without a board and a camera."""

        def named() -> list[tuple[str, str]]:
            games = self._fronts.games()
            return [(game, self._fronts.of(game).titles[style.lang]) for game in games]

        make = screen_class("virtual_games")
        self.show(lambda: make(named, self.virtual_table, self.shelf))

    def virtual_table(self, game: str) -> None:
        """Play ``game`` without a board and a camera."""
        opening = self._open_virtual
        assert opening is not None
        make = screen_class("virtual_table")
        self.show(
            lambda: make(
                lambda window: opening(game, style.lang, window), self.shelf, self._virtual_gone
            )
        )

    def _virtual_gone(self) -> None:
        self.shelf()
        self.sorry(JournalError("virtual_table_gone"))

    def review(self, match_id: str) -> None:
        """Look back at a match."""
        make = screen_class("review")
        self.show(
            lambda: make(self.shell, match_id, self.back, on_play=self.play, on_export=self.export)
        )

    def export(self, match_id: str) -> None:
        """Take a match along: a code, a USB stick, a file."""
        make = screen_class("export")
        shell = self.shell
        self.show(
            lambda: make(
                shell.library, match_id, self.back, number=shell.bgg_number,
                keep_number=shell.keep_bgg_number,
            )
        )  # fmt: skip

    def _keep_picture(self, match_id: str, picture: bytes) -> Path:
        return self.shell.library.keep_picture(match_id, style.lang, picture)

    def records(self) -> None:
        """Results, best lists and everything that was played."""
        make = screen_class("records")
        self.show(lambda: make(self.shell, self.back, on_review=self.review))

    def workshop(self, page: str = "") -> None:
        """Opens the workshop: the camera's view, devices and settings; ``page``: one of its pages
        at once."""

        def make() -> Any:
            screen = screen_class("workshop")(
                self.shell, self.back, on_table_setup=self.table_setup,
                on_phones=lambda: self.phones(lambda: self.shell.workshop.played()),
            )  # fmt: skip
            if page:
                screen.open(page)
            return screen

        self.show(make)

    def phones(self, view: Callable[[], TableView | None]) -> None:
        """Phones at the table, and their codes; ``view``: the match there."""
        make = screen_class("phones")
        self.show(lambda: make(self.shell.phones, view, self.back))

    def table_setup(self) -> None:
        """Check camera, light and devices; a match under way is not touched."""
        make = screen_class("table_setup")
        self.show(lambda: make(self.shell, self.back))

    def notices(self) -> None:
        """Troubles that players should know before they play on."""
        from companion.presentation.words.troubles import Trouble, notices_of

        def told() -> tuple[Trouble, ...]:
            return notices_of(self.shell.machine_notes(), self.shell.notices())

        self._read.update(trouble.text for trouble in told())
        make = screen_class("notices")
        self.show(lambda: make(lambda: _("shelf.please_read_this_first"), told, self.back))

    def sorry(self, error: JournalError) -> None:
        """Say why something cannot be done."""
        from companion.presentation.words.troubles import Trouble, exactly, machine_trouble

        def told() -> list[Trouble]:
            machine = [machine_trouble(note) for note in self.shell.machine_notes()]
            return [Trouble("", exactly(error.sentence)), *machine]

        make = screen_class("notices")
        self.show(lambda: make(lambda: _("shelf.that_is_not_possible_now"), told, self.back))

    def _welcome(self) -> Any:
        def later() -> None:
            self.shell.checked.keep((), time.time())
            self.shelf()

        return screen_class("first_run")(
            self.shell.games()[0], self._first_check if self.shell.can_check else None, later,
            self.switch_language, self.switch_theme, self.switch_turn,
            partial(self.workshop, "wifi") if self.shell.workshop.wifi.able else None,
        )  # fmt: skip

    def _first_check(self) -> None:
        """The table setup, with the shelf behind it."""
        self._trail[:] = [self._shelf]
        self.table_setup()

    def _shelf(self) -> Any:
        self.shell.pause()
        ways = ShelfWays(
            choose=self.seats, open_matches=self.open_matches, records=self.records,
            workshop=self.workshop, notices=self.notices,
            language=self.switch_language, theme=self.switch_theme, lessons=self.lesson,
            virtual=None if self._open_virtual is None else self.virtual_games,
            tournament=self.tournament,
        )  # fmt: skip
        return StartScreen(
            self.shell, ways, self._pictures, read=self._read, place=self._place
        )  # fmt: skip

    def _open_matches(self) -> Any:
        ways = OpenWays(
            resume=self._resume, review=self.review, give_up=self._give_up, shelf=self.shelf
        )  # fmt: skip
        return screen_class("open_matches")(
            self.shell, ways, self._pictures,
            tell=lambda frame: tell_news(frame, self.shell, self.notices, self._read),
        )  # fmt: skip

    def _give_up(self, match_id: str) -> None:
        try:
            self.shell.abandon(match_id)
        except JournalError as error:
            self.sorry(error)

    def _table(self, port: TablePort) -> Any:
        from companion.ui.shell import Ways

        ways = Ways(
            leave=self.shelf, again=self._again,
            language=self.switch_language, theme=self.switch_theme,
            table_setup=self.table_setup, workshop=self.workshop, page=self.workshop,
            review=self.review,
            cards=self.shell.camera.count_cards if self.shell.camera.is_set_up else None,
            export=self.export, hand=port.hand, keep=self._keep_picture,
            moment=lambda: self.shell.workshop.report.remember_moment(),
            phones=self.shell.phones, open_phones=lambda: self.phones(lambda: port.view),
        )  # fmt: skip
        answer = Clock.create_trigger(lambda _passed: port.settle(_ANSWER_S), -1)

        def post(intent: Intent) -> None:
            port.post(intent)
            answer()

        screen = screen_class("play")(post, ways)
        self._port = port
        # Views come on the session's thread; nothing of Kivy may be touched there.
        views = port.subscribe(lambda view: self._hear(port, view))
        phones = self.shell.phones.listen(lambda: Clock.schedule_once(self._phones_changed))

        def unsubscribe() -> None:
            views()
            phones()

        self._unsubscribe = unsubscribe
        if port.view is not None:
            screen.show(port.view, port.score_lines, port.score_history)
        self._watch(here=True)
        return screen

    def _watch(self, *, here: bool) -> None:
        """The table comes on the screen, or leaves it."""
        if self._port is not None:
            from companion.match.view import SetForeground

            self._port.post(SetForeground(here))

    def _set(self, make: Callable[[], Any]) -> None:
        # First the old screen releases camera and devices; the new one may want them.
        self._drop_table()
        for old in list(self.root_view.children):
            old.leave()
            self.root_view.remove_widget(old)
        self.root_view.add_widget(make())
        self._follow_tables()
        Clock.schedule_once(self.invited)

    def _follow_tables(self) -> None:
        """Listens for invitations of other tables, as soon as the club is there."""
        together = self.shell.together
        if together is not None and not self._following:
            self._following = True
            together.listen(lambda: Clock.schedule_once(self.invited))

    def _stir(self, *_: Any) -> None:
        self._stirred_s = time.monotonic()

    def _tidy(self, *_: Any) -> None:
        if time.monotonic() - self._stirred_s >= _REST_S:
            tidy()

    def _hear(self, port: TablePort, view: TableView) -> None:
        Clock.schedule_once(lambda _passed: self._show(port, view), -1)

    def _show(self, port: TablePort, view: TableView) -> None:
        # Of the views that came in one frame only the newest is worth building.
        if (
            self._port is port
            and view is port.view
            and isinstance(self.screen, screen_class("play"))
        ):
            self._stir()
            self.screen.show(view, port.score_lines, port.score_history)

    def _phones_changed(self, *_: Any) -> None:
        if isinstance(self.screen, screen_class("play")):
            self._stir()
            self.screen.phones_changed()

    def _drop_table(self) -> None:
        if self._unsubscribe is not None:
            self._watch(here=False)
            self._unsubscribe()
        self._port = self._unsubscribe = None

    def on_start(self) -> None:
        self._beat()
        Window.bind(on_flip=self._first_frame)
        Clock.schedule_interval(self._beat, BEAT_S)

    def _first_frame(self, *_: Any) -> None:
        Window.unbind(on_flip=self._first_frame)
        for part in PARTS:
            frame_queue.soon(partial(import_module, part))
        for name in (*WAY, *CODES):
            frame_queue.soon(partial(screen_class, name))
        for sort in SORTS:
            frame_queue.soon(partial(meet, sort))
        if self._on_drawn is not None:
            self._on_drawn()

    def fronts_changed(self) -> None:
        """Shows the fronts of the boxes anew; from any thread."""
        Clock.schedule_once(self._show_fronts)

    def _show_fronts(self, *_: Any) -> None:
        self._pictures = CoverPictures(self._fronts)
        if isinstance(self.screen, StartScreen):
            self._set(self._trail[-1])

    def alive(self) -> bool:
        """True if the screen still draws; may be asked from any thread."""
        return time.monotonic() - self._beaten_s < HANGS_S

    def _beat(self, *_: Any) -> None:
        self._beaten_s = time.monotonic()
        self._follow_tables()

    def on_stop(self) -> None:
        self._tidying.cancel()
        self._drop_table()
        if self.screen is not None:
            self.screen.leave()

    # -- what screens ask for -------------------------------------------------------------

    def _begin(self, plan: MatchSetup) -> None:
        """Start a match; with real pieces, first look at how they lie."""
        self._put_on_table(lambda: self.shell.start(plan))

    def _begin_pairing(self, pairing: Pairing) -> None:
        """Begin a game of a tournament, played as it usually is at this table."""
        self._trail[:] = [self._shelf]
        self._begin(pairing.setup(self.shell.plan_for(pairing.plan.game, pairing.plan.names)))

    def _put_on_table(self, start: Callable[[], TablePort]) -> None:
        try:
            port = start()
        except JournalError as error:
            self.sorry(error)
            return
        view = port.view
        if view is None or not view.physical:
            self.play(port)
            return

        def begin() -> None:
            self.shell.begin()
            self.play(port)

        def leave() -> None:
            try:
                self.shell.abandon(view.match_id)
            except JournalError as error:
                log.warning("the match stays unfinished: %s", error)
            self.back()

        make = screen_class("setup_check")
        self.show(lambda: make(self.shell, view, begin, leave))

    def _begin_together(self) -> None:
        """Begin the match that two tables agreed on."""
        self._trail[:] = [self._shelf]
        self._put_on_table(self.shell.begin_together)

    def _again(self) -> None:
        """The same again, as the table was set up."""
        port = self._port
        view = None if port is None else port.view
        if view is None:
            self.shelf()
            return
        from companion.match.looking_back.rematch import rematch_of

        self._trail[:] = [self._shelf]
        if view.other is not None and self.shell.together is not None:
            plan = rematch_of(view)
            people = [view.names[seat] for seat in view.other.here if view.names[seat]]
            here = {seat for seat, name in enumerate(plan.names) if name in people}
            self.invite(plan, view.other.name, here if len(people) == len(here) else ())
        else:
            self._begin(rematch_of(view))

    def _resume(self, match_id: str) -> None:
        try:
            port = self.shell.resume(match_id)
        except JournalError as error:
            self.sorry(error)
        else:
            self.play(port)

    def switch_language(self) -> None:
        """The next language, everywhere at once."""
        style.use_language(after(style.lang))
        self._keep_style()

    def switch_theme(self) -> None:
        """Night to limestone and back."""
        style.use_theme("limestone" if style.name == "night" else "night")
        self._keep_style()

    def switch_turn(self) -> None:
        """Turn the screen by a quarter, to the left."""
        style.change(turn=(style.chosen.turn + 90) % 360)
        self._keep_style()

    def _keep_style(self) -> None:
        if self._on_style is not None:
            self._on_style(lang=style.lang, theme=style.name, turn=style.chosen.turn)


def _colour_window(*_: Any) -> None:
    """Shows the theme around and behind the screens."""
    Window.clearcolor = style.night
