"""Players take any colour of the box: pieces follow the seats, and rules the colours."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from rules.box import load_box
from rules.core import COLOURS, OptionError
from rules.games import find_game, game_ids
from rules.match import Match
from rules.testing.playout import random_match
from tests.support.erbaut_table import dealt
from tests.support.rulings import legal, play

PAINTED = [game for game in game_ids() if find_game(game).palette]


def _settings() -> Iterator[tuple[str, int, str]]:
    for game_id in PAINTED:
        game = find_game(game_id)
        for players in game.players:
            backwards = game.palette[::-1][:players]
            if backwards != game.palette[:players]:
                yield game_id, players, ",".join(backwards)


def test_whoever_plays_in_one_colour_may_choose_it() -> None:
    assert set(game_ids()) - set(PAINTED) == {"dominion", "hoher_rat"}


@pytest.mark.parametrize(("game_id", "players", "chosen"), list(_settings()))
def test_a_whole_match_in_chosen_colours_is_the_match_by_seats_painted(
    game_id: str, players: int, chosen: str
) -> None:
    game, kinds = find_game(game_id), set(load_box(find_game(game_id).box).kinds)
    options = game.complete_options(players, {COLOURS: chosen})
    assert game.colours(players, options) == tuple(chosen.split(","))
    plain = game.colours(players, game.complete_options(players, {}))
    for number, (match, _, _) in enumerate(random_match(game, players, options, 7)):
        if number % 25:
            continue
        state = match.state
        told = json.loads(json.dumps(state.to_json()))
        again = game.from_json(told)
        assert again.to_json() == state.to_json() == state.clone().to_json()
        assert again.layout() == match.layout
        own = dict(enumerate(chosen.split(",")))
        for item in match.layout:
            assert item.kind in kinds
            named = set(item.kind.split()[1:]) & set(game.palette)
            if item.owner is not None and named and not item.kind.startswith("card"):
                theirs = {own[item.owner]} if game_id != "trilithen_knallen" else set(game.palette)
                assert named <= theirs, item
        for seat in range(players):
            assert set(state.supply(seat)) <= kinds
    assert plain != tuple(chosen.split(","))


@pytest.mark.parametrize("game_id", PAINTED)
def test_the_colours_of_the_seats_are_no_option_and_a_false_choice_is_refused(game_id: str) -> None:
    game = find_game(game_id)
    players = game.players[-1]
    by_seat = game.palette[:players]
    assert COLOURS not in game.complete_options(players, {COLOURS: ",".join(by_seat)})
    for wrong in ("", "pink", by_seat[0], ",".join([by_seat[0]] * players)):
        if wrong != ",".join(by_seat):
            with pytest.raises(OptionError, match="colour" if players > 1 else ""):
                game.complete_options(players, {COLOURS: wrong})
    with pytest.raises(OptionError):
        find_game("hoher_rat").complete_options(4, {COLOURS: "red,blue,white,yellow"})


def test_opferroulette_neutral_offerings_have_a_colour_nobody_plays() -> None:
    match = Match("opferroulette", 2, {COLOURS: "green,white"}, seed=3)
    while match.prompt is not None and match.prompt.code != "ball":
        moves = match.legal_moves()
        match.push(match.next_chance() or moves[0])
    kinds = {item.kind for item in match.layout}
    assert kinds == {"disc green", "disc white", "disc blue"}


def test_erbaut_red_gets_influence_from_red_fields() -> None:
    """3.3: the colour of the player decides, wherever he sits."""
    state = dealt(
        ["n5 d4 n1", "n10 n28 n8", "n16 n9 n15"], "n2 n3 n4", options={COLOURS: "red,blue,white"}
    )
    play(state, "p0 play n5 · p0 occupy 5 · p1 play n10 · p1 occupy 10 · p2 play n16")
    play(state, "p2 occupy 16 · p0 build")
    assert state.to_json()["influence"][0] == ["n5"]


def test_erbaut_a_theft_is_paid_in_the_colour_of_the_owner() -> None:
    script = """p0 play n4 · p0 occupy 4 · p1 play n10 · p1 occupy 10 · p2 play n14 · p2 occupy 14
        p0 build · p0 take t-red · dealer draw display n1 · p0 occupy T3 · p1 build · p1 draw
        dealer draw p1 n17"""
    hands, display = ["n2 n4 n5", "n11 n8 n10", "d13 n15 n14"], "n25 n26 t-red"
    state = play(dealt(hands, display), script)
    assert "p1 steal p0 n8,n11" not in legal(state), "white does not want blue"
    blue = play(dealt(hands, display, options={COLOURS: "blue,white,green"}), script)
    assert "p1 steal p0 n8,n11" in legal(blue)


def test_trilithen_a_trilithon_is_called_by_the_chosen_colour() -> None:
    """TK24: with two players each takes a second one from what is left."""
    match = Match("trilithen_knallen", 2, {COLOURS: "red,white"})
    data = match.state.to_json()
    assert [set(row) for row in data["points"]] == [{"red", "blue"}, {"white", "green"}]
    assert match.state.supply(0)["disc red"] == 10
    while match.prompt is not None and match.prompt.code != "place":
        match.push(match.next_chance() or match.legal_moves()[0])
    assert {move.args[0] for move in match.legal_moves()} <= {"red", "blue", "white", "green"}
