"""The crafts of Der Hohe Rat and Erbaut Stonehenge!: prices, prospects and the worth of moves."""

from __future__ import annotations

from random import Random

import pytest

from rules.core import Move
from rules.games import find_game
from rules.games.erbaut_stonehenge.components import FIRST_D, NONE, SITE, SITES
from rules.games.erbaut_stonehenge.glory import glory
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.games.hoher_rat import GAME
from rules.games.hoher_rat.components import CARD_NUMBER
from rules.games.hoher_rat.state import RatState
from rules.match import Match
from rules.players import Reason, SeatView
from rules.players.craft import craft_of
from rules.players.crafts.erbaut_stonehenge.prospects import Insight, Prospects
from rules.players.crafts.hoher_rat import Council
from rules.players.crafts.hoher_rat.dealing import hand_is_known, whereabouts
from rules.players.crafts.hoher_rat.promise import looks, worth_a_look
from rules.players.crafts.hoher_rat.standing import hope_of_pro, ring_of
from rules.testing.playout import pick
from tests.support.dealt_decisions import decisions
from tests.support.hoher_rat_table import COUNCIL, table

CRAFT = Council(GAME)
THREES = ("d6 d8 d9", "n3 n9 n14")


def places(state: RatState) -> dict[str, set[int]]:
    """The cards at each place."""
    found = {f"hand p{seat}": set(hand) for seat, hand in enumerate(state.hands)}
    names = {"piles": "pile", "played": "played", "pondered": "pondered"}
    for key, piles in state.all_piles().items():
        for faction, cards in zip(("pro", "contra"), piles, strict=True):
            found[f"{names[key]} {faction}"] = set(cards)
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_every_card_may_lie_where_it_really_lies(players: int) -> None:
    told_apart = 0
    for match in decisions("hoher_rat", players, seed=6, every=23):
        seat = match.ply % players
        cards, random = whereabouts(SeatView.of(match, seat)), Random(match.ply)
        truth, world = places(match.state), cards.dealer()(random)
        for place, lying in truth.items():
            assert cards.size(place) == len(lying)
            assert all(cards.may_lie(place, card) for card in lying), place
            assert all(cards.may_lie(place, card) for card in world.get(place, ()))
            told_apart += place.startswith("hand") and not any(
                cards.may_lie(place, card) for card in truth["pile pro"] | truth["pile contra"]
            )
    assert told_apart, "own hands, and what others drew before a pile was shuffled"


def test_own_pondered_cards_are_not_dealt_to_anybody_before_they_are_shuffled() -> None:
    match = Match("hoher_rat", 2, seed=4)
    while match.state.pending or match.state.turn != 0:
        if not match.deal():
            match.push(Move.parse(f"p{match.state.turn} done"))
    held = match.state.hands[0]
    match.push(Move.parse("p0 ponder"))
    while match.deal():
        pass
    deal = CRAFT.states(SeatView.of(match, 0))
    random = Random(1)
    assert all(set(deal(random).pondered[0]) == set(held) for _ in range(20))
    unseen = CRAFT.states(SeatView.of(match, 1))
    assert len({tuple(sorted(unseen(random).pondered[0])) for _ in range(20)}) > 1


def test_partners_remember_the_cards_that_they_gave_each_other() -> None:
    match = Match("hoher_rat", 4, seed=9)
    while match.state.pending or match.state.turn != 1:
        if not match.deal():
            match.push(Move.parse(f"p{match.state.turn} done"))
    given, back = match.state.hands[1][0], match.state.hands[3][1]
    for move in [m for m in match.legal_moves() if m.verb == "consult"][:1]:
        given = CARD_NUMBER[move.args[0]]
        match.push(move)
    returned = next(m for m in match.legal_moves() if CARD_NUMBER[m.args[0]] == back)
    match.push(returned)
    random = Random(2)
    giver, taker, other = (CRAFT.states(SeatView.of(match, seat)) for seat in (1, 3, 0))
    assert all(given in giver(random).hands[3] for _ in range(20))
    assert all(back in taker(random).hands[1] for _ in range(20))
    assert not all(given in other(random).hands[3] for _ in range(20))


def test_a_world_of_a_real_table_names_every_card_where_it_may_lie() -> None:
    random = Random(5)
    for match in decisions("hoher_rat", 4, seed=2, every=31, physical=True):
        view = SeatView.of(match, 1)
        world = CRAFT.states(view)(random)
        assert world.problems() == []
        for seat, hand in enumerate(world.hands):
            assert set(hand) <= set(match.state.holdable(seat))
            assert len(hand) == match.state.hand_size(seat)
        assert not hand_is_known(view)


def test_a_position_that_was_laid_out_is_dealt_by_its_numbers() -> None:
    state = table(2, COUNCIL, hands=THREES, discards="d1 n1")
    view = SeatView("hoher_rat", 2, {"lift_from": "off"}, False, 0, state.view(0), ())
    deal, random = CRAFT.states(view), Random(1)
    others = set()
    for _ in range(10):
        world = deal(random)
        assert world.view(0) == view.state
        assert world.problems() == []
        others.add(world.hands[1])
    assert len(others) > 5


# -- what looks promising -------------------------------------------------------------------


def best(state: RatState) -> str:
    moves = state.legal_moves()
    scores = looks(state, moves)
    return moves[scores.index(max(scores))].text


def test_whoever_can_win_does() -> None:
    state = table(2, {"white": "1 2 3 4 5 6 7 8 9 10", "yellow": "11 12 13 14 15"},
                  hands=("d16 d30 d29", "n1 n2 n3"))  # fmt: skip
    assert best(state).startswith("p0 seat d16 16")


def test_a_single_opponent_in_the_middle_is_persuaded() -> None:
    ring = {"white": "5 6 7 9 10 11", "red": "8 20 21"}
    state = table(2, ring, hands=THREES, arguments={0: {"white": 1}})
    assert best(state) == "p0 persuade 7 8 white pay=white"


def test_what_is_worth_a_look_holds_the_best_move_and_no_empty_turn() -> None:
    for match in decisions("hoher_rat", 2, seed=8, every=9, most=300):
        moves = match.legal_moves()
        few, scores = worth_a_look(match.state, moves)
        every = looks(match.state, moves)
        assert set(few) <= set(moves)
        assert len(few) == len(scores) >= 1
        assert max(scores) == max(
            score for score, move in zip(every, moves, strict=True)
            if len(moves) < 3 or match.state.acted or move.verb != "done"
        )  # fmt: skip


def test_gains_of_a_field_are_what_the_standing_gains() -> None:
    """Found without laying a piece down, and the same as if it had been."""
    random, weighed = Random(3), 0
    for match in decisions("hoher_rat", 2, seed=1, every=7, most=400):
        state = match.state
        field = random.randrange(30)
        ring, faction = ring_of(state), random.randrange(2)
        if state.ring[field] in (10, *range(5, 10)) or state.ring[field] % 3 == faction:
            continue
        after = state.clone()
        after.clear(field)
        before_missing = [ring.missing(side) for side in (0, 1)]
        before_groups = ring.groups(1 - faction)
        after.put(field, (0, 1)[faction])
        if after.ring[field] != (0, 1)[faction]:
            continue
        then = ring_of(after)
        weighed += 1
        assert ring.gain(faction, field) == pytest.approx((
            before_missing[faction] - then.missing(faction),
            then.missing(1 - faction) - before_missing[1 - faction],
            then.groups(1 - faction) - before_groups,
        ))  # fmt: skip
    assert weighed > 5


def test_the_standing_is_fair_to_both_and_turns_with_them() -> None:
    empty = table(2, {}, hands=THREES)
    assert hope_of_pro(empty) > 0.5, "whoever is at turn has a small advantage"
    strong = table(2, {"white": "1 2 3 4 5 6 7 8 9 10", "red": "20"}, hands=THREES)
    weak = table(2, {"red": "1 2 3 4 5 6 7 8 9 10", "white": "20"}, hands=THREES)
    assert hope_of_pro(strong) > 0.75
    assert hope_of_pro(weak) < 0.25
    assert CRAFT.estimate(strong) == [hope_of_pro(strong), 1 - hope_of_pro(strong)]


def test_weaker_players_think_less_of_keeping_a_colour_together() -> None:
    state = table(2, {"white": "8", "yellow": "20"}, hands=("d9 d2 d3", "n1 n2 n3"))
    alike, other = (Move.parse(f"p0 seat d9 9 {colour}") for colour in ("white", "yellow"))
    cares = []
    for level in ("apprentice", "druid", "archdruid"):
        weights = CRAFT.as_known_by(level).weights
        better, worse = looks(state, [alike, other], weights)
        cares.append(better - worse)
    assert 0 < cares[0] < cares[1] < cares[2]


def test_partners_win_together() -> None:
    state = table(4, {"white": "1 2 3 4 5 6 7 9", "blue": "8", "yellow": "10 11 12 13 14 15 16"},
                  arguments={0: {"white": 1}})  # fmt: skip
    state.apply(Move.parse("p0 persuade 7 8 white pay=white"))
    outcome = state.outcome()
    assert outcome is not None
    assert CRAFT.payoff(state, outcome) == [1.0, 0.0, 1.0, 0.0]


# -- why ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ring", "arguments", "move", "reason"),
    [
        (
            {"white": "5 6 7", "red": "8 9 10 11"}, {"white": 3},
            "p0 persuade 7 8 white pay=white",
            Reason.of("breaks_and_joins", broken=4, joined=4),
        ),
        ({"white": "7", "red": "8"}, {"white": 1}, "p0 persuade 7 8 white pay=white",
         Reason.of("joins", joined=2)),
        ({"red": "4 5 7 8"}, {}, "p0 seat d6 6 white", Reason.of("keeps_apart", size=5)),
        ({"white": "9 10"}, {}, "p0 seat d8 8 white", Reason.of("stands_firm", size=3)),
        ({}, {}, "p0 seat d9 9 white", Reason("takes_seat")),
        ({"white": "9", "red": "8"}, {"green": 1}, "p0 discuss d9", None),
        ({"white": "3", "red": "4 5"}, {"green": 1}, "p0 discuss d9", Reason.of("affords",
                                                                            field="4")),
        ({}, {}, "p0 ponder", Reason("new_cards")),
        ({}, {"white": 1}, "p0 done", Reason("turn_done")),
        ({"white": "7", "red": "8"}, {"white": 1}, "p0 done", Reason("saves_arguments")),
    ],
)  # fmt: skip
def test_reasons_speak_of_what_lies_open(
    ring: dict[str, str], arguments: dict[str, int], move: str, reason: Reason | None
) -> None:
    state = table(2, ring, hands=THREES, arguments={0: arguments})
    view = SeatView("hoher_rat", 2, {"lift_from": "off"}, False, 0, state.view(0), ())
    assert CRAFT.reason(view, state, Move.parse(move)) == reason


def test_a_card_that_may_complete_sixteen_is_not_laid_down_for_an_argument() -> None:
    ring = {"white": "1 2 3 4 5 6 7 8", "yellow": "10 11 12 13 14 15 16", "red": "20"}
    state = table(2, ring, hands=("d15 d20 d26", "n1 n2 n3"))
    away, other = (Move.parse(f"p0 discuss {cards}") for cards in ("d15", "d20"))
    kept, laid = looks(state, [away, other])
    assert kept < laid - 10, "day 15 may take field 9, for three arguments of its colour"


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
