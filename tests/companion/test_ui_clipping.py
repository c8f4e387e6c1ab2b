"""No word of any screen is clipped, cut short or printed over another, and every key is large
enough: every screen of the gallery, at both sizes and in both languages."""

from __future__ import annotations

import pytest

from tests.companion.app_window import faults
from tests.companion.ui_harness import LANGS, SIZES, badly_set, need_screen, too_small


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", LANGS)
def test_the_words_of_every_screen_stand_by_themselves(lang: str, size: tuple[int, int]) -> None:
    need_screen()
    from companion.ui.gallery import gallery_screens

    found: dict[str, list[str]] = {}
    seen = 0
    for name, screen in gallery_screens(lang, size):
        seen += 1
        trouble = badly_set(screen) + too_small(screen)
        if trouble:
            # Of a list that scrolls only what stands in it counts.
            trouble = faults(screen)
        if trouble:
            found[name] = trouble
    assert found == {}
    assert seen >= 25


def test_words_that_are_clipped_or_overlap_are_found() -> None:
    """The eye itself: a label too narrow, and two that lie on each other."""
    need_screen()
    from kivy.uix.floatlayout import FloatLayout
    from kivy.uix.label import Label

    from companion.ui.offscreen import open_window, tick

    window = open_window(SIZES[0])
    screen = FloatLayout(size_hint=(None, None), size=SIZES[0])
    for text, size, at in (
        ("much too long for its box", (40, 30), (100, 100)),
        ("one above", (200, 30), (300, 300)),
        ("the other", (200, 30), (310, 305)),
    ):
        screen.add_widget(Label(text=text, size_hint=(None, None), size=size, pos=at))
    window.add_widget(screen)
    tick(3)
    told = " ".join(badly_set(screen))
    window.remove_widget(screen)
    assert "much too long" in told
    assert "overlap" in told
