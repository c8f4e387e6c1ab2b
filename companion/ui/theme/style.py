"""The theme, live: colours, sizes and language that widgets and ``.kv`` files bind to."""

from __future__ import annotations

from dataclasses import fields
from importlib.resources import files
from typing import Any

import msgspec
from kivy.base import EventLoop
from kivy.core.text import DEFAULT_FONT, LabelBase
from kivy.event import EventDispatcher
from kivy.properties import AliasProperty, ColorProperty, NumericProperty, ObjectProperty

from companion.presentation.theme import tokens as theme
from companion.presentation.words import translate as words
from companion.settings.preferences import Preferences

TEXT = DEFAULT_FONT
BOLD = "heelstone-semibold"
_SIZES = tuple(field.name for field in fields(theme.Sizes))


class Style(EventDispatcher):  # type: ignore[misc]
    """One for all screens: the tokens by their names, colours as four numbers, sizes in px."""

    lang = AliasProperty(lambda self: words.language(), None, cache=False)
    """Language: ``de`` or ``en``; ``words.translate`` owns it; this tells all that bind to it."""
    chosen = ObjectProperty(Preferences())
    """All preferences; bind to it what a choice changes."""
    name = AliasProperty(lambda self: self.chosen.theme, None, bind=("chosen",), cache=True)
    """The theme in use."""
    factor = NumericProperty(1.0)

    @property
    def left_handed(self) -> bool:
        """True if the left hand touches."""
        return bool(self.chosen.hand == "left")

    @property
    def look(self) -> tuple[object, ...]:
        """All that drawings depend on besides what they show; what is kept, is kept for one."""
        return (self.chosen, self.lang, self.factor)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.apply_property(
            **{colour: ColorProperty() for colour in theme.COLOURS},
            **{size: NumericProperty() for size in _SIZES},
        )
        _load_fonts()
        self.palette = theme.NIGHT
        self.change()
        self.use_size(800, 480)

    def use(self, chosen: Preferences) -> None:
        """Switch to everything chosen; raises KeyError for no theme or size of words."""
        self.palette, larger = theme.PALETTES[chosen.theme], theme.TEXT_SCALES[chosen.text]
        another_language = chosen.lang != words.language()
        if another_language:
            words.set_language(chosen.lang)
        for colour in theme.COLOURS:
            setattr(self, colour, theme.rgba(getattr(self.palette, colour)))
        for size in theme.READ_FROM_AFAR:
            setattr(self, size, round(getattr(theme.SIZES, size) * self.factor * larger, 2))
        self._turn(chosen.turn)
        # Screens bind to what follows: last, when everything is in place.
        self.chosen = chosen
        if another_language:
            self.property("lang").dispatch(self)

    def _turn(self, degrees: int) -> None:
        """Turn all that is shown, and touches with it; no compositor is needed for that."""
        window = EventLoop.window
        if window is not None and window.rotation != degrees:
            window.rotation = degrees
            # Kivy forgets this where width and height stay the same.
            window.update_viewport()
            self.use_size(*window.size)

    def change(self, **changes: Any) -> None:
        """Switch some preferences for this window; nothing is saved."""
        now = msgspec.structs.replace(self.chosen, lang=self.lang)
        self.use(msgspec.structs.replace(now, **changes))

    def use_theme(self, name: str) -> None:
        """Switch to the palette ``night`` or ``limestone``; raises KeyError for any other."""
        self.change(theme=name)

    def use_language(self, lang: str) -> None:
        """Switch to ``de`` or ``en``."""
        self.change(lang=lang)

    def use_size(self, width: float, height: float) -> None:
        """Scale every size for a screen of ``width`` × ``height`` px."""
        factor = theme.scale(width, height)
        larger = theme.TEXT_SCALES[self.chosen.text]
        for size in _SIZES:
            scaled = factor * larger if size in theme.READ_FROM_AFAR else factor
            setattr(self, size, round(getattr(theme.SIZES, size) * scaled, 2))
        self.factor = factor

    def tone(self, name: str, alpha: float = 1.0) -> theme.Rgba:
        """A colour of the palette by name."""
        return theme.rgba(getattr(self.palette, name), alpha)


def window_part(
    left: float, bottom: float, width: float, height: float
) -> tuple[int, int, int, int]:
    """A part of the window in px of the screen as it was built, which scissors want, however it is
    turned."""
    window = EventLoop.window
    wide, high = window.size
    match window.rotation:
        case 90:
            part = (high - bottom - height, left, height, width)
        case 180:
            part = (wide - left - width, high - bottom - height, width, height)
        case 270:
            part = (bottom, wide - left - width, height, width)
        case _:
            part = (left, bottom, width, height)
    x, y, across, up = map(round, part)
    return x, y, across, up


def _load_fonts() -> None:
    folder = files("companion.presentation") / "fonts"
    regular, bold = (str(folder / f"HeelstoneSans-{w}.otf") for w in ("Regular", "SemiBold"))
    LabelBase.register(TEXT, regular, fn_bold=bold)
    LabelBase.register(BOLD, bold)


style = Style()
"""The one style in use."""
