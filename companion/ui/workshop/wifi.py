"""Page of the Wi-Fi: the networks around the table, and joining one by its key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.presentation.words.translate import _
from companion.presentation.words.troubles import exactly
from companion.support.wifi import KEY_SIGNS, Station, Wifi, WifiError, WifiState
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Symbol, Words
from companion.ui.widgets.choice import SignRow, mark_chosen
from companion.ui.widgets.page import PageScreen
from companion.ui.workshop.board_entry import Entry
from companion.ui.workshop.page import BenchPage, Frame, told

STRONG, FAIR = 60, 30
"""Least strength of a Wi-Fi that is called strong, and fair."""


class WifiPage(BenchPage):
    """Root joins it; this page asks and tells."""

    def __init__(self, host: PageScreen, wifi: Wifi) -> None:
        super().__init__(host)
        self._wifi = wifi
        self._state = WifiState()
        self._entry: Entry | None = None
        self._asked: Station | None = None
        """The one that was to be joined; None: only looked for."""
        self._trouble = ""

    @property
    def title(self) -> str:
        return _("wifi.title")

    @property
    def text(self) -> str:
        return "" if self._entry is not None else _("wifi.the_table_plays_without_one")

    def enter(self) -> None:
        self.look()

    def tick(self) -> None:
        state = self._wifi.now()
        if state != self._state:
            self._state = state
            if self._entry is None:
                self.host.renew()

    def fill(self, frame: Frame, width: float) -> None:
        if self._entry is not None:
            self._entry.fill(frame, width, low=self.host.landscape)
            return
        state, inner = self._state, width - style.gap
        rows: list[Any] = []
        if state.busy:
            doing = _("wifi.one_moment") if self._asked is None else _("wifi.it_is_being_joined")
            rows.append(told(doing, "", inner, "…", "ask"))
        elif self._trouble or (self._asked is not None and state.result):
            rows.append(self._result(state, inner))
        elif not state.stations:
            rows.append(told(_("wifi.none_is_heard"), _("wifi.come_nearer"), inner, "○"))
        rows += [self._row(station, inner) for station in state.stations]
        frame.add_widget(self.host.listing(rows, style.gap_s))
        again = Key(_("wifi.look_again"), self.look, symbol="↻")
        again.disabled = state.busy
        frame.add_widget(again)

    # -- what touches do --------------------------------------------------------------------

    def look(self) -> None:
        """Ask what there is."""
        self._asked = None
        self._ask(self._wifi.look)

    def choose(self, station: Station) -> None:
        """Join it, after asking for its key if it has one."""
        if self._state.busy:
            return
        if not station.locked:
            self._join(station, "")
            return
        title = _("wifi.key_of").format(name=station.name)
        done = partial(self._typed, station)
        self._entry = Entry(title, _("wifi.on_the_router"), "", done, code=True, refused=_no_key)
        self.host.renew()

    def _typed(self, station: Station, key: str | None) -> None:
        self._entry = None
        if key is None:
            self.host.renew()
        else:
            self._join(station, key)

    def _join(self, station: Station, key: str) -> None:
        self._asked = station
        self._ask(partial(self._wifi.join, station, key))

    def _ask(self, deed: Callable[[], None]) -> None:
        self._trouble = ""
        try:
            deed()
        except WifiError as error:
            self._trouble = exactly(error.sentence)
        self._state = self._wifi.now()
        self.host.renew()

    # -- building ---------------------------------------------------------------------------

    def _result(self, state: WifiState, width: float) -> Any:
        name = "" if self._asked is None else self._asked.name
        if not self._trouble and state.result == "ok":
            return told(_("wifi.joined").format(name=name), "", width, "✓", "ok")
        text = self._trouble or _(f"wifi.reasons.{state.result}")
        return told(_("wifi.not_joined").format(name=name), text, width, "✕", "stop")

    def _row(self, station: Station, width: float) -> Any:
        if station.joined:
            text = _("wifi.this_table_is_in_it")
        else:
            heard = station.strength
            text = _(f"wifi.{'strong' if heard >= STRONG else 'fair' if heard >= FAIR else 'weak'}")
            text = f"{text}, {_('wifi.with_a_key' if station.locked else 'wifi.open')}"
        sign = Symbol(text="●" if station.joined else "○", size_hint=(None, None))
        sign.color = style.tone("ok" if station.joined else "ash")
        sign.size = sign.extent
        room = width - sign.width - 3 * style.gap
        words = [
            Words(station.name, bold=True, width=room),
            Words(text, color=style.ash, font_size=style.type_xs, width=room),
        ]
        join = partial(self.choose, station)
        row = SignRow(station.name, sign, words, join, pad=2 * style.gap_s)
        mark_chosen(row, station.joined)
        return row


def _no_key(text: str) -> str:
    """The text, or a dash for none, if it cannot be the key of a Wi-Fi; empty if it can."""
    return "" if text.isascii() and len(text) in KEY_SIGNS else text or "–"
