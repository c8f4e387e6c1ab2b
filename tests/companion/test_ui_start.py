"""The shelf, setting a match up, and the app around the screens."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence

import pytest

from companion.ui.shell import MatchSummary, Shell, TablePort
from companion.view import Enforcement, TapMove
from rules.match import Match
from tests.companion.ui_harness import (
    GAME,
    LANGS,
    SIZES,
    FakeTable,
    badly_set,
    key,
    need_screen,
    tap_on,
    texts,
    tick,
    too_small,
    view_of,
    walk,
)

SUMMARY = MatchSummary("m1", GAME, ("black", "brown"), ("Anna", ""), (3, 2), 9, 0.0)


class FakeShell:
    """Remembers what was asked for."""

    def __init__(self, unfinished: Sequence[MatchSummary] = ()) -> None:
        self._unfinished = unfinished
        self.started: list[tuple[str, int, dict[str, str], Enforcement, bool]] = []
        self.resumed: list[str] = []
        self.table = FakeTable(Match(GAME, 2))

    def unfinished(self) -> Sequence[MatchSummary]:
        return self._unfinished

    def games(self) -> Sequence[str]:
        return [GAME]

    def start(
        self,
        game: str,
        players: int,
        options: Mapping[str, str],
        enforcement: Enforcement,
        names: Sequence[str],
        physical: bool,
    ) -> TablePort:
        self.started.append((game, players, dict(options), enforcement, physical))
        return self.table

    def resume(self, match_id: str, /) -> TablePort:
        self.resumed.append(match_id)
        return self.table


class Running:
    """The app in the window, without a main loop."""

    def __init__(self, size: tuple[int, int], lang: str, shell: FakeShell) -> None:
        from companion.ui.offscreen import open_window

        self.window = open_window(size)
        from companion.ui.app import HeelstoneApp

        self.shell: Shell = shell
        self.app = HeelstoneApp(self.shell, lang, "night", motion=False)
        self.root = self.app.build()
        self.window.add_widget(self.root)
        tick(4)

    def close(self) -> None:
        self.app.on_stop()
        self.app.screen.leave()
        self.window.remove_widget(self.root)


@pytest.fixture(params=[(s, la) for s in SIZES for la in LANGS], ids=lambda p: f"{p[1]}-{p[0][0]}")
def screen(request: pytest.FixtureRequest) -> tuple[tuple[int, int], str]:
    need_screen()
    size, lang = request.param
    return size, lang


@pytest.fixture
def shell() -> Iterator[FakeShell]:
    need_screen()
    yield FakeShell()


def test_every_step_to_a_match_fits_the_screen(screen: tuple[tuple[int, int], str]) -> None:
    from companion.ui.screens.start import ShelfCard

    running = Running(*screen, FakeShell([SUMMARY]))
    assert badly_set(running.app.screen) == []
    tap_on(key(running.root, "Neue Partie" if screen[1] == "de" else "New match"))
    assert badly_set(running.app.screen) == []
    card = next(w for w in walk(running.root) if isinstance(w, ShelfCard))
    tap_on(card)
    # The options may scroll; only words that do not are looked at.
    problems = [p for p in badly_set(running.app.screen) if "words need" not in p]
    if screen[0][0] < screen[0][1]:
        assert problems == []
    assert too_small(running.app.screen) == []
    running.close()


def test_an_unfinished_match_is_offered_first_and_resumed(shell: FakeShell) -> None:
    shell = FakeShell([SUMMARY])
    running = Running((800, 480), "de", shell)
    assert "Anna 3 · Braun 2" in texts(running.root)
    tap_on(key(running.root, "Weiterspielen"))
    assert shell.resumed == ["m1"]
    assert "Schwarz ist am Zug" in texts(running.root)
    running.close()


def test_options_and_referee_are_chosen_by_touch(shell: FakeShell) -> None:
    from companion.ui.screens.start import ShelfCard

    running = Running((720, 1280), "en", shell)
    tap_on(next(w for w in walk(running.root) if isinstance(w, ShelfCard)))
    tap_on(key(running.root, "on"))
    tap_on(key(running.root, "advise"))
    tap_on(key(running.root, "Start playing"))
    game, players, options, enforcement, physical = shell.started[0]
    assert (game, players, enforcement, physical) == (GAME, 2, Enforcement.ADVISE, True)
    assert list(options.values()) == ["on"]
    running.close()


def test_language_and_theme_change_everywhere_at_once(shell: FakeShell) -> None:
    from companion.ui.style import style

    kept: list[tuple[str, str]] = []
    running = Running((800, 480), "de", shell)
    running.app._on_style = lambda lang, theme: kept.append((lang, theme))
    tap_on(key(running.root, "English"))
    assert "What do you play?" in texts(running.root)
    tap_on(key(running.root, "◐"))
    assert style.name == "limestone"
    assert kept == [("en", "night"), ("en", "limestone")]
    running.close()


def test_views_from_another_thread_arrive_on_the_screen(shell: FakeShell) -> None:
    running = Running((800, 480), "de", shell)
    running.app.play(shell.table)
    tick(3)
    shell.table.match.push("p0 place 3 L")
    view = view_of(shell.table.match)
    thread = threading.Thread(target=shell.table.send, args=(view,))
    thread.start()
    thread.join()
    assert running.app.screen.view is not view, "the foreign thread must not draw"
    tick(3)
    assert running.app.screen.view is view
    tap_on(key(running.root, "Fertig"))
    assert shell.table.intents[-1] == TapMove("p0 done")
    running.close()


def test_the_way_back_to_the_shelf_lets_go_of_the_table(shell: FakeShell) -> None:
    running = Running((800, 480), "de", shell)
    running.app.play(shell.table)
    tick(3)
    tap_on(key(running.root, "Menü"))
    tap_on(key(running.root, "Zum Regal"))
    assert "Was spielt ihr?" in texts(running.root)
    assert shell.table._listeners == []
    running.close()
