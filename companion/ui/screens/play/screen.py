"""The play screen: the board and one column of words.

``show`` takes a ``TableView``; what is on the screen follows from it and from what the finger
has picked up. Everything a touch asks for leaves as an intent.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import AliasProperty, NumericProperty, ObjectProperty
from kivy.uix.floatlayout import FloatLayout

from companion.match.state import PLAYING
from companion.match.view import (
    SET_FOR_COMPUTER,
    AskTip,
    ConfirmPlaced,
    Intent,
    PlayMove,
    Redo,
    SetForeground,
    TableState,
    TableView,
    Undo,
)
from companion.presentation.boxes import game_box
from companion.presentation.cards import picking_of
from companion.presentation.choosing import Offer
from companion.presentation.scene import SeenResults
from companion.presentation.table_words import TableWords, table_words
from companion.presentation.theme.density import DENSITIES, LED
from companion.presentation.touching import targets
from companion.presentation.words.translate import _
from companion.presentation.words.troubles import note, stopped
from companion.ui.drawing.board import Board
from companion.ui.screens.play.card_desk import CardDesk
from companion.ui.screens.play.column import LINE_SHARE, PARTS, WordsColumn, below_board, take_sides
from companion.ui.screens.play.desks import Desk, desk_for
from companion.ui.screens.play.ending import EndingView
from companion.ui.screens.play.fingers import Fingers, Slips
from companion.ui.screens.play.head import Foot, Head, Sign, WayBack
from companion.ui.screens.play.ledger_desk import piles_beside
from companion.ui.screens.play.panel_rows import Scribe
from companion.ui.screens.play.panels import Panel, panel_of, tiles_of
from companion.ui.screens.play.privacy import Privacy
from companion.ui.screens.play.result_panel import result_panel
from companion.ui.screens.play.room import RoomView
from companion.ui.screens.play.sheets import PlaySheets
from companion.ui.shell import DeskWays, Touches, Ways
from companion.ui.theme.style import style
from companion.ui.widgets.base import Note, note_words
from companion.ui.widgets.rows import Press, Row
from companion.ui.widgets.score_strip import score_strip, seat_places, show_times
from companion.ui.widgets.sheet import Sheet
from companion.ui.widgets.turn_clock import seat_times
from rules.core import Result, ScoreLine
from rules.games import find_game


class PlayScreen(FloatLayout):  # type: ignore[misc]
    """Shows one match; ``on_intent`` hears what is asked for, ``ways`` lead elsewhere.

    ``embedded``: it is part of another screen, which sets the style's size. ``led``: that screen
    says what is to be done, to somebody who learns.
    """

    landscape = AliasProperty(lambda self: self.width > self.height, None, bind=("size",))
    """True if the words are beside the board, not below it."""
    words_height = NumericProperty(0)
    ground = ObjectProperty()
    frame = ObjectProperty()
    board_area = ObjectProperty()
    words_area = ObjectProperty()
    head = ObjectProperty()
    body = ObjectProperty()
    points = ObjectProperty()
    slot = ObjectProperty()
    bottom = ObjectProperty()
    line = ObjectProperty()

    def __init__(
        self,
        on_intent: Callable[[Intent], object],
        ways: Ways | None = None,
        *,
        embedded: bool = False,
        led: bool = False,
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._on_intent = on_intent
        self.ways = ways or Ways()
        self.embedded, self.led = embedded, led
        # A size given at once would otherwise never be passed on to the children.
        self._trigger_layout()
        self.view: TableView | None = None
        self.fingers, self.privacy = Fingers(self), Privacy(self.ways.phones, learns=led)
        self.slips = Slips(self.canvas.after)
        self._words_part = PARTS[0]
        """Share of an upright screen below the board; in a match it only grows, or the board would
        change its size with every question."""
        self.looked_at: int | None = None
        """The seat of the player whose supply is looked at; None: of the one to move."""
        self.sheets = PlaySheets(self, self.ways)
        self.across_the_room = False
        """True if only what can be read from far away is shown."""
        self.room: RoomView | None = None
        self.ending: EndingView | None = None
        """The end of the match, over everything else."""
        self.at_table = False
        """True if the board is looked at though the match is over."""
        self._counted = 0.0
        """Number of rows of points that were counted up already."""
        self._score_lines: tuple[ScoreLine, ...] = ()
        self.history: tuple[tuple[int, ...], ...] = ()
        """Points by seat before the first move and after each, once the match is over."""
        self.column = WordsColumn(self.body, self.points, self.slot, self.line)
        self.results = SeenResults()
        self.board = Board(
            self.fingers.touch_site, on_bare=self.fingers.touch_bare, ground=self.ground,
            pos_hint={"x": 0, "y": 0},
        )  # fmt: skip
        self.board_area.add_widget(self.board)
        self.desk: Any = None
        """The surface in place of board and words, such as the piles of a ledger."""
        self._desk_maker: Callable[[DeskWays], Desk] | None = None
        self.picker: CardDesk | None = None
        """Cards to choose from, over everything."""
        self._timed = True
        """True if a clock may run: not while a result is looked at."""
        self._head = Head(self.head, on_intent, self.sheets.open_pages, led=led, now_s=now_s)
        self._foot = Foot(self.bottom, self.sheets.open_menu)
        self.bind(size=self._resized)
        style.bind(lang=self._resized, chosen=self._resized)
        self._rebuild = Clock.create_trigger(self.build, -1)
        # Only when everything has its place: the question lies where the words are.
        self._ask_soon = Clock.create_trigger(self._ask_about_phones)

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
        self.fingers.learn(view)
        self.privacy.show(view)
        if before is None or before.match_id != view.match_id:
            self._words_part = PARTS[0]
        if before is None or before.ply != view.ply or before.match_id != view.match_id:
            self._let_go()
            self.looked_at, self.at_table, self._counted = None, False, 0.0
            self.sheets.close()
        if before is None or before.state is not view.state:
            self.fingers.offer = None
        self.sheets.show_tip(before, view)
        self.build()
        self._time_results(view)
        if self.privacy.waiting:
            self._ask_soon()
        if view.wrong is not None and before is not None and view.wrong is not before.wrong:
            # Somebody touched something and nothing came of it: they must hear why.
            self.come_to_table()
            self.sheets.open_troubles()

    def _resized(self, *_: Any) -> None:
        if not self.embedded:
            style.use_size(self.width, self.height)
        self._rebuild()

    def build(self, *_: Any) -> None:
        """Show everything as it is now."""
        view = self.view
        if view is None or self.width < style.target:
            return
        take_sides(self.frame, self.board_area, self.words_area, across=self.landscape)
        part = self._words_part if view.outcome is None else 0.7
        self.words_height = self.height if self.landscape else below_board(view, self.size, part)
        width = style.column if self.landscape else self.width - 2 * style.gap_l
        words = table_words(view, style.lang, self._score_lines, self.history)
        if not self._build_ending(words):
            self._build_table(words, width)
        self._build_room(words)

    def _build_table(self, words: TableWords, width: float) -> None:
        """Builds board and words, or a desk."""
        view = words.view
        if self._build_desk(view):
            self.sheets.renew()
            return
        self.fingers.take_hand(view)
        self.fingers.take_laying(view)
        # Cells that are built now have their places only in the next frame.
        seats = {
            seat: at for strip in self.points.children for seat, at in seat_places(strip).items()
        }
        self._show_picker(view)
        self._head.show(view, self.result, self._sign, width)
        offer = self.fingers.open_offer(words)
        scribe, densities = self._scribe(words, width, offer), LED if self.led else DENSITIES
        strip = self._strip(scribe)
        airy = self.column.show(scribe, densities, self._panel, strip, low=self._low)
        for shown in self.points.children:
            show_times(shown, seat_times(view))
        wider = next((part for part in PARTS if part > self._words_part), None)
        if not airy and not self.landscape and view.outcome is None and wider is not None:
            self._words_part = wider
            self.build()
            return
        self._build_bottom(view)
        self.board.show(self.fingers.scene(words, offer), seats)
        self.sheets.renew()

    def _build_room(self, words: TableWords) -> None:
        """Builds the view for across the room, over everything else, while that is wanted."""
        if self.room is not None:
            self.remove_widget(self.room)
            self.room = None
        if self.across_the_room:
            self.room = RoomView(
                words, self.come_closer, size_hint=(None, None), size=self.size, pos=self.pos
            )
            self.add_widget(self.room)

    def _build_ending(self, words: TableWords) -> bool:
        """Builds the end of the match, with nothing below it; True if that is shown."""
        view, last = words.view, self.ending
        ends = view.outcome is not None and self.result is None
        shown = ends and not (self.across_the_room or self.embedded or self.at_table)
        phones = None if self.ways.phones is None else self.ways.phones.now
        look = (
            view.match_id, view.ply, view.new_record, style.look, phones, *self.size, *self.pos,
        )  # fmt: skip
        if shown and last is not None and last.look == look:
            return True
        if last is not None:
            last.leave()
            self._counted = last.counted
            self.remove_widget(last)
            self.ending = None
        if not shown:
            return False
        self._take_desk_away()
        self.column.clear()
        for part in (self.board_area, self.head, self.bottom):
            part.clear_widgets()
        self.ending = EndingView(
            words, self.ways, self._touches(), self.come_to_table, look, counted=self._counted,
            size_hint=(None, None), size=self.size, pos=self.pos,
        )  # fmt: skip
        self.add_widget(self.ending)
        return True

    def come_to_table(self) -> None:
        """Show the board, though the match is over."""
        self.at_table = True
        self.build()

    def step_back(self) -> None:
        """Show only what can be read across the room, until the screen is touched."""
        self.across_the_room = True
        self.sheets.close()
        self.build()

    def come_closer(self) -> None:
        """Show everything again."""
        self.across_the_room = False
        self.build()

    def _build_desk(self, view: TableView) -> bool:
        """Shows the desk that the view asks for; True if there is one."""
        make = desk_for(view, covered=self.covered)
        if make is CardDesk and self.result is not None:
            # What came to light is seen first, on the board.
            make = None
        if make is not self._desk_maker:
            self._take_desk_away()
        self._desk_maker = make
        self._build_ground(view, desk=make is not None)
        if make is None:
            return False
        if self.desk is None:
            self.desk = make(self._desk_ways())
            # Below the frame, so that sheets lie above it.
            self.add_widget(self.desk, index=len(self.children) - 1)
        self.column.clear()
        for part in (self.head, self.bottom):
            part.clear_widgets()
        self.desk.pos, self.desk.size = self.pos, self.size
        self.desk.show(view)
        return True

    def _take_desk_away(self) -> None:
        if self.desk is not None:
            self.desk.leave()
            self.remove_widget(self.desk)
        self.desk = self._desk_maker = None

    def _desk_ways(self) -> DeskWays:
        sheets, ways = self.sheets, self.ways
        return DeskWays(
            self.post, sheets.open_menu, sheets.open_troubles, sheets.open_pages,
            ways.cards, ways.hand,
            self._cover, lambda: self.covered, self.uncover, lambda: self.privacy.on_phone,
            self.choose_here, lambda: self._ask_now, self.slips.mark,
        )  # fmt: skip

    def open_picker(self) -> None:
        """Offer cards to choose from; the board comes back with a move, or with ✕."""
        if self.view is not None and self.picker is None:
            self.picker = CardDesk(self._desk_ways(), self.close_picker, size_hint=(None, None))
            self.add_widget(self.picker)
            self._show_picker(self.view)

    def close_picker(self) -> None:
        """Take the cards away."""
        if self.picker is not None:
            self.remove_widget(self.picker)
            self.picker = None

    def _show_picker(self, view: TableView) -> None:
        if self.picker is None:
            return
        offence = view.state is TableState.ILLEGAL
        asks_more = offence or view.candidates or view.fixes or self.result is not None
        if self.covered or asks_more or picking_of(view) is None:
            self.close_picker()
            return
        self.picker.pos, self.picker.size = self.pos, self.size
        self.picker.show(view)

    def _build_ground(self, view: TableView, *, desk: bool) -> None:
        """Builds what lies beside the words: the board, a ledger's piles, or a desk's cloth."""
        self.board_area.clear_widgets()
        self.ground.lay(game_box(view.game) if desk else None)
        if desk:
            # Else the board would hear the touches.
            return
        if not find_game(view.game).keeps_ledger(view.options):
            self.board_area.add_widget(self.board)
        else:
            self.board_area.add_widget(piles_beside(view, self.post))

    def _scribe(self, words: TableWords, width: float, offer: Offer | None) -> Scribe:
        """The material of the column's rows."""
        fingers, covered = self.fingers, self.covered
        tiles = [] if covered or self.result else tiles_of(
            words, fingers.chosen, width - style.gap, fingers.touch_tile
        )  # fmt: skip
        glows = bool(targets(words.view, words.box, fingers.picked))
        room = self.words_height - 2 * style.gap - self._head.height(words.view, self.result)
        room -= style.button + 4 * style.gap_s + style.slot
        return Scribe(
            words, self._touches(), fingers.picked, offer, glows, fingers.hand, fingers.laying,
            covered, self.privacy.on_phone, self.looked_at, fingers.missed, width,
            width if self.landscape else width * LINE_SHARE, float(room),
            DENSITIES[0], tiles,
        )  # fmt: skip

    def _panel(self, scribe: Scribe) -> Panel:
        if self.result is not None:
            return result_panel(scribe, self.result, self.put_away)
        panel = panel_of(scribe)
        # That nothing is recorded any more, or nobody plays, must not be overlooked.
        if scribe.density.last_move or stopped(scribe.words.view):
            panel.rows.extend(self._remark(scribe.words.view, scribe.width))
        return panel

    def _strip(self, scribe: Scribe) -> Row:
        words = scribe.words
        sides = words.teller.game.sides(words.view.players, words.view.options)
        return score_strip(
            words.players, sides, words.mover,
            self.looked_at, self._look_at, scribe.width, low=self._low,
        )  # fmt: skip

    def _remark(self, view: TableView, width: float) -> list[Row]:
        """Note on troubles at the table, as far as they can wait."""
        refused = view.outcome is not None or view.state is TableState.ILLEGAL
        told = "" if refused and view.wrong is None else note(view)
        if not told:
            return []
        height = max(style.target, note_words(told, width).extent[1])
        make = partial(Note, told, self.sheets.open_troubles, width)
        return [Row(("note", told, width), height, make)]

    def _look_at(self, seat: int) -> None:
        """Show what lies in front of this player, or of the one to move again; where nothing does,
        how points are made."""
        view = self.view
        if view is None or not any(view.supplies[seat].values()):
            self.sheets.open_pages()
            return
        self.looked_at = None if seat == self.looked_at else seat
        self.build()

    @property
    def _low(self) -> bool:
        """True if there is no room for names below the points."""
        return bool(self.embedded and self.landscape)

    def _touches(self) -> Touches:
        sheets, ways, fingers = self.sheets, self.ways, self.fingers
        return Touches(
            post=self.post, pick_kind=fingers.touch_kind, touch_tile=fingers.touch_tile,
            uncover=self.uncover, choose_here=self.choose_here,
            again=ways.again,
            open_rule=sheets.open_rule,
            open_moves=sheets.open_moves, open_picker=self.open_picker,
            touch_card=fingers.touch_card, say_part=fingers.say_part,
            choose_kind=fingers.choose_kind,
            open_chart=sheets.open_chart,
            ending=None if self.embedded else self._come_to_ending,
            review=sheets.review if ways.review is not None else None,
            export=sheets.export if ways.export is not None else None,
        )  # fmt: skip

    def _sign(self) -> Sign | None:
        """The sign above the words, for a touch."""
        view = self.view
        if view is None:
            return None
        if self._ask_now is not None:
            return Sign("☎", self._ask_now)
        if note(view) and (view.outcome is None or view.wrong is not None):
            return Sign("ℹ", self.sheets.open_troubles)
        if self.privacy.may_cover:
            return Sign("◌", self._cover, _("play.hide"))
        return None

    def _build_bottom(self, view: TableView) -> None:
        idle = not self.fingers.holding
        tip = self.ask_tip if idle and self.may_tip else None
        redo = Press(self.post, (Redo(),)) if idle and view.can_redo else None
        self._foot.show(self._way_back(view), tip, redo)

    def _way_back(self, view: TableView) -> WayBack | None:
        """Letting go of what was picked up, or undo."""
        fingers = self.fingers
        if fingers.holding:
            lifted = fingers.hand is not None and fingers.hand.begun
            words = _("play.put_it_back") if lifted else _("play.put_it_down")
            return WayBack(words, "✕", self.let_go)
        if fingers.laying is not None and fingers.laying.before is not None:
            return WayBack(_("screens.undo"), "↺", fingers.unlay)
        undo = WayBack(_("screens.undo"), "↺", Press(self.post, (Undo(),)))
        return undo if view.can_undo else None

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that lies over the words."""
        return self.sheets.shown

    # -- touching -------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        """A touch beside a sheet closes it and does no more; beside a tip it may follow that. One
        that nothing hears is marked."""
        sheet, inside = self.sheet, self.collide_point(*touch.pos)
        self.slips.at = touch.pos
        if inside and sheet is not None and not sheet.collide_point(*touch.pos):
            follows = self.sheets.tells_tip
            self.sheets.close()
            return bool(super().on_touch_down(touch)) if follows else True
        heard = bool(super().on_touch_down(touch))
        if inside and not heard:
            self.slips.mark()
        return heard

    def post(self, intent: Intent) -> None:
        """Posts an intent; what was begun by touch is dropped."""
        if isinstance(intent, PlayMove) and self.view and intent.move not in self.view.legal:
            self.slips.mark()  # what will be said about it may stand there already
        self._let_go()
        self.sheets.close()
        self._on_intent(intent)

    def _let_go(self) -> None:
        self.fingers.let_go()
        self.close_picker()

    @property
    def covered(self) -> bool:
        """True if the moves are one player's secret, and they have not said that they are there."""
        return self.privacy.covered

    def uncover(self) -> None:
        """The player to move says that they are alone with the screen."""
        self.privacy.uncover()
        if self.result is not None:
            self.put_away()
        else:
            self.build()

    def _cover(self) -> None:
        self.privacy.cover()
        self.sheets.close_tip()
        self._let_go()
        self.build()

    def choose_here(self) -> None:
        """Lets the player to move decide on this screen, although they have a phone."""
        self.privacy.choose_here()
        self.build()

    def phones_changed(self) -> None:
        """A phone came, went, or asks."""
        if self.view is not None:
            self.privacy.phones_changed()
            self.build()
            self._ask_soon()

    def _ask_about_phones(self, *_: Any) -> None:
        """Asks about a phone that wants a seat, once, and not during a touch: until then, and after
        that, a sign at the top leads to the question."""
        covers = (self.picker, self.sheet, self.ending, self.result)
        if self.fingers.holding or any(one is not None for one in covers):
            return
        if (seat := self.privacy.ask_about()) is not None:
            self.sheets.open_phone(seat)

    @property
    def _ask_now(self) -> Callable[[], None] | None:
        """Opens the question about a phone that waits; None if none does."""
        waiting = self.privacy.waiting
        return Press(self.sheets.open_phone, (waiting[0],)) if waiting else None

    @property
    def result(self) -> Result | None:
        """The result that was not put away yet."""
        return None if self.view is None else self.results.waiting(self.view)

    def put_away(self, *, onward: bool = False) -> None:
        """Puts the result away: it was seen; ``onward``: the same touch goes on, and then all is
        shown anew."""
        if self.view is not None and self.result is not None:
            if self.result.code == SET_FOR_COMPUTER:
                self._on_intent(ConfirmPlaced())
            self.results.put_away(self.view)
            if not onward:
                self.build()
            self._time_results(self.view)

    def _time_results(self, view: TableView) -> None:
        """Stops the clock while a result is looked at, if play cannot go on meanwhile."""
        timed = self.result is None
        if view.clock is not None and not view.physical and timed is not self._timed:
            self._timed = timed
            self._on_intent(SetForeground(timed))

    @property
    def may_tip(self) -> bool:
        """True if the player to move may ask for a tip here and now."""
        view = self.view
        if view is None or not view.may_tip or view.state not in PLAYING or self.result is not None:
            return False
        return not self.covered and not self.privacy.on_phone

    def ask_tip(self) -> None:
        """Asks for a tip, or dismisses it."""
        self.post(AskTip())

    def _come_to_ending(self) -> None:
        self.at_table = False
        self.build()

    def let_go(self) -> None:
        """Put down what was picked up."""
        self._let_go()
        self.build()
        self._ask_soon()

    def leave(self) -> None:
        """Stop the screen's clocks; it is no longer shown."""
        self._head.leave()
        self.slips.stop()
        self._ask_soon.cancel()
        for strip in self.points.children:
            show_times(strip, None)
        if self.ending is not None:
            self.ending.leave()
        if self.desk is not None:
            self.desk.leave()
        style.unbind(lang=self._resized, chosen=self._resized)


Builder.load_file(str(files("companion.ui.screens.play") / "screen.kv"))
