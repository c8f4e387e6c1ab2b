"""Phones at the table: turned on and off, a code for spectators, and one for each seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.export.qr import code_of
from companion.match.view import TableView
from companion.presentation.phones import Phones, PhonesNow, SeatState
from companion.presentation.players import player_of
from companion.presentation.words.phones import (
    asks_title,
    meaning,
    seat_line,
    seat_text,
    trouble_text,
)
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _
from companion.ui.drawing.code import CodePicture
from companion.ui.drawing.faces import face_of
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Symbol, Words, fit_one_line
from companion.ui.widgets.choice import SignRow, mark_chosen
from companion.ui.widgets.page import PageScreen, head
from companion.ui.widgets.page import beside as beside_each_other
from companion.ui.widgets.sheet import Column

TICK_S = 0.3
LIST_SHARE = 0.36
"""Share of a wide screen that the list of seats takes."""


class PhonesScreen(PageScreen):
    """``view``: the match on the table, None if there is none."""

    def __init__(
        self,
        phones: Phones,
        view: Callable[[], TableView | None],
        on_leave: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        self.phones, self._view, self._on_leave = phones, view, on_leave
        self._shown = phones.now
        self.chosen: int | None = None
        """The seat whose code is shown; None: that for spectators."""
        super().__init__(**kwargs)
        self._clock = Clock.schedule_interval(self._tick, TICK_S)

    # -- what touches do --------------------------------------------------------------------

    def turn(self, on: bool) -> None:
        """Turns phones on or off."""
        self.phones.turn(on)
        self.renew()

    def choose(self, seat: int | None) -> None:
        """Show the code of a seat, or that for spectators."""
        self.chosen = seat
        self.renew()

    def leave(self) -> None:
        """The screen is no longer shown."""
        self._clock.cancel()
        super().leave()

    def _tick(self, _passed: float) -> None:
        now = self.phones.now
        if now == self._shown:
            return
        new = set(now.waiting) - set(self._shown.waiting)
        if new:
            # Somebody at the table waits for an answer.
            self.chosen = min(new)
        self.renew()

    def _ask(self, deed: Callable[[int], None], seat: int) -> None:
        deed(seat)
        self.renew()

    # -- building ---------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        now = self._shown = self.phones.now
        back = _small(_("screens.go_back"), self._on_leave, "←")
        if not now.on:
            frame.add_widget(head(_("screens.phones"), "", width, [back]))
            self._build_off(frame, width)
            return
        off = _small(_("phones.turn_off"), partial(self.turn, False), "○")
        frame.add_widget(head(_("screens.phones"), "", width, [off, back]))
        if now.trouble or not now.ready:
            self._build_waiting(frame, width, now)
            return
        self._build_codes(frame, width, now)

    def _build_off(self, frame: Any, width: float) -> None:
        inner = width - style.gap
        rows: list[Any] = [
            _point(sign, text, inner) for sign, text in zip(("▦", "◎", "⌂"), meaning(), strict=True)
        ]
        frame.add_widget(self.listing(rows, style.gap_s))
        frame.add_widget(
            Key(_("phones.turn_phones_on"), partial(self.turn, True), symbol="◉", primary=True)
        )

    def _build_waiting(self, frame: Any, width: float, now: PhonesNow) -> None:
        text = trouble_text(now.trouble) if now.trouble else _("phones.one_moment")
        rows = [_point("✕" if now.trouble else "…", text, width - style.gap)]
        frame.add_widget(self.listing(rows, style.gap_s))
        if now.trouble:
            again = partial(self.turn, True)
            frame.add_widget(Key(_("screens.try_again"), again, symbol="↻", primary=True))

    def _build_codes(self, frame: Any, width: float, now: PhonesNow) -> None:
        view = self._view()
        if view is None or not now.seats:
            self._fill_spectators(frame, now, None, width)
            return
        if self.chosen not in _seats(now, view):
            self.chosen = None
        line = BoxLayout(
            orientation="horizontal" if self.landscape else "vertical", spacing=style.gap_l
        )
        across = 1 if self.landscape else 2
        beside = round(width * LIST_SHARE) if self.landscape else width
        tiles = self._tiles(now, view, (beside - style.gap_s * (across - 1)) / across)
        rows = _in_rows(tiles, across)
        listed = Column(rows, style.gap_s, listing=True)
        taken = sum(row.height for row in rows) + style.gap_s * (len(rows) - 1)
        shown = BoxLayout(orientation="vertical", spacing=style.gap_s)
        room = width - beside - style.gap_l if self.landscape else width
        if self.landscape:
            listed.size_hint_x, listed.width = None, beside
            line.add_widget(listed)
            line.add_widget(shown)
        else:
            listed.size_hint_y, listed.height = None, min(taken, frame.height * 0.42)
            line.add_widget(shown)
            line.add_widget(listed)
        if self.chosen is None:
            self._fill_spectators(shown, now, view, room)
        else:
            self._fill_seat(shown, now, view, self.chosen, room)
        frame.add_widget(line)

    def _tiles(self, now: PhonesNow, view: TableView, width: float) -> list[Any]:
        """One to touch for spectators, and one for every seat."""
        watching = _("phones.nobody_yet") if not now.streams else _("phones.pages_open")
        tiles: list[Any] = [
            _Tile(
                _("phones.to_watch"),
                watching.format(count=now.streams),
                partial(self.choose, None),
                width,
                _sign("◎", "dawn"),
                chosen=self.chosen is None,
            )
        ]
        teller = teller_of(view, style.lang)
        for seat in _seats(now, view):
            face = face_of(player_of(view, teller, seat, supply=False), style.type_l)
            asks = now.seats[seat].state is SeatState.WAITING
            tiles.append(
                _Tile(
                    teller.seat(seat), seat_line(now, seat), partial(self.choose, seat), width,
                    face, chosen=self.chosen == seat, tone="dawn" if asks else "ash",
                )
            )  # fmt: skip
        height = max(tile.height for tile in tiles)
        for tile in tiles:
            tile.height = height
        return tiles

    def _fill_spectators(
        self, shown: Any, now: PhonesNow, view: TableView | None, width: float
    ) -> None:
        shown.add_widget(CodePicture(code_of(now.address)))
        shown.add_widget(_centred(_told_address(now), width, bold=True))
        text = _("phones.scan_the_code_or_type")  # fmt: skip
        if view is None:
            text = _("phones.the_codes_of_the_seats_appear")
        shown.add_widget(_centred(text, width, color=style.ash))

    def _fill_seat(
        self, shown: Any, now: PhonesNow, view: TableView, seat: int, width: float
    ) -> None:
        phone, name = now.seats[seat], teller_of(view, style.lang).seat(seat)
        text = seat_text(now, seat, name)
        if phone.state is SeatState.WAITING:
            words = [
                Words(asks_title(name), bold=True, font_size=style.type_m, width=width),
                Words(text, width=width),
            ]
            shown.add_widget(Column(words, style.gap))
            no = Key(_("screens.no"), partial(self._ask, self.phones.refuse, seat), symbol="✕")
            let_in = partial(self._ask, self.phones.confirm, seat)
            yes = Key(_("screens.yes_let_it_in"), let_in, symbol="✓", primary=True)
            shown.add_widget(beside_each_other(no, yes))
            return
        title = Words(name, bold=True, font_size=style.type_m, width=width, halign="center")
        if phone.link:
            # The name large above its code, so that nobody scans another one's.
            shown.add_widget(title)
            shown.add_widget(CodePicture(code_of(phone.link)))
            shown.add_widget(_centred(text, width, color=style.ash))
        else:
            here = Symbol(text="✓", font_size=style.figure, color=style.tone("ok"))
            shown.add_widget(title)
            shown.add_widget(here)
            shown.add_widget(_centred(text, width))
        if phone.state is SeatState.OPEN:
            back = partial(self._ask, self.phones.take_back, seat)
            keys = [Key(_("phones.sign_out"), back, symbol="✕")]
            if not phone.renewed:
                other = partial(self._ask, self.phones.renew, seat)
                keys.insert(0, Key(_("phones.another_phone"), other, symbol="▦"))
            shown.add_widget(beside_each_other(*keys))


def _told_address(now: PhonesNow) -> str:
    return now.address.removeprefix("http://").rstrip("/")


def _small(text: str, press: Callable[[], None], symbol: str) -> Any:
    key = Key(text, press, symbol=symbol, size_hint=(None, None), height=style.target)
    key.width = style.target * 2.9
    return key


def _centred(text: str, width: float, **look: Any) -> Any:
    return Words(text, width=width, halign="center", **look)


def _sign(sign: str, tone: str) -> Any:
    symbol = Symbol(
        text=sign, font_size=style.type_m, color=style.tone(tone), size_hint=(None, None)
    )
    symbol.size = symbol.extent
    return symbol


def _seats(now: PhonesNow, view: TableView) -> list[int]:
    """The seats that may have a phone here; players at another table have theirs there, and
    computer players need none."""
    seats = range(min(view.players, len(now.seats)))
    people = [seat for seat in seats if not view.computers or not view.computers[seat]]
    return [seat for seat in people if view.other is None or seat in view.other.here]


def _in_rows(tiles: list[Any], across: int) -> list[Any]:
    rows = []
    for start in range(0, len(tiles), across):
        row = tiles[start : start + across]
        row += [Widget(size_hint_y=None, height=0) for _missing in range(across - len(row))]
        rows.append(beside_each_other(*row) if across > 1 else row[0])
    return rows


def _point(sign: str, text: str, width: float) -> Any:
    """A sentence with a sign before it, on a card."""
    symbol, left = _sign(sign, "dawn"), style.gap_l + style.type_l + style.gap
    words = Words(text, width=width - left - style.gap_l)
    card = Card(fill="slate", line="edge", size_hint_y=None)
    card.height = max(words.height, symbol.height) + 2 * style.gap
    card.add_widget(symbol)
    card.add_widget(words)

    def place(*_: Any) -> None:
        middle = card.y + card.height / 2
        centre = card.x + style.gap_l + style.type_l / 2
        symbol.pos = (centre - symbol.width / 2, middle - symbol.height / 2)
        words.pos = (card.x + left, middle - words.height / 2)

    card.bind(pos=place, size=place)
    return card


class _Tile(SignRow):
    """A place in the list: who, and how it stands."""

    def __init__(
        self,
        title: str,
        text: str,
        press: Callable[[], None],
        width: float,
        sign: Any,
        *,
        chosen: bool,
        tone: str = "ash",
    ) -> None:
        room = width - style.type_l - 3 * style.gap
        size = fit_one_line(title, (style.type_s, style.type_xs), room)
        words = [
            Words(title, bold=True, font_size=size, width=room),
            Words(text, color=style.tone(tone), font_size=style.type_xs, width=room),
        ]
        super().__init__(title, sign, words, press, side=style.type_l)
        mark_chosen(self, chosen)
