"""The first thing ever shown: a welcome, and the offer to check the table if there is anything to
check. It comes once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.uix.widget import Widget

from companion.presentation.boxes import game_box
from companion.presentation.scene import bare_scene
from companion.presentation.words.translate import _, other_language
from companion.ui.drawing.board import Board
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import PageScreen, beside, head


class FirstRunScreen(PageScreen):
    """``on_check`` opens the table setup, None if nothing is set up; ``on_later`` the shelf;
    ``on_wifi`` the Wi-Fi, None if the table has none to join."""

    def __init__(
        self,
        game: str,
        on_check: Callable[[], None] | None,
        on_later: Callable[[], None],
        on_language: Callable[[], None],
        on_theme: Callable[[], None],
        on_turn: Callable[[], None],
        on_wifi: Callable[[], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.game, self._on_check, self._on_later = game, on_check, on_later
        self._on_language, self._on_theme, self._on_turn = on_language, on_theme, on_turn
        self._on_wifi = on_wifi

    def build(self, frame: Any, width: float) -> None:
        language = Key(
            other_language(),
            self._on_language,
            size_hint=(None, None),
            height=style.target,
        )
        theme = Key("", self._on_theme, symbol="◐", size_hint=(None, None), height=style.target)
        turn = Key("", self._on_turn, symbol="↻", size_hint=(None, None), height=style.target)
        language.width, theme.width = style.target * 2.1, style.target
        turn.width = style.target
        told = _("setup.the_referee_at_your_game_table")
        frame.add_widget(head("Heelstone", told, width, (language, theme, turn)))
        board = Board()
        board.show(bare_scene(game_box(self.game)))
        frame.add_widget(board)
        text = _("setup.shall_we_check_the_table_together")
        if self._on_check is None:
            text = _("setup.no_camera_or_device_is_set")
        frame.add_widget(Words(text, width=width))
        frame.add_widget(Widget(size_hint_y=None, height=style.grid))
        keys = []
        if self._on_wifi is not None:
            keys.append(Key(_("wifi.title"), self._on_wifi, size_hint_x=0.7))
        if self._on_check is None:
            keys.append(Key(_("screens.to_the_shelf"), self._on_later, primary=True))
        else:
            keys.append(Key(_("screens.later"), self._on_later, size_hint_x=0.7))
            check = Key(_("screens.check_the_table"), self._on_check, symbol="→", primary=True)
            keys.append(check)
        frame.add_widget(beside(*keys))
