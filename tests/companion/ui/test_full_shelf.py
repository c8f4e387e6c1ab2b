"""Twenty games on the shelf: Heelstone's own, and others in packages that authors have begun."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.app.authoring.new_game import new_game
from companion.setup.shelf import Fronts
from rules.games import add_games, find_game, game_ids, shelf_order
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running, faults
from tests.support.elsewhere import elsewhere
from tests.support.fake_shell import FakeShell
from tests.support.ui_harness import SIZES, need_screen, texts, tick, walk

GAMES = 20
MORRIS = Path(__file__).parents[3] / "examples" / "nine_mens_morris"


@pytest.fixture
def twenty(tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """Ids of twenty games."""
    need_screen()
    with elsewhere():
        add_games(MORRIS)
        for number in range(GAMES - len(game_ids())):
            # Golden files are for authors, and take longest.
            with patch("companion.app.authoring.new_game.golden_files", lambda *_: {}):
                new_game(f"ring_{number:02}", tmp_path / str(number), f"Mein {number + 1}. Ring")
        yield shelf_order()


@pytest.mark.parametrize(
    ("size", "lang"), [(SIZES[0], "de"), pytest.param(SIZES[1], "en", marks=pytest.mark.thorough)]
)
def test_twenty_games_are_on_the_shelf_and_the_last_is_as_near_as_a_swipe(
    twenty: tuple[str, ...],
    tmp_path: Path,
    size: tuple[int, int],
    lang: str,
    opened: Opened[Running],
) -> None:
    from companion.ui.screens.start import BoxFront

    assert len(twenty) == GAMES
    shell = FakeShell(tmp_path, games=twenty)
    running = opened(Running(size, lang, shell, Fronts(tmp_path / "fronts")))
    boxes = [w for w in walk(running.root) if isinstance(w, BoxFront)]
    assert {box.game for box in boxes} == set(twenty)
    assert {"de": "Alle 20", "en": "All 20"}[lang] in texts(running.root)
    assert faults(running.screen) == []
    scroll, across = running.screen._row.scroll, size[0] > size[1]
    floor = scroll.to_window(0, scroll.y)[1]
    beyond = [
        box for box in boxes
        if (across and box.to_window(box.x, 0)[0] > size[0])
        or (not across and box.to_window(0, box.top)[1] < floor)
    ]  # fmt: skip
    assert len(beyond) > 8, "most of them are beyond the edge"
    if across:
        scroll.scroll_x = 1
    else:
        scroll.scroll_y = 0
    tick(3)
    last = max(boxes, key=lambda box: (-box.y, box.x))
    left, low = last.to_window(*last.pos)
    assert left >= 0 and left + last.width <= size[0]
    assert low >= floor - 1
    assert faults(running.screen) == []


def test_games_on_boards_come_first_on_the_shelf() -> None:
    watched = [find_game(game).watched for game in shelf_order()]
    assert watched == sorted(watched, reverse=True) and not all(watched)
    assert Fronts().games() == shelf_order()
