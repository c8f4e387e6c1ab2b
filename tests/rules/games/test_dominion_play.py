"""Dominion over whole matches: properties, the referee, speed."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rules.core import Move
from rules.games.dominion import GAME
from rules.games.dominion.components import ACTIONS, BASIC, COST, KINGDOMS
from rules.games.dominion.holdings import WatchedCards
from rules.match import Match
from rules.testing.playout import pick, random_match
from tests.support.dominion_money import deal, late_greens_move, money_match, money_move
from tests.support.dominion_table import Table
from tests.support.needed import PYMINION

HERE = Path(__file__).parent
SETTINGS = [
    (2 + number % 3, {"kingdom": kingdom})
    for number, kingdom in enumerate(GAME.options["kingdom"])
]  # fmt: skip


def playing(players: int, options: dict[str, str], seed: int) -> Iterator[tuple[Match, Move]]:
    for match, _, move in random_match(GAME, players, options, seed):
        yield match, move


# -- properties -----------------------------------------------------------------------------


@pytest.mark.parametrize("kingdom", ["interaction", "size-distortion", "village-square"])
def test_who_is_asked_never_depends_on_a_hidden_card(kingdom: str) -> None:
    options = GAME.complete_options(3, {"kingdom": kingdom})
    referee = GAME.setup(3, options, physical=True)
    for match, move in playing(3, options, 5):
        assert referee.prompt() == match.state.prompt()
        for shown in match.state.shown(move):
            referee.apply(shown)


@pytest.mark.parametrize(("players", "options"), SETTINGS[:4])
def test_hands_with_real_cards_are_called_to_every_shuffle(
    players: int, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shuffled: list[WatchedCards] = []
    ready = WatchedCards.ready

    def watched(cards: WatchedCards) -> bool:
        if not cards.draw_size() and cards.discard_size():
            shuffled.append(cards)
        return ready(cards)

    monkeypatch.setattr(WatchedCards, "ready", watched)
    for match, _, move in random_match(GAME, players, options, 7, physical=True):
        before = match.state.clone()
        after = before.clone()
        shuffled.clear()
        after.apply(move)
        really = [seat for seat, cards in enumerate(after.seats) if cards in shuffled]
        called = [seat for call in GAME.touch.calls(before, move, after) for seat in call.seats]
        assert called == really, move


@pytest.mark.parametrize(("players", "options"), SETTINGS[:5])
def test_the_layout_holds_every_card_and_touches_names_what_changes(
    players: int, options: dict[str, str]
) -> None:
    for match, move in playing(players, options, 8):
        if match.ply % 17 or not match.state.piles:
            continue
        state = match.state
        before = state.layout()
        cards = sum(state.piles.values()) + len(state.trash)
        assert sum(before.values()) == cards + sum(sum(c.owned.values()) for c in state.seats)
        after = state.clone()
        after.apply(move)
        then = after.layout()
        changed = {item.site for item in (before - then) + (then - before)}
        assert changed <= set(state.touches(move)), str(move)


def test_a_hand_in_the_layout_is_never_seen() -> None:
    state = Table("copper×3 / silver×2 / gold×2", "estate", piles={"cellar": 0}).state
    layout = state.layout()
    assert not any(item.seen for item in layout if item.site.startswith("hand"))
    seen = {(item.site, item.kind) for item in layout if item.seen}
    assert ("draw-p0", "card back") in seen
    assert ("discard-p0", "gold") in seen
    assert ("k1", "moat") in seen or ("k2", "moat") in seen
    assert "cellar" not in {kind for site, kind in seen if site != "trash"}


def test_the_chooser_plays_an_action_nineteen_times_of_twenty() -> None:
    state = Table("village copper×4", "").state
    moves, random = state.legal_moves(), Random(1)
    chosen = Counter(state.choose(moves, random).text for _ in range(4000))
    assert 0.94 < chosen["p0 play village"] / 4000 < 0.98


def test_the_chooser_buys_one_of_the_dearest_cards_and_no_estate() -> None:
    table = Table("silver copper×2", "").play("p0 play silver", "p0 play copper ×2")
    state, random = table.state, Random(1)
    chosen = Counter(state.choose(state.legal_moves(), random).text for _ in range(2000))
    dear = {f"p0 buy {card}" for card in state.piles if COST[card] == 4}
    assert sum(chosen[text] for text in dear) > 1880
    table = Table("estate", "")
    state = table.state
    chosen = Counter(state.choose(state.legal_moves(), random).text for _ in range(2000))
    assert chosen["p0 done"] > 1880


def test_random_matches_end_by_provinces_and_by_piles() -> None:
    reasons: Counter[str] = Counter()
    for seed in range(6):
        for kingdom in ("big-money", "first-game"):
            *_, (match, _) = playing(2, {"kingdom": kingdom}, seed)
            assert match.outcome is not None
            reasons[match.outcome.reason] += 1
    assert reasons["provinces"] and reasons["piles"]


# -- the physical table ---------------------------------------------------------------------


def watched(kingdom: str = "first-game", players: int = 2) -> Match:
    match = Match("dominion", players, {"kingdom": kingdom, "last_winners": "p1"}, physical=True)
    match.deal()
    return match


def test_the_referee_deals_unseen_cards_by_himself() -> None:
    match = watched()
    texts = [entry.move.text for entry in match.log]
    assert texts == ["dealer draw p0 ?"] * 5 + ["dealer draw p1 ?"] * 5
    assert "p0 play copper" in [move.text for move in match.legal_moves()]
    assert [o.code for o in match.why_not("p0 play silver")] == ["not_owned"]


def test_a_card_nobody_has_left_in_hand_is_refused_with_its_whereabouts() -> None:
    match = watched()
    for _ in range(5):
        match.push("p0 play copper")
    assert [o.code for o in match.why_not("p0 play copper")] == ["not_in_hand"]
    (objection,) = match.why_not("p0 play copper")
    assert objection.values["sites"] == "play-p0,draw-p0"


def test_the_referee_knows_what_must_be_in_hand() -> None:
    match = watched()
    match.push("p0 done")
    match.deal()
    match.push("p1 done")
    match.deal()
    # Ten cards in two hands of five: what the first hand showed the second cannot hold.
    for _ in range(2):
        match.push("p0 play copper")
    assert match.state.seats[0].may_hold("copper")


def test_a_draw_must_stay_hidden_on_the_table() -> None:
    match = Match("dominion", 2, {"last_winners": "p1"}, physical=True)
    assert [move.text for move in match.legal_moves()] == ["dealer draw p0 ?"]
    assert [o.code for o in match.why_not("dealer draw p0 copper")] == ["stays_hidden"]


def test_none_is_trusted_unless_the_table_knows_better() -> None:
    table = Table("mine copper×2 estate×2 / estate×3 curse×4", "")
    referee = table.referee
    referee.apply(Move.parse("p0 play mine"))
    assert sorted(m.text for m in referee.legal_moves()) == ["p0 none", "p0 trash copper"]
    table = Table("mine copper silver / estate", "").play("p0 play mine")
    table.play("p0 trash copper", "p0 gain silver")
    # The Silver gained into the hand was seen by everybody.
    assert table.referee.seats[0].surely_holds({"silver"})


def test_a_shown_moat_is_known_until_it_is_shuffled_away() -> None:
    kingdom = ["witch", "moat", *[c for c in KINGDOMS["village-square"] if c != "cellar"][:8]]
    table = Table("witch / copper×7", "moat copper×4 / estate", kingdom=kingdom)
    table.play("p0 play witch", "p1 show moat").deal("copper", "copper")
    assert table.referee.seats[1].surely_holds({"moat"})
    table.play("p0 done").deal(*["copper"] * 5)
    table.play("p1 play copper", "p1 done").deal("estate")
    assert not table.referee.seats[1].surely_holds({"moat"})
    assert table.referee.seats[1].may_hold("moat")


def test_the_referee_counts_scores_without_seeing_a_hand() -> None:
    table = Table("remodel gold", "estate", piles={"province": 1})
    table.play("p0 play remodel", "p0 trash gold", "p0 gain province", "p0 done")
    assert table.referee.outcome() == table.state.outcome()


def test_an_illegal_move_that_was_made_can_be_tried_out() -> None:
    table = Table("copper×2 estate / silver×3", "copper village", kingdom="first-game")
    for physical in (False, True):
        for move in (table.referee if physical else table.state).pseudo_moves():
            state = (table.referee if physical else table.state).clone()
            state.apply(move)
            state.layout()
            assert state.problems() == [], str(move)


# -- big money ------------------------------------------------------------------------------


def test_dealing_at_once_has_the_same_chances_as_card_by_card() -> None:
    options = GAME.complete_options(2, {"last_winners": "p1"})
    coppers: Counter[int] = Counter()
    for seed in range(3000):
        state, random = GAME.setup(2, options, physical=False), Random(seed)
        deal(state, random)
        assert [cards.hand_size() for cards in state.seats] == [5, 5]
        coppers[state.seats[0].to_json()["hand"]["copper"]] += 1
    # 5 of 10 cards, 7 of them Coppers: 2, 3, 4, 5 Coppers in 1, 5, 5, 1 of 12 hands.
    assert [round(12 * coppers[n] / 3000) for n in (2, 3, 4, 5)] == [1, 5, 5, 1]


def test_big_money_buys_all_provinces() -> None:
    turns = 0
    for seed in range(100):
        state = money_match(seed)
        assert state.over == "provinces"
        assert state.problems() == []
        turns += sum(state.turns)
    assert 30 < turns / 100 < 38


def test_late_greens_beat_plain_big_money_in_most_matches() -> None:
    won = Counter[str]()
    for seed in range(200):
        strategies = (late_greens_move, money_move)[:: 1 if seed % 2 else -1]
        state = money_match(seed, 2, strategies)
        assert state.problems() == []
        outcome = state.outcome()
        assert outcome is not None
        for seat in outcome.ranking[0]:
            won[strategies[seat].__name__] += 1
    assert won["late_greens_move"] > won["money_move"]


@pytest.mark.parametrize("players", [3, 4])
def test_both_money_strategies_come_to_an_end_at_a_larger_table(players: int) -> None:
    for seed in range(30):
        state = money_match(seed, players, (money_move, late_greens_move))
        assert state.over
        assert state.problems() == []


def test_big_money_takes_as_long_as_with_pyminion(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = pytest.importorskip("pyminion.bots.examples", reason=PYMINION)
    base = pytest.importorskip("pyminion.expansions.base", reason=PYMINION)
    their_game = pytest.importorskip("pyminion.game", reason=PYMINION)
    simulator = pytest.importorskip("pyminion.simulator", reason=PYMINION)
    # A later edition: the Woodcutter is no longer in it, and big money would not buy one.
    kingdom = [getattr(base, card) for card in KINGDOMS["first-game"] if hasattr(base, card)]
    kingdom.append(base.laboratory)
    bots = [examples.BigMoney(name) for name in ("a", "b")]
    game = their_game.Game(bots, [base.base_set], kingdom_cards=kingdom, log_stdout=False)
    monkeypatch.setattr(logging.root, "level", logging.CRITICAL)
    results = simulator.Simulator(game, 400).run().game_results
    theirs = sum(max(p.turns for p in result.player_summaries) for result in results) / 400
    ours = sum(max(money_match(seed).turns) for seed in range(400)) / 400
    assert abs(ours - theirs) < 0.5


def test_every_card_of_a_match_is_one_of_its_piles() -> None:
    match = Match("dominion", 2, {"kingdom": "choose"})
    random = Random(3)
    while not match.state.piles:
        match.push(pick(match.state, match.legal_moves(), random))
    assert list(match.state.piles)[:7] == list(BASIC)
    costs = [COST[card] for card in match.state.kingdom]
    assert costs == sorted(costs)
    assert set(match.state.kingdom) - ACTIONS <= {"gardens"}
