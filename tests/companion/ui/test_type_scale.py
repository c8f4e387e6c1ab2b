"""Sizes of type: few, and the same everywhere. Screens out of a match are looked at with their
words, in ``test_room_for_words``."""

from __future__ import annotations

from tests.support.type_scale import odd_sizes
from tests.support.ui_harness import need_screen


def test_every_word_of_a_match_is_set_in_one_of_few_sizes(thorough: bool) -> None:
    need_screen()
    from docs.gallery.play import MOMENTS, moment_screens

    moments = MOMENTS if thorough else MOMENTS[::8]
    screens = moment_screens("de", (800, 480), moments=moments)
    found = [(name, odd_sizes(screen)) for name, screen in screens]
    assert [told for told in found if told[1]] == []
    assert len(found) == len(moments)
