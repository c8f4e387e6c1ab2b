"""Turns and whole matches at a table for playouts, all players playing by habit and by list."""

from __future__ import annotations

from collections.abc import Callable

from rules.players.craft import from_scores
from rules.players.crafts.dominion import habits, playing
from rules.players.crafts.dominion.lists import (
    ADVENTURER,
    BUREAUCRAT,
    CELLAR,
    CHANCELLOR,
    CHAPEL,
    COINS,
    COPPER,
    COST,
    COUNCIL_ROOM,
    CURSE,
    FEAST,
    FESTIVAL,
    GOLD,
    IS_ACTION,
    KINDS,
    LABORATORY,
    LIBRARY,
    MARKET,
    MILITIA,
    MINE,
    MOAT,
    MONEYLENDER,
    REMODEL,
    SILVER,
    SMITHY,
    SPY,
    THIEF,
    THRONE_ROOM,
    VILLAGE,
    WITCH,
    WOODCUTTER,
    WORKSHOP,
)  # fmt: skip
from rules.players.crafts.dominion.table import Seat, Table

# Effects of the action cards at a table for playouts (8.4), with all decisions taken by habit.
#
# Card by card the same as ``rules.games.dominion.effects``: the order in which things happen is
# that of the rules, since it decides about draws.

Effect = Callable[[Table, Seat], None]


def play(table: Table, cards: Seat, card: int) -> None:
    """One playing of an action card, wherever it lies."""
    effect = _EFFECTS[card]
    assert effect is not None
    effect(table, cards)


def _victims(table: Table, cards: Seat) -> list[Seat]:
    """DO2, DO18: the others clockwise, except those with a Moat in hand."""
    seats = table.seats
    if len(seats) == 2:
        other = seats[1] if seats[0] is cards else seats[0]
        return [] if table.moats and MOAT in other.hand else [other]
    first = seats.index(cards)
    others = seats[first + 1 :] + seats[:first]
    if table.moats:
        return [other for other in others if MOAT not in other.hand]
    return others


def _trash(cards: Seat, card: int) -> None:
    cards.hand.remove(card)
    cards.owned[card] -= 1


def _gain(table: Table, cards: Seat, limit: int) -> int:
    card = habits.to_gain(table, cards, limit)
    if card >= 0 and table.gain(cards, card):
        cards.discards.append(card)
    return card


def _adventurer(table: Table, cards: Seat) -> None:
    aside: list[int] = []
    found = 0
    while found < 2:
        card = cards.lift(table.random)
        if card < 0:
            break
        if COINS[card]:
            cards.hand.append(card)
            found += 1
        else:
            aside.append(card)
    cards.discards += aside


def _bureaucrat(table: Table, cards: Seat) -> None:
    victims = _victims(table, cards)
    if table.gain(cards, SILVER):
        cards.deck.append(SILVER)
    for other in victims:
        card = habits.to_topdeck(other.hand)
        if card >= 0:
            other.hand.remove(card)
            other.deck.append(card)


def _cellar(table: Table, cards: Seat) -> None:
    table.actions += 1
    number = 0
    while (card := habits.cellar_discards(table, cards)) >= 0:
        cards.hand.remove(card)
        cards.discards.append(card)
        number += 1
    cards.draw(number, table.random)


def _chancellor(table: Table, cards: Seat) -> None:
    table.coins += 2
    if cards.deck and habits.turns_over(table, cards):
        cards.discards += cards.deck
        cards.deck = []


def _chapel(table: Table, cards: Seat) -> None:
    for _ in range(4):
        card = habits.chapel_trashes(table, cards)
        if card < 0:
            return
        _trash(cards, card)


def _council_room(table: Table, cards: Seat) -> None:
    table.buys += 1
    cards.draw(4, table.random)
    first = table.seats.index(cards)
    for other in table.seats[first + 1 :] + table.seats[:first]:
        other.draw(1, table.random)


def _feast(table: Table, cards: Seat) -> None:
    # DO6: under a Throne Room it is gone already the second time.
    if FEAST in cards.play:
        cards.play.remove(FEAST)
        cards.owned[FEAST] -= 1
    _gain(table, cards, 5)


def _festival(table: Table, cards: Seat) -> None:
    table.actions += 2
    table.buys += 1
    table.coins += 2


def _laboratory(table: Table, cards: Seat) -> None:
    table.actions += 1
    cards.draw(2, table.random)


def _library(table: Table, cards: Seat) -> None:
    aside: list[int] = []
    while len(cards.hand) < 7:
        card = cards.lift(table.random)
        if card < 0:
            break
        if IS_ACTION[card] and not habits.library_keeps(table, card):
            aside.append(card)
        else:
            cards.hand.append(card)
    cards.discards += aside


def _market(table: Table, cards: Seat) -> None:
    table.actions += 1
    table.buys += 1
    table.coins += 1
    cards.draw(1, table.random)


def _militia(table: Table, cards: Seat) -> None:
    victims = _victims(table, cards)
    table.coins += 2
    for other in victims:
        while len(other.hand) > 3:
            card = habits.militia_discards(other)
            other.hand.remove(card)
            other.discards.append(card)


def _mine(table: Table, cards: Seat) -> None:
    card = habits.mine_trashes(table, cards)
    if card < 0:
        return
    _trash(cards, card)
    better = habits.to_mine(table, COST[card] + 3)
    if better >= 0 and table.gain(cards, better):
        cards.hand.append(better)


def _moat(table: Table, cards: Seat) -> None:
    cards.draw(2, table.random)


def _moneylender(table: Table, cards: Seat) -> None:
    if COPPER in cards.hand:
        _trash(cards, COPPER)
        table.coins += 3


def _remodel(table: Table, cards: Seat) -> None:
    card = habits.remodel_trashes(table, cards)
    if card >= 0:
        _trash(cards, card)
        _gain(table, cards, COST[card] + 2)


def _smithy(table: Table, cards: Seat) -> None:
    cards.draw(3, table.random)


def _spy(table: Table, cards: Seat) -> None:
    victims = _victims(table, cards)
    table.actions += 1
    cards.draw(1, table.random)
    for other in (cards, *victims):
        card = other.lift(table.random)
        if card < 0:
            continue
        if habits.spy_keeps(card, own=other is cards):
            other.deck.append(card)
        else:
            other.discards.append(card)


def _thief(table: Table, cards: Seat) -> None:
    loot: list[int] = []
    for other in _victims(table, cards):
        shown = [other.lift(table.random), other.lift(table.random)]
        best = max((card for card in shown if card <= GOLD), default=-1)
        if best >= 0:
            shown.remove(best)
            other.owned[best] -= 1
            loot.append(best)
        other.discards += [card for card in shown if card >= 0]
    for card in loot:
        if habits.steals(card):
            cards.owned[card] += 1
            cards.discards.append(card)


def _throne_room(table: Table, cards: Seat) -> None:
    card = playing.enthroned(table, cards)
    if card >= 0:
        cards.hand.remove(card)
        cards.play.append(card)
        play(table, cards, card)
        play(table, cards, card)


def _village(table: Table, cards: Seat) -> None:
    table.actions += 2
    cards.draw(1, table.random)


def _witch(table: Table, cards: Seat) -> None:
    victims = _victims(table, cards)
    cards.draw(2, table.random)
    for other in victims:
        if table.gain(other, CURSE):
            other.discards.append(CURSE)


def _woodcutter(table: Table, cards: Seat) -> None:
    table.buys += 1
    table.coins += 2


def _workshop(table: Table, cards: Seat) -> None:
    _gain(table, cards, 4)


_EFFECTS: list[Effect | None] = [None] * KINDS
for _card, _effect in (
    (ADVENTURER, _adventurer), (BUREAUCRAT, _bureaucrat), (CELLAR, _cellar),
    (CHANCELLOR, _chancellor), (CHAPEL, _chapel), (COUNCIL_ROOM, _council_room), (FEAST, _feast),
    (FESTIVAL, _festival), (LABORATORY, _laboratory), (LIBRARY, _library), (MARKET, _market),
    (MILITIA, _militia), (MINE, _mine), (MOAT, _moat), (MONEYLENDER, _moneylender),
    (REMODEL, _remodel), (SMITHY, _smithy), (SPY, _spy), (THIEF, _thief),
    (THRONE_ROOM, _throne_room), (VILLAGE, _village), (WITCH, _witch), (WOODCUTTER, _woodcutter),
    (WORKSHOP, _workshop),
):  # fmt: skip
    _EFFECTS[_card] = _effect
assert all((_effect is None) != IS_ACTION[card] for card, _effect in enumerate(_EFFECTS))


LONGEST = 60
"""Turns of each player after which a playout is judged by the points."""


def take_turn(table: Table) -> None:
    """The rest of the turn."""
    cards = table.seats[table.seat]
    if not table.buying:
        while table.actions:
            card = playing.next_action(table, cards)
            if card < 0:
                break
            cards.hand.remove(card)
            cards.play.append(card)
            table.actions -= 1
            play(table, cards, card)
    for card in cards.hand:
        table.coins += COINS[card]
    while table.buys:
        card = playing.to_buy(table, cards)
        if card < 0 or not table.gain(cards, card):
            break
        cards.discards.append(card)
        table.coins -= COST[card]
        table.buys -= 1
    table.end_turn()


def play_out(table: Table) -> list[float]:
    """The match to its end; what each seat gets for it, 0 … 1."""
    for _ in range(LONGEST * len(table.seats)):
        if table.over:
            break
        take_turn(table)
    return worth(table)


def worth(table: Table) -> list[float]:
    """8.3: a victory is 1, divided if it is shared, and a clear one is worth a little more."""
    scores = table.scores()
    results = [(points, -one.turns) for points, one in zip(scores, table.seats, strict=True)]
    best = max(results)
    first = results.count(best)
    margins = from_scores(scores)
    return [
        (0.95 / first if result == best else 0.0) + 0.05 * margin
        for result, margin in zip(results, margins, strict=True)
    ]
