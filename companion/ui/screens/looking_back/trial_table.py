"""The table inside the review: a copy of the match that is played on, or corrected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.match.looking_back.library import Branch
from companion.match.view import Intent, TableView
from companion.presentation.words.translate import _
from companion.ui.screens.play.screen import PlayScreen
from companion.ui.shell import Ways
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words


class TrialTable(FloatLayout):  # type: ignore[misc]
    """A play screen below a line that says what it is for, and the way back to the record."""

    def __init__(
        self,
        branch: Branch,
        said: str,
        back: Callable[[], None],
        on_intent: Callable[[Intent], object] | None = None,
        **place: Any,
    ) -> None:
        """``said``: what it is for. ``on_intent``: hears what is touched; None: it is played in
        the copy. ``place``: where it is, with its size."""
        super().__init__(**place)
        self.branch = branch
        strip = style.target + style.gap_s
        self.screen = PlayScreen(
            on_intent or branch.post, Ways(leave=back, hand=branch.hand), embedded=True,
            size_hint=(None, None), size=(self.width, self.height - strip), pos=self.pos,
        )  # fmt: skip
        line = BoxLayout(
            spacing=style.gap, size_hint=(None, None), height=style.target,
            width=self.width - 2 * style.margin,
            pos=(self.x + style.margin, self.y + self.height - strip + style.gap_s / 2),
        )  # fmt: skip
        key = Key(
            _("looking_back.back_to_the_record"), back, symbol="←", height=style.target,
            size_hint_x=None, width=min(self.width * 0.42, 260 * style.factor),
        )  # fmt: skip
        words = Words(said, bold=True, color=style.ask, width=line.width - key.width - style.gap)
        words.pos_hint = {"center_y": 0.5}
        line.add_widget(words)
        line.add_widget(key)
        self.add_widget(self.screen)
        self.add_widget(line)
        branch.subscribe(self._show)
        self._show(branch.view)

    @property
    def room_for_words(self) -> float:
        """Height in px of the column of words."""
        landscape = self.width > self.height
        return float(self.screen.height if landscape else self.screen.words_height)

    def leave(self) -> None:
        """The table is no longer shown; the copy is forgotten."""
        self.screen.leave()
        self.branch.close()

    def _show(self, view: TableView) -> None:
        self.screen.show(view, self.branch.score_lines, self.branch.score_history)
