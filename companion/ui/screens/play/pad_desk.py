"""The screen of a score sheet: the sheet on paper, and keys for the number of the player asked.

A number is typed, or has a key of its own where there are few; the yellow key enters it and says
who comes next (``companion.presentation.pad``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.match.view import PlayMove, Redo, SetClockRunning, TableView, Undo
from companion.presentation.pad import (
    BACK,
    MOST_KEYS,
    SIGN,
    TIMES,
    Typed,
    asks,
    enter_told,
    entry_of,
    field_of,
    fields_of,
    keys_of,
    others_of,
    paper_lines,
    question_of,
    range_told,
    round_told,
    sheet_name,
    then_told,
)
from companion.presentation.players import player_of
from companion.presentation.touching import done_move
from companion.presentation.words.sentences import clock_text, teller_of
from companion.presentation.words.translate import _
from companion.ui.drawing.faces import face_of
from companion.ui.screens.play.head import urgent
from companion.ui.shell import DeskWays
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Fitted, Key
from companion.ui.widgets.page import beside
from companion.ui.widgets.score_paper import ScorePaper
from companion.ui.widgets.turn_clock import TurnClock
from rules.core import Field, Move
from rules.telling import Teller
from rules.texts import minus

_ENTRY_PX, _KEY_PX, _LINE_PX = 64.0, 58.0, 51.0
"""Heights of what was typed, of a key with a figure, and of the lowest keys."""
_HEAD_PX, _COLUMN_PX = 40.0, 276.0
_LOW_PX = 440.0
"""Height below which keys are only as high as they must be, at a short side of 480, px."""
_COLUMNS = ((3, 1), (8, 2))
"""Most rows to choose from that stand in one column, and in two; more are in three."""


class PadDesk(FloatLayout):  # type: ignore[misc]
    """Fills its screen; ``show`` takes a view for which ``has_pad`` is true."""

    def __init__(self, ways: DeskWays, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._ways = ways
        self._view: TableView | None = None
        self.typed = Typed()
        self._more = False
        """True if all that is no number is offered, such as who has won."""
        self.paper = ScorePaper(self.turn_to, size_hint=(None, None))
        self._clock = TurnClock(lambda on: ways.post(SetClockRunning(on)))

    def show(self, view: TableView) -> None:
        """Show ``view``; what was typed is forgotten as soon as its question is answered."""
        before, self._view = self._view, view
        seat = view.asked if self.typed.seat is None else self.typed.seat
        if before is None or (before.match_id, question_of(before, seat)) != (
            view.match_id, question_of(view, seat)
        ):  # fmt: skip
            self.typed, self._more = Typed(), False
        elif self.typed.figures:
            # Another answer must not turn what was typed into somebody else's.
            self.typed = replace(self.typed, seat=seat)
        self.build()

    def leave(self) -> None:
        """The desk is no longer shown."""
        self._clock.show(None)

    # -- what touches do ------------------------------------------------------------------

    def press(self, key: str) -> None:
        """A key of the pad was touched."""
        field = None if self._view is None else field_of(self._view, self.typed)
        if field is not None:
            self._type(self.typed.press(key, field))

    def choose(self, field: Field) -> None:
        """A row was touched; where it takes one number only, that is entered."""
        if len(field.numbers) == 1 and not field.factors:
            self._ways.post(PlayMove(field.move(field.numbers[0])))
        else:
            self._type(Typed(field.row, self.typed.seat))

    def turn_to(self, seat: int) -> None:
        """A player's column was touched: the next number is theirs, if they are asked for one."""
        if self._view is not None and seat in asks(self._view) and seat != self._seat:
            self._type(Typed(seat=seat))

    @property
    def _seat(self) -> int | None:
        """The seat whose number is typed."""
        asked = None if self._view is None else self._view.asked
        return asked if self.typed.seat is None else self.typed.seat

    def _type(self, typed: Typed, *, more: bool = False) -> None:
        self.typed, self._more = typed, more
        self.build()

    # -- building -------------------------------------------------------------------------

    def build(self) -> None:
        """Build everything for the size and style as they are."""
        view = self._view
        self.clear_widgets()
        if view is None or self.width < style.target:
            return
        teller, wide = teller_of(view, style.lang), self.width > self.height
        edge = style.gap_l if wide else style.gap
        below = style.gap_s if self._low else style.gap
        height = self.height - 2 * below
        column = _COLUMN_PX * style.factor if wide else self.width - 2 * edge
        keys = self._keys(view, teller, column, height if wide else 0.0)
        to_left = wide and style.left_handed
        keys.pos = (self.x + (edge if to_left else self.width - edge - column), self.y + below)
        start = self.x + edge + (column + edge if to_left else 0.0)
        left = self.width - 3 * edge - column if wide else self.width - 2 * edge
        head = self._head(view, teller, left)
        head.pos = (start, self.y + self.height - style.gap_s - head.height)
        low = self.y + below + (0.0 if wide else keys.height + style.gap)
        self.paper.size = (left, head.y - style.gap_s - low)
        self.paper.pos = (start, low)
        players = [player_of(view, teller, seat, supply=False) for seat in range(view.players)]
        assert view.pad is not None
        self.paper.show(
            players, paper_lines(view, teller, field_of(view, self.typed), self.typed),
            view.pad.leads, self._seat
        )  # fmt: skip
        for part in (head, self.paper, keys):
            self.add_widget(part)

    def _head(self, view: TableView, teller: Teller, width: float) -> Any:
        """The game, its length and the round; or a more urgent sentence."""
        height = _HEAD_PX * style.factor
        line: Any = urgent(view, teller, self._ways, width, height)
        if line is None:
            clock = self._time(view)
            told = [text for text in (round_told(view), "" if clock else _minutes(view)) if text]
            small = Fitted(" · ".join(told), (style.caption,), width * 0.5, color=style.ash)
            free = width - small.width - (clock.width if clock else 0.0) - 2 * style.gap
            sizes = (style.type_m, style.body, style.caption)
            name = Fitted(sheet_name(view, teller), sizes, free)
            line = BoxLayout(spacing=style.gap, size_hint=(None, None), size=(width, height))
            for part in (name, Widget(), *([clock] if clock else []), small):
                part.pos_hint = {"center_y": 0.5}
                line.add_widget(part)
        return line

    def _time(self, view: TableView) -> Any:
        if view.clock is None:
            return None
        if self._clock.parent is not None:
            self._clock.parent.remove_widget(self._clock)
        self._clock.size_hint, self._clock.size = (None, None), (style.figure * 2.6, style.target)
        self._clock.show(view.clock)
        return self._clock

    def _keys(self, view: TableView, teller: Teller, width: float, height: float) -> Any:
        """The typed number, the keys, the yellow one, and the way back; ``height``: their room,
        0 if they may be as high as they like."""
        unit = style.factor
        field = field_of(view, self.typed)
        parts = [self._entry(view, teller, width, field), None, *self._yellow(view, teller)]
        parts += [self._lowest(view, teller)]
        taken = sum(part.height for part in parts if part is not None)
        gap = self._gap
        usual = 4 * (_KEY_PX * unit + gap) - gap
        room = height - taken - gap * (len(parts) - 1) if height else usual
        parts[1] = self._pad(view, teller, field, room)
        whole = taken + room + gap * (len(parts) - 1)
        block = BoxLayout(
            orientation="vertical", spacing=gap, size_hint=(None, None),
            size=(width, whole),
        )  # fmt: skip
        for part in parts:
            block.add_widget(part)
        return block

    @property
    def _low(self) -> bool:
        """True if the keys have no more height than they must."""
        return bool(self.height < self.width and self.height < _LOW_PX * style.factor)

    @property
    def _gap(self) -> float:
        return float(style.grid * 1.5 if self._low else style.gap_s)

    def _high(self, px: float) -> float:
        """A height at a short side of 480, or as much as a finger needs."""
        return float(style.target if self._low else px * style.factor)

    def _entry(self, view: TableView, teller: Teller, width: float, field: Field | None) -> Any:
        """The entry under way: a face, the figures and the total with them; a touch lets another
        row be chosen."""
        assert self._seat is not None
        player = player_of(view, teller, self._seat, supply=False)
        several, asked = len(fields_of(view)) > 1, field is None and not fields_of(view)
        back = partial(self._type, Typed()) if self._more or (several and field) else None
        said = teller.word(field.row) if field else _("play.which_row") if several else ""
        move = entry_of(view, self.typed)
        then = then_told(view, move) if move is not None else range_told(field) if field else ""
        if self._more or (asked and view.prompt is not None):
            assert view.prompt is not None
            said, then = teller.prompt(view.prompt).title, ""
        size = (width, self._high(_ENTRY_PX))
        return _Entry(
            face_of(player, size[1] * 0.76, glow=True), said, self.typed.told, then, size, back
        )

    def _pad(self, view: TableView, teller: Teller, field: Field | None, height: float) -> Any:
        """Rows to choose from, numbers with a key each, or the figures."""
        keys: list[Any]
        fields, gap = fields_of(view), self._gap
        if self._more or not fields:
            others = others_of(view)
            keys = [self._says(teller.key(m, view.prompt)[0], m, size_hint_y=1) for m in others]
            return _grid(keys, 1 if len(keys) <= 4 else 2, height, gap)
        if field is None:
            keys = [
                self._key(teller.word(f.row), partial(self.choose, f), style.body) for f in fields
            ]
            columns = next((across for most, across in _COLUMNS if len(keys) <= most), 3)
            return _grid(keys, columns, height, gap)
        if numbers := keys_of(field):
            keys = [self._key(minus(n), partial(self._type, self.typed.take(n))) for n in numbers]
            return _grid(keys, 3 if len(numbers) > MOST_KEYS // 3 else 2, height, gap)
        side = TIMES if field.factors else SIGN if field.numbers[0] < 0 else ""
        last = {TIMES: f"{TIMES} {self.typed.factor}", SIGN: "+ / −", "": ""}[side]
        keys = [self._key(figure, partial(self.press, figure)) for figure in "789456123"]
        keys.append(self._key(last, partial(self.press, side)) if side else Widget())
        keys.append(self._key("0", partial(self.press, "0")))
        keys.append(Key("", partial(self.press, BACK), symbol=BACK, size_hint_y=1))
        return _grid(keys, 3, height, gap)

    def _play(self, move: Move) -> None:
        self._ways.post(PlayMove(move))

    def _says(self, text: str, move: Move, **look: Any) -> Any:
        """A key that plays ``move``."""
        key = Key(text, partial(self._play, move), **{"type_px": style.body, **look})
        key.move = move
        return key

    def _key(self, text: str, press: Callable[[], None], px: float = 0.0) -> Any:
        return Key(text, press, type_px=px or style.type_l, size_hint_y=1)

    def _yellow(self, view: TableView, teller: Teller) -> list[Any]:
        """The key that enters what was typed, or ends the turn."""
        move, done = entry_of(view, self.typed), done_move(view)
        field = field_of(view, self.typed)
        if self._more or (move is None and done is None and field is None):
            return []
        size = {"height": self._high(_LINE_PX), "type_px": style.body}
        words = _("play.enter_number")
        if move is not None:
            text = enter_told(view, move, words, teller)
            return [self._says(text, move, primary=True, **size)]
        if done is not None:
            text = enter_told(view, done, teller.key(done, view.prompt)[0], teller)
            return [self._says(text, done, primary=done == view.usual, **size)]
        why = "" if field is None else range_told(field)
        return [Key(words, lambda: None, why=why, **size)]

    def _lowest(self, view: TableView, teller: Teller) -> Any:
        """Undo, redo if there is something, what is no number, the menu."""
        post, others = self._ways.post, others_of(view) if fields_of(view) else ()
        size: dict[str, Any] = {"height": self._high(_LINE_PX)}
        small: dict[str, Any] = {"size_hint_x": None, "width": style.button, **size}
        why = "" if view.can_undo else _("play.nothing_to_take_back")
        undo, keys = partial(post, Undo()), list[Any]()
        if not others and not view.can_redo:
            keys.append(Key(_("screens.undo"), undo, symbol="↺", why=why, **size))
        elif view.can_undo:
            # A small key has no room for the reason why it is dim.
            keys.append(Key("", undo, symbol="↺", **small))
        if view.can_redo:
            keys.append(Key("", partial(post, Redo()), symbol="↻", **small))
        if len(others) == 1:
            keys.append(self._says(teller.key(others[0], view.prompt)[0], others[0], **size))
        elif others:
            more = partial(self._type, Typed(), more=True)
            keys.append(Key(_("play.more_moves"), more, type_px=style.body, **size))
        elif view.can_redo:
            keys.append(Widget(size_hint_y=None, **size))
        keys.append(Key("", self._ways.open_menu, symbol="☰", **small))
        return beside(*keys)


class _Entry(ButtonBehavior, Card):  # type: ignore[misc]
    """A face, what is entered, the figures, and the points there will be then."""

    def __init__(
        self, face: Any, said: str, figures: str, then: str, size: tuple[float, float],
        back: Callable[[], None] | None,
    ) -> None:  # fmt: skip
        super().__init__(fill="slate", line="dawn", size_hint=(None, None), size=size)
        self.line_width = style.stroke * 0.6
        room = size[0] - face.width - 3 * style.gap
        self._portrait = face
        self.text = said
        quiet = {"color": style.ash}
        low = (style.body, style.caption, style.type_xs)
        self._first = Fitted(figures, (style.type_l, style.type_m), room)
        self._small = Fitted(then, low, room - self._first.width - style.gap_s, **quiet)
        self._beside = bool(figures) and self._small.narrowed == 1
        """True if all stands in one line."""
        if not self._beside:
            self._first = Fitted(figures or said, low, room)
            self._small = Fitted(then, low[1:], room, **quiet)
        for part in (face, self._first, self._small):
            self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        if back is not None:
            self.bind(on_release=lambda *_: back())

    def _place(self, *_: Any) -> None:
        middle, left = self.y + self.height / 2, self.x + style.gap
        self._portrait.pos = (left, middle - self._portrait.height / 2)
        left += self._portrait.width + style.gap
        right = self.x + self.width - style.gap
        if self._beside:
            self._first.pos = (left, middle - self._first.height / 2)
            self._small.pos = (right - self._small.width, middle - self._small.height / 2)
            return
        both = self._first.height + self._small.height
        self._first.pos = (left, middle + both / 2 - self._first.height)
        self._small.pos = (left, middle - both / 2)


def _grid(keys: list[Any], columns: int, height: float, gap: float) -> Any:
    """Keys in columns, as high as there is room."""
    grid = GridLayout(cols=columns, spacing=gap, size_hint_y=None, height=height)
    for key in keys:
        grid.add_widget(key)
    return grid


def _minutes(view: TableView) -> str:
    """Minutes since the match began, while they can be believed."""
    return clock_text(view, time.time()).partition(" · ")[2]


def sheet_beside(view: TableView, teller: Teller) -> Any:
    """The sheet as it stands, beside words while nothing is entered."""
    players = [player_of(view, teller, seat, supply=False) for seat in range(view.players)]
    paper, block = (
        ScorePaper(),
        BoxLayout(padding=(style.gap, style.gap), pos_hint={"x": 0, "y": 0}),
    )
    leads = () if view.pad is None else view.pad.leads
    paper.show(players, paper_lines(view, teller), leads, None)
    block.add_widget(paper)
    return block
