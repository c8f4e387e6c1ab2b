"""The theme, live: colours, sizes and language that widgets and ``.kv`` files bind to."""

from __future__ import annotations

from dataclasses import fields
from importlib.resources import files
from typing import Any

from kivy.core.text import DEFAULT_FONT, LabelBase
from kivy.event import EventDispatcher
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    ColorProperty,
    NumericProperty,
    StringProperty,
)
from kivy.resources import resource_find

from companion.presentation.theme import tokens as theme
from companion.presentation.words import translate as words
from companion.settings.preferences import Preferences

TEXT = DEFAULT_FONT
BOLD = "heelstone-semibold"
SYMBOL = "heelstone-symbols"
_FIRST = Preferences()
_SIZES = tuple(field.name for field in fields(theme.Sizes))


class Style(EventDispatcher):  # type: ignore[misc]
    """One for all screens: the tokens by their names, colours as four numbers, sizes in px."""

    lang = AliasProperty(lambda self: words.language(), None, cache=False)
    """Language: ``de`` or ``en``; ``words.translate`` owns it; this tells all that bind to it."""
    name = StringProperty(_FIRST.theme)
    motion = BooleanProperty(_FIRST.animations)
    factor = NumericProperty(1.0)
    piece_colours = StringProperty(_FIRST.piece_colours)
    text = StringProperty(_FIRST.text)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.apply_property(
            **{colour: ColorProperty() for colour in theme.COLOURS},
            **{size: NumericProperty() for size in _SIZES},
        )
        _load_fonts()
        self.palette = theme.NIGHT
        self.use_theme("night")
        self.use_size(800, 480)

    def use(self, chosen: Preferences) -> None:
        """Switch to everything chosen."""
        self.motion, self.piece_colours = chosen.animations, chosen.piece_colours
        if chosen.theme != self.name:
            self.use_theme(chosen.theme)
        if chosen.text != self.text:
            self.use_text(chosen.text)
        self.use_language(chosen.lang)

    def use_theme(self, name: str) -> None:
        """Switch to the palette ``night`` or ``limestone``; raises KeyError for any other."""
        self.palette = theme.PALETTES[name]
        for colour in theme.COLOURS:
            setattr(self, colour, theme.rgba(getattr(self.palette, colour)))
        self.name = name

    def use_size(self, width: float, height: float) -> None:
        """Scale every size for a screen of ``width`` × ``height`` px."""
        factor = theme.scale(width, height)
        larger = theme.TEXT_SCALES[self.text]
        for size in _SIZES:
            scaled = factor * larger if size in theme.READ_FROM_AFAR else factor
            setattr(self, size, round(getattr(theme.SIZES, size) * scaled, 2))
        self.factor = factor

    def use_text(self, text: str) -> None:
        """Switch to ``normal``, ``large`` or ``largest`` words; raises KeyError for any other."""
        larger = theme.TEXT_SCALES[text]
        for size in theme.READ_FROM_AFAR:
            setattr(self, size, round(getattr(theme.SIZES, size) * self.factor * larger, 2))
        # Screens that show words bind to it: last, when everything is in place.
        self.text = text

    def use_language(self, lang: str) -> None:
        """Switch to ``de`` or ``en``."""
        if lang != words.language():
            words.set_language(lang)
            self.property("lang").dispatch(self)

    def tone(self, name: str, alpha: float = 1.0) -> theme.Rgba:
        """A colour of the palette by name."""
        return theme.rgba(getattr(self.palette, name), alpha)


def _load_fonts() -> None:
    folder = files("companion.presentation") / "fonts"
    regular, bold = (str(folder / f"HeelstoneSans-{w}.otf") for w in ("Regular", "SemiBold"))
    LabelBase.register(TEXT, regular, fn_bold=bold)
    LabelBase.register(BOLD, bold)
    symbols = resource_find("data/fonts/DejaVuSans.ttf")
    LabelBase.register(SYMBOL, symbols)


style = Style()
"""The one style in use."""
