"""The rig as drawings: what lamps, display and buttons show at this moment."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.translate import _
from companion.presentation.words.workshop import button_name
from companion.ui.drawing.twins import (
    DisplayPanel,
    LampStrip,
    PushButton,
    display_height,
    strip_height,
)
from companion.ui.theme.style import style
from companion.ui.widgets.base import Words
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.page import BenchPage, Frame, told
from companion.workshop.devices import DeviceBench


class TwinsPage(BenchPage):
    """Live; simulated buttons can be pushed here, and do what they always do."""

    def __init__(self, host: PageScreen, devices: DeviceBench) -> None:
        super().__init__(host)
        self.bench = devices
        self._lamps: Any = None
        self._display: Any = None
        self._buttons: list[Any] = []

    @property
    def title(self) -> str:
        return _("devices.the_devices_as_drawings")

    def fill(self, frame: Frame, width: float) -> None:
        self._lamps = self._display = None
        self._buttons = []
        inner = width - style.gap
        display = self._display_rows(inner * 0.62 if self.host.landscape else inner)
        buttons = self._button_rows(inner * 0.38 - style.gap_l if self.host.landscape else inner)
        rows = self._lamp_rows(inner)
        if self.host.landscape and display and buttons:
            rows.append(beside(_stack(display), _stack(buttons), gap=style.gap_l))
        else:
            rows += [*display, *buttons]
        if not rows:
            text = _("devices.lamps_display_and_buttons")
            rows = [told(_("devices.this_table_has_no_devices"), text, width)]
        frame.add_widget(self.host.listing(rows, style.gap))
        self.tick()

    def tick(self) -> None:
        if self._lamps is not None:
            self._lamps.show(self.bench.lamp_colours())
        if self._display is not None:
            self._display.show(self.bench.display())
        down = self.bench.rig.buttons.down
        for button in self._buttons:
            button.show(button.name in down)

    def _lamp_rows(self, width: float) -> list[Any]:
        count = self.bench.rig.lamps.count
        if not count:
            return []
        high = strip_height(count, width)
        self._lamps = LampStrip(count, size_hint_y=None, height=high)
        return [_title(_("screens.lamps"), self._kind("lamps"), width), self._lamps]

    def _display_rows(self, width: float) -> list[Any]:
        face = self.bench.display()
        if not face.columns:
            return []
        wide = min(width, style.target * 12)
        self._display = DisplayPanel(face, size_hint_x=None, width=wide)
        line = BoxLayout(size_hint_y=None, height=display_height(face, wide))
        line.add_widget(self._display)
        line.add_widget(Widget())
        return [_title(_("screens.display"), self._kind("score"), width), line]

    def _button_rows(self, width: float) -> list[Any]:
        names = self.bench.rig.buttons.names
        if not names:
            return []
        line = BoxLayout(size_hint_y=None, height=style.target * 1.7, spacing=style.gap)
        for name in names:
            able = self.bench.can_push(name)
            push = partial(self.bench.push, name) if able else None
            button = PushButton(
                name, button_name(name), push, size_hint_x=None, width=style.target * 2
            )
            self._buttons.append(button)
            line.add_widget(button)
        line.add_widget(Widget())
        able = all(self.bench.can_push(name) for name in names)
        note = _("devices.simulated_touch_one") if able else _("devices.real_a_pressed_button")
        return [_title(_("devices.buttons"), note, width), line]

    def _kind(self, part: str) -> str:
        kind = next((d.kind for d in self.bench.rig.status() if d.name == part), "")
        return _("devices.simulated") if kind == "mock" else _("devices.real_this_was_sent")


def _stack(rows: list[Any]) -> Any:
    """Rows below each other, from the top, as wide as their title."""
    box = BoxLayout(
        orientation="vertical", spacing=style.gap, size_hint=(None, None), width=rows[0].width,
        height=sum(row.height for row in rows) + style.gap * (len(rows) - 1),
    )  # fmt: skip
    for row in rows:
        box.add_widget(row)
    box.pos_hint = {"top": 1}
    return box


def _title(title: str, note: str, width: float) -> Any:
    """A title and a quiet note on the same line; below it, if there is no room."""
    left = Words(title, bold=True, width=width * 0.3)
    right = Words(note, color=style.ash, font_size=style.type_xs, width=width * 0.7 - style.gap_s)
    if right.height <= left.height:
        box = BoxLayout(size_hint_y=None, spacing=style.gap_s, width=width, height=left.height)
        right.halign = "right"
    else:
        right = Words(note, color=style.ash, font_size=style.type_xs, width=width)
        height = left.height + right.height
        box = BoxLayout(orientation="vertical", size_hint_y=None, width=width, height=height)
    box.add_widget(left)
    box.add_widget(right)
    return box
