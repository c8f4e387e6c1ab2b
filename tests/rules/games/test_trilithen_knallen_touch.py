"""Trilithen Knallen at a screen: what a turned card says, and which places say a move."""

from __future__ import annotations

from rules.core import Move, Result
from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.state import TrilithenState
from rules.telling import Teller
from tests.support.rulings import legal, play
from tests.support.trilithen_table import NEEDED, SPOTS_OF_Q, TWO, position

RAM = ("p0 place white d1 2", "p0 ram white cw")
GERMAN = Teller(GAME, "de", ("white", "blue", "green"), ("Anna", "Bo", "Cy"))


def turned(state: TrilithenState, spot: str, card: str) -> Result:
    play(state, f"p0 flip {spot}")
    return resulting(state, f"dealer show {spot} {card}")


def resulting(state: TrilithenState, text: str) -> Result:
    before = state.clone()
    play(state, text)
    result = GAME.touch.result(before, Move.parse(text), state)
    assert result is not None
    return result


def test_a_right_card_says_what_is_looked_for_next_and_the_same_player_goes_on() -> None:
    state = play(position(), *RAM)
    result = turned(state, "A7", "n9")
    assert (result.good, result.goes_on) == (True, True)
    assert (result.kind, result.site, result.note) == ("card n9", "A7", "green")
    assert GERMAN.facts(result) == (("Gesucht", "Grün"), ("Richtig", "1 von 4"))
    assert GERMAN.result(result).text == "Anna sucht weiter: Gelb."


def test_a_wrong_card_says_how_far_the_trilithon_rides_and_who_is_next() -> None:
    """Worked example 3: three right, then n2 instead of white; white goes to 4 and 5."""
    state = play(position(), *RAM)
    for spot, card in zip(SPOTS_OF_Q[:3], NEEDED, strict=False):
        turned(state, spot, card)
    result = turned(state, "A1", "n2")
    assert not result.good
    assert GERMAN.result(result).title == "Falsch: Nacht 2"
    assert GERMAN.result(result).text == "Weiß fährt 3 Felder. Dann ist Bo am Zug."
    assert GERMAN.facts(result)[1] == ("Richtig", "3 von 4")
    assert set(result.beside) == {("A2", "card n4"), ("A7", "card n9"), ("A11", "card n5")}


def test_the_last_right_card_says_who_was_rammed_and_what_it_brought() -> None:
    state = play(position(), *RAM)
    results = [turned(state, spot, card) for spot, card in zip(SPOTS_OF_Q, NEEDED, strict=True)]
    assert [result.code for result in results] == ["right", "right", "right", "rammed"]
    assert GERMAN.result(results[-1]).text == "Weiß rammt Blau: 3 Punkte für Anna."


def test_a_trilithon_card_is_judged_where_it_lies_after_it_has_changed_places() -> None:
    state = play(position(changing="3"), *RAM)
    swap = turned(state, "A1", "t-green")
    assert (swap.code, swap.goes_on) == ("swap", True)
    judged = resulting(state, "p0 swap A1 A9")
    assert (judged.code, judged.kind, judged.site) == ("right", "card t-green", "A9")


def test_a_secret_look_is_nobody_elses_result() -> None:
    state = play(position(), *RAM)
    for spot, card in zip(SPOTS_OF_Q, NEEDED, strict=True):
        turned(state, spot, card)
    play(state, "p1 peek A3")
    before, show = state.clone(), Move.parse("dealer show A3 n2")
    play(state, show.text)
    assert GAME.touch.result(before, show, state) is None


def places_of(state: TrilithenState) -> dict[str, tuple[str, ...]]:
    return {text: GAME.touch.places(state, Move.parse(text)) for text in legal(state)}


def test_the_only_trilithon_is_set_down_and_sent_off_with_one_touch() -> None:
    """Position P: white stands alone, so only where it goes needs to be said."""
    state = position()
    assert places_of(state)["p0 place white d1 2"] == ("track-1",)
    assert places_of(state)["p0 place white d1 30"] == ("track-30",)
    play(state, "p0 place white d1 2")
    assert places_of(state) == {
        "p0 ram white ccw": ("track-25",), "p0 ram white cw": ("track-6",),
    }  # fmt: skip


def test_with_the_same_trilithon_at_both_sides_the_side_is_touched() -> None:
    """TK22: white on 1 and 2, blue opposite; nobody else is left."""
    state = position({"white": 20, "blue": 16, "green": "destroyed"})
    play(state, "p0 place white d1 2")
    assert places_of(state) == {
        "p0 ram white ccw": ("track-29",), "p0 ram white cw": ("track-3",),
    }  # fmt: skip


def test_of_two_trilithons_one_is_taken_up_first() -> None:
    state = position(TWO, players=2, hand=(1, 6, 20, 30, 11, 12))
    moves = places_of(state)
    assert {sites[0] for sites in moves.values()} == {"track-20", "track-10"}
