"""Playouts of Dominion are played at a table of numbers; it says the same as the rules."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rules.core import Actor
from rules.games.dominion import GAME
from rules.games.dominion.components import CARDS, KINGDOM
from rules.games.dominion.holdings import DealtCards
from rules.games.dominion.moves import DRAW, REVEAL
from rules.games.dominion.state import DominionState
from rules.players.crafts.dominion import table as table_module
from rules.players.crafts.dominion.answers import habitual
from rules.players.crafts.dominion.lists import NUMBER, BuyList
from rules.players.crafts.dominion.table import Table
from rules.players.crafts.dominion.turns import take_turn, worth
from tests.support.dominion_lists import everything

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
@pytest.mark.parametrize("seed", range(24))
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
