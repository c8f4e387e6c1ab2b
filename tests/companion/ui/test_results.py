"""What came to light stays on the screen until somebody has put it away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.match.view import ClockView, SetForeground, TableView
from companion.presentation.scene import SeenResults
from companion.settings.clocks import ClockKind, ClockPlan
from rules.core import Move
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.ui_harness import (
    PLACES,
    FakeTable,
    OnScreen,
    badly_set,
    key,
    tap,
    tap_on,
    texts,
    tick,
    too_small,
    view_of,
)

NAMES = ("Anna-Katharina", "Wolfgang Amadeus", "Bo", "Käthe", "Maximilian")


def turned_up(*, good: bool) -> TableView:
    """Trilithen for five, and a card that has just been turned up."""
    match = Match("trilithen_knallen", 5, seed=3)
    while True:
        match.deal()
        legal = match.legal_moves()
        move = legal[0]
        before = match.state.clone()
        match.push(move)
        if move.verb != "flip":
            continue
        before = match.state.clone()
        match.deal()
        show = next(entry.move for entry in reversed(match.log) if entry.move.verb == "show")
        result = match.game.touch.result(before, show, match.state)
        if result is not None and result.good is good:
            view = view_of(match, names=NAMES)
            return replace(view, result=result, result_ply=match.ply)


@pytest.fixture(params=PLACES)
def table(request: pytest.FixtureRequest, opened: Opened[OnScreen]) -> tuple[Any, FakeTable, str]:
    window = opened(OnScreen(*request.param))
    from companion.ui.screens.play.screen import PlayScreen

    table = FakeTable(Match("trilithen_knallen", 5))
    return window.put(PlayScreen(table.post, **window.room), 0), table, window.lang


def test_looking_at_a_card_costs_nobody_time(table: Any) -> None:
    screen, played, lang = table
    clock = ClockView(ClockPlan(ClockKind.TURN, 60), (60.0,) * 5, 0.0, 0, False, False)
    view = replace(turned_up(good=False), clock=clock)
    screen.show(view)
    tick(2)
    screen.show(view)
    tick(3)
    assert played.intents == [SetForeground(False)]
    assert screen.covered
    tap_on(key(screen, "Ich bin Maximilian" if lang == "de" else "I am Maximilian"))
    assert played.intents == [SetForeground(False), SetForeground(True)]


def test_a_wrong_card_stays_in_sight_until_its_key_is_touched(table: Any) -> None:
    screen, _table, lang = table
    view = turned_up(good=False)
    screen.show(view)
    tick(3)
    assert badly_set(screen) == []
    assert too_small(screen) == []
    assert view.result is not None
    assert screen.board.scene.verdicts == {view.result.site: False}
    assert (view.result.site, view.result.kind) in {
        (item.site, item.kind) for item in screen.board.scene.items
    }, "it lies open, though by the rules it has been turned back"
    assert screen.board.scene.targets == frozenset(), "nobody else is shown where to go yet"
    ready = "Ich bin Maximilian" if lang == "de" else "I am Maximilian"
    screen.show(view)
    tick(2)
    assert ready in texts(screen), "drawing the same again changes nothing"
    tap_on(key(screen, ready))
    assert screen.result is None and not screen.covered, "both have seen it, with one touch"
    screen.show(replace(view, result_ply=view.result_ply + 1))
    tick(2)
    assert screen.result is not None, "the same card later is something new"
    tap_on(key(screen, "Zurückdrehen" if lang == "de" else "Turn it back"))
    assert screen.result is None


def test_a_touch_anywhere_on_the_board_puts_it_away_too(table: Any) -> None:
    screen, shown, _lang = table
    screen.show(turned_up(good=False))
    tick(3)
    assert screen.result is not None
    tap(*screen.board.to_window(screen.board.x + 4, screen.board.y + 4))
    assert screen.result is None
    assert shown.intents == []


def test_who_goes_on_may_touch_the_next_card_at_once(table: Any) -> None:
    screen, shown, _lang = table
    view = turned_up(good=True)
    screen.show(view)
    tick(3)
    targets = screen.board.scene.targets
    assert targets, "the next cards glow already"
    spot = sorted(targets)[0]
    tap(*screen.board.to_window(*screen.board.centre_of(spot)))
    assert screen.result is None
    mover = view.prompt.player if view.prompt else None
    assert [intent.move for intent in shown.intents] == [Move.of(mover or 0, "flip", spot)]


def test_what_was_put_away_is_not_shown_again_after_undo_and_redo() -> None:
    seen, view = SeenResults(), turned_up(good=False)
    assert seen.waiting(view) == view.result
    seen.put_away(view)
    assert seen.waiting(replace(view, result=None)) is None
    assert seen.waiting(view) is None
    assert seen.waiting(replace(view, match_id="another")) == view.result


def test_a_finger_that_rests_where_cards_are_dense_sees_them_enlarged(table: Any) -> None:
    """And what the glass showed last is meant, even if the finger began on another card."""
    from kivy.clock import Clock
    from kivy.tests.common import UnitTestTouch

    from companion.ui.drawing.magnifier import REST_S

    screen, shown, _lang = table
    screen.show(replace(turned_up(good=True), result=None))
    tick(3)
    board = screen.board
    spots = sorted(board.scene.targets)
    start, end = (board.to_window(*board.centre_of(spot)) for spot in spots[:2])
    touch = UnitTestTouch(*start)
    touch.touch_down()
    assert not board.loupe.shown, "a quick touch needs none"
    wait = [False]
    Clock.schedule_once(lambda _passed: wait.__setitem__(0, True), REST_S + 0.1)
    while not wait[0]:
        tick(1)
    assert board.loupe.shown
    touch.touch_move(*end)
    touch.touch_up()
    assert not board.loupe.shown
    assert [intent.move.args for intent in shown.intents] == [(spots[1],)]
