"""The screen of a ledger: the piles as large tiles, the player whose turn it is, all points.

A touch of a pile enters that the player to move gained a card; the switch and the players' cards
say something else for one touch (``companion.presentation.market``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.camera.fanned import Fanned, Phase
from companion.match.view import (
    ClockView,
    Intent,
    PlayMove,
    PlayMoves,
    Redo,
    SetClockRunning,
    TableView,
    Undo,
)
from companion.presentation.boxes import box_of
from companion.presentation.hand_cards import Helping, fan_text, helping_of, missed_text
from companion.presentation.market import (
    TRASH_PILE,
    LedgerPen,
    choice_tiles,
    counts_only,
    entered_text,
    entry,
    keys_of,
    ledger_ways,
    pen_text,
    pile_tiles,
    short_text,
    taken,
)
from companion.presentation.players import player_of
from companion.presentation.touching import done_move
from companion.presentation.words.sentences import teller_of, turn_lines
from companion.presentation.words.translate import _
from companion.ui.drawing.faces import face_of
from companion.ui.drawing.flights import CardFlight, card_flights
from companion.ui.screens.play.fan_desk import FanDesk, FanWords
from companion.ui.screens.play.head import Remark, urgent
from companion.ui.screens.play.market_parts import letters
from companion.ui.screens.play.pad_desk import sheet_beside
from companion.ui.shell import DeskWays
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, fit_one_line
from companion.ui.widgets.choice import mark_chosen
from companion.ui.widgets.page import beside
from companion.ui.widgets.pile_grid import PileGrid, draw_pile
from companion.ui.widgets.player_card import PointsCard
from companion.ui.widgets.turn_clock import TurnClock
from rules.core import Ledger, Move
from rules.telling import Teller

if TYPE_CHECKING:
    from companion.camera.card_counter import CardWatch

WORD_PX = 20.0
"""Size of letters at a short side of 480, px: words are read from the table."""
_FEW_PILES = 9
_GLANCE_S = 0.2
"""Seconds between two looks through the camera."""


def keeps_ledger(view: TableView) -> bool:
    """True if something may be entered in a ledger now."""
    return view.ledger is not None and view.outcome is None and done_move(view) is not None


class Fan:
    """The camera counts cards, and ``told`` is called as often as a screen should show it."""

    def __init__(self, watch: CardWatch, told: Callable[[], None]) -> None:
        self.watch, self._told = watch, told
        self.fanned = Fanned()
        self.desk: FanDesk | None = None
        self.offers: tuple[bool, bool, int] = (False, False, 0)
        """State of the keys below the picture."""
        self._clock = Clock.schedule_interval(self.look, _GLANCE_S)

    def close(self) -> bool:
        """Releases the camera; True if cards that were counted still lie there."""
        self._clock.cancel()
        self.watch.close()
        return self.watch.look().phase is Phase.CLEARING

    def look(self, *_: Any) -> None:
        """Show what the camera sees now."""
        self.fanned = self.watch.look()
        self._told()


class LedgerDesk(FloatLayout):  # type: ignore[misc]
    """Fills its screen; ``show`` takes a view for which ``keeps_ledger`` is true."""

    def __init__(self, ways: DeskWays, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._ways = ways
        self._view: TableView | None = None
        self.pen = LedgerPen.of(0)
        """The meaning of the next touch of a pile."""
        self._choosing = False
        """True if the trash was touched, and several cards may be taken out of it."""
        self.grid: PileGrid | None = None
        self.fan: Fan | None = None
        """The camera counts, and the picture is shown instead of the tiles."""
        self._lying = False
        """True if cards that were counted by camera still lay there when it was closed."""
        self._asked: tuple[int, int] | None = None
        """A helping was accepted, and nothing is heard of it yet: moves before it, and in it."""
        self._helpings: list[tuple[int, int]] = []
        """Helpings in the record: moves after each, and in it."""
        self._clock = TurnClock(lambda on: ways.post(SetClockRunning(on)))
        self._seats: dict[int, Any] = {}
        """Cards that stand for players, by seat."""
        self._flights = card_flights(self.canvas.after)

    def show(self, view: TableView) -> None:
        """Show ``view``; what was said for one touch is forgotten as soon as the record changes."""
        before, self._view = self._view, view
        self._hear(view)
        if before is None or (before.ply, before.prompt) != (view.ply, view.prompt):
            prompt = view.prompt
            mover = self.pen.mover
            self.pen = LedgerPen.of(prompt.player or 0 if prompt is not None else 0)
            self._choosing = False
            if before is not None and mover != self.pen.mover:
                # What lies there belonged to somebody else.
                self._leave_lying()
        # Those that are built now have their places only in the next frame.
        grid, seats = self.grid, self._seats
        self.build()
        if before is not None and before.ply != view.ply and before.match_id == view.match_id:
            self._fly(before, view, grid, seats)

    def _fly(self, before: TableView, view: TableView, grid: Any, seats: dict[int, Any]) -> None:
        """Lets cards fly between their piles in ``grid``, or the trash, and players at ``seats``,
        as they were entered."""
        if not style.chosen.animations or self.fan is not None or grid is None:
            return
        tiles, flights = {tile.kind: tile for tile in grid.tiles}, []
        for way in ledger_ways(before.ledger, view.ledger):
            card, pile, place = tiles.get(way.kind), grid.cells.get(way.tile), seats.get(way.seat)
            if card is not None and pile is not None and place is not None:
                card = replace(card, figure="", badge="", scarce=False, able=True)
                draw = partial(draw_pile, tile=card)
                to = (*place.pos, *place.size)
                flights.append(CardFlight(draw, pile, to, back=way.back))
        self._flights.start(flights)

    # -- what touches do ------------------------------------------------------------------

    def touch_pile(self, kind: str) -> None:
        """Enter a card of this pile, or take one out of the trash."""
        view = self._view
        assert view is not None
        if kind != TRASH_PILE:
            self._ways.post(PlayMove(entry(self._ledger, self.pen, kind)))
            return
        offered = taken(view.legal)
        if len(offered) == 1:
            self._ways.post(PlayMove(offered[0]))
        else:
            self._choosing = not self._choosing
            self.build()

    def touch_switch(self, fewer: bool) -> None:
        """The next touch of a pile says this."""
        self.pen, self._choosing = self.pen.touch_switch(fewer), False
        self.build()

    def touch_seat(self, seat: int) -> None:
        """The next touch of a pile concerns this player."""
        before, self._choosing = self.pen, False
        self.pen = before.touch_seat(seat, self._ledger)
        if self.pen == before:
            self._ways.slip()
        self.build()

    # -- cards below the camera -----------------------------------------------------------

    def open_fan(self) -> None:
        """Starts counting with the camera."""
        if self.fan is None and self._ways.cards is not None and self._view is not None:
            watch = self._ways.cards(self._view.box)
            if self._lying:
                watch.take()
            self.fan = Fan(watch, self._glance)
            self.build()

    def close_fan(self) -> None:
        """Back to the tiles; the camera is free again."""
        if self.fan is not None:
            self._lying = self.fan.close()
            self.fan = None
            self.build()

    def leave(self) -> None:
        """The desk is no longer shown."""
        self._clock.show(None)
        self._flights.stop()
        if self.fan is not None:
            self.fan.close()
            self.fan = None

    def add_helping(self) -> None:
        """Enter what the camera has counted."""
        view, moves = self._view, self._helping.moves
        if view is not None and moves and self._asked is None:
            self._asked = (view.ply, len(moves))
            self._ways.post(PlayMoves(moves))

    def undo(self) -> None:
        """Take back the last helping as a whole, else the last entry."""
        view = self._view
        if view is not None and self._helpings and self._helpings[-1][0] == view.ply:
            self._lying = False
            if self.fan is not None:
                self.fan.watch.begin()
            self._ways.post(Undo(self._helpings[-1][1]))
        else:
            self._ways.post(Undo())

    def _hear(self, view: TableView) -> None:
        """Learns whether the helping that was accepted is in the record now."""
        self._helpings = [one for one in self._helpings if one[0] <= view.ply]
        if self._asked is None:
            return
        before, number = self._asked
        if view.ply == before + number:
            self._helpings.append((view.ply, number))
            self._leave_lying()
        if view.ply != before or view.objections or view.wrong is not None:
            self._asked = None

    def _leave_lying(self) -> None:
        """Leaves what lies below the camera uncounted until it was taken away."""
        self._lying = True
        if self.fan is not None:
            self.fan.watch.take()

    @property
    def _helping(self) -> Helping:
        view, fan = self._view, self.fan
        assert view is not None
        if fan is None:
            return Helping()
        cards, teller = fan.fanned.helping, teller_of(view, style.lang)
        return helping_of(cards, view.game, self._ledger, self.pen.mover, view.legal, teller)

    def _glance(self) -> None:
        """Show what the camera sees now."""
        view, fan = self._view, self.fan
        if view is None or fan is None or fan.desk is None:
            return
        helping = self._helping
        name = teller_of(view, style.lang).seat(self.pen.mover)
        words = FanWords(
            fan_text(fan.fanned, helping, name), missed_text(fan.fanned, helping, box_of(view))
        )
        fan.desk.show(fan.fanned, helping, words)
        ready = self._helping_ready
        if fan.offers != (fan.fanned.phase is Phase.CLEARING, ready, len(helping.moves)):
            self.build()

    @property
    def _helping_ready(self) -> bool:
        """True if fanned cards are counted and wait to be added."""
        fan = self.fan
        return fan is not None and fan.fanned.phase is Phase.READY and bool(self._helping.moves)

    def _fan_keys(self, width: float) -> Any:
        """Below the picture: accept what is counted, or back to the tiles."""
        fan, helping = self.fan, self._helping
        assert fan is not None
        clearing = fan.fanned.phase is Phase.CLEARING
        ready = self._helping_ready
        fan.offers = (clearing, ready, len(helping.moves))
        size = {"type_px": WORD_PX * style.factor, "height": style.target * 1.05}
        back = Key(_("play.back_to_touching"), self.close_fan, symbol="←", **size)
        if clearing:
            line = beside(Key(_("play.these_are_new_cards"), fan.watch.begin, **size), back)
        else:
            text = _("play.add_these").format(number=len(helping.moves))
            why = "" if ready else _("play.hold_still")
            add = Key(text, self.add_helping, primary=ready, symbol="+", why=why, **size)
            line = beside(add, back)
        line.size_hint_x, line.width = None, width
        return line

    # -- building -------------------------------------------------------------------------

    @property
    def _ledger(self) -> Ledger:
        assert self._view is not None and self._view.ledger is not None
        return self._view.ledger

    def build(self) -> None:
        """Build everything for the size and style as they are."""
        view = self._view
        self.clear_widgets()
        self._flights.stop()
        if view is None or self.width < style.target:
            return
        wide = self.width > self.height
        teller = teller_of(view, style.lang)
        edge = style.gap if wide else style.margin * 0.6
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap_s, size_hint=(None, None),
            size=(self.width - 2 * edge, self.height - 2 * style.gap_s),
            pos=(self.x + edge, self.y + style.gap_s),
        )  # fmt: skip
        legal = frozenset(view.legal)
        self.grid = PileGrid(
            pile_tiles(self._ledger, self.pen, legal, teller),
            6 if wide and len(self._ledger.piles) > _FEW_PILES else 3,
            self.touch_pile,
        )
        rows = (
            self._wide_rows(teller, frame.width) if wide else self._tall_rows(teller, frame.width)
        )
        top, below = rows
        middle: Any = self.grid
        if self.fan is not None:
            middle = self.fan.desk = FanDesk(self.fan.watch.touch)
        for row in (*top, middle, *below):
            frame.add_widget(row)
        self.add_widget(frame)
        self._glance()

    def _wide_rows(self, teller: Teller, width: float) -> tuple[list[Any], list[Any]]:
        menu = self._menu()
        timed = self._view is not None and self._view.clock is not None
        name = self._heading(teller, width * (0.46 if timed else 0.34))
        room = width - name.width - menu.width - 2 * style.gap_s
        head = _to_hand(name, self._remark(teller, room) or _nothing(), menu)
        if self.fan is not None:
            line = self._fan_keys(width)
        else:
            switch = self._switch(width * 0.47)
            rest = width - switch.width - style.gap_s
            line = beside(switch, *(self._aside(teller) or [self._this_turn(teller, rest)]))
        many = len(self._ledger.owned)
        part = 0.48 if many < 3 else 0.42 if many < 4 else 0.36
        keys = self._turn_keys(width * part, words=many < 3)
        cards = self._players(teller, (width - keys.width) / many - style.gap_s, 72.0)
        return [head], [line, _to_hand(*cards, keys)]

    def _tall_rows(self, teller: Teller, width: float) -> tuple[list[Any], list[Any]]:
        menu = self._menu()
        head = beside(self._heading(teller, width - menu.width - style.gap_s), _nothing(), menu)
        remark = self._remark(teller, width)
        aside = self._aside(teller)
        many = len(self._ledger.owned)
        cards = beside(*self._players(teller, (width + style.gap_s) / many - style.gap_s, 84.0))
        top = [head, remark] if remark is not None else [head]
        keys = [self._switch(width), *([beside(*aside)] if aside else [])]
        if self.fan is not None:
            keys = [self._fan_keys(width)]
        return top, [*keys, cards, self._turn_keys(width, words=True)]

    def _menu(self) -> Any:
        side = style.target * 1.05
        return Key("", self._ways.open_menu, symbol="☰", size_hint_x=None, width=side, height=side)

    def _heading(self, teller: Teller, width: float) -> Any:
        """The player whose turn it is, and its number."""
        view = self._view
        assert view is not None
        name = teller.seat(self.pen.mover)
        turn = _("screens.turn").format(turn=view.turn)
        if counts_only(self._ledger):
            turn = _("screens.final_count")
        small: Any = letters(turn, WORD_PX * style.factor, "ash")
        if view.clock is not None:
            small = self._face(view.clock)
        player = player_of(view, teller, self.pen.mover, supply=False)
        face = face_of(player, style.target * 0.92, glow=True)
        room = width - small.width - face.width - style.gap_l - style.gap
        size = fit_one_line(name, tuple(style.factor * px for px in (32.0, 24.0, 20.0)), room)
        large = letters(name, size, "bone")
        line = BoxLayout(
            spacing=style.gap, size_hint=(None, None), height=style.target * 1.05,
            width=face.width + large.width + small.width + style.gap_l + style.gap,
        )  # fmt: skip
        for label in (face, large, small):
            label.pos_hint = {"center_y": 0.5}
            line.add_widget(label)
        return line

    def _face(self, clock: ClockView) -> Any:
        """The time of the player to move."""
        face = self._clock
        if face.parent is not None:
            face.parent.remove_widget(face)
        face.size_hint, face.size = (None, None), (style.figure * 3.1, style.target * 1.05)
        face.show(clock)
        return face

    def _remark(self, teller: Teller, width: float) -> Any:
        """The most important remark now: a failure, the meaning of the next touch, that the end is
        near, or this turn's entries."""
        view, height = self._view, style.target * 1.05
        assert view is not None and view.prompt is not None
        if self._choosing:
            said = _("play.what_name_takes_from_the_trash").format(name=teller.seat(self.pen.mover))
            said = said if taken(view.legal) else _("play.the_trash_is_empty")
            return Remark(said, "ask", width, height)
        most = urgent(view, teller, self._ways, width, height)
        if most is not None:
            return most
        if self.fan is not None:
            return None
        if counts_only(self._ledger):
            return Remark(teller.prompt(view.prompt).text, "", width, height)
        said = pen_text(self.pen, teller)
        if said:
            return Remark(said, "ask", width, height)
        if view.prompt.code != "ledger":
            return Remark(teller.prompt(view.prompt).text, "stop", width, height)
        entered = entered_text(self._ledger, teller)
        lines = (entered,) if entered else turn_lines(view, teller)
        if lines:
            return Remark(lines[0], "", width, height)
        return Remark(teller.prompt(view.prompt).text, "", width, height)

    def _switch(self, width: float) -> Any:
        """The switch for the meaning of the next touch."""
        keys, words = [], (_("play.gained"), _("play.trashed"))
        if counts_only(self._ledger):
            words = (_("play.one_more"), _("play.one_fewer"))
        for fewer, text in zip((False, True), words, strict=True):
            key = Key(text, partial(self.touch_switch, fewer), type_px=WORD_PX * style.factor)
            key.height = style.target * 1.05
            mark_chosen(key, fewer is self.pen.fewer)
            keys.append(key)
        line = beside(*keys)
        line.size_hint_x, line.width = None, width
        return line

    def _aside(self, teller: Teller) -> list[Any]:
        """Beside the switch: what can be taken out of the trash, or what is likely."""
        view = self._view
        assert view is not None
        if counts_only(self._ledger):
            if self._ways.cards is None:
                return []
            size = {"type_px": WORD_PX * style.factor, "height": style.target * 1.05}
            return [Key(_("play.fan_them_below_the_camera"), self.open_fan, **size)]
        moves = taken(view.legal) if self._choosing else keys_of(self._ledger)
        return [self._entry_key(move, teller) for move in moves]

    def _this_turn(self, teller: Teller, width: float) -> Any:
        """Entries of this turn, where something else stands at their usual place."""
        view = self._view
        entered = entered_text(self._ledger, teller)
        if not entered or view is None or view.prompt is None or view.prompt.code == "ledger":
            return _nothing()
        return Remark(entered, "", width, style.target * 1.05)

    def _entry_key(self, move: Move, teller: Teller) -> Any:
        press = partial(self._ways.post, PlayMove(move))
        text = short_text(move, teller)
        return Key(text, press, type_px=WORD_PX * style.factor, height=style.target * 1.05)

    def _players(self, teller: Teller, width: float, height: float) -> list[Any]:
        view = self._view
        assert view is not None
        self._seats = {}
        for seat in range(view.players):
            player = player_of(view, teller, seat, supply=False)
            press = partial(self.touch_seat, seat)
            look = "dawn" if seat == self.pen.mover else "edge"
            look = "ask" if seat == self.pen.seat != self.pen.mover else look
            self._seats[seat] = PointsCard(player, look, width, height, press)
        return list(self._seats.values())

    def _turn_keys(self, width: float, *, words: bool) -> Any:
        """Undo, redo if there is something, and the end of the turn."""
        view = self._view
        assert view is not None
        size = {"height": 72.0 * style.factor, "type_px": WORD_PX * style.factor}
        post = self._ways.post
        why = "" if view.can_undo else _("play.nothing_to_take_back")
        undo = Key(_("screens.undo") if words else "", self.undo, symbol="↺", why=why, **size)
        if not words:
            undo.size_hint_x, undo.width = None, style.button
        keys = [undo]
        if view.can_redo:
            side = {"size_hint_x": None, "width": style.button}
            keys.append(Key("", partial(post, Redo()), symbol="↻", **size, **side))
        done = done_move(view)
        assert done is not None
        end = partial(post, PlayMove(done))
        large = size | {"type_px": 24.0 * style.factor}
        text = _("play.thats_all") if counts_only(self._ledger) else _("play.end_turn")
        keys.append(Key(text, end, primary=not self._helping_ready, size_hint_x=1.2, **large))
        line = beside(*keys)
        line.size_hint_x, line.width = None, width
        return line


def _to_hand(*parts: Any) -> Any:
    """Parts beside each other, the last of them on the side of the hand that touches."""
    *others, last = parts
    return beside(last, *others) if style.left_handed else beside(*parts)


def _nothing() -> Widget:
    """Room that is left free in a line."""
    return Widget(size_hint_y=None, height=0)


def piles_beside(view: TableView, post: Callable[[Intent], None]) -> Any:
    """Part beside the words while nothing is entered: a score sheet, or piles, with the cards
    to choose from for them, or as they were left."""
    teller = teller_of(view, style.lang)
    if view.pad is not None:
        return sheet_beside(view, teller)
    if view.ledger is not None and counts_only(view.ledger):
        return Widget()
    if view.ledger is not None:
        grid = PileGrid(pile_tiles(view.ledger, None, (), teller), 3, None)
    else:
        tiles = choice_tiles(view.legal, teller)
        moves = {tile.kind: move for move, tile in tiles.items()}
        grid = PileGrid(tuple(tiles.values()), 3, lambda kind: post(PlayMove(moves[kind])))
    block = BoxLayout(padding=(style.gap, style.gap_s), pos_hint={"x": 0, "y": 0})
    block.add_widget(grid)
    return block
