"""A finger on a table with words beside it that lead through: a lesson, or a puzzle."""

from __future__ import annotations

from typing import Any

from tests.support.at_the_screen import Finger
from tests.support.ui_harness import OnScreen, texts


class Guided(Finger):
    """A finger on such a screen; ``guide`` is the whole screen, ``screen`` the table on it."""

    def __init__(self, kind: Any, game: str, size: tuple[int, int], lang: str) -> None:
        """``kind``: the class of the screen."""
        self.shown = OnScreen(size, lang)
        super().__init__(self.shown.window, lang)
        self.left: list[str] = []
        ways = (lambda: self.left.append("play"), lambda: self.left.append("shelf"))
        self.guide = self.shown.put(kind(game, *ways, **self.shown.room))

    @property
    def screen(self) -> Any:
        return self.guide.table

    @property
    def session(self) -> None:
        return None

    def key_of_strip(self, text: str) -> None:
        """Touches a key beside what is said."""
        for found in self.buttons(self.guide):
            if found.text == self.word(text):
                self.touch(found)
                return
        raise AssertionError(f"no '{text}' in: {texts(self.guide)}")

    def faults(self) -> list[str]:
        """Faults of the screen's setting now."""
        return self.shown.faults()

    def close(self) -> None:
        """Leaves the screen."""
        self.shown.close()
