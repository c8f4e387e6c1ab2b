"""No word of any screen is clipped, cut short or printed over another, and every key is large
enough: every screen of the galleries, at both sizes and in both languages, with short names and
with long ones, large numbers and full tables. Pages of the workshop are looked at where they are
tried (``test_ui_workshop``, ``test_ui_own_board``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from tests.support.app_window import faults
from tests.support.ui_harness import LANGS, SIZES, badly_set, need_screen, too_small

LONG_NAMES = (
    "Maximiliane-Charlotte",
    "Konstantin der Große",
    "Friedrich-Wilhelm III.",
    "Großmutter Wilhelmine",
    "Bartholomäus v. Xanten",
)
# German needs the most room. At the other size most screens are looked at where they are tried.
QUICK = ("long-de-720",)
CASES: list[tuple[tuple[str, ...], str, tuple[int, int]]] = [
    (LONG_NAMES, lang, size) for lang in LANGS for size in SIZES
]
CASES += [((), lang, size) for lang, size in zip(LANGS, SIZES, strict=True)]


def _params() -> Iterator[Any]:
    for names, lang, size in CASES:
        name = f"{'long' if names else 'short'}-{lang}-{size[0]}"
        marks = () if name in QUICK else pytest.mark.thorough
        yield pytest.param(names, lang, size, id=name, marks=marks)


@pytest.mark.parametrize(("names", "lang", "size"), list(_params()))
def test_the_words_of_every_screen_stand_by_themselves(
    names: tuple[str, ...], lang: str, size: tuple[int, int]
) -> None:
    need_screen()
    from docs.gallery.review import review_screens
    from docs.gallery.screens import gallery_screens

    found: dict[str, list[str]] = {}
    seen = 0
    backwards = review_screens(size, lang, names) if names else review_screens(size, lang)
    for name, screen in chain(gallery_screens(lang, size, names), backwards):
        seen += 1
        trouble = _troubles(screen, names)
        if trouble:
            found[name] = trouble
    assert found == {}
    assert seen >= 34


def _troubles(screen: Any, names: tuple[str, ...]) -> list[str]:
    # A very long name may end in an ellipsis where several players share a line.
    allowed = {f"'{name}' is shortened" for name in names}
    trouble = [told for told in badly_set(screen) if told not in allowed] + too_small(screen)
    if trouble:
        # Of a list that scrolls only what stands in it counts.
        trouble = [told for told in faults(screen) if told not in allowed]
    return trouble


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
