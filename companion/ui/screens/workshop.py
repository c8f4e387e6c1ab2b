"""The workshop: what the camera sees, devices, reports and settings.

An overview leads to the pages of ``companion.ui.workshop``; none of it touches a match.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.presentation.words.translate import _
from companion.settings.settings import exports_folder
from companion.ui.shell import Shell
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Symbol, Words, fit_one_line
from companion.ui.widgets.choice import SignRow
from companion.ui.widgets.page import PageScreen, beside, head
from companion.ui.workshop.about import AboutPage
from companion.ui.workshop.camera import CameraPage
from companion.ui.workshop.devices import DevicesPage
from companion.ui.workshop.lamp_walk import LampWalkPage
from companion.ui.workshop.lens import LensPage
from companion.ui.workshop.own_board import OwnBoardPage
from companion.ui.workshop.page import BenchPage
from companion.ui.workshop.report import ReportPage
from companion.ui.workshop.settings import SettingsPage
from companion.ui.workshop.twins import TwinsPage
from companion.ui.workshop.update import UpdatePage
from companion.ui.workshop.wifi import WifiPage

_TICK_S = 0.15
"""Seconds between two looks at pictures, drawings and figures."""


class WorkshopScreen(PageScreen):
    """``on_table_setup``: the checks; ``on_phones``: phones at the table."""

    def __init__(
        self,
        shell: Shell,
        on_leave: Callable[[], None],
        *,
        on_table_setup: Callable[[], None] | None = None,
        on_phones: Callable[[], None] | None = None,
        **kwargs: Any,
    ) -> None:
        self._shop = shell.workshop
        self._on_leave, self._on_table_setup = on_leave, on_table_setup
        self._on_phones = on_phones
        self.shown: BenchPage | None = None
        """The page that is open; None while the overview is shown."""
        super().__init__(**kwargs)
        self._clock = Clock.schedule_interval(self._tick, _TICK_S)

    # -- what touches do --------------------------------------------------------------------

    def open(self, name: str) -> None:
        """Show a page."""
        self.shown = self._page(name)
        self.shown.enter()
        self.renew()

    def home(self) -> None:
        """Back to the overview."""
        if self.shown is not None:
            self.shown.leave()
        self.shown = None
        self.renew()

    def leave(self) -> None:
        """Give everything back; the screen is no longer shown."""
        self._clock.cancel()
        if self.shown is not None:
            self.shown.leave()
        self.shown = None
        super().leave()

    def _tick(self, _passed: float) -> None:
        if self.shown is not None:
            self.shown.tick()

    # -- building ---------------------------------------------------------------------------

    def _page(self, name: str) -> BenchPage:
        """A page with the benches it shows; they are made when they are first asked for."""
        shop = self._shop
        match name:
            case "camera":
                return CameraPage(self, shop.camera, shop.report, shop.games())
            case "devices":
                return DevicesPage(self, shop.devices, shop.preferences)
            case "twins":
                return TwinsPage(self, shop.devices)
            case "lamps":
                return LampWalkPage(self, shop.lamps, shop.devices, shop.games())
            case "lens":
                return LensPage(self, shop.lens)
            case "board":
                return OwnBoardPage(self, shop.boards, shop.camera, shop.games())
            case "report":
                return ReportPage(self, shop.report, shop.camera)
            case "settings":
                return SettingsPage(self, shop.preferences, shop.devices, shop.games()[0])
            case "fieldtest":
                from companion.ui.workshop.fieldtest import FieldTestPage

                return FieldTestPage(self, shop.field_test, exports_folder(shop.state))
            case "update":
                return UpdatePage(self, shop.updates, shop.played)
            case "wifi":
                return WifiPage(self, shop.wifi)
            case "about":
                return AboutPage(self, shop.about)
        raise KeyError(name)

    def build(self, frame: Any, width: float) -> None:
        page = self.shown
        press = self._on_leave if page is None else self.home
        word = _("workshop.leave") if page is None else _("workshop.overview")
        back = Key(word, press, symbol="←", size_hint=(None, None), height=style.target)
        back.width = style.target * 2.7
        if page is None:
            about = _("workshop.for_the_person_who_looks_after")
            frame.add_widget(head(_("screens.workshop"), about, width, [back]))
            self._build_overview(frame, width)
            return
        frame.add_widget(head(page.title, page.text, width, [back]))
        page.fill(frame, width)

    def _build_overview(self, frame: Any, width: float) -> None:
        entries = [
            ("camera", "◎", _("screens.camera"), _("workshop.what_it_sees")),
            (
                "devices",
                "✓",
                _("screens.try_the_devices"),
                _("workshop.lamps_buttons_display_sound"),
            ),
            (
                "twins",
                "▦",
                _("workshop.devices_as_drawings"),
                _("workshop.what_they_show_right_now"),
            ),
            (
                "lamps",
                "☼",
                _("workshop.lamp_positions"),
                _("workshop.which_lamp_belongs_to_which_field"),
            ),
            ("lens", "◐", _("workshop.measure_the_lens"), _("workshop.once_per_camera")),
            ("board", "⬡", _("screens.your_own_board"), _("workshop.its_fields")),
            ("fieldtest", "☑", _("fieldtest.title"), _("fieldtest.everything_once")),
            ("report", "✎", _("screens.report_a_problem"), _("workshop.pictures_log_and_match")),
            ("settings", "☰", _("workshop.settings"), _("workshop.language_colours_voice_light")),
            ("update", "⇪", _("screens.update"), _("workshop.a_newer_version")),
            ("about", "ℹ", _("workshop.about_heelstone"), _("workshop.version_disk_licences")),
        ]
        if self._shop.wifi.able:
            entries.insert(-2, ("wifi", "◉", _("wifi.title"), _("wifi.join_one")))
        each = (width - style.gap_s) / 2
        tiles: list[Any] = [
            Tile(symbol, title, text, partial(self.open, name), each)
            for name, symbol, title, text in entries
        ]
        if self._on_table_setup is not None:
            text = _("workshop.camera_light_lamps_display")
            tiles.insert(
                0, Tile("☑", _("screens.check_the_table"), text, self._on_table_setup, each)
            )
        if self._on_phones is not None:
            text = _("workshop.own_cards_on_the_phone")
            tiles.insert(-2, Tile("☎", _("screens.phones"), text, self._on_phones, each))
        pairs = [tiles[start : start + 2] for start in range(0, len(tiles), 2)]
        taken = sum(child.height + style.gap for child in frame.children)
        room = (frame.height - taken - (len(pairs) - 1) * style.gap_s) / len(pairs)
        needed = max(tile.height for tile in tiles)
        for tile in tiles:
            # As high as there is room for, but no taller than is good for the eye.
            tile.height = max(min(room, needed * 1.6), needed)
        # What stands for a tile that is missing must not make its row higher.
        if len(pairs[-1]) == 1:
            pairs[-1].append(Widget(size_hint_y=None, height=0))
        rows = [beside(*pair) for pair in pairs]
        frame.add_widget(self.listing(rows, style.gap_s, bar=needed > room))


class Tile(SignRow):
    """An entry of the overview: a sign, a title and a line about it."""

    def __init__(
        self, symbol: str, title: str, text: str, press: Callable[[], None], width: float
    ) -> None:
        sign = Symbol(text=symbol, font_size=style.type_m, color=style.dawn, size_hint=(None, None))
        sign.size = sign.extent
        room = width - style.type_l - 3 * style.gap
        size = fit_one_line(title, (style.type_s,), room)
        words = [
            Words(title, bold=True, font_size=size, width=room),
            Words(text, color=style.ash, font_size=style.type_xs, width=room),
        ]
        super().__init__(title, sign, words, press, side=style.type_l)
