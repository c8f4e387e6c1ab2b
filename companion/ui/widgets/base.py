"""Words, symbols, cards and buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.properties import (
    BooleanProperty,
    ColorProperty,
    NumericProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget
from kivy.utils import escape_markup

from companion.ui.drawing.ink import Round, icon_texture
from companion.ui.theme.lettering import Setting, line_width, shortened
from companion.ui.theme.style import BOLD, TEXT, style

CLEAR = (0.0, 0.0, 0.0, 0.0)
LEADING = 1.12
"""Height of a line of words, in those of its letters."""


class _Part:
    """An attribute of a label that is a part of its setting."""

    def __init__(self, part: str, kind: Callable[[Any], Any] = lambda value: value) -> None:
        self._part, self._kind = part, kind

    def __get__(self, label: Any, _owner: Any = None) -> Any:
        return self if label is None else getattr(label.setting, self._part)

    def __set__(self, label: Any, value: Any) -> None:
        label.setting = label.setting._replace(**{self._part: self._kind(value)})


class Letters(Widget):  # type: ignore[misc]
    """Words in the middle of its place. Their extent is known at once; they are drawn before the
    next frame."""

    text, font_name, font_size = _Part("text"), _Part("font"), _Part("size")
    color, halign, markup = _Part("colour", tuple), _Part("align"), _Part("markup")
    line_height, break_at = _Part("line_height"), _Part("width")

    def __init__(
        self, text: str = "", *, font_name: str = TEXT, font_size: float = 0.0, color: Any = None,
        line_height: float = 1.0, halign: str = "left", markup: bool = False,
        break_at: float | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        """``break_at``: width at which lines break, px; None: nowhere."""
        self._setting = Setting(
            text, font_size or style.type_s, font_name, break_at, line_height, halign,
            tuple(color or style.bone), markup,
        )  # fmt: skip
        super().__init__(**kwargs)
        with self.canvas:
            self._ink = Color(1, 1, 1, 1)
            self._drawn = Rectangle(size=(0, 0))
        self._draw_soon = Clock.create_trigger(self._draw, -1)
        self.fbind("pos", self._draw_soon)
        self.fbind("size", self._draw_soon)
        self._draw_soon()

    def apply_class_lang_rules(self, *_: Any, **__: Any) -> None:
        """Leaves Kivy's rules out; there are none."""

    @property
    def setting(self) -> Setting:
        """The words and their look."""
        return self._setting

    @setting.setter
    def setting(self, setting: Setting) -> None:
        if setting != self._setting:
            self._setting = setting
            self._changed()

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the words, px."""
        return self.setting.extent

    def _changed(self) -> None:
        """The words are another, or look different."""
        self._draw_soon()

    def _draw(self, *_: Any) -> None:
        width, height = self.extent
        self._drawn.texture, self._drawn.size = self._texture, (width, height)
        # The centre that Kivy keeps may be older than place and size.
        self._drawn.pos = (
            int(self.x + self.width / 2 - width / 2), int(self.y + self.height / 2 - height / 2)
        )  # fmt: skip

    @property
    def _texture(self) -> Any:
        return self.setting.texture


class Words(Letters):
    """Text that wraps at its width and is as high as it needs, at once."""

    def __init__(self, text: str = "", *, bold: bool = False, **kwargs: Any) -> None:
        kwargs.setdefault("font_name", BOLD if bold else TEXT)
        kwargs.setdefault("line_height", LEADING)
        kwargs.setdefault("size_hint_y", None)
        if "width" in kwargs:
            kwargs.setdefault("size_hint_x", None)
        super().__init__(text, **kwargs)
        self.fbind("width", self._wrap)
        self._wrap()

    def _wrap(self, *_: Any) -> None:
        self.break_at = self.width

    def _changed(self) -> None:
        super()._changed()
        self.height = self.extent[1]


def as_is(text: str) -> str:
    """A text within markup, shown letter by letter: a name may be ``[b]x[/b]`` or ``&bl;``."""
    return str(escape_markup(text))


class Fitted(Letters):
    """One line in the first of ``sizes`` (px) that fits into ``room`` px; if it is too long even
    then, drawn a little narrower; words that this does not help end with …, but no figures."""

    def __init__(self, text: str, sizes: tuple[float, ...], room: float, **kwargs: Any) -> None:
        kwargs.setdefault("font_name", BOLD)
        self._sizes, self._whole = sizes, text
        self.narrowed = 1.0
        """Share of its width to which it is drawn."""
        super().__init__(text, size_hint=(None, None), **kwargs)
        self.fit(room)

    def fit(self, room: float, text: str | None = None) -> None:
        """Sets it anew for another room, or another ``text``."""
        self._whole = self._whole if text is None else text
        if not self._whole:
            self.text, self.size = "", (0.0, 0.0)
            return
        self.font_size = fit_one_line(self._whole, self._sizes, room)
        self.text = shortened(self._whole, self.font_size, room / _NARROWEST, self.font_name)
        width, height = self.extent
        self.narrowed = min(max(room, 1) / width, 1.0)
        self.size = (width * self.narrowed, height)

    def _draw(self, *_: Any) -> None:
        super()._draw()
        if self.narrowed < 1:
            self._drawn.size = (self.width, self.extent[1])
            self._drawn.pos = (int(self.x), self._drawn.pos[1])


_NARROWEST = 0.85
"""Share of their width to which words are drawn narrower."""
_SYMBOL = 1.15
"""Side of an icon, in font sizes."""


def side_of(size: float) -> int:
    """Side of an icon beside letters of ``size`` px, px."""
    return max(round(size * _SYMBOL), 1)


class Symbol(Letters):
    """The icon of the sign that is its text (``companion.presentation.theme.icons``)."""

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the icon, px; 0 without a sign."""
        side = side_of(self.font_size) if self.text else 0
        return (side, side)

    def _draw(self, *_: Any) -> None:
        super()._draw()
        self._ink.rgba = self.color

    @property
    def _texture(self) -> Any:
        return icon_texture(self.text, self.extent[0]) if self.text else None


class Card(FloatLayout):  # type: ignore[misc]
    """A rounded surface with a hairline."""

    fill = ColorProperty(CLEAR)
    line = ColorProperty(CLEAR)
    line_width = NumericProperty(1.1)
    rounding = NumericProperty(14)

    def __init__(self, fill: str = "slate", line: str = "edge", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # Not by a rule of Kivy: that takes longer than all the rest of a card.
        with self.canvas.before:
            self._face_tone = Color(*CLEAR)
            self._face = Round()
            self._edge_tone = Color(*CLEAR)
            self._edge = Round()
        self._paint_soon = Clock.create_trigger(self._paint, -1)
        for name in ("fill", "line", "line_width", "rounding", "pos", "size"):
            self.fbind(name, self._paint_soon)
        self.rounding = style.radius
        self.tint(fill, line)

    def tint(self, fill: str, line: str, strength: float = 1.0) -> None:
        """Colours by their names in the palette; ``strength`` thins the surface out."""
        self.fill = style.tone(fill, strength)
        self.line = style.tone(line)
        self.line_width = style.hairline * (0.55 if line == "edge" else 1.0)

    def _paint(self, *_: Any) -> None:
        self._face_tone.rgba, self._edge_tone.rgba = self.fill, self.line
        self._face.place(self.pos, self.size, self.rounding)
        inner = (max(self.width - 2, 1), max(self.height - 2, 1))
        self._edge.place((self.x + 1, self.y + 1), inner, self.rounding, self.line_width)


class _Glowing(ButtonBehavior):  # type: ignore[misc]
    """Lights up while a finger is on it; what is drawn for that is made with the first touch."""

    _GLOW = 0.08
    """Strength of the light, of 1."""
    _sign: Widget | None = None
    """The sign beside the words, if it has one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._glow: tuple[Color, Round] | None = None
        self.bind(state=self._light)

    def _light(self, *_: Any) -> None:
        pressed = self.state == "down"
        if self._glow is None:
            if not pressed:
                return
            with self.canvas.after:
                self._glow = Color(*style.bone), Round()
        tone, face = self._glow
        tone.rgba = (*style.bone[:3], self._GLOW if pressed else 0.0)
        if pressed:
            face.place(*self._lit())

    @property
    def _beside(self) -> float:
        """Width that the sign takes, px."""
        if self._sign is None or self._sign.parent is None:
            return 0.0
        return float(self._sign.width + (style.gap_s if getattr(self, "text", "") else 0.0))

    def _lit(self) -> tuple[tuple[float, float], tuple[float, float], float]:
        """Position of the light, its size, and its rounding, px."""
        beyond = style.gap_s
        return (self.x - beyond, self.y), (self.width + 2 * beyond, self.height), style.radius


class Key(_Glowing, Card):
    """A button: a sign and a word. Answers once per touch."""

    text = StringProperty("")
    symbol = StringProperty("")
    primary = BooleanProperty(False)
    _GLOW = 0.10

    def __init__(
        self,
        text: str,
        press: Callable[[], None],
        *,
        symbol: str = "",
        sign: Widget | None = None,
        primary: bool = False,
        type_px: float = 0.0,
        why: str = "",
        **kwargs: Any,
    ) -> None:
        """``sign``: stands before the word in place of a ``symbol``; ``type_px``: the largest size
        of the word, px; 0: as on most keys. ``why``: the reason why it is dim, which a touch of it
        shows in its place; empty: it is not."""
        kwargs.setdefault("size_hint_y", None)
        kwargs.setdefault("height", style.button)
        face = "dawn_fill" if primary else "stone"
        super().__init__(fill=face, line=face if primary else "edge", **kwargs)
        self.primary = primary
        ink = style.ink if primary else style.bone
        if symbol:
            sign = Symbol(text=symbol, color=ink, size_hint=(None, None))
        if sign is not None:
            self._sign = sign
            self.add_widget(sign)
        self._word = Letters(
            text, font_name=BOLD, color=ink, size_hint=(None, None), halign="center",
        )  # fmt: skip
        self.text, self.symbol, self.why = text, symbol, why
        self._type_px = type_px
        self._only_px = 0.0
        self._fitted: tuple[object, ...] = ()
        self._own_px = 0.0
        """The size in which its word fits; keys beside each other take the least of theirs."""
        self.add_widget(self._word)
        self.disabled = bool(why)
        self.fbind("disabled", self._pale)
        self._pale()
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())
        self._place()

    def on_touch_down(self, touch: Any) -> bool:
        if not (self.disabled and self.why and self.collide_point(*touch.pos)):
            return bool(super().on_touch_down(touch))
        if self.text == self.why:
            # It stands there already.
            return False
        self.text = self._word.text = self.why
        self._place()
        return True

    def _pale(self, *_: Any) -> None:
        self.opacity = 0.45 if self.disabled else 1

    def _lit(self) -> tuple[tuple[float, float], tuple[float, float], float]:
        return tuple(self.pos), tuple(self.size), self.rounding

    @property
    def only_px(self) -> float:
        """The only size of the word, px; 0: as there is room."""
        return self._only_px

    @only_px.setter
    def only_px(self, px: float) -> None:
        self._only_px = px
        self._place()

    def _place(self, *_: Any) -> None:
        self._fit()
        self._place_parts()

    def _place_parts(self) -> None:
        sign, word = self._sign, self._word
        middle = self.y + self.height / 2
        beside = self._beside
        left = self.x + (self.width - beside - word.width) / 2
        if sign is not None:
            sign.pos = (left, middle - sign.height / 2)
        word.pos = (left + beside, middle - word.height / 2)

    def room_in(self, width: float) -> float:
        """Room for the word beside its sign in a key of ``width`` px."""
        sign = 0.0 if self._sign is None else self._sign.width + style.gap_s
        return float(max(width - sign - 2 * style.gap_s, 1))

    def _fit(self) -> None:
        """Set the word as large as there is room; costly, so only if something changed."""
        fitted = (self.width, self.text, self.symbol, style.type_s, self._only_px)
        if fitted == self._fitted:
            return
        self._fitted = fitted
        if isinstance(self._sign, Symbol):
            # As large as the words that it stands before; alone it says everything.
            self._sign.font_size = style.type_s if self.text else style.type_m
            if self._type_px and self.text:
                self._sign.font_size = style.caption
            self._sign.size = self._sign.extent
        sizes: tuple[float, ...] = (style.type_s, style.type_xs)
        if self._type_px:
            sizes = (self._type_px, style.caption, *sizes)
        if self._only_px:
            sizes = (self._only_px,)
        if self._sign is not None:
            self.remove_widget(self._sign)
            if self._has_room_for_sign(sizes):
                self.add_widget(self._sign)
        self._own_px = fit_one_line(self.text, sizes, self._room)
        line = self._line
        size = min(key._own_px for key in line)
        for key in line:
            key._take_size(size)

    def _has_room_for_sign(self, sizes: tuple[float, ...]) -> bool:
        """False if the word would be broken, or set smaller than on most keys, for the sign."""
        if not self.text:
            return True
        beside, alone = (
            fit_one_line(self.text, sizes, room)
            for room in (self.room_in(self.width), self.width - 2 * style.gap_s)
        )  # fmt: skip
        longest = max(line_width(word, beside) for word in self.text.split())
        if longest > self.room_in(self.width):
            return False
        return not isinstance(self._sign, Symbol) or beside >= min(alone, style.type_s)

    @property
    def _room(self) -> float:
        """Width for the word, px."""
        return float(max(self.width - self._beside - 2 * style.gap_s, 1))

    @property
    def _line(self) -> list[Key]:
        """The keys whose words are set in one size with its own."""
        line = self.parent
        if not (isinstance(line, BoxLayout) and line.orientation == "horizontal" and self._levels):
            return [self]
        return [key for key in line.children if isinstance(key, Key) and key._levels]

    @property
    def _levels(self) -> bool:
        """False if its words do not count for the others in its line: why it is dim, or none."""
        return bool(self._own_px and self.text and self.text != self.why)

    def _take_size(self, size: float) -> None:
        """Set the word in ``size`` px, unless it is."""
        if size != self._word.font_size or self._word.break_at != self._room:
            set_in(self._word, size, self._room)
            self._place_parts()


class Link(_Glowing, FloatLayout):  # type: ignore[misc]
    """A quiet button: words only, with a target of full size around them."""

    def __init__(
        self,
        text: str,
        press: Callable[[], None],
        *,
        symbol: str = "",
        to_right: bool = False,
        colour: str = "ash",
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("size_hint", (None, None))
        kwargs.setdefault("height", style.target)
        super().__init__(**kwargs)
        self.text = text
        self._to_right = to_right
        ink = style.tone(colour)
        self._word = Letters(text, color=ink, size_hint=(None, None))
        if symbol:
            self._sign = Symbol(text=symbol, color=ink, size_hint=(None, None))
            self._sign.size = self._sign.extent
            self.add_widget(self._sign)
        self._word.size = self._word.extent
        self.add_widget(self._word)
        self.width = max(self._word.width + self._beside, style.target)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())
        self._place()

    def _place(self, *_: Any) -> None:
        beside, middle = self._beside, self.y + self.height / 2
        inner = self._word.width + beside
        left = self.x + self.width - inner if self._to_right else self.x
        if self._sign is not None:
            self._sign.pos = (left, middle - self._sign.height / 2)
        self._word.pos = (left + beside, middle - self._word.height / 2)


class Note(_Glowing, FloatLayout):  # type: ignore[misc]
    """A quiet remark that can be touched for more: small words at the right, on up to two lines."""

    def __init__(self, text: str, press: Callable[[], None], width: float, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), width=width, **kwargs)
        self.text = text
        look = {"color": style.ash, "font_size": style.caption}
        self._sign = Symbol(text="ℹ", size_hint=(None, None), **look)
        self._sign.size = self._sign.extent
        self._words = Words(text, width=note_words(text, width).width, **look)
        self.height = max(style.target, self._words.height)
        self.add_widget(self._sign)
        self.add_widget(self._words)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())
        self._place()

    def _place(self, *_: Any) -> None:
        middle = self.y + self.height / 2
        left = self.x + self.width - self._words.width
        self._words.pos = (left, middle - self._words.height / 2)
        if self._sign is not None:
            self._sign.pos = (left - self._beside, middle - self._sign.height / 2)


def note_words(text: str, width: float) -> Setting:
    """The words of a note of ``width`` px."""
    room = width - side_of(style.caption) - style.gap_s
    room = min(room, line_width(text, style.caption, TEXT) + style.grid)
    return Setting(text, style.caption, TEXT, room, LEADING)


def set_in(word: Letters, size: float, room: float) -> None:
    """Sets a word in letters of ``size`` px on one line, or on several of ``room`` px; its widget
    is as large as that."""
    word.setting = word.setting._replace(size=size, width=None).within(room)
    word.size = word.extent


def fits(text: str, size: float, width: float) -> bool:
    """True if ``text`` stays on one line of ``width`` px at this size (px)."""
    return line_width(text, size) <= width


def fit_one_line(text: str, sizes: tuple[float, ...], width: float) -> float:
    """The first of ``sizes`` (px) in which ``text`` stays on one line of ``width`` px."""
    for size in sizes:
        if fits(text, size, width):
            return size
    return sizes[-1]
