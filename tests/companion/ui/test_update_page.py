"""The page for updates: what it offers, asks of root, and tells; never during a match."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.match.view import TableView
from companion.support.updates import STEPS, Release, UpdateState, Wanted
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.app_window import faults
from tests.support.ui_harness import (
    GAME,
    PLACES,
    OnScreen,
    key,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)

IDLE = UpdateState(able=True, installed=Release("0.2.0", 1.79e9), before=Release("0.1.0", 1.78e9))
REASONS = ("network", "origin", "key", "signature", "room", "returned", "busy", "first", "journal",
           "other")  # fmt: skip


class Root:
    """Remembers what was asked for."""

    def __init__(self) -> None:
        self.state = IDLE
        self.asked: list[Wanted] = []

    def look(self) -> UpdateState:
        return self.state

    def ask(self, wanted: Wanted) -> None:
        self.asked.append(wanted)
        self.state = replace(self.state, doing=wanted)


class Shown(OnScreen):
    """The workshop with the page open."""

    def __init__(self, size: tuple[int, int], lang: str) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.workshop import WorkshopScreen

        self.root = Root()
        self.view: TableView | None = None
        shop = SimpleNamespace(
            updates=self.root, played=lambda: self.view, wifi=SimpleNamespace(able=False)
        )
        shell: Any = SimpleNamespace(workshop=shop)

        def nothing() -> None:
            pass

        self.put(WorkshopScreen(shell, nothing, **self.room))
        self.screen.open("update")

    def told(self, state: UpdateState) -> str:
        """The page's words in this state."""
        self.root.state = state
        self.screen.shown.tick()
        tick(3)
        assert faults(self.screen) == []
        return texts(self.screen)

    def primary(self) -> Any:
        """The yellow key."""
        (found,) = (w for w in walk(self.screen) if getattr(w, "primary", False))
        return found


@pytest.fixture(params=PLACES)
def page(request: pytest.FixtureRequest, opened: Opened[Shown]) -> Shown:
    return opened(Shown(*request.param))


def test_what_is_newer_is_looked_for_offered_and_installed(page: Shown) -> None:
    assert "0.2.0" in page.told(IDLE)
    tap_on(page.primary())
    offered = replace(
        IDLE, asked=Wanted.LOOK, result="ok", offered="0.3.0", offered_on="2026-11-22"
    )
    assert "0.3.0" in page.told(offered)
    tap_on(page.primary())
    assert page.root.asked == [Wanted.LOOK, Wanted.UPDATE]
    seen = {page.told(replace(IDLE, doing=Wanted.UPDATE, step=s)) for s in STEPS[Wanted.UPDATE]}
    assert len(seen) == len(STEPS[Wanted.UPDATE])
    assert "✓" in page.told(replace(IDLE, asked=Wanted.UPDATE, result="ok"))


def test_the_way_back_is_asked_about_and_the_harmless_answer_comes_first(page: Shown) -> None:
    page.told(IDLE)
    tap_on(key(page.screen, "↺"))
    assert faults(page.screen) == []
    tap_on(key(page.screen, "✕"))
    assert page.root.asked == []
    tap_on(key(page.screen, "↺"))
    yes, no = (w for w in walk(page.screen) if w in _keys(page.screen))
    assert no.symbol == "✕"
    tap_on(yes)
    assert page.root.asked == [Wanted.BACK]


def test_nothing_is_installed_during_a_match(page: Shown) -> None:
    page.told(IDLE)
    look = page.primary()
    # A match began after the page was drawn.
    page.view = view_of(Match(GAME, 2))
    tap_on(look)
    assert page.root.asked == []
    assert not any(getattr(w, "primary", False) for w in walk(page.screen))
    assert faults(page.screen) == []


def test_everything_that_can_go_wrong_has_words_of_its_own(page: Shown) -> None:
    bad = [replace(IDLE, asked=Wanted.UPDATE, result="failed", why=why) for why in REASONS]
    bad += [replace(IDLE, result="cut"), replace(IDLE, result="unheard"), UpdateState()]
    assert len({page.told(state) for state in bad}) == len(bad)


def _keys(screen: Any) -> list[Any]:
    """The two keys at the bottom."""
    from companion.ui.widgets.base import Key

    found = [w for w in walk(screen) if isinstance(w, Key)]
    lowest = min(w.y for w in found)
    return [w for w in found if w.y == lowest]
