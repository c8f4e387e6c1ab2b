"""Widgets that are used again: building one costs more than moving it to another place."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

from companion.ui.theme.style import style

__all__ = ["LONG", "KeptWidgets"]

LONG = 4
"""For so many builds what nobody takes stays: players ask by turns, and so do the steps of a turn.
Each widget that is let go is garbage that only a search finds, some 350 objects."""


class KeptWidgets:
    """What a screen shows, by everything that it depends on.

    A screen is tried (``begin``) until it fits (``end``); the next one is tried in the same ways,
    so what only a try has taken stays as long as what is shown.
    """

    def __init__(self) -> None:
        self._widgets: dict[Hashable, Any] = {}
        self._used: set[Hashable] = set()
        self._taken: deque[set[Hashable]] = deque([set()], maxlen=LONG)
        """What was taken for each of the last builds, the one under way included."""

    def begin(self) -> None:
        """Everything may be taken: for a new screen, or for another try."""
        self._used.clear()

    def give(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The widget of this ``key``, made if there is none; only once until ``begin``.

        Colours, sizes and language of the style are included automatically.
        """
        whole = (key, style.name, style.lang, style.factor, style.piece_colours, style.text)
        if whole in self._used:
            return make()
        self._used.add(whole)
        self._taken[-1].add(whole)
        widget = self._widgets.get(whole)
        if widget is None:
            widget = self._widgets[whole] = make()
        elif widget.parent is not None:
            widget.parent.remove_widget(widget)
        return widget

    def end(self) -> None:
        """It is shown; what nobody has taken for long is forgotten."""
        taken = set[Hashable]().union(*self._taken)
        self._widgets = {key: w for key, w in self._widgets.items() if key in taken}
        self._taken.append(set())
