"""Pieces and cards that move on the screen: seen, interrupted, or turned off."""

from __future__ import annotations

from typing import Any

import pytest

from companion.presentation.theme import tokens as theme
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.dominion_screen import dominion
from tests.support.one_finger import Hand
from tests.support.ui_harness import GAME, need_screen, tap, tick

ANNA = "copper×4 estate / copper×3 estate×2 /"
BEN = "copper×5 / copper×2 estate×3 /"


@pytest.fixture
def hand(opened: Opened[Hand]) -> Hand:
    """A finger at a match of Stonehenge, where things move."""
    need_screen()
    from companion.ui.theme.style import style

    found = opened(Hand(Match(GAME, 2)))
    style.change(animations=True)
    found.deal()
    return found


def middle_of_seat(screen: Any, seat: int) -> tuple[float, float]:
    from companion.ui.widgets.score_strip import seat_places

    (strip,) = screen.points.children
    return seat_places(strip)[seat]


def test_a_stone_comes_from_its_player_and_nothing_is_drawn_once_it_lies(hand: Hand) -> None:
    board, seat = hand.screen.board, middle_of_seat(hand.screen, 0)
    hand.table.match.push("p0 place 3 D")
    hand.deal()
    (way,) = board._flights.ways
    assert way.start == seat and way.end == board.centre_of("D")
    assert 0.15 <= theme.MOTION_S <= 0.25
    while board.moving:
        tick()
    assert board._flights._clock.is_triggered == 0, "no clock runs while nothing moves"


def test_the_next_touch_is_heard_while_a_stone_is_under_way_and_ends_its_way(hand: Hand) -> None:
    board, match = hand.screen.board, hand.table.match
    for move in ("p0 place 3 D", "p0 done"):
        match.push(move)
    hand.deal()
    assert board.moving
    tap(*board.centre_of("H"))
    tick(2)
    assert hand.screen.fingers.picked.sites == ("H",)
    match.push("p1 place 2 H")
    hand.deal()
    # A newer state ends the way of what was under way.
    (way,) = board._flights.ways
    assert way.slot.item.site == "H"


def test_without_motion_a_stone_lies_there_at_once(hand: Hand) -> None:
    from companion.ui.theme.style import style

    style.change(animations=False)
    hand.table.match.push("p0 place 3 D")
    hand.deal()
    assert not hand.screen.board.moving


def test_a_bought_card_flies_to_its_player_and_back_when_it_is_taken_back() -> None:
    need_screen()
    from companion.ui.theme.style import style

    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        style.change(animations=True)
        screen.press("Alle Geldkarten spielen")
        flights = screen.desk._flights
        x, y, width, height = screen.desk.wares.tile_of("smithy")[1]
        pile = (x + width / 2, y + height / 2)
        screen.touch("smithy")
        (flight,) = flights.ways
        flight.go(0.0)
        assert flight.at == pytest.approx(pile)
        flight.go(1.0)
        card = screen.desk._seats[0]
        assert flight.at == pytest.approx(tuple(card.center))
        while any(entry.move.verb == "buy" for entry in screen.match.log):
            screen.match.pop()
        screen.show()
        (flight,) = flights.ways
        flight.go(1.0)
        assert flight.at == pytest.approx(pile)
        while flights.moving:
            tick()
        style.change(animations=False)
