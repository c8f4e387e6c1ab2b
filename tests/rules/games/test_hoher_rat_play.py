"""Der Hohe Rat in random play: what always holds, and stored matches and counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from rules.box import load_box
from rules.core import Actor, Move
from rules.games.hoher_rat import GAME
from rules.games.hoher_rat.components import NEXT, PIECE_FACTION
from rules.games.hoher_rat.state import BLOCK, LIMIT, RatState
from rules.match import Match
from rules.reading.reading import Status, read
from rules.reading.sighting import SiteBelief, looks
from rules.testing.playout import random_match

HERE = Path(__file__).parent
"""Seeds of the stored matches: short ones, both with a relocation, the first with a vote."""


def positions(players: int, seed: int, physical: bool = False) -> Iterator[tuple[RatState, Move]]:
    for match, _, move in random_match(GAME, players, {}, seed, physical=physical):
        yield match.state, move


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 2), (4, 3)])
def test_every_random_match_keeps_its_pieces_cards_and_arguments(players: int, seed: int) -> None:
    last = None
    for state, move in positions(players, seed):
        assert state.problems() == []
        assert all(state.owned(f, c) <= LIMIT for f in (0, 1) for c in range(5))
        assert all(state.largest_block(f) < BLOCK for f in (0, 1))
        assert state.violations(move) == []
        for faction in (0, 1):
            block = state.fields_of_block(faction)
            assert len(block) == state.largest_block(faction), "also across 30 and 1"
            assert {PIECE_FACTION[state.ring[field]] for field in block} <= {faction}
            assert all(NEXT[one] == other for one, other in pairwise(block))
        if not state.pending and state.turn >= 0:
            assert all(len(hand) == 3 for hand in state.hands)
        last = state
    assert last is not None
    outcome = last.outcome()
    assert outcome is not None
    assert max(outcome.scores) >= BLOCK


@pytest.mark.parametrize("players", [2, 4])
def test_prices_are_those_of_the_table_of_costs(players: int) -> None:
    """The prices kept for the list of moves are those measured afresh."""
    for number, (state, _) in enumerate(positions(players, 9)):
        if number % 5 or state.pending or state.turn < 0:
            continue
        listed = {m.text for m in state.legal_moves() if m.verb == "persuade"}
        for move in state.pseudo_moves():
            if move.verb == "persuade":
                assert (not state.violations(move)) == (move.text in listed), move


@pytest.mark.parametrize("players", [2, 4])
def test_a_physical_match_never_holds_a_hidden_card_in_its_log(players: int) -> None:
    for number, (state, move) in enumerate(positions(players, 7, physical=True)):
        if move.verb in ("draw", "consult", "return"):
            assert move.args[-1] == "?"
        if number > 400:
            break
        assert state.problems() == []


def test_pseudo_moves_stay_few_and_can_all_be_tried_out() -> None:
    most = 0
    for number, (state, _) in enumerate(positions(2, 21, physical=True)):
        if number % 40 == 0:
            pseudo = list(state.pseudo_moves())
            most = max(most, len(pseudo))
            assert len(pseudo) == len(set(pseudo))
            for move in Random(number).sample(pseudo, min(60, len(pseudo))):
                trial = state.clone()
                trial.apply(move)
                trial.layout()
                trial.prompt()
                trial.legal_moves()
    assert 500 < most < 4000


def test_players_who_only_pass_go_on_for_ever() -> None:
    match = Match(GAME, 4, seed=1)
    match.deal()
    for _ in range(500):
        prompt = match.prompt
        assert prompt is not None
        match.push(f"p{prompt.player} done")
    assert match.outcome is None


# -- the camera -----------------------------------------------------------------------------


class Still:
    """A sure look at everything that lies there."""

    hand = False
    strays = ()

    def __init__(self, state: RatState) -> None:
        seen = looks(state.layout())
        sites = load_box(GAME.box).for_game(GAME.id).sites
        self.sites = {site: SiteBelief({seen.get(site, ()): 0.0}) for site in sites}


def physical_match() -> Match:
    match = Match(GAME, 4, physical=True)
    match.deal()
    match.push("dealer start p0")
    return match


def test_a_new_follower_is_its_fields_card_while_nobody_can_pay() -> None:
    match = physical_match()
    after = match.clone()
    after.push("p0 seat d13 13 white")
    reading = read(match, Still(after.state))
    assert reading.status is Status.MOVE
    assert [move.text for move in reading.moves][:1] == ["p0 seat d13 13 white"]


def one_against_one() -> Match:
    """White on 7, blue on 8, and p0 has the turn and no argument."""
    match = physical_match()
    for text in ("p0 seat d7 7 white", "dealer draw p0 ?", "p0 done", "p1 seat n8 8 blue"):
        match.push(text)
    for text in ("dealer draw p1 ?", "p1 done", "p2 done", "p3 done"):
        match.push(text)
    return match


def persuaded(match: Match) -> Still:
    after = match.clone()
    after.force("p0 persuade 7 8 white pay=white")
    return Still(after.state)


def test_a_discussion_that_nobody_entered_is_supplied_before_what_it_pays_for() -> None:
    match = one_against_one()
    reading = read(match, persuaded(match))
    assert reading.status is Status.MOVE
    played = [move.text for move in reading.moves if move.actor is Actor.PLAYER]
    assert played == ["p0 discuss cards white", "p0 persuade 7 8 white pay=white"]
    for move in reading.moves:
        match.push(move)
    assert match.state.arguments[0] == [0] * 5
    # Its cards may be named late, and the arguments that nobody knew of come too.
    match.push("p0 discuss d1,d13")
    match.deal()
    assert match.state.arguments[0] == [1, 0, 0, 0, 0]
    assert match.state.hand_size(0) == 3
    assert "d1" not in [move.args[0] for move in match.legal_moves() if move.args]


def test_whoever_has_acted_needs_an_argument_to_persuade() -> None:
    match = one_against_one()
    match.push("p0 seat d20 20 white")
    match.deal()
    reading = read(match, persuaded(match))
    assert reading.status is Status.ILLEGAL
    assert [objection.code for objection in reading.objections] == ["too_few_arguments"]


def test_a_trilithon_card_named_late_brings_both_arguments_of_one_colour() -> None:
    match = one_against_one()
    match.push("p0 discuss cards white")
    match.deal()
    match.push("p0 persuade 7 8 white pay=white")
    match.push("p0 discuss t-white white,white")
    assert match.state.arguments[0] == [1, 0, 0, 0, 0]


def test_two_arguments_of_one_colour_may_turn_out_to_be_one_trilithon_card() -> None:
    match, named = one_against_one(), one_against_one()
    for text in ("p0 discuss cards white", "p0 discuss cards white"):
        match.push(text)
        match.deal()
    for each in (match, named):
        each.push("p0 discuss t-white white,white")
        each.deal()
    assert match.state.to_json() == named.state.to_json()


def test_a_seat_that_was_persuaded_before_anybody_looked_accuses_nobody() -> None:
    match = one_against_one()
    match.push("p0 discuss d1")
    match.deal()
    after = match.clone()
    for text in ("p0 done", "p1 seat n6 6 blue"):
        after.push(text)
    after.deal()
    for text in ("p1 done", "p2 done", "p3 done"):
        after.push(text)
    after.force("p0 persuade 7 6 white pay=white")
    assert read(match, Still(after.state)).status is not Status.ILLEGAL


def test_what_cards_nobody_named_brought_grows_with_what_was_paid() -> None:
    match = one_against_one()
    for text in ("p0 discuss cards green", "p0 discuss cards green", "p0 discuss cards green"):
        match.push(text)
        match.deal()
    assert match.state.arguments[0][2] == 3
    assert [o.code for o in match.why_not("p0 discuss cards green")] == ["already_acted"]
    assert [o.code for o in match.why_not("p0 discuss cards red")] == ["already_acted"]
    assert GAME.from_json(match.state.to_json()).to_json() == match.state.to_json()
    digital = Match(GAME, 2)
    assert [o.code for o in digital.why_not("p0 discuss cards green")] == ["unknown_move"]


def test_a_relocation_is_one_picture_for_two_moves() -> None:
    match = physical_match()
    for field in (1, 3, 5, 7, 9, 11, 13, 15, 17, 19):
        match.push(f"p0 seat d{field} {field} white")
        match.deal()
        for seat in range(4):
            match.push(f"p{seat} done")
    after = match.clone()
    after.push("p0 seat d2 2")
    after.push("p0 lift 9")
    reading = read(match, Still(after.state))
    assert reading.status is Status.MOVE
    played = [move.text for move in reading.moves if move.actor is Actor.PLAYER]
    assert played == ["p0 seat d2 2", "p0 lift 9"]


# -- stored matches and counts --------------------------------------------------------------
