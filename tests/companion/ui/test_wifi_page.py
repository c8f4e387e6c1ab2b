"""The page for Wi-Fi: what is heard, the key by touch, and what came of it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.support.wifi import Station, WifiState
from tests.companion.ui.conftest import Opened
from tests.support.app_window import faults
from tests.support.ui_harness import PLACES, OnScreen, key, tap_on, texts, tick, walk

OPEN = Station("Vereinsheim Nord", b"Vereinsheim Nord", 44, locked=False, joined=False)
LOCKED = Station("FRITZ!Box 7590 XY", b"FRITZ!Box 7590 XY", 71, locked=True, joined=False)
HEARD = WifiState((LOCKED, OPEN))
KEY = "Zwolf#~9\\ {q}"
"""Capitals, digits, a blank and signs of all three layers."""


class Root:
    """Remembers what was asked for."""

    able = True

    def __init__(self) -> None:
        self.state = HEARD
        self.joins: list[tuple[str, str]] = []

    def look(self) -> None:
        self.state = HEARD

    def join(self, station: Station, key: str) -> None:
        self.joins.append((station.name, key))
        self.state = replace(HEARD, busy=True)

    def now(self) -> WifiState:
        return self.state


class Shown(OnScreen):
    """The workshop with the page open."""

    def __init__(self, size: tuple[int, int], lang: str) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.workshop import WorkshopScreen

        self.root = Root()
        shell: Any = SimpleNamespace(workshop=SimpleNamespace(wifi=self.root))
        self.put(WorkshopScreen(shell, lambda: None, **self.room))
        self.screen.open("wifi")

    def told(self, state: WifiState) -> str:
        """The page's words in this state."""
        self.root.state = state
        self.screen.shown.tick()
        tick(3)
        assert faults(self.screen) == []
        return texts(self.screen)

    def touch(self, station: Station) -> None:
        """Touch a row."""
        (row,) = (w for w in walk(self.screen) if getattr(w, "text", "") == station.name and
                  hasattr(w, "_sign"))  # fmt: skip
        tap_on(row)
        tick(3)

    def type(self, text: str) -> None:
        """Type by touch; a sign is looked for on one layer after the other."""
        from companion.ui.widgets.keyboard import LAYERS, SHIFT

        for sign in text:
            for _layer in LAYERS:
                shown = {getattr(w, "text", "") for w in walk(self.screen)}
                if sign == " " or {sign, sign.swapcase()} & shown:
                    break
                tap_on(next(w for w in walk(self.screen) if getattr(w, "text", "") in LAYERS))
            if sign != " " and sign not in shown:
                tap_on(key(self.screen, SHIFT))
            tap_on(key(self.screen, "␣" if sign == " " else sign))


@pytest.fixture(params=PLACES)
def page(request: pytest.FixtureRequest, opened: Opened[Shown]) -> Shown:
    return opened(Shown(*request.param))


def test_a_wifi_with_a_key_is_joined_by_touch_whatever_signs_its_key_has(page: Shown) -> None:
    page.told(HEARD)
    page.touch(LOCKED)
    assert faults(page.screen) == []
    done = key(page.screen, "✓")
    page.type(KEY[:7])
    assert done.disabled
    page.type(KEY[7:])
    assert not done.disabled
    tap_on(done)
    assert page.root.joins == [(LOCKED.name, KEY)]
    own = replace(LOCKED, joined=True)
    assert "✓" in page.told(WifiState((own, OPEN), result="ok"))


def test_an_open_one_is_joined_at_once_and_nothing_is_asked_twice(page: Shown) -> None:
    page.told(HEARD)
    page.touch(OPEN)
    page.told(page.root.state)
    page.touch(OPEN)
    assert page.root.joins == [(OPEN.name, "")]


def test_everything_that_can_go_wrong_has_words_of_its_own(page: Shown) -> None:
    page.told(HEARD)
    page.touch(OPEN)
    reasons = ("key", "gone", "other", "unheard")
    bad = {page.told(WifiState((LOCKED, OPEN), result=why)) for why in reasons}
    assert len(bad) == len(reasons)
    tap_on(key(page.screen, "↻"))
    assert "✕" not in page.told(HEARD)
    assert page.told(WifiState()) != page.told(HEARD)
