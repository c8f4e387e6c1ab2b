"""BigMoneyUltimate at our table decides as pyminion's own bot does.

Skipped beside pyminion itself where that is not installed.
"""

from __future__ import annotations

import logging
from collections import Counter
from random import Random
from typing import Any

import pytest

from benchmarks.opponents.big_money_ultimate import big_money_ultimate, purchase
from benchmarks.opponents.contest import contest
from rules.games.dominion import GAME
from rules.games.dominion.holdings import DealtCards
from rules.games.dominion.state import DominionState
from rules.match import Match
from tests.support.needed import PYMINION

CARDS = ("copper", "silver", "gold", "estate", "duchy", "province", "smithy")


def situation(random: Random) -> tuple[int, dict[str, int], dict[str, int]]:
    """Coins, what is owned, and the piles, as they come in any part of a match."""
    money = random.randint(0, 12)
    owned = {card: random.randint(0, 8) for card in CARDS}
    supply = {card: random.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 8)) for card in CARDS}
    return money, {card: number for card, number in owned.items() if number}, supply


@pytest.mark.parametrize(
    ("money", "owned", "provinces", "bought"),
    [
        (8, {"copper": 7, "silver": 5}, 8, "province"),
        (8, {"copper": 7, "silver": 4}, 8, "gold"),
        (5, {"copper": 7}, 4, "duchy"),
        (6, {"copper": 7}, 2, "duchy"),
        (2, {"copper": 7}, 2, "estate"),
        (6, {"copper": 7}, 6, "gold"),
        (5, {"copper": 7}, 6, "duchy"),
        (4, {"copper": 7}, 8, "smithy"),
        (4, {"copper": 7, "smithy": 1}, 8, "silver"),
        (4, {"copper": 12, "smithy": 1}, 8, "smithy"),
        (2, {"copper": 7}, 8, ""),
    ],
)
def test_it_buys_in_the_order_of_its_source(
    money: int, owned: dict[str, int], provinces: int, bought: str
) -> None:
    supply = dict.fromkeys(CARDS, 8) | {"province": provinces}
    assert purchase(money, owned, supply) == bought


def test_it_plays_whole_matches_against_itself() -> None:
    (played,) = contest(
        GAME, 2, big_money_ultimate, big_money_ultimate, 1, options={"kingdom": "first-game"}
    )
    assert played.outcome.reason == "provinces"


def test_a_smithy_is_played_and_all_treasures_are_laid() -> None:
    match = Match(GAME, 2, {"kingdom": "first-game"}, seed=3)
    while match.deal():
        pass
    state = match.state
    assert isinstance(state, DominionState)
    state.seats[state.seat].to_hand("smithy")
    coppers = 0
    seen = []
    while match.state.turns == [0, 0]:
        if not match.deal():
            coppers = max(coppers, cards_in_hand(match).get("copper", 0))
            seen.append(big_money_ultimate(match, state.seat, Random(1)))
            match.push(seen[-1])
    assert seen[0].args == ("smithy",)
    assert coppers and [move.args for move in seen].count(("copper",)) == coppers


def cards_in_hand(match: Match) -> dict[str, int]:
    cards = match.state.seats[match.state.seat]
    assert isinstance(cards, DealtCards)
    return cards.hand


def test_it_decides_as_pyminions_own_bot() -> None:
    level, handlers = logging.root.level, logging.root.handlers[:]
    base: Any = pytest.importorskip("pyminion.expansions.base", reason=PYMINION)
    core: Any = pytest.importorskip("pyminion.core", reason=PYMINION)
    bots: Any = pytest.importorskip("pyminion.bots.examples", reason=PYMINION)
    logging.root.setLevel(level)  # importing pyminion turns the logs of everybody on
    logging.root.handlers[:] = handlers
    random = Random(18)
    bot = bots.BigMoneyUltimate()

    class Shop:
        """As much of a pyminion game as the bot looks at."""

        supply: Any

    counted: Counter[str] = Counter()
    for _ in range(2000):
        money, owned, supply = situation(random)
        cards = [getattr(base, card) for card, number in owned.items() for _ in range(number)]
        random.shuffle(cards)
        bot.hand.cards, bot.deck.cards = cards[:5], cards[5:]
        bot.discard_pile.cards, bot.playmat.cards = [], []
        bot.state.money = money
        shop = Shop()
        piles = {card: core.Pile([getattr(base, card)] * 8) for card in CARDS}
        for card, pile in piles.items():
            pile.cards = pile.cards[: supply[card]]
        shop.supply = core.Supply(list(piles.values()))
        theirs = bot.decider.buy_phase_decision([], bot, shop)
        ours = purchase(money, owned, supply)
        assert ours == ("" if theirs is None else theirs.name.lower())
        counted[ours] += 1
        played = bot.decider.action_phase_decision([], bot, shop)
        assert (played is not None) == (base.smithy in bot.hand.cards)
        assert bot.decider.discard_decision(
            "", base.militia, bot.hand.cards, bot, shop, 2, 2
        ) == bot.hand.cards[:2]  # fmt: skip
    assert min(counted[card] for card in (*CARDS[1:], "")) > 20
