"""The rig as drawings: what lamps, display and buttons show at this moment."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    SmoothQuad,
)
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.translate import _
from companion.presentation.words.workshop import button_name
from companion.ui.drawing.ink import Round, disc
from companion.ui.drawing.pieces import draw_text
from companion.ui.theme.style import style
from companion.ui.widgets.base import Words
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.page import BenchPage, Frame, told
from companion.workshop.devices import DeviceBench, DisplayFace, Pixel
from hardware.displays.segments import DigitText


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


# -- drawn devices -----------------------------------------------------------------------------


SEGMENTS = "abcdefg"
"""By the bits of ``hardware.displays.segments``: a on top, then clockwise, g in the middle."""


class _Drawn(Widget):  # type: ignore[misc]
    """Redraws itself when it moves or the theme changes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._redraw, size=self._redraw)

    def _redraw(self, *_: Any) -> None:
        self._drawing.clear()
        if min(self.size) > style.grid:
            self._draw(self._drawing)

    def _draw(self, group: InstructionGroup) -> None:
        raise NotImplementedError


def _across(width: float) -> int:
    """Lamps side by side."""
    return max(int(width / (style.target * 0.72)), 1)


def strip_height(count: int, width: float) -> float:
    """Height of a strip of this many lamps, px."""
    return float(math.ceil(count / _across(width)) * style.target * 0.86)


class LampStrip(_Drawn):
    """Lamps with their numbers, in rows."""

    def __init__(self, count: int, **kwargs: Any) -> None:
        self.colours: tuple[Pixel, ...] = ((0, 0, 0),) * count
        super().__init__(**kwargs)

    def show(self, colours: Sequence[Pixel]) -> None:
        """Red, green and blue of every lamp, as people see them."""
        if tuple(colours) != self.colours:
            self.colours = tuple(colours)
            self._redraw()

    def _draw(self, group: InstructionGroup) -> None:
        across = _across(self.width)
        step, down = self.width / across, style.target * 0.86
        for number, pixel in enumerate(self.colours):
            x = self.x + (number % across + 0.5) * step
            y = self.y + self.height - (number // across + 0.5) * down + style.type_xs * 0.35
            self._lamp(group, (x, y), pixel)
            at = (x, y - style.gap_l * 1.2)
            draw_text(group, str(number + 1), at, style.type_xs * 0.8, style.tone("ash"), 1, "text")

    def _lamp(self, group: InstructionGroup, at: tuple[float, float], pixel: Pixel) -> None:
        radius, strength = style.gap * 0.75, max(pixel) / 255
        light = [part / max(max(pixel), 1) for part in pixel]
        if strength > 0.02:
            for wider, fainter in ((2.0, 0.10), (1.55, 0.22)):
                group.add(Color(*light, strength * fainter))
                group.add(disc(at, radius * wider))
        group.add(Color(*style.tone("stone")))
        group.add(disc(at, radius))
        if strength > 0.02:
            group.add(Color(*light, strength))
            group.add(disc(at, radius))
        group.add(Color(*style.tone("edge")))
        group.add(disc(at, radius, style.hairline * 0.8))


def display_height(face: DisplayFace, width: float) -> float:
    """Height of a display of this width, px."""
    rows, columns = max(len(face.rows), 1), max(face.columns, 1)
    if face.digits is not None:
        return float(min(width * 0.5, style.target * 2.2))
    return float(min(width / columns * 1.55, style.target * 0.8) * rows + 2 * style.gap_l)


class DisplayPanel(_Drawn):
    """The score display: letters in cells, or digits of seven segments."""

    def __init__(self, face: DisplayFace, **kwargs: Any) -> None:
        self.face = face
        super().__init__(**kwargs)

    def show(self, face: DisplayFace) -> None:
        """Shows the contents of the display."""
        if face != self.face:
            self.face = face
            self._redraw()

    def _draw(self, group: InstructionGroup) -> None:
        group.add(Color(*style.tone("slate")))
        group.add(Round(self.pos, self.size, style.radius))
        group.add(Color(*style.tone("edge")))
        inner = (self.width - 2, self.height - 2)
        group.add(Round((self.x + 1, self.y + 1), inner, style.radius, style.hairline * 0.6))
        if self.face.digits is not None:
            self._draw_digits(group, self.face.digits)
        elif self.face.rows:
            self._draw_letters(group)

    def _draw_letters(self, group: InstructionGroup) -> None:
        face, edge = self.face, style.gap_l
        high = (self.height - 2 * edge) / len(face.rows)
        wide = min((self.width - 2 * edge) / face.columns, high * 0.72)
        left = self.x + (self.width - wide * face.columns) / 2
        gap = max(wide * 0.08, 1)
        for row, text in enumerate(face.rows):
            y = self.y + self.height - edge - (row + 1) * high
            for column, letter in enumerate(text[: face.columns].ljust(face.columns)):
                x = left + column * wide
                group.add(Color(*style.tone("stone")))
                size = (wide - gap, high - gap)
                group.add(Round((x, y), size, gap))
                if letter.strip():
                    at = (x + (wide - gap) / 2, y + (high - gap) / 2)
                    letters = min(high * 0.66, wide * 1.25)
                    draw_text(group, letter, at, letters, style.tone("dawn"))

    def _draw_digits(self, group: InstructionGroup, digits: DigitText) -> None:
        count, edge = max(len(digits.letters), 1), style.gap_l
        step = min((self.width - 2 * edge) / count, (self.height - 2 * edge) * 0.78)
        high = min(self.height - 2 * edge, step * 1.6)
        left = self.x + (self.width - step * count) / 2
        y = self.y + (self.height - high) / 2
        for place, bits in enumerate(digits.segments):
            x = left + (place + 0.16) * step
            self._digit(group, bits, x, y, step * 0.62, high)
            shines = place in digits.dots
            group.add(Color(*style.tone("dawn" if shines else "stone")))
            group.add(disc((x + step * 0.75, y), step * 0.05))
        if count == 4:
            group.add(Color(*style.tone("dawn" if digits.colon else "stone")))
            for part in (0.3, 0.7):
                group.add(disc((left + 2.02 * step, y + high * part), step * 0.05))

    def _digit(
        self, group: InstructionGroup, bits: int, x: float, y: float, wide: float, high: float
    ) -> None:
        thick, half = max(wide * 0.16, 2), high / 2
        bars = {
            "a": (x, y + high, True), "g": (x, y + half, True), "d": (x, y, True),
            "f": (x, y + half, False), "b": (x + wide, y + half, False),
            "e": (x, y, False), "c": (x + wide, y, False),
        }  # fmt: skip
        for number, name in enumerate(SEGMENTS):
            left, low, lies = bars[name]
            group.add(Color(*style.tone("dawn" if bits >> number & 1 else "stone")))
            length, t, g = (wide if lies else half), thick / 2, thick * 0.35
            ends = [
                (g, 0), (g + t, t), (length - g - t, t), (length - g, 0),
                (length - g - t, -t), (g + t, -t),
            ]  # fmt: skip
            points = [(left + a, low + b) if lies else (left + b, low + a) for a, b in ends]
            for four in (points[:4], [*points[3:], points[0]]):
                group.add(SmoothQuad(points=[part for point in four for part in point]))


class PushButton(_Drawn):
    """A round button with its name; ``push`` hears touches, if the button can be pushed."""

    def __init__(
        self, name: str, label: str, push: Callable[[bool], None] | None, **kwargs: Any
    ) -> None:
        self.name, self.label = name, label
        self._push = push
        self.down = False
        self._touch: Any = None
        super().__init__(**kwargs)

    def show(self, down: bool) -> None:
        """Shows whether it is pressed now."""
        if down != self.down:
            self.down = down
            self._redraw()

    def on_touch_down(self, touch: Any) -> bool:
        if self._push is None or self._touch is not None or not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        self._touch = touch.uid
        self._push(True)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if self._push is None or touch.uid != self._touch:
            return bool(super().on_touch_up(touch))
        self._touch = None
        self._push(False)
        return True

    def _draw(self, group: InstructionGroup) -> None:
        radius = min(self.width, self.height - style.type_s * 1.6) / 2 - style.grid
        at = (self.x + self.width / 2, self.y + self.height - radius - style.grid)
        group.add(Color(*style.tone("edge")))
        group.add(disc(at, radius))
        group.add(Color(*style.tone("dawn" if self.down else "stone")))
        group.add(disc(at, radius * (0.72 if self.down else 0.8)))
        text = (self.x + self.width / 2, self.y + style.type_s * 0.7)
        draw_text(group, self.label, text, style.type_xs, style.tone("bone"))
