"""A pool of widgets: building one costs more than moving it to another place."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from companion.ui.theme.style import style


class KeptWidgets:
    """Widgets of a screen, by everything that they depend on.

    A screen is tried (``begin``) until it fits, and then the rest is dropped (``end``).
    """

    def __init__(self) -> None:
        self._widgets: dict[Hashable, Any] = {}
        self._used: set[Hashable] = set()
        self._look: object = None

    def begin(self) -> None:
        """Releases all widgets: for a new screen, or for another try."""
        self._used.clear()

    def give(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The widget of this ``key``, made if there is none; only once until ``begin``.

        After a change of size, language or any preference all are made anew.
        """
        if style.look != self._look:
            self._look = style.look
            self._widgets.clear()
        if key in self._used:
            return make()
        self._used.add(key)
        widget = self._widgets.get(key)
        if widget is None:
            widget = self._widgets[key] = make()
        elif widget.parent is not None:
            widget.parent.remove_widget(widget)
        return widget

    def end(self) -> None:
        """Forget what was not taken since ``begin``."""
        self._widgets = {key: w for key, w in self._widgets.items() if key in self._used}
