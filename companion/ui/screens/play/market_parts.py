"""Parts of the desk of cards for sale: its heading, its line, single lines of words."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.uix.floatlayout import FloatLayout

from companion.presentation.market import Stall
from companion.ui.drawing.cards import Rect
from companion.ui.theme.style import BOLD, TEXT, style
from companion.ui.widgets.base import Letters, Symbol, Words, drawn, fit_one_line

__all__ = ["Sentence", "Strip", "fitting", "heading", "letters"]


class Strip(FloatLayout):  # type: ignore[misc]
    """The line between supply and hand."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.canvas.before:
            Color(*style.tone("night", 0.55))
            radius = [style.radius * 0.7] * 4
            SmoothRoundedRectangle(pos=self.pos, size=self.size, radius=radius)


LEAST_PX = 15.5
"""The smallest words of a sentence, at a short side of 480."""


class Sentence(FloatLayout):  # type: ignore[misc]
    """One sentence on one or two lines, after a sign of its tone."""

    def __init__(self, text: str, tone: str, area: Rect, **kwargs: Any) -> None:
        x, y, width, height = area
        super().__init__(size_hint=(None, None), pos=(x, y), size=(width, height), **kwargs)
        self.text = text
        left = x + style.gap
        signs = {"stop": "⚠", "ask": "ℹ", "dawn": "?", "ok": "✓"}
        if tone:
            sign = Symbol(text=signs[tone], color=style.tone(tone), font_size=style.body,
                          size_hint=(None, None))  # fmt: skip
            sign.size = drawn(sign)
            sign.pos = (left, y + (height - sign.height) / 2)
            self.add_widget(sign)
            left += sign.width + style.gap_s
        ink = style.bone if tone else style.ash
        # Larger words were asked for; where they have no room these are as large as without that.
        least = LEAST_PX * style.factor
        for px in (style.body, style.body * 0.93, style.caption, style.caption * 0.92, least):
            words = Words(text, bold=bool(tone), font_size=px, color=ink, width=x + width - left,
                          line_height=1.0)  # fmt: skip
            if words.height <= height:
                break
        words.pos = (left, y + (height - words.height) / 2)
        self.add_widget(words)


def heading(stall: Stall, area: Rect, clock: Any) -> list[Any]:
    """Who is asked: beside their name what they do, or below it if there is no room; a ``clock``
    takes its place."""
    x, y, room, height = area
    if clock is not None and (timed := _beside_clock(stall.name, area, clock)):
        return timed
    role = letters(stall.role, style.caption, "ash", font=TEXT)
    if clock is not None:
        role = clock
        role.size = (style.target * 2, style.body * 1.3)
    name = letters(stall.name, 30.0 * style.factor, "bone")
    beside = clock is None and name.width + style.gap_s + role.width <= room
    if beside or not stall.role:
        name = fitting(stall.name, (30.0, 26.0, 23.0, 20.0), room)
        name.pos = (x, y + (height - name.height) / 2)
        role.pos = (x + name.width + style.gap_s, name.y + (name.height - role.height) * 0.36)
    else:
        name = fitting(stall.name, (24.0, 22.0, 20.0, 17.0), room)
        # Lines carry air above and below their letters.
        block = name.height + role.height - 3
        name.pos = (x, y + (height + block) / 2 - name.height)
        role.pos = (x, y + (height - block) / 2)
    return [name, *([role] if stall.role else [])]


def _beside_clock(name: str, area: Rect, clock: Any) -> list[Any]:
    """A name, and a clock of full size at the right end; nothing if there is no room for both."""
    x, y, room, height = area
    wide, room = style.figure * 3.1, room - style.gap
    label = fitting(name, (30.0, 26.0, 23.0, 20.0), room - wide)
    if label.width > room - wide:
        return []
    label.pos = (x, y + (height - label.height) / 2)
    clock.size, clock.pos = (wide, height), (x + room - wide, y)
    return [label, clock]


def letters(text: str, px: float, tone: str, font: str = BOLD) -> Any:
    """One line as large as it is drawn; ``px`` as they are."""
    label = Letters(
        text=text, font_name=font, font_size=px, color=style.tone(tone), size_hint=(None, None)
    )
    label.size = drawn(label)
    return label


def fitting(
    text: str, sizes: tuple[float, ...], room: float, tone: str = "bone", font: str = BOLD
) -> Any:
    """One line in the largest of ``sizes`` (px at a short side of 480) that fits, else cut."""
    size = fit_one_line(text, tuple(style.factor * px for px in sizes), room)
    label = letters(text, size, tone, font)
    if label.width > room:
        label.shorten, label.shorten_from = True, "right"
        label.size = label.text_size = (room, label.height)
    return label
