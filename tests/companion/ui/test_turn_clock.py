"""The players' clock on the screen, chosen and used by touch alone."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from companion.match.view import ClockView, PlayMove, TableState
from companion.settings.clocks import ClockKind, ClockPlan
from companion.settings.people import MatchSetup
from rules.core import Call
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.at_the_screen import Player
from tests.support.sweep import widely
from tests.support.ui_harness import (
    GAME,
    LANGS,
    SIZES,
    OnScreen,
    badly_set,
    texts,
    tick,
    view_of,
    walk,
)

PLAN = ClockPlan(ClockKind.PLAYER, 900, 10)


@pytest.fixture
def player(tmp_path: Path, opened: Opened[Player]) -> Player:
    return opened(Player(tmp_path, (800, 480), "en"))


def clock_of(player: Player) -> ClockView:
    """The clock as the screen was told."""
    clock = player.view.clock
    assert clock is not None
    return clock


def touch_clock(player: Player) -> None:
    """Touch the large figures."""
    from companion.ui.widgets.turn_clock import TurnClock

    (face,) = [w for w in walk(player.screen) if isinstance(w, TurnClock)]
    player.touch_at(face.right - 10, face.center_y)
    player.settle()


def begin(player: Player) -> None:
    """Choose a clock for each player and begin, as a family does."""
    from companion.ui.screens.start import BoxFront
    from companion.ui.widgets.choice import AnswerRow

    player.press("To the shelf")
    player.touch(next(w for w in walk(player.screen) if isinstance(w, BoxFront) and w.game == GAME))
    player.wait(lambda: hasattr(player.screen, "plan"), "the seats are shown")
    player.press("Screen only")
    player.press("Rules and referee")
    rows = {w.text: w for w in walk(player.screen) if isinstance(w, AnswerRow)}
    player.touch(rows["A clock for each player"])
    player.wait(lambda: bool(player.screen.plan.clock), "the clock is chosen")
    player.press("Done")
    assert "Clock: 15" in texts(player.screen)
    player.press("Start playing")
    player.settle()


def test_it_waits_for_a_touch_stands_by_a_touch_and_while_anything_else_is_on_the_screen(
    player: Player,
) -> None:
    begin(player)
    assert "15:00" in texts(player.screen)
    assert clock_of(player).waits
    touch_clock(player)
    assert clock_of(player).running
    player.wait(lambda: "14:59" in texts(player.screen), "a second passes on the screen")
    touch_clock(player)
    assert not clock_of(player).running
    touch_clock(player)
    player.press("☰")
    assert clock_of(player).running
    player.press("Workshop")
    session = player.session
    assert session is not None and session.settle()
    clock = session.view.clock
    assert clock is not None and not clock.running
    player.app.back()
    tick(2)
    player.settle()
    assert clock_of(player).running


def test_a_match_left_to_the_shelf_goes_on_with_the_time_it_had(player: Player) -> None:
    plan = MatchSetup(GAME, 2, physical=False, clock=str(PLAN))
    player.app.play(player.house.start(plan))
    player.settle()
    session = player.session
    assert session is not None
    session.post(PlayMove(session.view.legal[0]))
    player.settle()
    match_id = session.view.match_id
    player.app.shelf()
    player.app.play(player.house.resume(match_id))
    player.settle()
    assert clock_of(player).waits
    assert not clock_of(player).running
    assert sum(clock_of(player).left_s) == pytest.approx(1800, abs=15)
    assert player.house.plan_for(GAME).clock == str(PLAN)


@pytest.mark.parametrize(
    ("size", "lang", "state"), widely(SIZES, LANGS, [TableState.SETTLED, TableState.PENDING])
)
def test_figures_of_any_length_stand_beside_every_state(
    size: tuple[int, int], lang: str, state: TableState, opened: Opened[OnScreen]
) -> None:
    window = opened(OnScreen(size, lang))
    from companion.ui.screens.play.screen import PlayScreen

    screen = window.put(PlayScreen(lambda _intent: None), 0)
    view = view_of(Match(GAME, 2, physical=True), state)
    now = time.monotonic()
    for left, told in ((0.0, True), (59.0, False), (6000.0, False)):
        clock = ClockView(PLAN, (left, 900.0), now, 0, False, not told)
        screen.show(replace(view, clock=clock, calls=((0, Call("time_up", (0,))),) * told))
        tick(3)
        assert badly_set(screen) == []
        assert "15:00" in texts(screen), "what the other player has left"
        assert ("0:00", "0:59", "100:00")[int(left > 0) + int(left > 60)] in texts(screen)
    screen._look_at(1)
    tick(3)
    assert ("15:00 left" if lang == "en" else "noch 15:00") in texts(screen)
    screen.across_the_room = True
    screen.show(replace(view, clock=clock))
    tick(3)
    assert "100:00" in texts(screen.room)
    screen.across_the_room = False
    sand = replace(clock, plan=ClockPlan(ClockKind.TURN, 900))
    screen.show(replace(view, clock=sand))
    tick(3)
    assert "15:00" not in texts(screen)
