"""Taking a match along: a code for a phone, a USB stick, a file; each with what to do next."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.export.bg_stats import play_link
from companion.export.qr import LONGEST_TEXT, code_of
from companion.export.sticks import Stick, StickDesk, StickNews
from companion.journal.entries import JournalError
from companion.match.looking_back.library import Library
from companion.presentation.words.translate import _
from companion.presentation.words.troubles import exactly
from companion.presentation.words.workshop import size_text
from companion.ui.drawing.code import CodePicture
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Symbol, Words
from companion.ui.widgets.keyboard import BACK, typed
from companion.ui.widgets.page import PageScreen, head
from companion.ui.widgets.page import beside as beside_each_other
from companion.ui.widgets.sheet import Column

TICK_S = 0.3
NUMBER_DIGITS = 7
"""Maximum length of a number at BoardGameGeek, digits; they have six today."""
KEY_PX = 196.0
"""Width of the key on a card at a short side of 480, px."""


class ExportScreen(PageScreen):
    """Three ways out of the table for the match ``match_id`` of a library."""

    def __init__(
        self,
        library: Library,
        match_id: str,
        on_leave: Callable[[], None],
        *,
        sticks: StickDesk | None = None,
        number: Callable[[str], int] = lambda _game: 0,
        keep_number: Callable[[str, int], None] | None = None,
        **kwargs: Any,
    ) -> None:
        """``sticks``: where to look for them; None: at this computer. ``number``: a game's number
        at BoardGameGeek, 0 if it is not known; ``keep_number``: people entered it."""
        self._library, self._match_id, self._on_leave = library, match_id, on_leave
        self._link: dict[str, str | None] = {}
        """The play as a link, by language; None: the match is not over."""
        self.showing_code = False
        self._number, self._keep_number = number, keep_number
        self.typed: str | None = None
        """The number at BoardGameGeek while it is entered."""
        self._saved = ""
        """Path of the file, or the reason why there is none, as a sentence."""
        self._sticks = (sticks or StickDesk()).start()
        self._shown = StickNews()
        super().__init__(**kwargs)
        self._clock = Clock.schedule_interval(self._tick, TICK_S)

    # -- what touches do --------------------------------------------------------------------

    def show_code(self) -> None:
        """The code, as large as there is room."""
        self.showing_code = True
        self.renew()

    def hide_code(self) -> None:
        """Back to the three ways."""
        self.showing_code = False
        self.renew()

    def enter_number(self) -> None:
        """Asks for the game's number at BoardGameGeek."""
        self.typed = str(self._number(self._game) or "")
        self.renew()

    def type_digit(self, digit: str) -> None:
        """Another digit, or ``⌫``."""
        self.typed = typed(self.typed or "", digit).lstrip("0")[:NUMBER_DIGITS]
        self.renew()

    def keep_typed(self) -> None:
        """Remember the number that was entered, for the code too; none forgets it."""
        assert self._keep_number is not None
        self._keep_number(self._game, int(self.typed or 0))
        self._link.clear()
        self.leave_number()

    def leave_number(self) -> None:
        """Back to the code; nothing more is remembered."""
        self.typed = None
        self.renew()

    @property
    def _game(self) -> str:
        return self._library.recording(self._match_id).header.game

    def save_here(self) -> None:
        """Write the file into the folder of this computer."""
        try:
            path = self._library.export(self._match_id, style.lang)
        except JournalError as error:
            self._saved = exactly(error.sentence)
        else:
            told = _("export.saved_as_name_in_the_folder")
            self._saved = told.format(name=path.name, folder=path.parent)
        self.renew()

    def save_on(self, stick: Stick) -> None:
        """Write the file onto a stick; the card says when it may be pulled out."""
        try:
            match = self._library.exported(self._match_id, style.lang)
            picture = self._library.picture(self._match_id, style.lang)
        except JournalError as error:
            self._saved = exactly(error.sentence)
        else:
            self._sticks.keep(stick, match, *([] if picture is None else [picture]))
        self.renew()

    def leave(self) -> None:
        """Look for sticks no longer; the screen is no longer shown."""
        self._clock.cancel()
        self._sticks.close()
        super().leave()

    def _tick(self, _passed: float) -> None:
        if self._sticks.news != self._shown and not self.showing_code:
            self.renew()

    # -- building ---------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        if self.typed is not None:
            self._build_number(frame, width)
            return
        if self.showing_code:
            self._build_code(frame, width)
            return
        self._shown = self._sticks.news
        back = _back(self._on_leave)
        frame.add_widget(head(_("export.take_the_match_along"), "", width, [back]))
        inner = width - style.gap
        cards = [
            self._phone(inner),
            stick_way(self._shown, self.save_on, inner, _("export.plug_a_usb_stick_in_now")),
            self._file(inner),
        ]
        frame.add_widget(self.listing(cards, style.gap_s))

    def _phone(self, width: float) -> Any:
        what = _("export.with_the_app_bg_stats")
        try:
            link = self._play_link()
        except JournalError as error:
            return way_out(
                "✕", _("export.result_to_a_phone"), exactly(error.sentence), None, width, "stop"
            )
        if link is None:
            return way_out(
                "▦", _("export.result_to_a_phone"), _("export.once_the_match_is_over"), None, width
            )
        show = Key(_("export.show_the_code"), self.show_code, symbol="▦")
        return way_out("▦", _("export.result_to_a_phone"), what, show, width)

    def _file(self, width: float) -> Any:
        what = _("export.the_whole_match")
        save = Key(_("export.save_here"), self.save_here, symbol="⇩")
        return way_out("☰", _("export.file_on_this_computer"), self._saved or what, save, width)

    def _build_code(self, frame: Any, width: float) -> None:
        link = self._play_link()
        assert link is not None
        code = CodePicture(code_of(link))
        room = width
        if self.landscape:
            room = width - frame.height - style.gap_l
            code.size_hint_x, code.width = None, frame.height
        else:
            code.size_hint_y, code.height = None, width
        steps = [
            Words(_("export.result_to_a_phone"), bold=True, font_size=style.type_m, width=room),
            Words(_("export.hold_the_phones_camera_in_front"), width=room),
            Words(_("export.touch_the_link_that_appears_there"), width=room),
            Words(_("export.bg_stats_asks_whether_to_keep"), width=room),
            Words(_("export.the_phone_needs_the_app_bg"), color=style.ash, width=room),
        ]
        beside = BoxLayout(orientation="vertical", spacing=style.gap)
        beside.add_widget(Column(steps, style.gap))
        if self._keep_number is not None:
            known = self._number(self._game)
            told = (
                _("export.boardgamegeek_number").format(number=known)
                if known
                else _("export.number_at_boardgamegeek")
            )
            beside.add_widget(Key(told, self.enter_number, symbol="…", height=style.target))
        beside.add_widget(Key(_("screens.go_back"), self.hide_code, symbol="←"))
        line = BoxLayout(
            orientation="horizontal" if self.landscape else "vertical", spacing=style.gap_l
        )
        line.add_widget(code)
        line.add_widget(beside)
        frame.add_widget(line)

    def _build_number(self, frame: Any, width: float) -> None:
        """Digits to touch, and what the number is for."""
        room = (width - style.gap_l) / 2 if self.landscape else width
        words = [
            Words(
                _("export.number_at_boardgamegeek"), bold=True, font_size=style.type_m, width=room
            ),
            Words(
                _("export.it_is_in_the_address"),
                width=room,
            ),
            Words(
                _("export.with_it_bg_stats_knows"),
                color=style.ash,
                width=room,
            ),
            Words(self.typed or "–", bold=True, font_size=style.type_l, width=room),
        ]
        told = BoxLayout(orientation="vertical", spacing=style.gap)
        told.add_widget(Column(words, style.gap))
        keys = [Key(_("screens.go_back"), self.leave_number, symbol="←"),
                Key(_("screens.save"), self.keep_typed, symbol="✓", primary=True)]  # fmt: skip
        told.add_widget(beside_each_other(*keys))
        line = BoxLayout(
            orientation="horizontal" if self.landscape else "vertical", spacing=style.gap_l
        )
        line.add_widget(told)
        line.add_widget(self._digits(room))
        frame.add_widget(line)

    def _digits(self, width: float) -> Any:
        """The keys of a telephone."""
        pad = GridLayout(cols=3, spacing=style.gap_s, size_hint_x=None, width=width)
        for digit in (*"123456789", "", "0", BACK):
            press, size = partial(self.type_digit, digit), style.type_l
            if digit == BACK:
                pad.add_widget(Key("", press, symbol=BACK, type_px=size))
            else:
                pad.add_widget(Key(digit, press, type_px=size) if digit else Widget())
        for key in pad.children:
            key.size_hint_y = 1
        return pad

    def _play_link(self) -> str | None:
        if style.lang not in self._link:
            recording = self._library.recording(self._match_id)
            number = self._number(recording.header.game)
            self._link[style.lang] = play_link(recording, style.lang, LONGEST_TEXT, number)
        return self._link[style.lang]


def _back(press: Callable[[], None]) -> Any:
    key = Key(_("screens.go_back"), press, symbol="←", size_hint=(None, None), height=style.target)
    key.width = style.target * 2.7
    return key


def stick_way(news: StickNews, save: Callable[[Stick], None], width: float, plug_in: str) -> Any:
    """The way onto a stick: what to do, or what became of the file. ``plug_in``: as long as there
    is none."""
    stick, key = next(iter(news.sticks), None), None
    if stick is not None and not news.writing:
        again = news.kept is not None
        key = Key(
            _("export.save_again") if again else _("export.save_on_the_stick"),
            lambda: save(stick), symbol="⇩", primary=not again,
        )  # fmt: skip
    done = news.kept is not None and not news.writing
    sign, tone = ("✓", "ok") if done else ("⇩", "dawn")
    if news.trouble is not None:
        sign, tone = "✕", "stop"
    return way_out(
        sign, _("export.usb_stick"), _stick_words(news, stick) or plug_in, key, width, tone
    )


def _stick_words(news: StickNews, stick: Stick | None) -> str:
    if news.writing:
        return _("export.saving_please_leave")
    if news.trouble is not None:
        return exactly(news.trouble)
    if news.kept is not None:
        return _("export.the_stick_may_be_pulled_out").format(name=news.kept.name)
    if stick is not None:
        name, size = stick.name or _("export.stick"), size_text(stick.free_bytes)
        return _("export.stick_size_free").format(stick=name, size=size)
    return _("export.this_stick_cannot_be_read_here") if news.unreadable else ""


def way_out(sign: str, title: str, text: str, key: Any, width: float, tone: str = "dawn") -> Any:
    """A way out: what it gives, how it stands, and the key that takes it."""
    beside = width > 560 * style.factor
    key_width = (KEY_PX * style.factor if beside else width - 2 * style.gap_l) if key else 0
    symbol = Symbol(
        text=sign, font_size=style.type_m, color=style.tone(tone), size_hint=(None, None)
    )
    symbol.size = symbol.extent
    left = style.gap_l + style.type_l + style.gap
    room = width - left - style.gap_l - (key_width + style.gap if key and beside else 0)
    words = [Words(title, bold=True, font_size=style.type_s, width=room),
             Words(text, color=style.ash, width=room)]  # fmt: skip
    inner = sum(line.height for line in words) + style.grid
    below = key.height + style.gap if key and not beside else 0
    card = Card(fill="slate", line="edge", size_hint_y=None)
    card.height = max(inner + below, key.height if key and beside else 0) + 2 * style.gap
    parts = FloatLayout(size_hint=(1, 1), pos_hint={"x": 0, "y": 0})
    for part in (symbol, *words, *([key] if key else ())):
        parts.add_widget(part)
    if key:
        key.size_hint, key.width = (None, None), key_width

    def place(*_: Any) -> None:
        top = card.y + card.height - style.gap
        symbol.pos = (card.x + style.gap_l, top - (words[0].height + symbol.height) / 2)
        for line in words:
            line.pos = (card.x + left, top - line.height)
            top -= line.height + style.grid
        if key and beside:
            right = card.x + card.width - style.gap_l
            key.pos = (right - key.width, card.y + (card.height - key.height) / 2)
        elif key:
            key.pos = (card.x + style.gap_l, card.y + style.gap)

    card.add_widget(parts)
    card.bind(pos=place, size=place)
    return card
