"""The craft of Dominion: what it buys and plays, and playouts that are matches card for card."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from rules.core import Actor, Json, Move
from rules.games.dominion import GAME
from rules.games.dominion.components import CARDS, KINGDOM
from rules.games.dominion.holdings import DealtCards
from rules.games.dominion.moves import DRAW, REVEAL
from rules.games.dominion.state import DominionState
from rules.match import Match
from rules.players import Budget, SeatView, find_player
from rules.players.crafts.dominion import DominionCraft, tasks
from rules.players.crafts.dominion import table as table_module
from rules.players.crafts.dominion.answers import habitual
from rules.players.crafts.dominion.choosing import FIRST_MATCH
from rules.players.crafts.dominion.craft import NamedCards
from rules.players.crafts.dominion.lists import NUMBER, BuyList, lists_for
from rules.players.crafts.dominion.reasons import CODES, reason
from rules.players.crafts.dominion.table import Table
from rules.players.crafts.dominion.turns import take_turn, worth
from tests.support.command import ROOT
from tests.support.dominion_lists import everything
from tests.support.sweep import some

CRAFT = DominionCraft(GAME)


def played(seed: int, plies: int, players: int = 2, kingdom: str = "random") -> Match:
    """A match in which everybody buys whatever there is, stopped at a player's decision."""
    random = Random(f"craft {seed}")
    match = Match(GAME, players, {"kingdom": kingdom}, seed=seed)
    plans = None
    while match.outcome is None:
        if match.deal():
            continue
        moves = match.legal_moves()
        if match.ply >= plies:
            break
        plans = plans or [everything(match.state.kingdom, random) for _ in range(players)]
        match.push(habitual(match.state, moves, plans))
    return match


def turn(
    hand: Mapping[str, int], *, coins: int = 0, supply: Mapping[str, int] | None = None,
    owned: Mapping[str, int] | None = None, rival: Mapping[str, int] | None = None,
    kingdom: str = "first-game", buying: bool = False,
) -> DominionState:  # fmt: skip
    """p0 is to move with this hand; the rest of what is owned lies in the discard pile."""
    match = Match(GAME, 2, {"kingdom": kingdom, "last_winners": "p1"}, seed=1)
    while match.deal():
        pass
    state: DominionState = match.state.clone()
    for seat, (held, rest) in enumerate(((hand, owned or {}), ({}, rival or {}))):
        cards = DealtCards()
        cards.hand, cards.discards = dict(held), dict(rest)
        cards.owned = dict(cards.everything())
        state.seats[seat] = cards
    state.piles.update(supply or {})
    state.sort_market()
    state.coins, state.buying = coins, buying
    return state


def chosen(level: str, state: DominionState, playouts: int = 100, seed: int = 1) -> Move:
    """The move of a player of this level where nothing is hidden from it that matters."""
    craft = DominionCraft(GAME, level)
    moves = state.legal_moves()
    obvious = craft.obvious(state, moves)
    if obvious is not None:
        return obvious
    found = craft.look_ahead(
        lambda _random: NamedCards(craft, state.clone(), 0), Budget(playouts=playouts),
        Random(seed), list(craft.candidates(state, moves)), None,
    )  # fmt: skip
    key: Move = found.ranked[0].key
    return key


# -- what is hidden -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", some(range(10)))
def test_positions_dealt_fit_everything_that_the_seat_knows(seed: int) -> None:
    match = played(seed, 60 + 70 * seed, players=2 + seed % 3)
    for seat in range(match.players):
        view = SeatView.of(match, seat)
        deal = CRAFT.states(view)
        for number in range(3):
            state = deal(Random(number))
            assert state.view(seat) == view.state
            assert state.problems() == []
            for cards, real in zip(state.seats, match.state.seats, strict=True):
                assert cards.owned == real.owned


def test_what_nobody_told_the_seat_is_dealt_anew() -> None:
    match = played(3, 250)
    deal = CRAFT.states(SeatView.of(match, 0))
    hands = {str(sorted(deal(Random(number)).seats[1].kinds())) for number in range(20)}
    assert len(hands) > 1


@pytest.mark.parametrize("seed", range(4))
def test_what_a_seat_cannot_know_never_changes_its_choice(seed: int) -> None:
    match = played(20 + seed, 100 + 50 * seed)
    prompt = match.prompt
    assert prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None
    seat = prompt.player
    view = SeatView.of(match, seat)
    moves = match.legal_moves()
    choices = set()
    for number in range(3):
        other = CRAFT.states(view)(Random(number))
        seen: Json = other.view(seat)
        same = SeatView(
            view.game, view.players, view.options, False, seat, seen, view.moves, view.board
        )
        choice = find_player("archdruid").choose(same, moves, Budget(playouts=40), Random(5))
        choices.add((choice.move, choice.thoughts))
    assert len(choices) == 1


def test_at_a_table_nobody_thinks_for_a_hand_that_was_not_shown() -> None:
    match = Match(GAME, 2, {"kingdom": "first-game"}, physical=True)
    state = match.state
    for _ in range(100):
        moves = state.legal_moves()
        if moves[0].actor is Actor.PLAYER:
            break
        state.apply(moves[0])
    seat = state.seat
    view = SeatView("dominion", 2, dict(match.options), True, seat, state.view(seat), ())
    assert not CRAFT.sees(view)


def test_at_a_table_a_hand_that_everybody_saw_is_played_from() -> None:
    match = played(5, 80)
    seat = match.state.seat
    known = GAME.setup(2, match.options, True)
    for move in SeatView.of(match, seat).moves:
        known.apply(move)
    view = SeatView("dominion", 2, dict(match.options), True, seat, known.to_json(), ())
    assert CRAFT.sees(view)
    state = CRAFT.states(view)(Random(1))
    assert state.view(seat) == SeatView.of(match, seat).state


# -- what is chosen -------------------------------------------------------------------------

LATE = {"copper": 7, "silver": 5, "gold": 5, "estate": 3}
"""Cards of a player in the middle of a match, besides Provinces."""


def test_treasures_are_laid_without_thinking_the_dearest_first() -> None:
    state = turn({"copper": 2, "gold": 1, "estate": 2})
    assert str(chosen("archdruid", state, playouts=1)) == "p0 play gold"


def test_an_action_comes_before_the_treasures() -> None:
    state = turn({"village": 1, "smithy": 1, "copper": 3}, owned=LATE, rival=LATE)
    assert str(chosen("archdruid", state)) == "p0 play village"


def test_the_last_province_ends_a_match_that_is_won_by_it() -> None:
    ahead = {**LATE, "province": 4}
    state = turn(
        {"estate": 1}, coins=9, buying=True, supply={"province": 1}, owned=ahead,
        rival={**LATE, "province": 3},
    )  # fmt: skip
    assert str(chosen("archdruid", state)) == "p0 buy province"


def test_nobody_buys_the_last_province_to_lose_by_it() -> None:
    state = turn(
        {"estate": 1}, coins=8, buying=True, supply={"province": 1},
        owned={**LATE, "province": 2}, rival={**LATE, "province": 4, "duchy": 2},
    )  # fmt: skip
    assert str(chosen("archdruid", state)) != "p0 buy province"


def test_near_the_end_points_come_before_money() -> None:
    late = {**LATE, "province": 3}
    state = turn(
        {"estate": 1}, coins=6, buying=True, supply={"province": 2}, owned=late, rival=late
    )  # fmt: skip
    assert str(chosen("archdruid", state)) == "p0 buy duchy"


def test_an_apprentice_buys_what_costs_most() -> None:
    state = turn({"estate": 1}, coins=5, buying=True, owned={"copper": 7}, rival={"copper": 7})
    owned, supply = [0] * 32, [10] * 32
    assert FIRST_MATCH.pick(5, owned, supply) not in range(7)
    choices = {str(chosen("apprentice", state, 1, seed)) for seed in range(6)}
    assert choices <= {"p0 buy market", "p0 buy mine", "p0 buy duchy"}


def test_a_druid_knows_money_with_one_kind_of_kingdom_card() -> None:
    simple, all_lists = lists_for(KINGDOM, simple=True), lists_for(KINGDOM)
    assert all(len(one.needs) <= 1 for one in simple)
    assert max(len(one.needs) for one in all_lists) > 1
    assert max(one.rating for one in all_lists) >= max(one.rating for one in simple)


def test_there_is_a_list_for_every_kingdom() -> None:
    assert lists_for([]) and lists_for([], simple=True)


def test_questions_are_answered_by_every_level() -> None:
    for level in ("apprentice", "druid", "archdruid"):
        state = turn({"chapel": 1, "estate": 2, "copper": 2}, kingdom="big-money")
        state.apply(Move.parse("p0 play chapel"))
        assert chosen(level, state, 60) in state.legal_moves()
    assert str(chosen("archdruid", state, 200)) == "p0 trash estate"


def test_a_moat_is_shown_without_thinking() -> None:
    state = turn({"moat": 1, "copper": 4}, kingdom="first-game")
    state.do(("moat", 0), ("attack", 1, "militia", ()))
    assert str(chosen("druid", state, 1)) == "p0 show moat"


# -- why ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "supply", "rival", "code"),
    [
        ("p0 buy province", {}, {}, "six_points"),
        ("p0 buy province", {"province": 1}, {}, "ends_ahead"),
        ("p0 buy province", {"province": 1}, {"province": 3}, "six_points"),
        ("p0 buy duchy", {"province": 4}, {}, "every_point"),
        ("p0 buy duchy", {"province": 2}, {"province": 3}, "not_the_last_but_one"),
        ("p0 buy duchy", {}, {}, None),
        ("p0 buy gold", {}, {}, "gold_for_provinces"),
        ("p0 buy witch", {}, {}, "gives_curses"),
        ("p0 buy witch", {"curse": 0}, {}, "more_cards"),
        ("p0 buy chapel", {}, {}, "thin_deck"),
        ("p0 done", {}, {}, "buys_nothing"),
    ],
)
def test_reasons_are_the_games_own(
    move: str, supply: dict[str, int], rival: dict[str, int], code: str | None
) -> None:
    state = turn(
        {"estate": 1}, coins=8, buying=True, supply=supply, owned=LATE, rival=rival,
        kingdom="size-distortion",
    )  # fmt: skip
    found = reason(state, Move.parse(move))
    assert (found and found.code) == code


@pytest.mark.parametrize(
    ("move", "rival", "curses", "code"),
    [
        ("p0 play witch", {}, 10, "gives_curses"),
        ("p0 play witch", {"moat": 1}, 10, None),
        ("p0 play witch", {}, 0, None),
        ("p0 play mine", {}, 10, "better_card"),
        ("p0 play moneylender", {}, 10, None),
        ("p0 play silver", {}, 10, "all_money"),
    ],
)
def test_a_reason_says_only_what_is_certain(
    move: str, rival: dict[str, int], curses: int, code: str | None
) -> None:
    state = turn({"silver": 1, "estate": 1}, rival=rival, supply={"curse": curses})
    found = reason(state, Move.parse(move))
    assert (found and found.code) == code


def test_every_reason_has_a_sentence_in_both_languages() -> None:
    for language in ("de", "en"):
        texts = ROOT / "rules" / "languages" / language / "dominion.toml"
        sentences = tomllib.loads(texts.read_text(encoding="utf-8"))["reasons"]
        assert set(sentences) == {*CODES, *tasks.CODES}


Piles = list[list[int]]


def by_content(cards: list[int], _random: Random) -> None:
    """A shuffle that depends on the cards alone, so that two engines shuffle alike."""
    cards.sort()
    Random(str(cards)).shuffle(cards)


@pytest.fixture
def same_shuffles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "shuffle", by_content)


def a_kingdom(random: Random) -> list[str]:
    return random.sample(KINGDOM, 10)


def begun(kingdom: list[str], players: int, random: Random) -> DominionState:
    """The first turn of a match with these cards."""
    state = GAME.setup(players, GAME.complete_options(players, {"kingdom": "random"}), False)
    named = iter(kingdom)
    while state.stack:
        moves = state.legal_moves()
        if moves[0].verb == "kingdom":
            wanted = next(named)
            state.apply(next(move for move in moves if move.args[0] == wanted))
        else:
            state.apply(random.choices(moves, state.weights(moves))[0])
    return state


def turn_of_rules(state: DominionState, plans: list[BuyList], piles: Piles) -> None:
    """One turn by the rules, drawing what lies on top of ``piles``."""
    turns = sum(state.turns)
    while not state.over and (state.stack or sum(state.turns) == turns):
        moves = state.legal_moves()
        move = moves[0]
        if move.actor is Actor.PLAYER:
            move = habitual(state, moves, plans)
        elif move.verb in ("draw", "reveal"):
            seat = int(move.args[0][1:])
            if not state.seats[seat].top():
                card = CARDS[_pile(state, seat, piles).pop()]
                move = (DRAW if move.verb == "draw" else REVEAL)[seat][card]
        assert move in moves
        state.apply(move)
        for seat, cards in enumerate(state.seats):
            if not cards.draw_size():
                piles[seat] = []


def _pile(state: DominionState, seat: int, piles: Piles) -> list[int]:
    cards = state.seats[seat]
    assert isinstance(cards, DealtCards)
    if len(piles[seat]) != sum(cards.deck.values()):
        piles[seat] = [NUMBER[card] for card in Counter(cards.deck).elements()]
        by_content(piles[seat], Random())
    return piles[seat]


def numbers(counts: dict[str, int]) -> list[int]:
    return sorted(NUMBER[card] for card in Counter(counts).elements())


def compare(state: DominionState, table: Table) -> None:
    for cards, seat in zip(state.seats, table.seats, strict=True):
        assert isinstance(cards, DealtCards)
        assert numbers(cards.hand) == sorted(seat.hand)
        assert numbers(cards.discards) == sorted(seat.discards)
        assert sorted(numbers(cards.deck) + [NUMBER[c] for c in cards.known_top]) == sorted(
            seat.deck
        )
        owned = {CARDS[card]: number for card, number in enumerate(seat.owned) if number}
        assert owned == {card: number for card, number in cards.owned.items() if number}
    assert {CARDS[c]: n for c, n in enumerate(table.supply) if n} == +Counter(state.piles)
    assert (table.seat, [one.turns for one in table.seats]) == (state.seat, state.turns)
    assert (table.over, table.scores()) == (bool(state.over), list(state.scores()))


@pytest.mark.usefixtures("same_shuffles")
@pytest.mark.parametrize("seed", some(range(24), 6))
def test_whole_matches_are_the_same_card_for_card(seed: int) -> None:
    random = Random(f"playouts {seed}")
    players = 2 + seed % 3
    kingdom = a_kingdom(random)
    state = begun(kingdom, players, random)
    plans = [everything(kingdom, random) for _ in range(players)]
    piles: Piles = [[] for _ in range(players)]
    for seat in range(players):
        _pile(state, seat, piles)
    table = Table.of(state, plans, random)
    compare(state, table)
    while not state.over and state.turns[0] < 40:
        take_turn(table)
        turn_of_rules(state, plans, piles)
        compare(state, table)
    if state.over:
        outcome = state.outcome()
        assert outcome is not None
        best = {seat for seat, chance in enumerate(worth(table)) if chance >= 0.95 / players}
        assert best == set(outcome.ranking[0])
