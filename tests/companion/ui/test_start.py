"""The first screens: the shelf, the unfinished match, the welcome, and the app's ways."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.match.view import SetForeground
from companion.settings.people import MatchSetup
from companion.ui.shell import UnfinishedMatch
from companion.words.errors import notice
from rules.games import find_game, game_ids
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running, faults
from tests.support.fake_shell import FakeShell
from tests.support.sweep import some
from tests.support.table_setup import tap_move
from tests.support.ui_harness import (
    GAME,
    LANGS,
    SIZES,
    key,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)
from tests.support.waiting import PATIENCE_S

SUMMARY = UnfinishedMatch("m1", GAME, ("black", "brown"), ("Anna", ""), (3, 2), 9, 0.0)
OTHER = UnfinishedMatch(
    "m2", "dolmengoetter", ("red", "blue"), ("Zoë", "Maximiliane-Ch"), (104, 98), 48, 0.0
)
EVERYWHERE = some([*product(SIZES, LANGS)], 1)
Run = Callable[..., Running]


@pytest.fixture
def run(tmp_path: Path, opened: Opened[Running]) -> Run:
    """Starts the app around a shell."""

    def start(
        size: tuple[int, int] = (800, 480), lang: str = "de", shell: FakeShell | None = None
    ) -> Running:
        return opened(Running(size, lang, shell or FakeShell(tmp_path)))

    return start


def boxes(running: Running) -> list[Any]:
    """The boxes on the shelf, from left to right."""
    from companion.ui.screens.start import BoxFront

    return [w for w in walk(running.root) if isinstance(w, BoxFront)]


def take(running: Running, game: str) -> None:
    """Take a box from the shelf."""
    (box,) = (box for box in boxes(running) if getattr(box, "game", "") == game)
    touch_in_list(running, box)


def touch_in_list(running: Running, widget: Any) -> None:
    """Touch something in a list, which passes a touch on only when it knows that it is no drag."""
    before, end = texts(running.root), time.monotonic() + PATIENCE_S
    tap_on(widget)
    while texts(running.root) == before:
        assert time.monotonic() < end, "nothing happened"
        tick(1)


# -- the shelf --------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "lang"), EVERYWHERE)
def test_the_shelf_shows_that_there_is_more_than_has_room(
    run: Run, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    shell = FakeShell(tmp_path, games=game_ids(), played={GAME: time.time()})
    shell.told = [notice("check_damaged", file="people.json", because=notice("nothing"))]
    running = run(size, lang, shell)
    assert len(boxes(running)) == len(game_ids())
    assert faults(running.screen) == []
    cut = [
        box for box in boxes(running)
        if box.to_window(*box.pos)[0] < size[0] < box.to_window(box.right, 0)[0]
        or box.to_window(*box.pos)[1] < box.parent.parent.parent.y < box.to_window(0, box.top)[1]
    ]  # fmt: skip
    assert cut, "a box that is cut off says that there are more"
    said = texts(running.root)
    assert {"de": "2–5 Spieler", "en": "2–5 players"}[lang] in said
    assert {"de": "zuletzt heute", "en": "played today"}[lang] in said
    tap_on(key(running.root, "!"))
    assert shell.told[0].told(lang, brief=True) in texts(running.root)
    assert faults(running.screen) == []


def test_a_game_is_set_up_by_touching_its_box(run: Run, tmp_path: Path) -> None:
    running = run(shell=FakeShell(tmp_path, games=game_ids()))
    take(running, "dominion")
    assert running.screen.plan.game == "dominion"
    tap_on(key(running.root, "←"))
    assert len(boxes(running)) == len(game_ids())


@pytest.mark.parametrize("size", some([(size,) for size in SIZES], 1))
def test_whoever_comes_back_finds_the_shelf_as_it_was(
    run: Run, tmp_path: Path, size: tuple[int, int]
) -> None:
    running = run(size, shell=FakeShell(tmp_path, games=game_ids()))
    scroll, across = running.screen._row.scroll, size[0] > size[1]
    scroll.scroll_x, scroll.scroll_y = (0.6, 0) if across else (0, 0.4)
    tick(2)
    take(running, "opferroulette")
    tap_on(key(running.root, "←"))
    tick(3)
    again = running.screen._row.scroll
    assert again is not scroll
    assert abs((again.scroll_x if across else 1 - again.scroll_y) - 0.6) < 0.02


def test_only_some_of_the_games_are_shown(run: Run, tmp_path: Path) -> None:
    running = run(
        shell=FakeShell(tmp_path, games=game_ids(), played=dict.fromkeys(game_ids(), 1.0))
    )
    tap_on(key(running.root, "Zu zweit"))
    shown = {box.game for box in boxes(running)}
    assert shown == {game for game in game_ids() if 2 in find_game(game).players} != set(game_ids())
    tap_on(key(running.root, f"Alle {len(game_ids())}"))
    assert len(boxes(running)) == len(game_ids())
    assert "Neu" not in texts(running.root), "all were played, so there is nothing to choose"


def test_lessons_and_the_virtual_table_are_offered_where_there_are_some(
    run: Run, tmp_path: Path
) -> None:
    running = run(shell=FakeShell(tmp_path, games=game_ids()))
    learned: list[str] = []
    screen = running.screen
    screen._ways = replace(screen._ways, lessons=None, virtual=None)
    screen.renew()
    assert "60 Sekunden" not in texts(running.root)
    assert "Virtueller Tisch" not in texts(running.root)
    screen._ways = replace(
        screen._ways, lessons=learned.append, virtual=lambda: learned.append("v")
    )
    screen.renew()
    tick(3)
    assert faults(screen) == []
    (tile,) = (w for w in walk(screen) if getattr(w, "symbol", "") == "▣")
    tap_on(tile)
    box = next(box for box in boxes(running) if box.game == "dominion")
    tap_on(key(box, "In 60 Sekunden lernen"))
    end = time.monotonic() + PATIENCE_S
    while len(learned) < 2 and time.monotonic() < end:
        tick(1)
    assert learned == ["v", "dominion"] and running.screen is screen


# -- the open matches -------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "lang"), EVERYWHERE)
def test_open_matches_are_offered_first_each_of_them(
    run: Run, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    shell = FakeShell(tmp_path, [SUMMARY, OTHER], games=game_ids())
    running = run(size, lang, shell)
    assert faults(running.screen) == []
    assert boxes(running) == []
    said = texts(running.root)
    assert {"de": "Anna\u00a03 · Braun\u00a02", "en": "Anna\u00a03 · Brown\u00a02"}[
        lang
    ] in said and "Zoë\u00a0104" in said
    tap_on(key(running.root, {"de": "Neue Partie", "en": "New match"}[lang]))
    assert len(boxes(running)) == len(game_ids()) and shell.abandoned == []
    assert faults(running.screen) == []
    (tile,) = (w for w in walk(running.root) if getattr(w, "symbol", "") == "▶")
    tap_on(tile)
    from companion.ui.screens.open_matches import _MatchCard

    (older,) = (
        w for w in walk(running.root) if isinstance(w, _MatchCard) and w.text != "Stonehenge"
    )
    tap_on(older._words[0])
    assert shell.resumed == ["m2"]


def test_the_newest_match_is_resumed_by_the_yellow_key(run: Run, tmp_path: Path) -> None:
    shell = FakeShell(tmp_path, [SUMMARY, OTHER])
    running = run(shell=shell)
    tap_on(key(running.root, "Weiterspielen"))
    assert shell.resumed == ["m1"]
    assert "Schwarz ist am Zug" in texts(running.root)


def test_a_match_is_given_up_only_after_a_question(run: Run, tmp_path: Path) -> None:
    shell = FakeShell(tmp_path, [SUMMARY])
    running = run(shell=shell)
    tap_on(key(running.root, "Aufgeben"))
    assert shell.abandoned == [] and faults(running.screen) == []
    tap_on(key(running.root, "Partie behalten"))
    assert "Anna\u00a03 · Braun\u00a02" in texts(running.root) and shell.abandoned == []
    tap_on(key(running.root, "Aufgeben"))
    tap_on(key(running.root, "Aufgeben"))
    assert shell.abandoned == ["m1"]
    assert boxes(running), "nothing is open any more"


# -- the first time ---------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "lang"), EVERYWHERE)
def test_the_very_first_screen_offers_the_check_once(
    run: Run, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    shell = FakeShell(tmp_path, is_new=True)
    running = run(size, lang, shell)
    assert faults(running.screen) == []
    tap_on(key(running.root, {"de": "Später", "en": "Later"}[lang]))
    assert len(boxes(running)) == 1
    assert shell.checked() is not None, "it must not be offered again"


def test_where_nothing_is_set_up_no_check_is_offered(run: Run, tmp_path: Path) -> None:
    running = run(lang="en", shell=FakeShell(tmp_path, is_new=True, can_check=False))
    assert "Check the table" not in texts(running.root)
    assert "Everything can be played by touch" in texts(running.root)
    tap_on(key(running.root, "To the shelf"))
    assert len(boxes(running)) == 1


def test_the_welcome_leads_through_the_check_to_the_shelf(run: Run, tmp_path: Path) -> None:
    running = run(shell=FakeShell(tmp_path, is_new=True))
    tap_on(key(running.root, "Tisch prüfen"))
    assert "Alles lässt sich durch Tippen spielen" in texts(running.root)
    tap_on(key(running.root, "Fertig"))
    assert len(boxes(running)) == 1


# -- the app ----------------------------------------------------------------------------------


def test_language_and_theme_change_everywhere_at_once(run: Run) -> None:
    from companion.ui.theme.style import style

    kept: list[tuple[str, str]] = []
    running = run()
    running.app._on_style = lambda lang, theme, turn: kept.append((lang, theme))
    tap_on(key(running.root, "☰"))
    _touch_tile(running, "Aa")
    _touch_tile(running, "◐")
    tap_on(key(running.root, "←"))
    assert "What shall we play?" in texts(running.root)
    assert style.name == "limestone"
    assert kept == [("en", "night"), ("en", "limestone")]


def _touch_tile(running: Running, sign: str) -> None:
    (tile,) = (w for w in walk(running.root) if getattr(w, "symbol", "") == sign)
    tap_on(tile)


def test_views_from_another_thread_arrive_on_the_screen(run: Run, tmp_path: Path) -> None:
    shell = FakeShell(tmp_path)
    running = run(shell=shell)
    running.app.play(shell.table)
    tick(3)
    shell.table.match.push("p0 place 3 L")
    view = view_of(shell.table.match)
    thread = threading.Thread(target=shell.table.send, args=(view,))
    thread.start()
    thread.join()
    assert running.screen.view is not view, "the foreign thread must not draw"
    tick(3)
    assert running.screen.view is view
    tap_on(key(running.root, "Fertig"))
    assert shell.table.intents[-1] == tap_move("p0 done")


def test_the_way_back_to_the_shelf_lets_go_of_the_table(run: Run, tmp_path: Path) -> None:
    shell = FakeShell(tmp_path)
    running = run(shell=shell)
    running.app.play(shell.table)
    tick(3)
    paused = shell.paused
    running.app.shelf()
    tick(3)
    assert "Was spielt ihr?" in texts(running.root)
    assert shell.table._listeners == []
    assert shell.paused == paused + 1


def test_the_table_is_checked_in_the_middle_of_a_match_and_the_match_goes_on(
    run: Run, tmp_path: Path
) -> None:
    shell = FakeShell(tmp_path)
    running = run(shell=shell)
    running.app.play(shell.table)
    tick(3)
    shell.table.match.push("p0 place 3 L")
    running.app.table_setup()
    tick(3)
    assert shell.table._listeners == [], "nothing is drawn on a screen that is not shown"
    assert shell.table.intents == [SetForeground(here=True), SetForeground(here=False)]
    shell.table.send(view_of(shell.table.match))
    tap_on(key(running.root, "Fertig"))
    assert shell.benches_closed == 1
    assert running.screen.view.ply == 1, "the table is shown as it is now"
    tap_on(key(running.root, "Fertig"))
    assert shell.table.intents[-1] == tap_move("p0 done")


def test_the_same_once_more_is_set_up_as_it_was(run: Run, tmp_path: Path) -> None:
    shell = FakeShell(tmp_path)
    running = run(shell=shell)
    plan = MatchSetup(
        GAME, 2, {"hidden": "on"}, names=("Anna", "Bo"), physical=False, commit="button"
    )
    running.app._begin(plan)
    shell.table.send(view_of(shell.table.match, names=("Anna", "Bo"), physical=False, hold_s=0.0))
    running.app._again()
    again = shell.started[-1]
    assert again.names == ("Anna", "Bo")
    assert again.options["hidden"] == "on"
    assert not again.physical
    assert again.commit == "button"
