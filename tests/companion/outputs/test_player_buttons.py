"""The players' buttons: what a press means at every moment of a match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from companion.app.application import Application
from companion.app.hosting import Hosting
from companion.match.session import Session
from companion.match.view import (
    ChooseCandidate,
    ClockView,
    Intent,
    PlayMove,
    SetClockRunning,
    TableState,
    TableView,
    Undo,
)
from companion.outputs.player_buttons import PATIENCE_S, PlayerButtons
from companion.settings.clocks import ClockKind, ClockPlan
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.settings import RigSettings, SoundSettings
from rules.testing.playout import pick
from tests.support.table_setup import tap_move
from tests.support.waiting import until

RIG = RigSettings(
    sound=SoundSettings(kind="mock"),
    buttons={"commit": 5, "undo": 6, "redo": 7, "again": 8},
    pin_factory="mock",
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Application]:
    found = Application(Settings(lang="en", rig=RIG), tmp_path, "en")
    yield found
    found.close()


class Posted:
    """A session that only remembers what it was asked for."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self.asked: list[Intent] = []

    def post(self, intent: Intent, src: str) -> None:
        assert src == "button"
        self.asked.append(intent)


@pytest.fixture
def view(house: Application) -> TableView:
    """A view in which the turn may be ended."""
    session = begin(house, "dominion")
    found = session.view
    house._close_table()
    done = found.legal[0].__class__.parse("p0 done")
    return replace(found, legal=(done,), state=TableState.SETTLED)


def begin(house: Application, game: str = "knizia_stonehenge") -> Session:
    return house.start(MatchSetup(game, 2, {}, names=("Anna", "Jörg"), physical=False))


def table(view: TableView) -> tuple[PlayerButtons, Posted, list[float]]:
    posted, now = Posted(view), [0.0]
    buttons = PlayerButtons(lambda: cast(Session, posted), lambda: None, clock=lambda: now[0])
    buttons(view, ())
    return buttons, posted, now


def shows(buttons: PlayerButtons, posted: Posted, **changes: Any) -> None:
    posted.view = replace(posted.view, **changes)
    buttons(posted.view, ())


def test_a_press_ends_the_turn_where_nothing_waits_to_be_told(view: TableView) -> None:
    for state, asked in [
        (TableState.SETTLED, [tap_move("p0 done")]),
        (TableState.BLIND, [tap_move("p0 done")]),
        (TableState.ILLEGAL, []),
        (TableState.DESYNC, []),
    ]:
        buttons, posted, _ = table(replace(view, state=state))
        buttons.pressed("commit")
        assert posted.asked == asked, state


def test_a_press_below_a_hand_waits_until_the_board_was_looked_at(view: TableView) -> None:
    buttons, posted, _ = table(replace(view, state=TableState.HAND))
    buttons.pressed("commit")
    assert posted.asked == [], "the turn would end before its move was read"
    shows(buttons, posted, state=TableState.PROPOSED, candidates=("a move",))
    assert posted.asked == [ChooseCandidate(0)]
    shows(buttons, posted, state=TableState.SETTLED)
    assert posted.asked == [ChooseCandidate(0)], "one press is one thing"


def test_a_hand_that_did_nothing_leaves_and_the_turn_ends(view: TableView) -> None:
    buttons, posted, _ = table(replace(view, state=TableState.HAND))
    buttons.pressed("commit")
    shows(buttons, posted, state=TableState.SETTLED)
    assert posted.asked == [tap_move("p0 done")]


@pytest.mark.parametrize("state", [TableState.AMBIGUOUS, TableState.ILLEGAL, TableState.DESYNC])
def test_what_nobody_has_seen_yet_is_not_agreed_to(state: TableState, view: TableView) -> None:
    buttons, posted, _ = table(replace(view, state=TableState.HAND))
    buttons.pressed("commit")
    shows(buttons, posted, state=state, candidates=("this", "or that"))
    shows(buttons, posted, state=TableState.SETTLED, candidates=())
    assert posted.asked == []


def test_a_press_that_waits_too_long_or_for_another_move_is_forgotten(view: TableView) -> None:
    buttons, posted, now = table(replace(view, state=TableState.HAND))
    buttons.pressed("commit")
    now[0] = PATIENCE_S + 1
    shows(buttons, posted, state=TableState.SETTLED)
    shows(buttons, posted, state=TableState.HAND)
    buttons.pressed("commit")
    shows(buttons, posted, state=TableState.SETTLED, ply=view.ply + 1)
    shows(buttons, posted, state=TableState.HAND)
    buttons.pressed("commit")
    buttons.pressed("undo")
    shows(buttons, posted, state=TableState.SETTLED)
    assert posted.asked == [Undo()], "whoever takes back does not agree"


def test_a_whole_match_hears_its_buttons(house: Application) -> None:
    session = begin(house)
    gpio = cast(Any, house.rig.twins["gpio"])
    session.post(tap_move("p0 place 2 C"))
    assert until(lambda: session.view.ply == 2)
    gpio.press(6)
    assert until(lambda: session.view.ply == 0)
    gpio.release(6)
    gpio.press(7)
    assert until(lambda: session.view.ply == 2)
    gpio.release(7)
    voice = cast(Any, house.rig.twins["sound"])
    voice.said.clear()
    gpio.press(8)
    assert until(lambda: bool(voice.said))
    assert "Jörg" in voice.said[0]
    assert "free field" in voice.said[0], "in full"
    gpio.release(8)


def test_undo_that_is_held_takes_the_turn_back_and_no_more(house: Application) -> None:
    session = begin(house, "dominion")
    random = Random(3)
    turns = [(session.view.turn, session.view.ply)]
    while session.view.ply < 200:
        match = session.table.match
        move = pick(match.state, list(session.view.legal), random)
        session.post(PlayMove(move))
        assert session.settle()
        turns.append((session.view.turn, session.view.ply))
        here = [ply for turn, ply in turns if turn == session.view.turn]
        if session.view.turn > 2 and session.view.ply - min(here) >= 2:
            break
    else:
        pytest.fail("no turn has three steps")
    house.buttons.pressed("undo")
    house.buttons.undo_turn()
    assert session.view.ply == min(here)
    assert session.view.turn == turns[-1][0]
    house.buttons.undo_turn()
    assert session.view.ply == min(here), "the turn before is another press"


def test_without_a_screen_the_button_begins_the_next_match(house: Application) -> None:
    session = begin(house)
    hosting = Hosting(house)
    house.buttons.after_match = hosting.again
    session.post(tap_move("p0 claim H1"))
    assert session.settle()
    while session.view.outcome is None:
        session.post(PlayMove(session.view.legal[-1]))
        assert session.settle()
    before = session.view
    house.buttons.pressed("commit")
    hosting.close()
    assert house.session is not None
    after = house.session.view
    assert after.match_id != before.match_id
    assert after.outcome is None
    assert sorted(after.names) == ["Anna", "Jörg"]
    assert after.physical == before.physical


def test_a_button_lets_the_clock_stand_and_go_on(view: TableView) -> None:
    buttons, posted, _now = table(view)
    buttons.pressed("clock")
    assert posted.asked == [], "nobody plays with a clock"
    clock = ClockView(ClockPlan(ClockKind.TURN, 60), (60, 60), 0, 0, True, False)
    for waits in (True, False):
        posted.view = replace(view, clock=replace(clock, running=not waits, waits=waits))
        buttons.pressed("clock")
    assert posted.asked == [SetClockRunning(True), SetClockRunning(False)]


def test_no_button_does_anything_where_nothing_is_played(house: Application) -> None:
    for name in ("commit", "undo", "redo", "again"):
        house.buttons.pressed(name)
    house.buttons.undo_turn()
    assert house.session is None


def test_what_is_wrong_with_a_device_stands_in_the_log(tmp_path: Path) -> None:
    # A table without a screen has no other voice than its log.
    twice = RigSettings(buttons={"commit": 5, "undo": 5}, pin_factory="mock")
    house = Application(Settings(lang="en", rig=twice), tmp_path, "en")
    try:
        (line,) = [line for line in house.recent_log.lines() if "used twice:" in line]
        assert "WARNING" in line
        assert "GPIO 5 is used twice: for rig.buttons.commit and for rig.buttons.undo" in line
    finally:
        house.close()


def test_every_side_of_the_table_may_have_its_button_and_a_misspelt_one_does_nothing(
    tmp_path: Path,
) -> None:
    rig = RigSettings(buttons={"undo_left": 5, "undo_right": 6, "undoo": 7}, pin_factory="mock")
    house = Application(Settings(lang="de", rig=rig), tmp_path, "de")
    try:
        session = begin(house)
        gpio = cast(Any, house.rig.twins["gpio"])
        for ply, pin in ((0, 5), (0, 6)):
            session.post(tap_move("p0 place 2 C"))
            assert until(lambda: session.view.ply == 2)
            gpio.press(pin)
            assert until(lambda: session.view.ply == ply)  # noqa: B023
            gpio.release(pin)
        session.post(tap_move("p0 place 2 C"))
        assert until(lambda: session.view.ply == 2)
        gpio.press(7)
        assert until(lambda: house.rig.buttons.down == {"undoo"})
        assert session.settle()
        assert session.view.ply == 2
        assert session.view.prompt is not None
        (told,) = house.notices()
        assert told.told("de", brief=True).startswith(
            "settings.toml: Eine Taste namens ‚undoo‘ gibt es nicht; ist ‚undo‘ gemeint?"
        )
    finally:
        house.close()
