"""Sizes of type: few, and the same everywhere."""

from __future__ import annotations

from itertools import chain
from typing import Any

from tests.support.ui_harness import labels, need_screen, walk

SCALE = (14.0, 17.0, 20.0, 24.0, 32.0, 44.0)
"""Sizes at a short side of 480: captions, words, words read from the table, titles, figures."""


def _own_sizes(screen: Any) -> bool:
    """True for what has sizes of its own: read across the room, or rows that give way at the
    end."""
    from companion.ui.screens.play.ending import EndingView
    from companion.ui.screens.play.room import RoomView

    return any(isinstance(one, EndingView | RoomView) for one in walk(screen))


def test_every_word_is_set_in_one_of_few_sizes(thorough: bool) -> None:
    need_screen()
    from companion.ui.theme.style import style
    from docs.gallery.play import MOMENTS, moment_screens
    from docs.gallery.screens import gallery_screens

    size, found, seen = (800, 480), dict[str, set[str]](), 0
    moments = moment_screens("de", size, moments=MOMENTS if thorough else MOMENTS[::4])
    for name, screen in chain(gallery_screens("de", size, ()), moments):
        if _own_sizes(screen):
            continue
        seen += 1
        for label in labels(screen):
            px = round(label.font_size / style.factor, 1)
            if px not in SCALE:
                found.setdefault(name, set()).add(f"{px:g}: {label.text[:24]}")
    assert found == {}
    assert seen > 35
