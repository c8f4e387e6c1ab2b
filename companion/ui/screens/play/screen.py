"""The play screen: the board and one column of words.

``show`` takes a ``TableView``; what is on the screen follows from it and from what the finger
has picked up. Everything a touch asks for leaves as an intent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import AliasProperty, NumericProperty, ObjectProperty
from kivy.uix.floatlayout import FloatLayout

from companion.match.view import CameraIsWrong, ClockGoes, Intent, TableState, TableView, TapMove
from companion.settings.manners import Enforcement
from companion.ui.drawing.board import Board
from companion.ui.model.boxes import box_of
from companion.ui.model.choosing import Tile
from companion.ui.model.density import DENSITIES
from companion.ui.model.offer import offer_of
from companion.ui.model.scene import scene_of
from companion.ui.model.table_words import TableWords, table_words
from companion.ui.model.touching import Ask, Finger, Picked, Play, targets
from companion.ui.model.turned import SeenResults, scene_with
from companion.ui.model.ways import DeskWays, Touches, Ways
from companion.ui.screens.play.desks import Desk, desk_for
from companion.ui.screens.play.ledger_desk import piles_beside
from companion.ui.screens.play.panel_rows import Scribe
from companion.ui.screens.play.panels import Panel, panel_of, tiles_of
from companion.ui.screens.play.result_panel import result_panel
from companion.ui.screens.play.sheets import PlaySheets
from companion.ui.theme.style import style
from companion.ui.widgets.base import Letters, Link, Note, Words
from companion.ui.widgets.chip import Chip
from companion.ui.widgets.chooser import Chooser
from companion.ui.widgets.kept import KeptWidgets
from companion.ui.widgets.page import beside
from companion.ui.widgets.sheet import Column, Sheet
from companion.ui.widgets.turn_clock import TurnClock
from companion.ui.words.sentences import card_names, clock_text, teller_of
from companion.ui.words.translate import _
from companion.ui.words.troubles import chip_text, note, time_is_up
from rules.core import Move, Result, ScoreLine
from rules.games import find_game

__all__ = ["PlayScreen"]

_CLOCK_S = 20.0
_LEAST_LISTED = 3.3
"""How many rows of a long list of tiles must be in sight; else players' cards get smaller."""
_LEAST_OF_MANY = 4.6
"""The same, if there are so many tiles that a sheet used to hold them."""


class PlayScreen(FloatLayout):  # type: ignore[misc]
    """Shows one match; ``on_intent`` hears what is asked for, ``ways`` lead elsewhere.

    ``embedded``: it is part of another screen, which sets the style's size.
    """

    landscape = AliasProperty(lambda self: self.width > self.height, None, bind=("size",))
    """Whether the words are beside the board, not below it."""
    words_height = NumericProperty(0)
    ground = ObjectProperty()
    frame = ObjectProperty()
    board_area = ObjectProperty()
    words_area = ObjectProperty()
    head = ObjectProperty()
    body = ObjectProperty()
    actions = ObjectProperty()
    foot = ObjectProperty()

    def __init__(
        self,
        on_intent: Callable[[Intent], object],
        ways: Ways | None = None,
        *,
        embedded: bool = False,
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._on_intent, self._now_s = on_intent, now_s
        self.ways = ways or Ways()
        self.embedded = embedded
        # A size given at once would otherwise never be passed on to the children.
        self._trigger_layout()
        self.view: TableView | None = None
        self.finger = Finger()
        self.chosen: tuple[str, ...] = ()
        """What was chosen so far of a move that is entered step by step."""
        self._alone: tuple[str, int] | None = None
        """Match and seat of the player who said that they are alone with their secrets."""
        self.chooser: Chooser | None = None
        self.sheets = PlaySheets(self, self.ways)
        self._score_lines: tuple[ScoreLine, ...] = ()
        self.history: tuple[tuple[int, ...], ...] = ()
        """Points by seat before the first move and after each, once the match is over."""
        self._kept, self._foot_kept = KeptWidgets(), KeptWidgets()
        self.results = SeenResults()
        self.board = Board(
            self._site_touched, on_bare=self._put_away, ground=self.ground,
            pos_hint={"x": 0, "y": 0},
        )  # fmt: skip
        self.board_area.add_widget(self.board)
        self.desk: Any = None
        """What is shown instead of board and words, such as the piles of a ledger."""
        self._desk_maker: Callable[[DeskWays], Desk] | None = None
        self._chip = Chip()
        self._clock_label = Letters(halign="right", valign="middle")
        self._clock_label.bind(size=self._clock_label.setter("text_size"))
        self._turn_clock = TurnClock(lambda on: on_intent(ClockGoes(on)))
        self.bind(size=self._resized)
        style.bind(lang=self._again_later, name=self._again_later)
        self._tick = Clock.schedule_interval(self._show_clock, _CLOCK_S)
        self._rebuild = Clock.create_trigger(self._build, -1)

    # -- showing --------------------------------------------------------------------------

    def show(
        self,
        view: TableView,
        score_lines: tuple[ScoreLine, ...] = (),
        history: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        """Show ``view``; at the end of a match ``score_lines`` explain its points, and
        ``history`` is how they went: by seat, before the first move and after each."""
        before, self.view, self._score_lines = self.view, view, score_lines
        self.history = history
        self.finger.learn(view)
        if before is None or before.ply != view.ply or before.match_id != view.match_id:
            self._let_go()
            self.sheets.close()
        if _mover(view) != self._alone:
            # Whoever said that they are alone stays so until somebody else is asked.
            self._alone = None
        if before is None or before.state is not view.state:
            self.close_chooser()
        self._build()
        if view.wrong is not None and before is not None and view.wrong is not before.wrong:
            # Somebody touched something and nothing came of it: they must hear why.
            self.sheets.open_troubles()

    def _resized(self, *_: Any) -> None:
        if not self.embedded:
            style.use_size(self.width, self.height)
        self._rebuild()

    def _again_later(self, *_: Any) -> None:
        self._rebuild()

    def _build(self, *_: Any) -> None:
        view = self.view
        if view is None or self.width < style.target:
            return
        part = 0.57 if view.outcome is None else 0.7
        self.words_height = self.height if self.landscape else round(self.height * part)
        width = style.column if self.landscape else self.width - 2 * style.margin
        if self._build_desk(view):
            self.sheets.renew()
            return
        self._build_head(view)
        self._build_foot(view, width)
        self._build_column(table_words(view, style.lang, self._score_lines, self.history), width)
        self._show_scene()
        self.sheets.renew()

    def _build_desk(self, view: TableView) -> bool:
        """Show the desk that the view asks for, if there is one."""
        # Before one player's secrets the screen is handed over as anywhere else.
        make = None if self.covered else desk_for(view)
        if make is not self._desk_maker and self.desk is not None:
            self.desk.leave()
            self.remove_widget(self.desk)
            self.desk = None
        self._desk_maker = make
        self._build_ground(view, desk=make is not None)
        if make is None:
            return False
        if self.desk is None:
            sheets, ways = self.sheets, self.ways
            self.desk = make(
                DeskWays(
                    self.post, sheets.open_menu, sheets.open_troubles, ways.cards, ways.hand,
                    self._cover,
                )
            )  # fmt: skip
            # Below the frame, so that sheets lie above it.
            self.add_widget(self.desk, index=len(self.children) - 1)
        for part in (self.head, self.body, self.actions, self.foot):
            part.clear_widgets()
        self.desk.pos, self.desk.size = self.pos, self.size
        self.desk.show(view)
        return True

    def _build_ground(self, view: TableView, *, desk: bool) -> None:
        """What lies beside the words: the board; where a ledger is kept its piles, or nothing."""
        self.board_area.clear_widgets()
        if desk:
            # Else the board would hear the touches.
            return
        if not find_game(view.game).keeps_ledger(view.options):
            self.board_area.add_widget(self.board)
        else:
            self.board_area.add_widget(piles_beside(view, self.post))

    def _build_column(self, words: TableWords, width: float) -> None:
        """The airiest panel that fits, and its keys below it."""
        room = width - style.gap
        chosen, result = self.chosen, self.result
        tiles = [] if self.covered or result else tiles_of(words, chosen, room, self.touch_tile)
        rows = _LEAST_OF_MANY if words.crowded else _LEAST_LISTED
        for density in DENSITIES:
            self._kept.begin()
            scribe = Scribe(
                    words, self._touches(), self.finger.picked.kind, self.covered, width,
                    self._rows_room(1), density, tiles, self._kept,
                )  # fmt: skip
            panel = (
                panel_of(scribe) if result is None else result_panel(scribe, result, self._put_away)
            )
            spacing = style.gap if density.airy else style.gap_s
            left = self._room_left(panel, spacing)
            listing = _listing_height(panel)
            if left >= min(listing, style.target * rows):
                break
        if panel.listing:
            height = max(min(listing, left), style.target)
            column = Column(panel.listing, style.gap_s, listing=True, height=height)
            column.size_hint_y = None
            panel.rows.insert(panel.listed_after, column)
        self.body.clear_widgets()
        self.body.add_widget(Column(panel.rows, spacing, pos_hint={"x": 0, "y": 0}))
        self.actions.clear_widgets()
        for keys in panel.actions:
            self.actions.add_widget(beside(*keys))
        self._kept.end()

    def _room_left(self, panel: Panel, spacing: float) -> float:
        """How much of the column's height a panel leaves for its listing, px."""
        count = len(panel.rows) + (1 if panel.listing else 0)
        wanted = sum(row.height for row in panel.rows) + spacing * (count - 1)
        return float(self._rows_room(len(panel.actions)) - wanted)

    def _rows_room(self, lines: int) -> float:
        """Height of the column above this many lines of keys, px."""
        keys = lines * style.button + max(lines - 1, 0) * style.gap_s
        fixed = style.gap_l * 3 + style.gap + keys + style.target
        return float(self.words_height - fixed - style.gap_s)

    def _touches(self) -> Touches:
        sheets, ways = self.sheets, self.ways
        return Touches(
            post=self.post, pick_kind=self._kind_touched, touch_tile=self.touch_tile,
            uncover=self._uncover, again=self._again, open_rule=sheets.open_rule,
            open_moves=sheets.open_moves, open_chart=sheets.open_chart,
            review=sheets.review if ways.review is not None else None,
            export=sheets.export if ways.export is not None else None,
        )  # fmt: skip

    def _show_scene(self) -> None:
        if self.view is not None:
            # Where the next piece may go would reveal what is in the hand.
            view = replace(self.view, legal=(), hints=()) if self.covered else self.view
            scene = scene_of(view, self.finger.picked)
            if self.result is not None:
                scene = scene_with(scene, self.result)
            self.board.show(replace(scene, names=card_names(self.view, style.lang)))

    def _build_head(self, view: TableView) -> None:
        self.head.clear_widgets()
        told = chip_text(view, teller_of(view, style.lang).text("state", view.state.value))
        if view.outcome is not None:
            told = _("Match over")
        state = view.state if view.outcome is None else TableState.SETTLED
        self._chip.show(state, told, time_up=time_is_up(view))
        if self.result is not None:
            verdict = teller_of(view, style.lang).verdict(self.result)
            self._chip.tell(verdict, good=self.result.good)
        self.head.add_widget(self._chip)
        if view.clock is not None and view.outcome is None:
            self._turn_clock.show(view.clock)
            self.head.add_widget(self._turn_clock)
            return
        self._clock_label.font_size = style.type_xs
        self._clock_label.color = style.ash
        self.head.add_widget(self._clock_label)
        self._show_clock()

    def _show_clock(self, *_: Any) -> None:
        if self.view is not None:
            self._clock_label.text = clock_text(self.view, self._now_s())

    def _build_foot(self, view: TableView, width: float) -> None:
        self.foot.clear_widgets()
        self._foot_kept.begin()
        menu = self._link(_("Menu"), self.sheets.open_menu, "☰", {"x": 0, "y": 0})
        self.foot.add_widget(menu)
        missing = note(view) if view.outcome is None or view.wrong is not None else ""
        if missing and (view.state is not TableState.ILLEGAL or view.wrong is not None):
            room = width - menu.width - style.gap_l
            remark = Note(missing, self.sheets.open_troubles, room, pos_hint={"right": 1, "y": 0})
            self.foot.add_widget(remark)
        elif view.state is TableState.ILLEGAL:
            text = _("Mode: {mode}").format(mode=_mode(view.enforcement))
            mode = Words(text, font_size=style.type_xs, color=style.ash, halign="right")
            mode.size_hint_x = 0.72
            mode.pos_hint = {"right": 1, "center_y": 0.5}
            self.foot.add_widget(mode)
        elif self._alone is not None and view.secret:
            right = {"right": 1, "y": 0}
            self.foot.add_widget(self._link(_("Hide"), self._cover, "◌", right))
        elif view.physical and not self.embedded and view.outcome is None and view.state not in (
            TableState.AMBIGUOUS, TableState.DESYNC, TableState.PROPOSED,
        ):  # fmt: skip
            wrong, right = partial(self.post, CameraIsWrong()), {"right": 1, "y": 0}
            self.foot.add_widget(self._link(_("Camera wrong?"), wrong, "", right))
        self._foot_kept.end()

    def _link(
        self, text: str, press: Callable[[], None], symbol: str, place: Mapping[str, float]
    ) -> Any:
        def make() -> Any:
            to_right = "right" in place
            return Link(text, press, symbol=symbol, to_right=to_right, pos_hint=dict(place))

        return self._foot_kept.give(text, make)

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that lies over the words."""
        return self.sheets.shown

    # -- touching -------------------------------------------------------------------------

    def post(self, intent: Intent) -> None:
        """Ask for something; what was begun by touch is dropped."""
        self._let_go()
        self.sheets.close()
        self._on_intent(intent)

    def _let_go(self) -> None:
        self.finger.clear()
        self.chosen = ()
        self.close_chooser()

    def touch_tile(self, tile: Tile) -> None:
        """A move was chosen, or a part of one."""
        if tile.moves and tile.move is not None:
            self.post(TapMove(tile.move))
            return
        self.chosen = tile.chosen if tile.moves else ()
        self._build()

    @property
    def covered(self) -> bool:
        """Whether the moves are one player's secret, and they have not said that they are there."""
        view = self.view
        return view is not None and view.secret and self._alone is None

    def _uncover(self) -> None:
        if self.view is not None:
            self._alone = _mover(self.view)
            self._build()

    def _cover(self) -> None:
        self._alone = None
        self._let_go()
        self._build()

    @property
    def result(self) -> Result | None:
        """What came to light and was not put away yet."""
        return None if self.view is None else self.results.waiting(self.view)

    def _put_away(self) -> None:
        if self.view is not None and self.result is not None:
            self.results.put_away(self.view)
            self._build()

    def _again(self) -> None:
        if self.ways.again is not None:
            self.ways.again()

    def _site_touched(self, site: str) -> None:
        view = self.view
        if view is not None and self.result is not None:
            onward = site in targets(view, box_of(view), Picked()) and self.result.goes_on
            self._put_away()
            if not onward:
                return
        if view is None or view.outcome is not None or self.covered:
            return
        self.close_chooser()
        match self.finger.touch_site(view, box_of(view), site):
            case Play(move):
                self.post(TapMove(move))
            case Ask(moves, at):
                self._open_chooser(moves, at)
                self._show_scene()
            case Picked():
                self._show_scene()

    def _kind_touched(self, kind: str) -> None:
        if self.view is None:
            return
        self.close_chooser()
        self.finger.touch_kind(self.view, kind)
        self._build()

    def _open_chooser(self, moves: tuple[Move, ...], site: str) -> None:
        view, area = self.view, self.board_area
        assert view is not None
        edge = style.gap_s
        width = min(area.width - 2 * edge, style.target * 8.4)
        offer = offer_of(moves, site, view, teller_of(view, style.lang))
        chooser = Chooser(offer, self._play, self._drop, width, area.height * 0.6)
        x, y = self.board.centre_of(site)
        left = min(max(x - chooser.width / 2, area.x + edge), area.right - edge - chooser.width)
        away = style.target * 0.75
        bottom = y - away - chooser.height
        if bottom < area.y + edge:
            bottom = min(y + away, area.top - edge - chooser.height)
        chooser.pos = (left, bottom)
        self.chooser = chooser
        self.board_area.add_widget(chooser)

    def _play(self, move: Move) -> None:
        self.post(TapMove(move))

    def _drop(self) -> None:
        self._let_go()
        self._build()

    def close_chooser(self) -> None:
        """Take the card with choices away."""
        if self.chooser is not None:
            self.board_area.remove_widget(self.chooser)
        self.chooser = None

    def leave(self) -> None:
        """Stop the screen's clocks; it is no longer shown."""
        self._tick.cancel()
        self._turn_clock.show(None)
        if self.desk is not None:
            self.desk.leave()
        style.unbind(lang=self._again_later, name=self._again_later)


def _listing_height(panel: Panel) -> float:
    """What all tiles of a panel would take, px; 0 without any."""
    if not panel.listing:
        return 0.0
    return float(sum(row.height + style.gap_s for row in panel.listing) - style.gap_s)


def _mover(view: TableView) -> tuple[str, int] | None:
    """Match and seat of the player to move."""
    prompt = view.prompt
    if prompt is None or prompt.player is None:
        return None
    return (view.match_id, prompt.player)


def _mode(enforcement: Enforcement) -> str:
    return {
        Enforcement.OFF: _("only score"),
        Enforcement.ADVISE: _("advise"),
        Enforcement.ENFORCE: _("apply rules"),
        Enforcement.PENALISE: _("penalise"),
    }[enforcement]


Builder.load_file(str(files("companion.ui.screens.play") / "screen.kv"))
