"""Parts of the desk of cards for sale: its heading, its line, single lines of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, InstructionGroup
from kivy.uix.floatlayout import FloatLayout

from companion.presentation.market import CardPage, CardTile, Stall
from companion.presentation.words.translate import _
from companion.ui.drawing.cards import Rect, face
from companion.ui.drawing.ink import Round
from companion.ui.theme.style import BOLD, TEXT, style
from companion.ui.widgets.base import Fitted, Key, Letters, Symbol, Words
from companion.ui.widgets.page import Span

# -- the card reader --------------------------------------------------------------------------


class CardReader(FloatLayout):  # type: ignore[misc]
    """Lies over everything; ``close`` puts it away, ``do`` what the card can be used for."""

    def __init__(
        self,
        game: str,
        tile: CardTile,
        page: CardPage,
        close: Callable[[], None],
        do: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.page, self._close = page, close
        self._build(game, tile, do)

    def on_touch_down(self, touch: Any) -> bool:
        """A touch of anything but a key puts it away."""
        if not super().on_touch_down(touch):
            touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self:
            touch.ungrab(self)
            self._close()
            return True
        super().on_touch_up(touch)
        return True

    def _build(self, game: str, tile: CardTile, do: Callable[[], None]) -> None:
        wide = self.width > self.height
        edge, factor = style.margin * 1.2, style.factor
        if wide:
            card = (self.x + edge, self.y + edge, 270 * factor, self.height - 2 * edge)
            left, width = card[0] + card[2] + edge, self.width - card[2] - 3 * edge
            top = self.y + self.height - edge
        else:
            high = self.height * 0.42
            across = min(self.width - 2 * edge, high * 0.72)
            at = self.y + self.height - edge - high
            card = (self.x + (self.width - across) / 2, at, across, high)
            left, width, top = self.x + edge, self.width - 2 * edge, at - edge
        group = InstructionGroup()
        face(group, game, tile, card)
        self.canvas.add(group)
        low = self._keys(left, self.y + edge, width, do)
        low = self._figures(left, low + style.gap_l, width)
        self._words(left, top, width, top - low - style.gap)

    def _words(self, left: float, top: float, width: float, room: float) -> None:
        page = self.page
        kind = Words(page.types, bold=True, font_size=style.body, color=style.ask, width=width)
        kind.pos = (left, top - kind.height)
        self.add_widget(kind)
        room -= kind.height + style.gap
        for px in (style.type_m, style.body, style.caption):
            text = Words(page.text, font_size=px, width=width, line_height=1.18)
            if text.height <= room:
                break
        text.pos = (left, kind.y - style.gap - text.height)
        self.add_widget(text)

    def _figures(self, left: float, low: float, width: float) -> float:
        """Cost, how many are left, own money; returns where they end, y."""
        page = self.page
        left_of = _("play.of_full").format(full=page.full)
        told = [
            (_("play.costs"), str(page.cost), ""),
            (_("play.in_the_supply"), str(page.left), left_of),
        ]
        if page.purse is not None:
            told.append((_("play.to_spend"), str(page.purse), ""))
        top = float(low)
        for number, (caption, figure, more) in enumerate(told):
            x = left + width * number / len(told)
            large = _letters(figure, style.figure, style.bone, BOLD)
            large.pos = (x, low)
            small = _letters(caption, style.type_s, style.ash, TEXT)
            small.pos = (x, low + large.height)
            self.add_widget(large)
            self.add_widget(small)
            if more:
                rest = _letters(more, style.type_s, style.ash, TEXT)
                rest.pos = (x + large.width + style.gap_s, low + style.grid)
                self.add_widget(rest)
            top = float(small.y + small.height)
        return top

    def _keys(self, left: float, low: float, width: float, do: Callable[[], None]) -> float:
        """Closing comes first; returns where they end, y."""
        page, gap, height = self.page, style.gap, style.button * 1.05
        size: dict[str, Any] = {"size_hint": (None, None), "type_px": style.body}
        each = (width - gap) / 2 if page.moves else width
        close = Key(
            _("play.close"), self._close, pos=(left, low), width=each, height=height, **size
        )
        self.add_widget(close)
        if page.moves:
            at = (left + each + gap, low)
            self.add_widget(
                Key(page.do, do, primary=True, pos=at, width=each, height=height, **size)
            )
        return float(low + height)


def _letters(text: str, px: float, ink: Any, font: str) -> Any:
    label = Letters(text=text, font_name=font, font_size=px, color=ink, size_hint=(None, None))
    label.size = label.extent
    return label


# -- places -----------------------------------------------------------------------------------

_ONE_ROW = 5
"""Number of different cards of a hand in one row; more lie in two."""
_HEAD, _LINE, _HAND, _KEYS = 50.0, 48.0, 132.0, 276.0
"""Heights, and the width of the keys beside the hand, at 800 × 480."""
_HIGH_HEAD, _HIGH_LINE, _HIGH_HAND, _HIGH_KEYS = 54.0, 78.0, 150.0, 72.0
"""Heights on a screen that stands upright."""
_SHORT = 0.92
"""Share of the usual height below which, beside a lesson, the hand gives way to the supply."""
_FIGURES = 500.0
"""Width of the figures and the menu beside them."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places of all parts, px."""

    head: Rect
    figures: Rect
    wares: Rect
    columns: int
    line: Rect
    """The cards that were played, or the question."""
    hand: Rect
    keys: Rect
    keys_beside: bool
    """True if the keys lie beside each other, not one below the other."""


def places_in(x: float, y: float, width: float, height: float, *, naming: bool) -> Places:
    """Places of all parts on a screen; only choosing what is for sale needs more room for it."""
    if width > height:
        return _across(x, y, width, height, naming=naming)
    return _upright(x, y, width, height, naming=naming)


def _across(x: float, y: float, width: float, height: float, *, naming: bool) -> Places:
    factor, gap = style.factor, style.gap_s * 0.75
    left, width = x + style.gap, width - 2 * style.gap
    head, line, hand, keys = (px * factor for px in (_HEAD, _LINE, _HAND, _KEYS))
    # Two keys of two lines each, and two small lines of words, however large they are.
    larger = style.body - 20.0 * factor
    hand, line = hand + larger * 2, line + larger
    if height < 480.0 * factor * _SHORT:
        hand, head = hand * 0.95, head * 0.96
    top, bottom = y + height - style.grid - head, y + style.grid * 1.5
    between = bottom if naming else bottom + hand + gap
    field = between + line + gap
    upper, lower = Span(left, width), Span(left, width)
    aside = 2 * style.target + 4 * style.gap_s
    upper.take(aside, 0.0)
    figures = _FIGURES * factor - aside
    at_keys = lower.take(keys, style.gap)
    return Places(
        head=(left, top, width, head),
        figures=(upper.end - figures, top, figures, head),
        wares=(left, field, width, top - gap / 2 - field),
        columns=5 if naming else 6,
        line=(left, between, width, line),
        hand=(lower.start, bottom, lower.end - lower.start, hand),
        keys=(at_keys, bottom, keys, hand),
        keys_beside=False,
    )


def _upright(x: float, y: float, width: float, height: float, *, naming: bool) -> Places:
    factor, gap = style.factor, style.gap_s
    left, width = x + style.gap, width - 2 * style.gap
    head, line, hand, keys = (
        px * factor for px in (_HIGH_HEAD, _HIGH_LINE, _HIGH_HAND, _HIGH_KEYS)
    )
    line += style.body - 20.0 * factor
    if height < 853.0 * factor * _SHORT:
        hand, line, keys = hand * 0.74, line * 0.8, keys * 0.84
    bottom, top = y + style.gap, y + height - gap - head
    low = bottom + keys + style.gap
    figures = top if naming else top - head
    between = bottom if naming else low + hand + style.gap
    field = between + line + style.gap
    return Places(
        head=(left, top, width, head),
        figures=(left, figures, width - style.target - style.gap_s, head),
        wares=(left, field, width, figures - gap - field),
        columns=3,
        line=(left, between, width, line),
        hand=(left, low, width, hand),
        keys=(left, bottom, width, keys),
        keys_beside=True,
    )


def cells(area: Rect, number: int, columns: int) -> list[Rect]:
    """``number`` equal places in rows of ``columns``, from the upper left."""
    x, y, width, height = area
    gap = style.gap_s * 0.75
    lines = max(-(-number // columns), 1)
    wide = (width - gap * (columns - 1)) / columns
    high = (height - gap * (lines - 1)) / lines
    return [
        (x + column * (wide + gap), y + height - line * (high + gap) - high, wide, high)
        for line, column in (divmod(place, columns) for place in range(number))
    ]


def row(area: Rect, number: int) -> list[Rect]:
    """Places for the different cards of a hand: in one row while they have room, else in two."""
    x, y, width, height = area
    if number > _ONE_ROW:
        return cells(area, number, -(-number // 2))
    gap = style.gap_s * 0.75
    wide = min((width - gap * (number - 1)) / number, height * 0.86)
    return [(x + place * (wide + gap), y, wide, height) for place in range(number)]


def key_cells(area: Rect, number: int, *, beside: bool) -> list[Rect]:
    """Places for keys, beside each other or one below the other."""
    x, y, width, height = area
    gap = style.gap_s
    if beside:
        wide = (width - gap * (number - 1)) / number
        return [(x + place * (wide + gap), y, wide, height) for place in range(number)]
    high = (height - gap * (number - 1)) / number
    tops = (y + height - place * (high + gap) for place in range(number))
    return [(x, top - high, width, high) for top in tops]


class Strip(FloatLayout):  # type: ignore[misc]
    """The line between supply and hand."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.canvas.before:
            Color(*style.tone("night", 0.55))
            Round(self.pos, self.size, style.radius * 0.7)


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
            sign.size = sign.extent
            sign.pos = (left, y + (height - sign.height) / 2)
            self.add_widget(sign)
            left += sign.width + style.gap_s
        ink = style.bone if tone else style.ash
        # Larger words were asked for; where they have no room these are as large as without that.
        for px in (style.body, style.caption, style.type_s, LEAST_PX * style.factor):
            words = Words(text, bold=bool(tone), font_size=px, color=ink, width=x + width - left,
                          line_height=1.0)  # fmt: skip
            if words.height <= height:
                break
        words.pos = (left, y + (height - words.height) / 2)
        self.add_widget(words)


def heading(stall: Stall, area: Rect, clock: Any) -> list[Any]:
    """The player who is asked: beside their name what they do, or below it if there is no room; a
    ``clock`` takes its place."""
    x, y, room, height = area
    if clock is not None and (timed := _beside_clock(stall.name, area, clock)):
        return timed
    role = letters(stall.role, style.caption, "ash", font=TEXT)
    if clock is not None:
        role = clock
        role.size = (style.target * 2, style.body * 1.3)
    name = letters(stall.name, 32.0 * style.factor, "bone")
    beside = clock is None and name.width + style.gap_s + role.width <= room
    if beside or not stall.role:
        name = fitting(stall.name, (32.0, 24.0, 20.0), room)
        name.pos = (x, y + (height - name.height) / 2)
        role.pos = (x + name.width + style.gap_s, name.y + (name.height - role.height) * 0.36)
    else:
        name = fitting(stall.name, (24.0, 20.0, 17.0), room)
        # Lines carry air above and below their letters.
        block = name.height + role.height - 3
        name.pos = (x, y + (height + block) / 2 - name.height)
        role.pos = (x, y + (height - block) / 2)
    return [name, *([role] if stall.role else [])]


def _beside_clock(name: str, area: Rect, clock: Any) -> list[Any]:
    """A name, and a clock of full size at the right end; nothing if there is no room for both."""
    x, y, room, height = area
    wide, room = style.figure * 2.8, room - style.gap
    label = fitting(name, (32.0, 24.0, 20.0), room - wide)
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
    label.size = label.extent
    return label


def fitting(
    text: str, sizes: tuple[float, ...], room: float, tone: str = "bone", font: str = BOLD
) -> Any:
    """One line in the largest of ``sizes`` (px at a short side of 480) that fits."""
    px = tuple(style.factor * size for size in sizes)
    return Fitted(text, px, room, color=style.tone(tone), font_name=font)
