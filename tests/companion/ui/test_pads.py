"""Numbers on the screen: what the keys say, and what is no number."""

from __future__ import annotations

import re
from random import Random

import pytest

from companion.match.view import PlayMove
from rules.core import Move
from rules.games import game_on_board
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.command import ROOT
from tests.support.one_finger import Hand
from tests.support.pads import turn_to
from tests.support.ui_harness import badly_set, key, tap, tap_on, texts, tick, walk

PAGE = (ROOT / "docs" / "score-sheets.md").read_text(encoding="utf-8")
CROWN = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]


def test_a_victory_is_told_beside_the_numbers(opened: Opened[Hand]) -> None:
    hand = opened(Hand(Match(game_on_board("any_game", CROWN, "crown.toml"), 2)))
    hand.deal()
    tap_on(key(hand.screen, "Weitere Züge"))
    tap_on(key(hand.screen, "Blau hat the crown"))
    outcome = hand.table.match.outcome
    assert outcome is not None and outcome.ranking == ((1,), (0,))


def test_the_yellow_key_names_who_is_next_and_the_line_above_what_there_will_be(
    opened: Opened[Hand],
) -> None:
    hand = opened(Hand(Match("any_game", 2)))
    hand.deal()
    assert key(hand.screen, "Eintragen").disabled
    for figure in "120":
        tap_on(key(hand.screen, figure))
    assert "dann 120" in texts(hand.screen)
    tap_on(key(hand.screen, "⌫"))
    tap_on(key(hand.screen, "+ / −"))
    assert "dann −12" in texts(hand.screen)
    tap_on(key(hand.screen, "Eintragen, dann Blau"))
    assert hand.table.match.scores == (-12, 0)


def test_a_touch_of_a_column_lets_its_player_enter_first_or_anew(opened: Opened[Hand]) -> None:
    hand = opened(Hand(Match("any_game", 3)))
    hand.deal()
    for seat, figure in ((2, "7"), (0, "5"), (2, "8")):
        turn_to(hand.screen, seat, tap)
        tap_on(key(hand.screen, figure))
        tap_on(next(w for w in walk(hand.screen) if getattr(w, "text", "").startswith("Eintragen")))
    assert hand.table.match.scores == (5, 0, 8)


def test_what_is_typed_stays_while_another_answers_from_a_phone(opened: Opened[Hand]) -> None:
    hand = opened(Hand(Match("any_game", 3)))
    hand.deal()
    tap_on(key(hand.screen, "4"))
    hand.table.post(PlayMove(Move.parse("p1 score points 12")))
    tick(2)
    tap_on(key(hand.screen, "2"))
    tap_on(key(hand.screen, "Eintragen, dann Grün"))
    assert hand.table.match.scores[:2] == (42, 12)


@pytest.mark.parametrize(
    ("sheet", "players"), [("head_start", 3), ("rounds", 1), ("tiles", 1), ("words", 8)]
)
def test_words_fit_whatever_an_impatient_hand_presses(
    opened: Opened[Hand], sheet: str, players: int, thorough: bool
) -> None:
    from companion.ui.widgets.base import Key

    hand = opened(Hand(Match("any_game", players, {"sheet": sheet})))
    hand.deal()
    chance, found = Random(5), set[str]()
    for number in range(50 if thorough else 24):
        keys = [w for w in walk(hand.screen) if isinstance(w, Key) and w.symbol != "☰"]
        pressed = chance.choice(keys)
        place = pressed.to_window(*pressed.center)
        for _time in range(chance.choice((1, 1, 2))):
            tap(*place)
        tick(1)
        if number % 5 == 0:
            found |= {*badly_set(hand.screen)}
    assert not found
