"""The state of the table as a pill: symbol, word, colour and rhythm."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.match.view import TableState
from companion.presentation.theme.tokens import INDICATORS, Indicator
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Letters, Symbol, fit_one_line
from hardware.rhythm import Rhythm, level

# -- bars -------------------------------------------------------------------------------------


class Bar(Widget):  # type: ignore[misc]
    """Shows how large a ``part``, 0 … 1, is done."""

    part = NumericProperty(0.0)

    def __init__(self, part: float = 0.0, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(**kwargs)
        self.part = part


class Progress(Bar):
    """Fills once within ``seconds``, then stays full."""

    def __init__(self, seconds: float, **kwargs: Any) -> None:
        super().__init__(height=style.grid, **kwargs)
        self.seconds = max(seconds, 0.01)
        self.part = 0.0 if style.chosen.animations else 0.6
        self._clock = (
            Clock.schedule_interval(self._grow, 1 / 30) if style.chosen.animations else None
        )

    def _grow(self, passed: float) -> bool:
        self.part = min(self.part + passed / self.seconds, 1.0)
        return bool(self.part < 1.0)


Builder.load_file(str(files("companion.ui.widgets") / "progress.kv"))


HEIGHT = 32.0
"""Height at a short side of 480, px."""


class Chip(Card):
    """Shows one ``TableState``; its symbol keeps the rhythm that lamps and buzzer use."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self._sign = Symbol(size_hint=(None, None))
        self._word = Letters(font_name=BOLD, size_hint=(None, None))
        self.add_widget(self._sign)
        self.add_widget(self._word)
        self.state: TableState | None = None
        self.text = ""
        self._rhythm = Rhythm.STEADY
        self._clock: Any = None
        self._seconds = 0.0
        self.bind(pos=self._place, size=self._place)

    def show(self, state: TableState, text: str, instead: Indicator | None = None) -> None:
        """Show ``state`` in the words ``text``; ``instead``: the sign of what matters more."""
        indicator = INDICATORS[state] if instead is None else instead
        if state is not self.state:
            self._seconds = 0.0
        self.state, self._rhythm = state, indicator.rhythm
        self._write(indicator.symbol, text, indicator.colour)

    def tell(self, text: str, *, good: bool) -> None:
        """Show what came to light: a verdict in the words ``text``."""
        self.state, self._rhythm = None, Rhythm.STEADY
        self._write("✓" if good else "✕", text, "ok" if good else "stop")

    def _write(self, symbol: str, text: str, colour: str) -> None:
        self.text = text
        tone = style.tone(colour)
        self.fill, self.line = (*tone[:3], 0.16), tone
        self._sign.text, self._word.text = symbol, text
        for label, size in ((self._sign, style.type_xs), (self._word, style.caption)):
            label.color, label.font_size = tone, size
            label.size = label.extent
        self.height = HEIGHT * style.factor
        self.rounding = self.height / 2
        self.width = self._sign.width + self._word.width + style.gap_s + 2 * style.gap_l
        self._place()
        self._run()

    def narrow(self, room: float) -> None:
        """Sets the word smaller until all of it is ``room`` px wide."""
        beside = self.width - self._word.width
        sizes = (style.caption, style.type_xs)
        self._word.font_size = fit_one_line(self.text, sizes, room - beside)
        self._word.size = self._word.extent
        self.width = self._word.width + beside
        self._place()

    def _place(self, *_: Any) -> None:
        left = self.x + style.gap_l
        self._sign.pos = (left, self.y + self.height / 2 - self._sign.height / 2)
        left += self._sign.width + style.gap_s
        self._word.pos = (left, self.y + self.height / 2 - self._word.height / 2)

    def _run(self) -> None:
        moving = self._rhythm is not Rhythm.STEADY and style.chosen.animations
        if moving and self._clock is None:
            self._clock = Clock.schedule_interval(self._beat, 1 / 20)
        elif not moving and self._clock is not None:
            self._clock.cancel()
            self._clock = None
        if not moving:
            self._sign.opacity = 1

    def _beat(self, passed: float) -> None:
        self._seconds += passed
        self._sign.opacity = 0.2 + 0.8 * level(self._rhythm, self._seconds)
