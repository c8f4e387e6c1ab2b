"""The screen of a ledger: the piles as large tiles, whose turn it is, everybody's points.

A touch of a pile enters that the player to move gained a card; the switch and the players' cards
say something else for one touch (``companion.ui.model.ledger``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.match.view import Intent, Redo, TableView, TapMove, Undo
from companion.ui.model.boxes import box_of
from companion.ui.model.ledger import (
    TRASH_PILE,
    Pen,
    choice_tiles,
    counts_only,
    entered_text,
    entry,
    keys_of,
    pen_text,
    pile_tiles,
    short_text,
    taken,
)
from companion.ui.model.players import player_of
from companion.ui.model.touching import done_move
from companion.ui.screens.seat_table import Swatch
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Key, Symbol, Words, drawn, fit_one_line
from companion.ui.widgets.choice import mark_chosen
from companion.ui.widgets.page import beside
from companion.ui.widgets.pile_grid import PileGrid
from companion.ui.words.sentences import teller_of
from companion.ui.words.translate import _
from companion.ui.words.troubles import note
from rules.core import Ledger, Move
from rules.telling import Teller

__all__ = ["DeskWays", "LedgerDesk", "keeps_ledger", "piles_beside"]

WORD_PX, POINTS_PX = 20.0, 40.0
"""At a short side of 480: words are read from the table."""


def keeps_ledger(view: TableView) -> bool:
    """Whether something may be entered in a ledger now."""
    return view.ledger is not None and view.outcome is None and done_move(view) is not None


@dataclass(frozen=True, slots=True)
class DeskWays:
    """What touches of the desk do, apart from entering something."""

    post: Callable[[Intent], None]
    open_menu: Callable[[], None]
    open_troubles: Callable[[], None]


class LedgerDesk(FloatLayout):  # type: ignore[misc]
    """Fills its screen; ``show`` takes a view for which ``keeps_ledger`` is true."""

    def __init__(self, ways: DeskWays, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._ways = ways
        self._view: TableView | None = None
        self.pen = Pen.of(0)
        """What the next touch of a pile means."""
        self._choosing = False
        """The trash was touched, and several cards may be taken out of it."""
        self.grid: PileGrid | None = None

    def show(self, view: TableView) -> None:
        """Show ``view``; what was said for one touch is forgotten as soon as the record changes."""
        before, self._view = self._view, view
        if before is None or (before.ply, before.prompt) != (view.ply, view.prompt):
            prompt = view.prompt
            self.pen = Pen.of(prompt.player or 0 if prompt is not None else 0)
            self._choosing = False
        self.build()

    # -- what touches do ------------------------------------------------------------------

    def touch_pile(self, kind: str) -> None:
        """Enter a card of this pile, or take one out of the trash."""
        view = self._view
        assert view is not None
        if kind != TRASH_PILE:
            self._ways.post(TapMove(entry(self._ledger, self.pen, kind)))
            return
        offered = taken(view.legal)
        if len(offered) == 1:
            self._ways.post(TapMove(offered[0]))
        elif offered:
            self._choosing = not self._choosing
            self.build()

    def touch_switch(self, fewer: bool) -> None:
        """The next touch of a pile says this."""
        self.pen, self._choosing = self.pen.touch_switch(fewer), False
        self.build()

    def touch_seat(self, seat: int) -> None:
        """The next touch of a pile concerns this player."""
        self.pen, self._choosing = self.pen.touch_seat(seat, self._ledger), False
        self.build()

    # -- building -------------------------------------------------------------------------

    @property
    def _ledger(self) -> Ledger:
        assert self._view is not None and self._view.ledger is not None
        return self._view.ledger

    def build(self) -> None:
        """Build everything for the size and style as they are."""
        view = self._view
        self.clear_widgets()
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
            6 if wide and not counts_only(self._ledger) else 3,
            self.touch_pile,
        )
        rows = (
            self._wide_rows(teller, frame.width) if wide else self._tall_rows(teller, frame.width)
        )
        top, below = rows
        for row in (*top, self.grid, *below):
            frame.add_widget(row)
        self.add_widget(frame)

    def _wide_rows(self, teller: Teller, width: float) -> tuple[list[Any], list[Any]]:
        menu = self._menu()
        name = self._heading(teller, width * 0.34)
        room = width - name.width - menu.width - 2 * style.gap_s
        head = beside(name, self._remark(teller, room) or _nothing(), menu)
        switch = self._switch(width * 0.47)
        line = beside(switch, *(self._aside(teller) or [_nothing()]))
        many = len(self._ledger.owned)
        keys = self._turn_keys(width * (0.42 if many < 4 else 0.36), words=many < 3)
        cards = self._players(teller, (width - keys.width) / many - style.gap_s, 72.0)
        return [head], [line, beside(*cards, keys)]

    def _tall_rows(self, teller: Teller, width: float) -> tuple[list[Any], list[Any]]:
        menu = self._menu()
        head = beside(self._heading(teller, width - menu.width - style.gap_s), _nothing(), menu)
        remark = self._remark(teller, width)
        aside = self._aside(teller)
        many = len(self._ledger.owned)
        cards = beside(*self._players(teller, (width + style.gap_s) / many - style.gap_s, 84.0))
        top = [head, remark] if remark is not None else [head]
        keys = [beside(*aside)] if aside else []
        return top, [self._switch(width), *keys, cards, self._turn_keys(width, words=True)]

    def _menu(self) -> Any:
        side = style.target * 1.05
        return Key("", self._ways.open_menu, symbol="☰", size_hint_x=None, width=side, height=side)

    def _heading(self, teller: Teller, width: float) -> Any:
        """Whose turn it is, and which."""
        view = self._view
        assert view is not None
        name = teller.seat(self.pen.mover)
        turn = _("Turn {turn}").format(turn=view.turn)
        if counts_only(self._ledger):
            turn = _("Final count")
        small = _words(turn, WORD_PX, "ash")
        room = width - small.width - style.gap
        size = fit_one_line(name, tuple(style.factor * px for px in (32.0, 26.0, 20.0)), room)
        large = _words(name, size / style.factor, "bone")
        line = BoxLayout(
            spacing=style.gap, size_hint=(None, None), height=style.target * 1.05,
            width=large.width + small.width + style.gap_l,
        )  # fmt: skip
        for label in (large, small):
            label.pos_hint = {"center_y": 0.5}
            line.add_widget(label)
        return line

    def _remark(self, teller: Teller, width: float) -> Any:
        """What matters most now: what went wrong, what the next touch says, that the end is near,
        or this turn's entries."""
        view, height = self._view, style.target * 1.05
        assert view is not None and view.prompt is not None
        if view.objections:
            told = teller.objection(view.objections[0])
            return _Remark(f"{told.title} – {told.do}", "stop", width, height)
        missing = note(view)
        if missing:
            return _Remark(missing, "ask", width, height, self._ways.open_troubles)
        if counts_only(self._ledger):
            return _Remark(teller.prompt(view.prompt).text, "", width, height)
        said = pen_text(self.pen, teller)
        if self._choosing:
            said = _("What {name} takes from the trash:").format(name=teller.seat(self.pen.mover))
        if said:
            return _Remark(said, "ask", width, height)
        if view.prompt.code != "ledger":
            return _Remark(teller.prompt(view.prompt).text, "stop", width, height)
        entered = entered_text(self._ledger, teller)
        if entered:
            return _Remark(entered, "", width, height)
        return _Remark(teller.prompt(view.prompt).text, "", width, height)

    def _switch(self, width: float) -> Any:
        """What the next touch says."""
        keys, words = [], (_("+ Gained"), _("− Trashed"))
        if counts_only(self._ledger):
            words = (_("+ One more"), _("− One fewer"))
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
        moves = taken(view.legal) if self._choosing else keys_of(self._ledger)
        return [self._entry_key(move, teller) for move in moves]

    def _entry_key(self, move: Move, teller: Teller) -> Any:
        press = partial(self._ways.post, TapMove(move))
        text = short_text(move, teller)
        return Key(text, press, type_px=WORD_PX * style.factor, height=style.target * 1.05)

    def _players(self, teller: Teller, width: float, height: float) -> list[Any]:
        view = self._view
        assert view is not None
        cards = []
        for seat in range(view.players):
            player = player_of(view, teller, seat, supply=False)
            box = box_of(view)
            side = WORD_PX * style.factor
            swatch = Swatch(box, seat, view.colours[seat], teller.colours[seat], side)
            press = partial(self.touch_seat, seat)
            look = "dawn" if seat == self.pen.mover else "edge"
            look = "ask" if seat == self.pen.seat != self.pen.mover else look
            cards.append(PointsCard(player.name, player.score, swatch, look, press, width, height))
        return cards

    def _turn_keys(self, width: float, *, words: bool) -> Any:
        """Undo, redo if there is something, and the end of the turn."""
        view = self._view
        assert view is not None
        size = {"height": 72.0 * style.factor, "type_px": WORD_PX * style.factor}
        post = self._ways.post
        undo = Key(_("Undo") if words else "", partial(post, Undo()), symbol="↺", **size)
        undo.disabled = not view.can_undo
        if not words:
            undo.size_hint_x, undo.width = None, style.button
        keys = [undo]
        if view.can_redo:
            side = {"size_hint_x": None, "width": style.button}
            keys.append(Key("", partial(post, Redo()), symbol="↻", **size, **side))
        done = done_move(view)
        assert done is not None
        end = partial(post, TapMove(done))
        large = size | {"type_px": 24.0 * style.factor}
        text = _("That’s all") if counts_only(self._ledger) else _("End turn")
        keys.append(Key(text, end, primary=True, size_hint_x=1.6, **large))
        line = beside(*keys)
        line.size_hint_x, line.width = None, width
        return line


class _Remark(ButtonBehavior, Card):  # type: ignore[misc]
    """One line in a frame of the colour ``tone``; empty: quiet, without a frame."""

    def __init__(
        self,
        text: str,
        tone: str,
        width: float,
        height: float,
        press: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(
            fill=tone or "slate", line=tone or "edge", size_hint=(None, None), size=(width, height)
        )
        if tone:
            self.tint(tone, tone, 0.16)
        else:
            self.fill = self.line = (0, 0, 0, 0)
        self.text, colour = text, tone or "ash"
        self._sign = Symbol(
            text={"stop": "⚠", "ask": "→"}.get(tone, ""), color=style.tone(colour),
            size_hint=(None, None), font_size=WORD_PX * style.factor,
        )  # fmt: skip
        self._sign.size = drawn(self._sign) if self._sign.text else (0, 0)
        room = width - self._sign.width - 3 * style.gap
        sizes = tuple(px * style.factor for px in (WORD_PX, 18.0))
        size = fit_one_line(text, sizes, room)
        ink = style.tone("ash") if not tone else style.bone
        self._words = Words(text, bold=True, font_size=size, color=ink, width=room, line_height=1.0)
        self.add_widget(self._sign)
        self.add_widget(self._words)
        self.bind(pos=self._place, size=self._place)
        if press is not None:
            self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        middle, left = self.y + self.height / 2, self.x + style.gap
        self._sign.pos = (left, middle - self._sign.height / 2)
        left += self._sign.width + (style.gap_s if self._sign.text else 0)
        self._words.pos = (left, middle - self._words.height / 2)


class PointsCard(ButtonBehavior, Card):  # type: ignore[misc]
    """A player's name and points, to be touched for what concerns them."""

    def __init__(
        self,
        name: str,
        points: str,
        swatch: Widget,
        look: str,
        press: Callable[[], None],
        width: float,
        height: float,
    ) -> None:
        super().__init__(
            fill="slate" if look == "edge" else "stone", line=look, size_hint=(None, None),
            size=(width, height * style.factor),
        )  # fmt: skip
        if look != "edge":
            self.line_width = style.stroke * 0.6
        self.text = name
        self._swatch = swatch
        large = width > 150 * style.factor
        px = POINTS_PX if large else 30.0
        self._points = _words(points, px, "bone")
        room = width - 2 * style.gap_s
        if large:
            room -= style.gap_s + swatch.width + self._points.width
        sizes = tuple(size * style.factor for size in (WORD_PX, 17.0, 14.0, 12.0))
        size = fit_one_line(name, sizes, room)
        self._name = _words(name, size / style.factor, "bone")
        if self._name.width > room:
            self._name.shorten, self._name.shorten_from = True, "right"
            self._name.size = self._name.text_size = (room, self._name.height)
        self._large = large
        for part in (swatch, self._name, self._points):
            self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        left, right = self.x + style.gap_s, self.x + self.width - style.gap_s
        middle = self.y + self.height / 2
        upper = middle if self._large else self.y + self.height * 0.74
        lower = middle if self._large else self.y + self.height * 0.32
        self._swatch.pos = (left, lower - self._swatch.height / 2)
        if self._large:
            left += self._swatch.width + style.gap_s * 0.75
        self._name.pos = (left, upper - self._name.height / 2)
        self._points.pos = (right - self._points.width, lower - self._points.height / 2)


def _nothing() -> Widget:
    """Room that is left free in a line."""
    return Widget(size_hint_y=None, height=0)


def _words(text: str, px: float, tone: str) -> Any:
    """One line as large as it is drawn; ``px`` at a short side of 480."""
    label = Label(
        text=text, font_name=BOLD, font_size=px * style.factor, color=style.tone(tone),
        size_hint=(None, None),
    )  # fmt: skip
    label.size = drawn(label)
    return label


def piles_beside(view: TableView, post: Callable[[Intent], None]) -> Any:
    """What lies beside the words while nothing is entered: the cards to choose from for the piles,
    or the piles as they were left."""
    teller = teller_of(view, style.lang)
    if view.ledger is not None and counts_only(view.ledger):
        return Widget()
    if view.ledger is not None:
        grid = PileGrid(pile_tiles(view.ledger, None, (), teller), 3, None)
    else:
        tiles = choice_tiles(view.legal, teller)
        moves = {tile.kind: move for move, tile in tiles.items()}
        grid = PileGrid(tuple(tiles.values()), 3, lambda kind: post(TapMove(moves[kind])))
    block = BoxLayout(padding=(style.gap, style.gap_s), pos_hint={"x": 0, "y": 0})
    block.add_widget(grid)
    return block
