"""Erbaut Stonehenge!: what sites, thefts and sabotages are worth, and what is better left alone."""

from __future__ import annotations

from random import Random

from rules.games import find_game
from rules.games.erbaut_stonehenge.components import FIRST_D, NONE, SITE, SITES
from rules.games.erbaut_stonehenge.glory import glory
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.match import Match
from rules.players.craft import craft_of
from rules.players.crafts.erbaut_stonehenge.prospects import Insight, Prospects
from rules.testing.playout import pick

ERBAUT = find_game("erbaut_stonehenge")


def _state(**built: int) -> ErbautState:
    """A position with these elements: site name with an s before it, and owner."""
    match = Match(ERBAUT, 3, seed=1)
    match.deal()
    state: ErbautState = match.state.clone()
    for name, owner in built.items():
        state.built[SITE[name[1:]]] = owner
        state.reserve(SITE[name[1:]])
    return state


def test_the_gain_of_a_site_is_what_the_scoring_says() -> None:
    random, compared = Random(7), 0
    for seed, options in enumerate(({}, {"trilith_ring": "on"})):
        match = Match(ERBAUT, 3, options, seed=seed)
        while match.outcome is None:
            state = match.state
            if match.ply % 9 == 0:
                prospects = Prospects(state)
                for site in random.sample(SITES, 6):
                    if state.built[site] != NONE:
                        continue
                    for seat in range(3):
                        after = state.clone()
                        own = site >= FIRST_D or state.bars[seat] > 0
                        after.built[site] = seat if own else state.players
                        if not own and state.neutral_owner == NONE:
                            after.neutral_owner = seat
                        gain = glory(after, seat) - glory(state, seat)
                        assert prospects.gain(seat, site) == gain
                        compared += 1
            if not match.deal():
                match.push(pick(match.state, match.legal_moves(), random))
    assert compared > 300


def test_a_row_is_worth_more_than_a_stone_alone_and_a_gap_that_a_rival_needs_counts() -> None:
    state = _state(s1=0, s2=0, s3=0, s11=1, s12=1, s13=1)
    prospects = Prospects(state)
    assert prospects.site(0, SITE["4"]) > prospects.site(0, SITE["20"])
    selfish = Prospects(state, Insight(thinks_of_rivals=False))
    denied = [prospects.site(0, SITE[n]) - selfish.site(0, SITE[n]) for n in ("14", "20")]
    assert denied[0] > denied[1]


def test_apprentices_do_not_see_what_rows_pay() -> None:
    state = _state(s1=0, s2=0, s3=0)
    knows, learns = Prospects(state), Prospects(state, Insight(sees_rows=False))
    assert knows.gain(0, SITE["4"]) == 7
    assert learns.gain(0, SITE["4"]) == learns.gain(0, SITE["20"]) == 1
    assert (knows.points(0), learns.points(0)) == (5, 3)


def test_whoever_leads_is_worth_sabotaging_most() -> None:
    state = _state(sT1=1, sT2=1, s20=2)
    for seat in (1, 2):
        state.yard[seat], state.stage[seat] = 0, 2
    prospects = Prospects(state)
    assert prospects.sabotage(0, 1) > prospects.sabotage(0, 2) > 0


def test_a_project_just_stolen_is_not_stolen_back() -> None:
    """Two players who did would never end."""
    random, met = Random(1), 0
    for seed in range(12):
        match = Match(ERBAUT, 3, seed=seed)
        craft = craft_of(ERBAUT)
        while match.outcome is None and met < 5:
            if match.deal():
                continue
            moves = match.legal_moves()
            steals = [move for move in moves if move.verb == "steal"]
            back = [move for move in steals if match.state.stolen[int(move.args[0][1:])]]
            if back:
                met += 1
                assert not set(craft.candidates(match.state, moves)) & set(back)
            match.push(random.choice(steals) if steals else pick(match.state, moves, random))
    assert met == 5


def test_the_best_sites_are_looked_at_and_one_of_each_sabotage_at_the_end() -> None:
    random = Random(3)
    match = Match(ERBAUT, 3, seed=3)
    craft, sabotages = craft_of(ERBAUT), 0
    while match.outcome is None:
        if match.deal():
            continue
        moves = match.legal_moves()
        worth_a_look = craft.candidates(match.state, moves)
        assert set(worth_a_look) <= set(moves)
        assert worth_a_look
        named = [move.args[0] for move in worth_a_look if move.verb == "sabotage"]
        assert len(named) == len(set(named))
        sabotages += len(named)
        match.push(pick(match.state, moves, random))
    assert sabotages
