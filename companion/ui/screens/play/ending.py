"""The end of a match: the winner's face below the great trilithon, the points row by row, what
decided it, and what can be done next.

It lies over the whole play screen. The points are counted up one row after another; a touch ends
that, and means as much as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.export.qr import code_of
from companion.journal.entries import JournalError
from companion.match.looking_back.rematch import next_first
from companion.presentation.ending import Sign, ending_of
from companion.presentation.scene import Scene
from companion.presentation.table_words import TableWords
from companion.presentation.words.phones import page_for_phones
from companion.presentation.words.translate import _
from companion.presentation.words.troubles import exactly
from companion.ui import frame_queue
from companion.ui.drawing.code import CodePicture
from companion.ui.drawing.faces import face_of
from companion.ui.drawing.keepsake import Print, keepsake
from companion.ui.drawing.sunrise import honour, sunrise
from companion.ui.screens.play.points_table import PointsTable, draw_sign
from companion.ui.shell import Touches, Ways
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import TEXT, style
from companion.ui.widgets.answer_key import AnswerKey
from companion.ui.widgets.base import Card, Fitted, Key, Words
from rules.games import find_game

ROW_S = 0.6
"""Seconds for each row."""
_TICK_S = 0.1
_HERO, _UPRIGHT_HERO = 0.41, 0.35
"""Share of the screen that the picture takes, across and upright."""
_KEY, _DECIDED = 58.0, 84.0
"""Heights of the keys, and of what decided the match, at a short side of 480, px."""
_YELLOW = 1.55
"""Width of the yellow key, in widths of those beside it."""
_DIM = 0.6
"""Opacity of what is not possible now; its words can still be read."""
_PRINT = 104.0
"""Width of the print, likewise."""
_STEPS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.42)


class EndingView(FloatLayout):  # type: ignore[misc]
    """Fills its screen."""

    def __init__(
        self, words: TableWords, ways: Ways, touches: Touches, table: Callable[[], None],
        look: object, *, counted: float = 0.0, **kwargs: Any,
    ) -> None:  # fmt: skip
        """``table``: leads to the board, to the menu and to what can be taken back; ``look``: with
        an equal one it need not be built anew; ``counted``: number of rows that were counted up
        before."""
        super().__init__(**kwargs)
        self.look = look
        view = words.view
        self.words, self._ways, self._touches, self._to_table = words, ways, touches, table
        self.ending = ending = ending_of(view, words.score_lines, words.teller)
        ledger = find_game(view.game).keeps_ledger(view.options)
        self._scene = None
        """The table as it was left; None if nothing lies there."""
        if view.items and not ledger:
            self._scene = Scene(words.box, view.colours, view.items)
        self.counted = min(counted, float(len(ending.rows)))
        """Number of rows that are counted up."""
        self._told: tuple[str, str] | None = None
        """Title and text on the picture that is kept, in place of what decided the match."""
        self._kept = False
        self._shows_code = False
        self._sky = InstructionGroup()
        self.canvas.before.add(self._sky)
        self._table: PointsTable | None = None
        self._after: list[Widget] = []
        """Everything that says what the count comes to."""
        self._beside: list[Any] = []
        """The keys other than the yellow one."""
        self._clock: Any = None
        if self.counted < len(ending.rows) and style.chosen.animations:
            self._clock = Clock.schedule_interval(self._count, _TICK_S)
        else:
            self.counted = float(len(ending.rows))
        self.bind(pos=self._build, size=self._build)
        self._build()

    @property
    def counting(self) -> bool:
        """True if the points are being counted up."""
        return self._clock is not None

    def leave(self) -> None:
        """Stop the clock; it is no longer shown."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def finish(self) -> None:
        """End the count."""
        if self.counting:
            self.leave()
            self.counted = float(len(self.ending.rows))
            self._show_count()

    def on_touch_down(self, touch: Any) -> bool:
        self.finish()
        super().on_touch_down(touch)
        # Nothing below it can be touched unseen.
        return True

    def _count(self, passed: float) -> None:
        self.counted += min(passed, 2 * _TICK_S) / ROW_S
        if self.counted >= len(self.ending.rows):
            self.finish()
        else:
            self._show_count()

    def _show_count(self) -> None:
        if self._table is not None:
            self._table.show(self.counted)
        for part in self._after:
            part.opacity = 0.0 if self.counting else 1.0

    # -- what touches do --------------------------------------------------------------------

    def show_code(self) -> None:
        """Show the code that leads a phone to the match; without phones go where they are turned
        on."""
        if self._page[0]:
            self._shows_code = True
            self._build()
            # In a later frame, as it takes long.
            frame_queue.soon(self._lend)
        elif self._ways.open_phones is not None:
            self._ways.open_phones()

    @property
    def _page(self) -> tuple[str, str]:
        """Address of the page for phones; if it is empty, the reason."""
        return ("", "") if self._ways.phones is None else page_for_phones(self._ways.phones)

    def hide_code(self) -> None:
        """Back to the points."""
        self._shows_code = False
        self._build()

    def keep(self) -> None:
        """Keep a picture of the match, and say where; in a later frame, as it takes long."""
        self._told = (_("ending.keep_the_picture"), _("phones.one_moment"))
        self._build()
        frame_queue.soon(self._keep)

    def _lend(self) -> None:
        """The page for phones has the picture, too."""
        if self._ways.phones is not None:
            self._ways.phones.lend(keepsake(self.words, self.ending, self._scene))

    def _keep(self) -> None:
        assert self._ways.keep is not None
        picture = keepsake(self.words, self.ending, self._scene)
        try:
            path = self._ways.keep(self.words.view.match_id, picture)
        except JournalError as error:
            self._told = (_("ending.not_kept"), exactly(error.sentence))
        else:
            where = _("ending.kept_as_name_in_the_folder")
            told = where.format(name=path.name, folder=path.parent)
            self._told, self._kept = (_("ending.kept"), told), True
        self._build()

    # -- building ---------------------------------------------------------------------------

    def _build(self, *_: Any) -> None:
        self.clear_widgets()
        self._table, self._after, self._beside = None, [], []
        if self.width < style.target:
            return
        wide, key = self.width > self.height, _KEY * style.factor
        pad, gap = style.gap_l, style.gap_s
        others, looks = self._deeds(), self._looks()
        if wide:
            left = self.width * _HERO
            self._build_hero(self.x, self.y, left, self.height, pad + key + gap)
            self._put_beside(looks, self.x + pad, self.y + pad, left - 2 * pad, key)
            x, y, width = self.x + left + pad, self.y + pad, self.width - left - 2 * pad
            each = (width - gap * len(others)) / (len(others) + _YELLOW)
            first = each * _YELLOW if others else width
            self._put(self._yellow(first, key), x, y, first, key)
            self._put_beside(others, x + first + gap, y, width - first - gap, key)
            y, top = y + key + gap, self.y + self.height - pad
        else:
            high = self.height * _UPRIGHT_HERO
            top = self.y + self.height - high
            self._build_hero(self.x, top, self.width, high, gap)
            x, y, width, top = self.x + pad, self.y + pad, self.width - 2 * pad, top - gap
            self._put_beside([*others, *looks], x, y, width, key)
            y += key + gap if others or looks else 0
            self._put(self._yellow(width, key * 1.1), x, y, width, key * 1.1)
            y += key * 1.1 + gap
        if self._shows_code:
            self._build_code(x, y, width, top - y)
        else:
            self._build_facts(x, y, width, top - y)
        self._show_count()

    def _put_beside(
        self, keys: Sequence[Any], x: float, y: float, width: float, height: float
    ) -> None:
        each = (width - style.gap_s * (len(keys) - 1)) / max(len(keys), 1)
        for number, key in enumerate(keys):
            self._put(key, x + number * (each + style.gap_s), y, each, height)
        self._beside += keys
        # All of one size, as large as the longest word has room.
        fits = (
            style.body * k.room_in(k.width) / line_width(k.text, style.body) for k in self._beside
        )
        size = max(min(style.body, *fits), style.type_xs) if self._beside else 0.0
        for key in self._beside:
            key.only_px = size

    def _put(self, part: Any, x: float, y: float, width: float, height: float) -> None:
        part.size_hint = (None, None)
        part.size, part.pos = (width, height), (x, y)
        self.add_widget(part)

    def _yellow(self, width: float, height: float) -> Any:
        """The key that matters most, with the player who begins next, if the rules of a series say
        so and there is room for it."""
        again, first = self._touches.again, next_first(self.words.view)
        if again is None:
            return Key(_("ending.table"), self._to_table)
        name = "" if first is None else self.words.teller.seat(first)
        begins = _("ending.begins").format(name=name) if name else ""
        for note in (begins, ""):
            key = AnswerKey(_("ending.rematch"), note, again, width, primary=True, large=not note)
            if key.height <= height:
                break
        return key

    def _deeds(self) -> list[Any]:
        """Keys to what can be taken away."""
        ways, made = self._ways, list[Any]()
        if ways.phones is not None:
            made.append(_Explained(_("ending.on_a_phone"), self._page[1], self.show_code))
        if self._kept and self._touches.export is not None:
            made.append(Key(_("screens.export"), self._touches.export, type_px=style.body))
        elif ways.keep is not None:
            made.append(Key(_("ending.keep_the_picture"), self.keep, type_px=style.body))
        return made

    def _looks(self) -> list[Any]:
        looks = (
            (_("screens.review"), self._touches.review),
            (_("screens.to_the_shelf"), self._ways.leave),
        )
        return [Key(text, press, type_px=style.body) for text, press in looks if press is not None]

    def _build_hero(self, x: float, y: float, width: float, height: float, low: float) -> None:
        """The picture, who has won, and by how much; its lowest ``low`` px are for keys."""
        ending = self.ending
        self._sky.clear()
        size = (max(round(width), 1), max(round(height), 1))
        place = honour(*size)
        record = _("play.a_new_record") if self.words.view.new_record else ""
        self._paint_soon((x, y), size)
        room = width - 2 * style.gap_l
        tall = height - place.y - place.radius * 2.4
        words = _fitting([(ending.title, style.title), (ending.reason, style.caption)], room, tall)
        above = y + height - (tall - sum(part.height for part in words)) / 2
        left = place.y - place.radius * 2.05 - low
        below = _fitting(
            [(" · ".join(filter(None, (ending.ahead, record))), style.body)], room, left
        )
        self._after += below
        under = y + low + (left + below[0].height) / 2
        for part, top in zip(
            (*words, *below), (above, above - words[0].height, under), strict=True
        ):
            part.pos = (x + style.gap_l, top - part.height)
            self.add_widget(part)
        shown = ending.winners or ending.order
        spots = _SPOTS[min(len(shown), len(_SPOTS)) - 1]
        for seat, (right, up, share) in zip(shown, spots, strict=False):
            side = 2 * place.radius * share
            face = face_of(self.words.players[seat], side)
            middle = (x + place.x + right * place.radius, y + place.y + up * place.radius)
            face.pos = (middle[0] - side / 2, middle[1] - side / 2)
            self.add_widget(face)

    def _paint_soon(self, pos: tuple[float, float], size: tuple[int, int]) -> None:
        """Paints in a frame of its own: it takes as long as several."""
        self._sky.add(Color(*style.tone("night")))
        self._sky.add(Rectangle(pos=self.pos, size=self.size))
        risen = bool(self.ending.winners)

        def paint() -> None:
            texture = sunrise(size, style.name, risen=risen, wreath=risen)
            self._sky.add(Color(1, 1, 1, 1))
            self._sky.add(Rectangle(texture=texture, pos=pos, size=size))

        frame_queue.soon(paint)

    def _build_facts(self, x: float, y: float, width: float, height: float) -> None:
        """The points, what decided the match, and the way to the table: a print of it if there is
        anything to be seen."""
        unit, gap = style.factor, style.gap_s
        low = _DECIDED * unit * (1.0 if self.width > self.height else 1.2)
        beside = _PRINT * unit
        word = _("ending.table")
        if self._scene is None:
            table = Key(word, self._to_table, type_px=style.body)
            self._put(table, x + width - beside, y, beside, low)
        else:
            table = Print(self._scene, word, self._to_table)
            self._put(table, x + width - beside, y - gap / 2, beside, low + gap * 2)
        told, sign = self._told, None
        if told is None:
            told = (_("ending.what_decided_it"), self.ending.decided)
            sign = self.ending.sign
        decided = _Decided(*told, sign, (width - beside - gap, low))
        decided.pos = (x, y)
        self.add_widget(decided)
        self._after.append(decided)
        size = (width, height - low - gap * 1.5)
        self._table = PointsTable(self.ending, self.words.players, _("ending.points"), size)
        self._table.pos = (x, y + low + gap * 1.5)
        self.add_widget(self._table, index=len(self.children))

    def _build_code(self, x: float, y: float, width: float, height: float) -> None:
        """A code that leads a phone to the match."""
        address, gap = self._page[0], style.gap
        back, key = Key(_("screens.go_back"), self.hide_code, type_px=style.body), style.target
        self._put(back, x, y, width, key)
        plain = address.removeprefix("http://").rstrip("/")
        told = Words(f"{plain}\n" + _("ending.scan_it_with_a_phone"), width=width, halign="center")
        told.pos = (x, y + key + gap)
        self.add_widget(told)
        foot = told.y + told.height + gap
        self._put(CodePicture(code_of(address)), x, foot, width, y + height - foot)


_SPOTS = (
    ((0.0, 0.0, 0.98),),
    ((-0.5, 0.0, 0.62), (0.5, 0.0, 0.62)),
    ((-0.5, 0.34, 0.58), (0.5, 0.34, 0.58), (0.0, -0.5, 0.58)),
    ((-0.48, 0.48, 0.54), (0.48, 0.48, 0.54), (-0.48, -0.48, 0.54), (0.48, -0.48, 0.54)),
    (
        (-0.62, 0.58, 0.38), (0.62, 0.58, 0.38), (0.0, 0.0, 0.38), (-0.62, -0.58, 0.38),
        (0.62, -0.58, 0.38),
    ),
)  # fmt: skip
"""Faces of one to five winners: to the right of the middle, above it, and their size, in radii."""


class _Explained(Key):
    """A key that is dim as long as there is a ``reason``, which stands below its word."""

    def __init__(self, text: str, reason: str, press: Callable[[], None]) -> None:
        sizes = (style.caption, style.type_xs, style.type_xs * 0.85)
        self._reason = Fitted(reason, sizes, style.target, font_name=TEXT)
        super().__init__(text, press, type_px=style.body)
        self.opacity = _DIM if reason else 1.0
        self.add_widget(self._reason)

    def _place(self, *_: Any) -> None:
        super()._place()
        word, reason = self._word, self._reason
        reason.fit(self.width - 2 * style.gap_s)
        foot = self.y + (self.height - word.height - reason.height) / 2
        reason.pos = (self.x + (self.width - reason.width) / 2, foot)
        word.pos = (word.x, foot + reason.height)


class _Decided(Card):
    """The reason of the result, with the piece that decided it; or the place of its picture."""

    def __init__(self, title: str, text: str, sign: Sign | None, size: tuple[float, float]) -> None:
        super().__init__(size_hint=(None, None), size=size)
        self._sign = sign
        self._side = size[1] * 0.42 if self._sign is not None else 0.0
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        room = size[0] - 2 * style.gap - (self._side + style.gap if self._side else 0.0)
        self._parts: list[Any] = []
        for step in _STEPS:
            self._parts = [
                Words(
                    title, bold=True, font_size=style.caption * step, color=style.dawn, width=room
                ),
                Words(text, font_size=style.body * step, width=room, line_height=1.0),
            ]
            if sum(part.height for part in self._parts) <= size[1] - style.gap_s:
                break
        for part in self._parts:
            self.add_widget(part)
        self.bind(pos=self._place)
        self._place()

    def _place(self, *_: Any) -> None:
        self._drawing.clear()
        left, middle = self.x + style.gap, self.y + self.height / 2
        if self._sign is not None:
            draw_sign(self._drawing, self._sign, (left + self._side / 2, middle), self._side)
            left += self._side + style.gap
        top = middle + sum(part.height for part in self._parts) / 2
        for part in self._parts:
            top -= part.height
            part.pos = (left, top)


def _fitting(told: Sequence[tuple[str, float]], width: float, height: float) -> list[Any]:
    """Words in the middle, the first of them bold, as large as all have room."""
    words: list[Any] = []
    for step in _STEPS:
        words = [
            Words(
                text, bold=not place, font_size=size * step, width=width, halign="center",
                line_height=1.0,
            )
            for place, (text, size) in enumerate(told)
        ]  # fmt: skip
        if sum(part.height for part in words) <= height:
            break
    return words
