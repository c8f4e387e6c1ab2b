"""The screens that a family touches most: every word has its room, and the frame stays."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from companion.match.view import TableState
from rules.games import find_game, game_ids
from rules.match import Match
from rules.testing.playout import pick
from tests.companion.ui.conftest import Opened
from tests.support.app_window import faults
from tests.support.sweep import widely
from tests.support.ui_harness import (
    LANGS,
    SIZES,
    OnScreen,
    badly_set,
    need_screen,
    tick,
    too_small,
    view_of,
)

TEXTS = ("normal", "large", "largest")
QUICK_MOMENTS = ("largest-de-720",)


def _cases() -> Iterator[Any]:
    for text, lang, size in product(TEXTS, LANGS, SIZES):
        name = f"{text}-{lang}-{size[0]}"
        marks = () if name in QUICK_MOMENTS else pytest.mark.thorough
        yield pytest.param(text, lang, size, id=name, marks=marks)


@pytest.mark.parametrize(("text", "lang", "size"), list(_cases()))
def test_every_word_has_its_room_while_a_match_is_played(
    text: str, lang: str, size: tuple[int, int]
) -> None:
    need_screen()
    from docs.gallery.play import LONG_NAMES, MOMENTS, moment_screens

    found: dict[str, list[str]] = {}
    seen = 0
    for name, screen in moment_screens(lang, size, names=LONG_NAMES, text=text):
        seen += 1
        # A very long name may end in an ellipsis where several players share a line.
        trouble = [told for told in badly_set(screen) if "is shortened" not in told]
        trouble += too_small(screen)
        if trouble:
            # Of a list that scrolls only what stands in it counts.
            trouble = [told for told in faults(screen) if "is shortened" not in told]
        if trouble:
            found[name] = trouble
    assert found == {}
    assert seen == len(MOMENTS)


def _frame(screen: Any) -> dict[str, object]:
    """Where everything stands that must not move."""
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


@pytest.mark.parametrize(
    "game", widely([game for game in game_ids() if game != "dominion"], most=1)
)
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
