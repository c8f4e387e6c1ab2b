"""A table with a strip above it that says what to do there, and keys beside or below that."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.match.practice.sandbox import SandboxMatch
from companion.match.view import Intent, TableView
from companion.presentation.words.translate import _
from companion.ui.screens.play.screen import PlayScreen
from companion.ui.shell import Ways
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Words
from companion.ui.widgets.page import GroundedPage

STRIP, STRIP_UPRIGHT = 74.0, 146.0
"""Height of the strip at a short side of 480, px."""
_SHARES = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.62)
"""Sizes of the sentences that are tried, as shares of a text's."""


class GuidedScreen(GroundedPage):
    """``match`` is played on the table; ``leave``: back to the shelf."""

    def __init__(self, match: SandboxMatch, leave: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._leave = leave
        self.ended = False
        """True if a page is shown instead of the table."""
        self.calling = False
        """True if the next step stands out: it was not done."""
        self._strip: Any = None
        self._renew = Clock.create_trigger(self._build, -1)
        self._lay_out(match)
        # A size given at once would otherwise never be passed on to the children.
        self._trigger_layout()
        self.page.bind(size=self._resized)
        style.bind(lang=self._renew, chosen=self._renew)
        self._show(match.view)

    def leave(self) -> None:
        """The screen is no longer shown; the match is forgotten."""
        style.unbind(lang=self._renew, chosen=self._renew)
        self._put_away()

    @property
    def landscape(self) -> bool:
        """True if the screen is wider than high."""
        return bool(self.width > self.height)

    @abstractmethod
    def sentences(self) -> tuple[str, str]:
        """Result of the last touch, and the next step; either may be empty."""

    @abstractmethod
    def keys(self, wide: float) -> Sequence[Any]:
        """The keys beside what is said, ``wide`` px or as wide as they must be."""

    @abstractmethod
    def last_page(self) -> Any:
        """The page shown instead of the table when it has ended."""

    # -- building -------------------------------------------------------------------------

    def _lay_out(self, match: SandboxMatch) -> None:
        """Put a table up."""
        self.match = match
        self.table = PlayScreen(
            self._ask, Ways(leave=self._leave, hand=match.hand), embedded=True, led=True
        )  # fmt: skip
        match.subscribe(self._show)

    def _put_away(self) -> None:
        self.table.leave()
        self.match.close()

    def _ask(self, intent: Intent) -> None:
        self.match.post(intent)

    def _show(self, view: TableView) -> None:
        self.table.show(view, self.match.score_lines, self.match.score_history)
        self.calling = False
        self._build_strip()

    def _resized(self, *_: Any) -> None:
        style.use_size(self.width, self.height)
        self._renew()

    def _build(self, *_: Any) -> None:
        if self.width < style.target:
            return
        self.page.clear_widgets()
        self._strip = None
        if self.ended:
            self.page.add_widget(self.last_page())
            return
        height = self.height - self._strip_height
        self.table.size_hint, self.table.size = (None, None), (self.width, height)
        self.table.pos = self.pos
        self.page.add_widget(self.table)
        self._build_strip()

    @property
    def _strip_height(self) -> float:
        return float((STRIP if self.landscape else STRIP_UPRIGHT) * style.factor)

    def _build_strip(self) -> None:
        """Builds the strip of sentences, with the keys beside or below it."""
        if self.ended or self.width < style.target:
            return
        if self._strip is not None:
            self.page.remove_widget(self._strip)
        height, edge = self._strip_height, style.margin * 0.8
        keys = self.keys((124.0 if self.landscape else 150.0) * style.factor)
        strip = Card(
            fill="slate", line="slate", size_hint=(None, None), size=(self.width, height),
            pos=(self.x, self.y + self.height - height),
        )  # fmt: skip
        strip.rounding = 0
        across = sum(key.width for key in keys) + style.gap_s * (len(keys) - 1)
        line = BoxLayout(spacing=style.gap_s, size_hint=(None, None), size=(across, style.target))
        for key in keys:
            line.add_widget(key)
        inner = self.width - 2 * edge
        line.x = self.x + edge + inner - across
        if self.landscape:
            room = (inner - across - style.gap, height - 2 * style.grid)
            line.y = strip.y + (height - style.target) / 2
            middle = strip.y + height / 2
        else:
            room = (inner, height - style.target - 3 * style.gap_s)
            line.y = strip.y + style.gap_s
            middle = strip.y + style.target + 2 * style.gap_s + room[1] / 2
        words = self._said(*room)
        words.pos = (self.x + edge, middle - words.height / 2)
        strip.add_widget(words)
        strip.add_widget(line)
        self._strip = strip
        self.page.add_widget(strip)

    def _said(self, width: float, height: float) -> Any:
        """Result of the last touch, and the next step, as large as fits."""
        told, asked = self.sentences()
        for share in _SHARES:
            size = style.body * share
            look = {"width": width, "font_size": size, "line_height": 1.0}
            lines = [Words(told, color=style.tone("bone", 0.8), **look)] if told else []
            if asked:
                ink = style.tone("ask" if self.calling else "bone")
                lines.append(Words(asked, bold=True, color=ink, **look))
            spacing = style.grid * 0.5
            needed = sum(line.height for line in lines) + spacing * (len(lines) - 1)
            if needed <= height:
                break
        column = BoxLayout(
            orientation="vertical", spacing=spacing, size_hint=(None, None), size=(width, needed)
        )
        for line in lines:
            column.add_widget(line)
        return column

    def _to_shelf(self, wide: float) -> Any:
        return self._key(_("screens.to_the_shelf"), self._leave, wide, symbol="←")

    def _key(self, text: str, press: Callable[[], None], wide: float, **look: Any) -> Any:
        return Key(text, press, width=wide, height=style.target, size_hint_x=None, **look)
