"""Every word has its room on every screen, in any size."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Any

import pytest

from companion.match.view import TableState
from companion.presentation.boxes import game_box
from companion.presentation.plan import Slot
from companion.presentation.scene import Scene
from companion.settings.preferences import Preferences
from rules.core import Item
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import pick
from tests.companion.ui.conftest import Opened
from tests.support.app_window import faults
from tests.support.at_the_screen import as_people_see
from tests.support.sweep import widely
from tests.support.type_scale import odd_sizes
from tests.support.ui_harness import (
    GAME,
    LANGS,
    SIZES,
    OnScreen,
    badly_set,
    labels,
    need_screen,
    tick,
    too_small,
    view_of,
)
from tests.support.watched import WATCHED

LONG_NAMES = (
    "Maximiliane-Charlotte",
    "Konstantin der Große",
    "Friedrich-Wilhelm III.",
    "Großmutter Wilhelmine",
    "Bartholomäus v. Xanten",
)
# German needs the most room. At the other size most screens are looked at where they are tried.
_NARROW = ("is shortened", "is drawn narrow")
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
def test_the_words_of_every_screen_stand_by_themselves_in_few_sizes(
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
        trouble = _troubles(screen, names) + odd_sizes(screen)
        if trouble:
            found[name] = trouble
    assert found == {}
    assert seen >= 34


def _troubles(screen: Any, names: tuple[str, ...]) -> list[str]:
    # A very long name may be drawn narrow where several players share a line.
    allowed = _NARROW if names else ()
    trouble = [told for told in badly_set(screen) if not told.endswith(allowed)]
    trouble += too_small(screen)
    if trouble:
        # Of a list that scrolls only what stands in it counts.
        trouble = [told for told in faults(screen) if not told.endswith(allowed)]
    return trouble


def test_words_that_are_clipped_or_overlap_are_found() -> None:
    """The eye itself: a label too narrow, and two that lie on each other."""
    need_screen()
    from kivy.uix.floatlayout import FloatLayout

    from companion.ui.offscreen import open_window, tick
    from companion.ui.widgets.base import Letters

    window = open_window(SIZES[0])
    screen = FloatLayout(size_hint=(None, None), size=SIZES[0])
    for text, size, at in (
        ("much too long for its box", (40, 30), (100, 100)),
        ("one above", (200, 30), (300, 300)),
        ("the other", (200, 30), (310, 305)),
    ):
        screen.add_widget(Letters(text, size_hint=(None, None), size=size, pos=at))
    window.add_widget(screen)
    tick(3)
    told = " ".join(badly_set(screen))
    window.remove_widget(screen)
    assert "much too long" in told
    assert "overlap" in told


SENTENCES = ("David: Druide Nummer 2", "Nur du siehst sie", "Geh auf ein freies Feld.")


@pytest.mark.parametrize("text", SENTENCES)
def test_a_short_last_word_never_stands_alone_and_no_line_is_added(text: str) -> None:
    from companion.ui.theme.lettering import evened

    for width in range(max(map(len, text.split())), len(text) + 1):
        lines = textwrap.wrap(text, width, break_long_words=False)
        shown = evened(text, width, len).split("\n")
        assert " ".join(shown) == text
        if len(lines) == 1 or " " in lines[-1]:
            assert shown == [text], "what breaks well breaks by itself"
        else:
            assert len(shown) in (1, len(lines)) and max(map(len, shown)) <= max(width, len(text))
            pair = len(" ".join(text.split()[-2:]))
            assert " " in shown[-1] or pair > width, f"{shown} in {width}"


TEXTS = ("normal", "large", "largest")
QUICK_MOMENTS = ("largest-de-720",)


def _cases() -> Iterator[Any]:
    for text, lang, size in product(TEXTS, LANGS, SIZES):
        name = f"{text}-{lang}-{size[0]}"
        marks = () if name in QUICK_MOMENTS else pytest.mark.thorough
        yield pytest.param(text, lang, size, id=name, marks=marks)


@pytest.mark.parametrize(("text", "lang", "size"), list(_cases()))
def test_every_word_has_its_room_while_a_match_is_played(
    text: str, lang: str, size: tuple[int, int], thorough: bool
) -> None:
    need_screen()
    from docs.gallery.play import LONG_NAMES, MOMENTS, moment_screens

    moments = MOMENTS if thorough else MOMENTS[::4]

    found: dict[str, list[str]] = {}
    seen = 0
    for name, screen in moment_screens(lang, size, names=LONG_NAMES, text=text, moments=moments):
        seen += 1
        # A very long name may be drawn narrow where several players share a line.
        trouble = [told for told in badly_set(screen) if not told.endswith(_NARROW)]
        trouble += too_small(screen)
        if trouble:
            # Of a list that scrolls only what stands in it counts.
            trouble = [told for told in faults(screen) if not told.endswith(_NARROW)]
        if trouble:
            found[name] = trouble
    assert found == {}
    assert seen == len(moments)


def _frame(screen: Any) -> dict[str, object]:
    """Places of everything that must not move."""
    from companion.ui.widgets.base import Key

    plan = screen.board.plan
    frame: dict[str, object] = {
        "board": (round(plan.px_per_mm, 3), plan.px((0.0, 0.0))),
        "points": tuple(screen.points.pos),
    }
    for key in screen.bottom.children:
        if isinstance(key, Key) and key.symbol == "☰":
            frame["menu"] = tuple(key.pos)
    return frame


@pytest.mark.parametrize("game", widely([game for game in WATCHED if game != "dominion"], most=1))
def test_board_points_and_menu_never_move_during_a_match(
    game: str, opened: Opened[OnScreen]
) -> None:
    window = opened(OnScreen())
    from companion.ui.screens.play.screen import PlayScreen

    rules, chance = find_game(game), random.Random(game)
    match = Match(game, rules.players[-1], seed=4)
    screen = window.put(PlayScreen(lambda _intent: None, **window.room), 0)
    seen: list[dict[str, object]] = []
    for number in range(90):
        match.deal()
        if match.outcome is not None:
            break
        if number % 6 == 0:
            screen.show(view_of(match, TableState.SETTLED))
            if screen.covered:
                screen.uncover()
            tick(2)
            if screen.desk is None and screen.points.children:
                seen.append(_frame(screen))
        match.push(pick(match.state, match.legal_moves(), chance))
    assert len(seen) > 2
    assert all(frame == seen[0] for frame in seen)


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


PIECE = Item("H1", "megalith black", 0)


def test_a_piece_under_way_arrives_where_its_place_is_after_the_board_has_shrunk(
    monkeypatch: Any,
) -> None:
    need_screen()
    from companion.ui.drawing.board import Board
    from companion.ui.theme.style import style

    monkeypatch.setattr(style, "chosen", Preferences(animations=True))
    board = Board(size_hint=(None, None), size=(600, 600))
    before = Scene(game_box(GAME), ("black", "brown"))
    drawn: list[tuple[object, tuple[float, float]]] = []
    whole = board._draw_item

    def draw_item(group: Any, slot: Slot, *more: Any, **other: Any) -> None:
        drawn.append((group, slot.at))
        whole(group, slot, *more, **other)

    monkeypatch.setattr(board, "_draw_item", draw_item)
    board.show(before)
    board.show(replace(before, items=(PIECE,)))
    assert board.moving
    # The result needs more words, so an upright screen has less room for the board.
    board.size = (300, 300)
    tick(2)
    assert not board.moving
    group, at = drawn[-1]
    assert group is board._pieces and at == board.centre_of("H1")
