"""Words as they are set: their extent without drawing them, and their textures, shared and few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kivy.core.text import Label as CoreLabel
from kivy.core.text.markup import MarkupLabel

from companion.presentation.theme.tokens import Rgba
from companion.ui.theme.style import BOLD

_WHITE = (1.0, 1.0, 1.0, 1.0)


class Setting(NamedTuple):
    """Words, and everything that their look depends on."""

    text: str
    size: float
    """Of the letters, px."""
    font: str = BOLD
    width: float | None = None
    """px at which lines break; None: nowhere."""
    line_height: float = 1.0
    align: str = "left"
    colour: Rgba = _WHITE
    markup: bool = False

    @property
    def extent(self) -> tuple[int, int]:
        """Width and height, px; nothing is drawn for that."""
        return _extent(
            self.text, self.size, self.font, self.width, self.line_height, self.markup
        )  # fmt: skip

    def within(self, room: float) -> Setting:
        """The same on lines of ``room`` px, if one is not enough."""
        return self if self.extent[0] <= room else self._replace(width=room)

    @property
    def texture(self) -> Any:
        """The words drawn in their colour. Equal settings share it."""
        return _texture(self)


@lru_cache(maxsize=8192)
def line_width(text: str, size: float, font: str = BOLD) -> float:
    """Width of one line of letters of ``size`` px, px."""
    return float(_face(font, size).get_extents(text)[0])


@lru_cache(maxsize=64)
def _face(font: str, size: float) -> Any:
    return CoreLabel(font_name=font, font_size=size)


@lru_cache(maxsize=4096)
def _extent(
    text: str, size: float, font: str, width: float | None, line_height: float, markup: bool
) -> tuple[int, int]:
    label = _label(Setting(text, size, font, width, line_height, markup=markup))
    wide, high = label.render() if text else (0, 0)
    return (wide, high)


@lru_cache(maxsize=384)
def _texture(setting: Setting) -> Any:
    label = _label(setting)
    label.refresh()
    return label.texture


def _label(setting: Setting) -> Any:
    """The words; where they wrap, the last one does not stand alone if it is short."""
    text, wide = setting.text, setting.width
    make = MarkupLabel if setting.markup else CoreLabel
    if wide and not setting.markup:
        text = evened(text, wide, lambda line: line_width(line, setting.size, setting.font))
    return make(
        text=text, font_size=setting.size, font_name=setting.font,
        text_size=(setting.width, None), line_height=setting.line_height, halign=setting.align,
        color=setting.colour,
    )  # fmt: skip


def shortened(text: str, size: float, width: float, font: str = BOLD) -> str:
    """As much of ``text`` as stays on one line of ``width`` px at this size (px), then …; figures
    are all kept."""
    if not any(map(str.isalpha, text)) or line_width(text, size, font) <= width:
        return text
    cut = range(len(text) - 1, 0, -1)
    short = (f"{text[:count].rstrip()}…" for count in cut)
    return next((one for one in short if line_width(one, size, font) <= width), text[0])


_ALONE = 8
"""Number of letters of a word up to which it does not stand alone in the last line."""


def evened(text: str, width: float, extent: Callable[[str], float]) -> str:
    """A text that is wrapped at ``width``, px; if a short word would stand alone in its last line,
    with breaks that make its lines much the same length. ``extent`` measures lines."""
    words = text.split(" ")
    if len(words) < 3 or len(words[-1]) > _ALONE or "\n" in text or extent(text) <= width:
        return text
    least, most, lines = max(map(extent, words)), width, _lines(words, width, extent)
    if " " in lines[-1] or least > width:
        return text
    while most - least > 1:
        middle = (least + most) / 2
        if len(_lines(words, middle, extent)) > len(lines):
            least = middle
        else:
            most = middle
    return "\n".join(_lines(words, most, extent))


def _lines(words: Sequence[str], width: float, extent: Callable[[str], float]) -> list[str]:
    """The lines of a text that is wrapped at ``width``."""
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if extent(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
