"""Answers of games to a screen: what came to light, and what most people do next."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core import Move, Result
from rules.games import find_game
from rules.games.erbaut_stonehenge import GAME as ERBAUT
from rules.games.opferroulette import GAME as OPFER
from rules.match import Match
from rules.telling import Teller
from rules.texts import LANGUAGES
from tests.support.erbaut_table import dealt
from tests.support.opferroulette_table import position as ball_at
from tests.support.rulings import play as build_on
from tests.support.rulings import play as roll_on

NAMES = ("Anna", "Bo", "Cy")


def result_of(game: Any, state: Any, text: str) -> Result | None:
    after = state.clone()
    after.apply(Move.parse(text))
    result: Result | None = game.touch.result(state, Move.parse(text), after)
    return result


def german(game: Any, result: Result | None) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Title, text and facts."""
    assert result is not None
    teller = Teller(game, "de", ("white", "blue", "green"), NAMES)
    told = teller.result(result)
    return told.title, told.text, teller.facts(result)


# -- Opferroulette: 6.3 Fall -----------------------------------------------------------------


def test_a_fall_says_which_pit_was_hit_and_whose_offerings_were_crushed() -> None:
    state = ball_at(pits={"17-day": [0], "17-night": [1, 2]})
    roll_on(state, "p0 roll d5", "p0 fall d11")
    night = result_of(OPFER, state, "dealer turn n30")
    assert german(OPFER, night) == (
        "Nacht-Kuhle 17", "Anna bekommt, was dort lag: Blau und Grün.",
        (("Feld", "17"), ("Zermalmt", "2")),
    )  # fmt: skip
    both = result_of(OPFER, state, "dealer turn t-red")
    assert german(OPFER, both)[2] == (("Feld", "17"), ("Zermalmt", "3"))
    assert both is not None
    assert both.site == "17"


def test_a_fall_into_an_empty_pit_is_no_success() -> None:
    state = roll_on(ball_at(), "p0 roll d5", "p0 fall d11")
    result = result_of(OPFER, state, "dealer turn d30")
    assert german(OPFER, result)[:2] == (
        "Tag-Kuhle 17", "Dort liegt nichts. Die Kugel bleibt auf der 17.",
    )  # fmt: skip
    assert result is not None
    assert not result.good


def test_the_ball_rolls_over_every_field_to_the_next_of_its_colour() -> None:
    state, move = ball_at(), Move.parse("p0 roll d5")
    way = OPFER.touch.way(state, move)
    assert way[0] == str(state.ball)
    state.apply(move)
    assert way[-1] == str(state.ball)
    assert len(way) == (int(way[-1]) - int(way[0])) % 30 + 1


# -- Erbaut Stonehenge: 3.3 ------------------------------------------------------------------


def test_a_day_card_is_shown_large_when_it_is_turned_up_and_a_drawn_trilithon_too() -> None:
    state = dealt(["n3 d4 n5", "n8 d9 n10", "d13 n14 n15"], "n25 n26 n27")
    build_on(state, "p0 play n3 · p0 occupy 3 · p1 play d9 · p2 play n14 · p2 occupy 14")
    build_on(state, "p0 build · p0 draw")
    drawn = result_of(ERBAUT, state, "dealer draw p0 t-blue")
    assert drawn is not None
    assert (drawn.code, drawn.kind, drawn.site) == ("trilithon", "card t-blue", "C1")
    assert result_of(ERBAUT, state, "dealer draw p0 n20") is None, "a hand card stays secret"
    build_on(state, "dealer draw p0 t-blue · p0 occupy T2")
    turned = result_of(ERBAUT, state, "p1 build")
    assert turned is not None
    assert (turned.code, turned.kind, turned.note) == ("revealed", "card d9", "green")
    assert turned.goes_on, "where the druid may go glows already"


# -- Rollende Steine: 4.4 --------------------------------------------------------------------


def test_a_gate_is_celebrated_and_a_miss_is_only_entered() -> None:
    match = Match("rollende_steine", 2)
    match.push("p0 roll")
    result = result_of(match.game, match.state, "table score G1,G3")
    assert german(match.game, result) == (
        "Durch Tor 1 und Tor 3!", "Jetzt rollt Bo.",
        (("Tore", "2 von 5"), ("Scheiben übrig", "49")),
    )  # fmt: skip
    assert result_of(match.game, match.state, "table miss") is None


@pytest.mark.parametrize(("players", "number"), [(1, 40), (2, 15), (3, 6), (4, 2), (5, 0)])
def test_neutral_wheels_are_part_of_what_everybody_is_given(players: int, number: int) -> None:
    """4.2, RS15: in the colours that nobody plays, as many of each."""
    match = Match("rollende_steine", players)
    for seat, colour in enumerate(match.colours):
        wheels = {k: n for k, n in match.state.supply(seat).items() if "disc" in k}
        assert wheels.pop(f"disc {colour}") == 10
        assert sum(wheels.values()) == number
        assert len(set(wheels.values())) <= 1


# -- what most do next -----------------------------------------------------------------------


def usual(match: Match) -> str:
    move = match.game.touch.usual(match.state, match.legal_moves())
    return "" if move is None else move.text


def test_to_be_done_is_usual_unless_a_hint_points_out_a_line() -> None:
    """Without hints the key may not give away that there is a line to be found."""
    moves = ("p0 place 6 A", "p0 done", "p1 place 1 R", "p1 done", "p0 place 5 B")
    for hints, wanted in (("off", "p0 done"), ("on", "")):
        match = Match("knizia_stonehenge", 2, {"hints": hints})
        assert usual(match) == ""
        for move in moves:
            match.push(move)
        assert "p0 claim H1" in [move.text for move in match.legal_moves()]
        assert usual(match) == wanted


def test_to_leave_the_stone_is_usual_for_to_keep_it_costs_a_point() -> None:
    match = Match("dolmengoetter", 2)
    match.push("dealer start p0")
    for number, place in enumerate(["U1", "U2", "U3", "U4", "U5", "U6"]):
        match.push(f"p{number % 2} druid {place}")
    assert usual(match) == ""
    walk = next(move for move in match.legal_moves() if move.verb == "walk")
    match.push(walk)
    assert usual(match) == f"p0 stone {walk.args[0]}"


def test_a_turn_of_rolling_stones_is_a_roll_and_its_result_is_nobodys_habit() -> None:
    match = Match("rollende_steine", 2)
    assert usual(match) == "p0 roll"
    match.push("p0 roll")
    assert usual(match) == ""


# -- words on keys ---------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_keys_of_a_question_say_what_comes_of_them(lang: str) -> None:
    match = Match("dolmengoetter", 2)
    match.push("dealer start p0")
    for number, place in enumerate(["U1", "U2", "U3", "U4", "U5", "U6"]):
        match.push(f"p{number % 2} druid {place}")
    match.push(next(move for move in match.legal_moves() if move.verb == "walk"))
    teller = Teller(find_game("dolmengoetter"), lang, match.colours)
    told = [teller.key(move, match.prompt) for move in match.legal_moves()]
    wanted = {"de": {"Ja", "Nein"}, "en": {"Yes", "No"}}[lang]
    assert {words for words, _note in told} == wanted
    assert any("−1" in note for _words, note in told)
