"""Turns that were cleared away before anybody saw them: nothing shows which cards were laid and
what was bought (8.7). People say it; the likeliest turns are offered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import comb, log

from rules.core import Belief, Move, Run
from rules.games.dominion.components import COINS, COST
from rules.games.dominion.holdings import WatchedCards
from rules.games.dominion.moves import BUY, DONE, PLAY
from rules.games.dominion.state import NOBODY, DominionState
from rules.games.dominion.table import Table, watched

UNWANTED = 2.0
"""Natural-log odds against buying what hardly anybody wants, or nothing …"""
UNSPENT = 0.7
"""… and against leaving a coin unspent."""


def turns_unseen(state: DominionState, seen: Mapping[str, Belief]) -> Iterator[Run]:
    """Likely open turns of which nothing lies there any more: treasures of the hand and one
    purchase or none, the likeliest first."""
    if not watched(state) or state.over or state.stack or state.seat == NOBODY:
        return
    board = {site: belief.best for site, belief in seen.items()}
    table, seat = Table(state, board), state.seat
    if table.lying or not isinstance(table.cards, WatchedCards):
        return
    turns: list[tuple[float, tuple[str, ...], str]] = []
    for laid, share in _payments(table.cards):
        coins = state.coins + sum(COINS[card] for card in laid)
        turns += [(against - log(share), laid, card) for card, against in _ends(state, coins)]
    for against, laid, card in sorted(turns):
        moves: list[Move] = [PLAY[seat][coin] for coin in laid]
        yield Run((*moves, BUY[seat][card] if card else DONE[seat]), against)


def _payments(cards: WatchedCards) -> Iterator[tuple[tuple[str, ...], float]]:
    """The treasures that the hand may hold, and how likely it holds just these."""
    sure, pool = cards.zones.known("hand"), cards.zones.unseen("hand")
    unknown, total = cards.zones.unknown("hand"), pool.total()
    held = {coin: sure[coin] for coin in COINS}
    most = [range(min(pool[coin], unknown) + 1) for coin in COINS]
    for more in product(*most):
        rest, others = unknown - sum(more), total - sum(pool[coin] for coin in COINS)
        ways = comb(others, rest) if rest >= 0 else 0
        for coin, number in zip(COINS, more, strict=True):
            ways *= comb(pool[coin], number)
        if ways:
            laid = Counter(held) + Counter(dict(zip(COINS, more, strict=True)))
            yield tuple(sorted(laid.elements(), key=_dearest)), ways / comb(total, unknown)


def _dearest(coin: str) -> int:
    return -COINS[coin]


def _ends(state: DominionState, coins: int) -> Iterable[tuple[str, float]]:
    """The ends of a turn with ``coins``: a purchase, or none, each with the odds against it."""
    piles: Mapping[str, int] = state.piles
    cards = [card for card, left in piles.items() if left and COST[card] <= coins and state.buys]
    for card in cards:
        against = UNSPENT * (coins - COST[card])
        yield card, against + (UNWANTED if COST[card] == 0 else 0.0)
    yield "", UNWANTED + UNSPENT * coins
