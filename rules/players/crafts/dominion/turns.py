"""Turns and whole matches at a table for playouts, everybody playing by habit and by list."""

from __future__ import annotations

from rules.players.craft import from_scores
from rules.players.crafts.dominion import playing
from rules.players.crafts.dominion.cards import COINS, COST
from rules.players.crafts.dominion.effects import play
from rules.players.crafts.dominion.table import Table

__all__ = ["play_out", "take_turn", "worth"]

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
    """8.3: a victory is 1, shared by those who share it, and a clear one is worth a little more."""
    scores = table.scores()
    results = [(points, -one.turns) for points, one in zip(scores, table.seats, strict=True)]
    best = max(results)
    first = results.count(best)
    margins = from_scores(scores)
    return [
        (0.95 / first if result == best else 0.0) + 0.05 * margin
        for result, margin in zip(results, margins, strict=True)
    ]
