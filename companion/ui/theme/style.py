"""The theme, live: colours, sizes and language that widgets and ``.kv`` files bind to."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from kivy.core.text import DEFAULT_FONT, LabelBase
from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, StringProperty
from kivy.resources import resource_find

from companion.ui.theme import tokens as theme
from companion.ui.words import translate as words

__all__ = ["Style", "style"]

TEXT = DEFAULT_FONT
BOLD = "heelstone-semibold"
SYMBOL = "heelstone-symbols"

_COLOURS = (
    "night", "dusk", "slate", "stone", "edge", "bone", "ash", "dawn", "dawn_fill", "ink", "ok",
    "ask", "stop", "rim_dark", "rim_light",
)  # fmt: skip
_SIZES = (
    "TYPE_XS", "TYPE_S", "TYPE_M", "TYPE_L", "TYPE_XL", "GRID", "GAP_S", "GAP", "GAP_L", "MARGIN",
    "RADIUS", "TARGET", "BUTTON", "HAIRLINE", "STROKE", "STROKE_BOLD", "COLUMN",
)  # fmt: skip


class Style(EventDispatcher):  # type: ignore[misc]
    """One for all screens. Colours are lists of four numbers, sizes px."""

    lang = StringProperty("de")
    name = StringProperty("night")
    motion = BooleanProperty(True)
    """Whether pieces move and signals pulse; off: everything stands still."""
    factor = NumericProperty(1.0)
    piece_colours = StringProperty("printed")
    """``printed``, ``safe`` (told apart with every kind of colour vision) or ``patterns``."""

    night = ColorProperty()
    dusk = ColorProperty()
    slate = ColorProperty()
    stone = ColorProperty()
    edge = ColorProperty()
    bone = ColorProperty()
    ash = ColorProperty()
    dawn = ColorProperty()
    dawn_fill = ColorProperty()
    ink = ColorProperty()
    ok = ColorProperty()
    ask = ColorProperty()
    stop = ColorProperty()
    rim_dark = ColorProperty()
    rim_light = ColorProperty()

    type_xs = NumericProperty()
    type_s = NumericProperty()
    type_m = NumericProperty()
    type_l = NumericProperty()
    type_xl = NumericProperty()
    grid = NumericProperty()
    gap_s = NumericProperty()
    gap = NumericProperty()
    gap_l = NumericProperty()
    margin = NumericProperty()
    radius = NumericProperty()
    target = NumericProperty()
    button = NumericProperty()
    hairline = NumericProperty()
    stroke = NumericProperty()
    stroke_bold = NumericProperty()
    column = NumericProperty()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        _load_fonts()
        self.palette = theme.NIGHT
        self.use_theme("night")
        self.use_size(800, 480)

    def use_theme(self, name: str) -> None:
        """Switch to the palette ``night`` or ``limestone``; raises KeyError for any other."""
        self.palette = theme.PALETTES[name]
        for colour in _COLOURS:
            setattr(self, colour, theme.rgba(getattr(self.palette, colour)))
        self.name = name

    def use_size(self, width: float, height: float) -> None:
        """Scale every size for a screen of ``width`` × ``height`` px."""
        factor = theme.scale(width, height)
        for size in _SIZES:
            setattr(self, size.lower(), round(getattr(theme, size) * factor, 2))
        self.factor = factor

    def use_language(self, lang: str) -> None:
        """Switch to ``de`` or ``en``."""
        words.set_language(lang)
        self.lang = lang

    def tone(self, name: str, alpha: float = 1.0) -> theme.Rgba:
        """A colour of the palette by name."""
        return theme.rgba(getattr(self.palette, name), alpha)


def _load_fonts() -> None:
    folder = files("companion.ui") / "fonts"
    regular, bold = (str(folder / f"HeelstoneSans-{w}.otf") for w in ("Regular", "SemiBold"))
    LabelBase.register(TEXT, regular, fn_bold=bold)
    LabelBase.register(BOLD, bold)
    symbols = resource_find("data/fonts/DejaVuSans.ttf")
    LabelBase.register(SYMBOL, symbols)


style = Style()
"""The one style in use."""
