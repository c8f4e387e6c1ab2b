"""The few sizes in which words are set."""

from __future__ import annotations

from typing import Any

from tests.support.ui_harness import labels, walk

SCALE = (14.0, 17.0, 20.0, 24.0, 32.0, 44.0)
"""Sizes at a short side of 480: captions, words, words read from the table, titles, figures."""


def odd_sizes(screen: Any) -> list[str]:
    """Words of another size; none for a screen that has sizes of its own: read across the room, or
    rows that give way at the end."""
    from companion.ui.screens.play.ending import EndingView
    from companion.ui.screens.play.room import RoomView
    from companion.ui.theme.style import style

    if any(isinstance(one, EndingView | RoomView) for one in walk(screen)):
        return []
    sizes = [(round(label.font_size / style.factor, 1), label.text) for label in labels(screen)]
    return [f"'{text[:24]}' has size {px:g}" for px, text in sizes if px not in SCALE]
