"""A name that looks like markup is read as it is written, on every screen of the galleries."""

from __future__ import annotations

from itertools import chain

import pytest

from tests.support.at_the_screen import as_people_see
from tests.support.ui_harness import SIZES, labels, need_screen

NAMES = ("[b]x[/b] [ref=a]", "[color=ff0000]y", "&bl;b&br;z", "[i]&amp;", "[size=99]v[/size]")
MARKS = ("[b]", "[ref", "[color", "&bl;", "[i]", "[size", "&amp;")
"""What gives a name away, even one that is shortened."""

TAGS = ("[ref", "[size=99]", "[color=ff0")


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["de"])
def test_no_screen_obeys_a_name(lang: str) -> None:
    need_screen()
    from docs.gallery.review import review_screens
    from docs.gallery.screens import gallery_screens

    shown, obeyed = set[str](), list[str]()
    size = SIZES[0]
    for name, screen in chain(
        gallery_screens(lang, size, NAMES), review_screens(size, lang, NAMES)
    ):
        for label in labels(screen):
            told = as_people_see(label)
            if any(mark in label.text for mark in MARKS) or any(m in told for m in MARKS):
                shown.add(name)
            if getattr(label, "refs", {}):
                obeyed.append(f"{name}: a link in {told!r}")
            if label.markup and any(mark in label.text for mark in TAGS):
                obeyed.append(f"{name}: {label.text!r}")
    assert obeyed == []
    assert len(shown) >= 10, sorted(shown)
