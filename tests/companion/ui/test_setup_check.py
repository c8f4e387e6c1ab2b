"""Setting a game up before the eyes of the camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.presentation.boxes import game_box
from rules.games import find_game
from rules.match import Match
from rules.reading.sighting import EMPTY, Glimpse, Look, SiteBelief, looks
from tests.companion.ui.conftest import Opened
from tests.support.app_window import faults
from tests.support.fake_shell import FakeShell
from tests.support.sweep import widely
from tests.support.ui_harness import (
    LANGS,
    SIZES,
    OnScreen,
    key,
    tap_on,
    texts,
    tick,
    view_of,
)


@dataclass
class Sighting:
    """Belief of the camera."""

    sites: dict[str, SiteBelief]
    hand: bool = False
    strays: tuple[Any, ...] = field(default=())


def seeing(game: str, lying: dict[str, Look], hand: bool = False) -> Sighting:
    """A sighting of a table on which exactly this lies."""
    sites = {site: SiteBelief({lying.get(site, EMPTY): 0.0}) for site in game_box(game).sites}
    return Sighting(sites, hand)


@pytest.fixture
def shell(tmp_path: Path) -> FakeShell:
    made = FakeShell(tmp_path)
    made.camera.is_set_up = True
    return made


@pytest.fixture
def setting_up(shell: FakeShell, opened: Opened[OnScreen]) -> Callable[..., Any]:
    """Opens the setup check of a game's start."""

    def start(
        game: str,
        size: tuple[int, int] = (800, 480),
        lang: str = "de",
        on_begin: Callable[[], None] = lambda: None,
        on_leave: Callable[[], None] = lambda: None,
    ) -> Any:
        window = opened(OnScreen(size, lang))
        from companion.ui.screens.setup_check import SetupCheckScreen

        view = view_of(Match(game, find_game(game).players[-1], physical=True))
        return window.put(SetupCheckScreen(shell, view, on_begin, on_leave, **window.room))

    return start


def wanted(game: str) -> dict[str, Look]:
    return looks(Match(game, find_game(game).players[-1], physical=True).layout)


def states(screen: Any) -> list[str]:
    return [row.state_shown for row in screen._rows]


@pytest.mark.parametrize(
    ("game", "size", "lang"),
    [
        *widely(["hoher_rat"], SIZES, LANGS),
        ("dominion", SIZES[0], "de"),
        pytest.param("trilithen_knallen", SIZES[1], "de", marks=pytest.mark.thorough),
    ],
)
def test_every_start_fits_the_screen(
    setting_up: Callable[..., Any], game: str, size: tuple[int, int], lang: str
) -> None:
    assert faults(setting_up(game, size, lang)) == []


def test_pieces_are_ticked_off_while_they_are_put_down(
    setting_up: Callable[..., Any], shell: FakeShell
) -> None:
    screen = setting_up("rollende_steine")
    lying = wanted("rollende_steine")
    gates = list(lying)
    assert states(screen)[0] == "open"
    shell.camera.sighting = seeing("rollende_steine", dict(list(lying.items())[:3]))
    screen._look()
    assert "3 / 5" in texts(screen)
    assert states(screen)[0] == "open"
    assert "Trotzdem anfangen" in texts(screen)
    shell.camera.sighting = seeing("rollende_steine", lying)
    screen._look()
    tick(3)
    assert states(screen)[0] == "good"
    assert screen.ready
    assert "Losspielen" in texts(screen)
    shell.camera.sighting = seeing("rollende_steine", {gates[0]: lying[gates[0]]})
    screen._look()
    tick(3)
    assert not screen.ready, "what is taken away again is missing again"


def test_a_hand_over_the_board_changes_nothing(
    setting_up: Callable[..., Any], shell: FakeShell
) -> None:
    screen = setting_up("rollende_steine")
    shell.camera.sighting = seeing("rollende_steine", wanted("rollende_steine"))
    screen._look()
    shell.camera.sighting = seeing("rollende_steine", {}, hand=True)
    screen._look()
    assert screen.ready


def test_lamps_show_where_the_next_thing_belongs(
    setting_up: Callable[..., Any], shell: FakeShell
) -> None:
    screen = setting_up("hoher_rat")
    lying = wanted("hoher_rat")
    first, *rest = lying
    assert shell.lit[-1] == (first,)
    shell.camera.sighting = seeing("hoher_rat", {first: lying[first]})
    screen._look()
    assert shell.lit[-1] == (rest[0],)
    shell.camera.sighting = seeing("hoher_rat", lying)
    screen._look()
    assert not shell.lit[-1]


def test_what_does_not_belong_on_the_board_is_named(
    setting_up: Callable[..., Any], shell: FakeShell
) -> None:
    screen = setting_up("knizia_stonehenge")
    shell.camera.sighting = seeing("knizia_stonehenge", {})
    screen._look()
    assert screen.ready
    shell.camera.sighting = seeing("knizia_stonehenge", {"C": (Glimpse("stone black 2"),)})
    screen._look()
    assert not screen.ready
    assert screen._bare.state_shown == "bad"
    assert " C |" in f" {texts(screen._bare)} |".replace("|", " | ").replace("  ", " ")


def test_a_touch_ticks_off_what_the_camera_overlooks(setting_up: Callable[..., Any]) -> None:
    screen = setting_up("knizia_stonehenge")
    assert not screen.ready, "without a picture of the board nobody knows"
    tap_on(screen._bare)
    assert screen.ready
    tap_on(screen._rows[0])
    assert states(screen)[0] == "good"
    tap_on(screen._rows[0])
    assert states(screen)[0] == "open"


def test_a_screen_that_was_left_lights_no_lamps(
    setting_up: Callable[..., Any], shell: FakeShell
) -> None:
    screen = setting_up("hoher_rat")
    shell.camera.sighting = seeing("hoher_rat", wanted("hoher_rat"))
    screen._look()
    screen.leave()
    lit = len(shell.lit)
    shell.camera.sighting = seeing("hoher_rat", {})
    screen._look()
    tick(3)
    assert len(shell.lit) == lit, "the lamps belong to the match now"


def test_it_can_always_be_begun_and_always_be_left(setting_up: Callable[..., Any]) -> None:
    heard: list[str] = []
    screen = setting_up(
        "dominion", on_begin=lambda: heard.append("begin"), on_leave=lambda: heard.append("leave")
    )
    tap_on(key(screen, "Trotzdem anfangen"))
    tap_on(key(screen, "←"))
    assert heard == ["begin", "leave"]
