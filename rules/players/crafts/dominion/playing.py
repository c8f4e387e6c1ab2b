"""The play and the purchases of an experienced player in a turn.

Only the player's own knowledge counts: the own hand, the cards that each player owns, the piles. It
does not matter in which order cards lie in a hand.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.players.crafts.dominion import habits
from rules.players.crafts.dominion.habits import NONE
from rules.players.crafts.dominion.lists import (
    ADVENTURER,
    BUREAUCRAT,
    CELLAR,
    CHANCELLOR,
    CHAPEL,
    COPPER,
    COST,
    COUNCIL_ROOM,
    CURSE,
    DUCHY,
    ESTATE,
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
    POINTS,
    PROVINCE,
    REMODEL,
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

_GOES_ON = {FESTIVAL: 100, VILLAGE: 99, MARKET: 98, LABORATORY: 97, SPY: 96}
"""Cards that cost no action in the end; they are played before all others."""
_DRAWS = {COUNCIL_ROOM: 70, SMITHY: 65, ADVENTURER: 62, MOAT: 38}
_FIRST = {COUNCIL_ROOM: 89, SMITHY: 88, WITCH: 87, MOAT: 86, ADVENTURER: 85}
"""Order with an action to spare: cards that draw come first, and may find the next one's needs."""
_PAYS = {WOODCUTTER: 44, BUREAUCRAT: 47, CHANCELLOR: 45, WORKSHOP: 42, FEAST: 58, THIEF: 40}

_WORTH = [0] * KINDS
for _table in (_GOES_ON, _DRAWS, _PAYS):
    for _card, _worth in _table.items():
        _WORTH[_card] = _worth
_DEPENDS: dict[int, Callable[[Table, Seat], int]] = {}
"""Cards that are worth playing or not by what else there is."""


def next_action(table: Table, cards: Seat) -> int:
    """The action card to play next from the hand; NONE ends the action phase."""
    hand = cards.hand
    if not hand or max(hand) < ADVENTURER:
        return NONE
    spare = table.actions > 1
    best, chosen = 0, NONE
    for card in hand:
        if not IS_ACTION[card]:
            continue
        depends = _DEPENDS.get(card)
        worth = _WORTH[card] if depends is None else depends(table, cards)
        if spare and worth > 0 and card in _FIRST:
            worth = _FIRST[card]
        if worth > best or (worth == best and card < chosen):
            best, chosen = worth, card
    return chosen


def _throne_room(table: Table, cards: Seat) -> int:
    target = enthroned(table, cards)
    if target < 0 or not _playable(table, cards, target):
        return 0
    # A last card is played twice once everything that costs nothing lies; another one at once.
    return 95 if target not in _GOES_ON else 110


def _playable(table: Table, cards: Seat, target: int) -> bool:
    depends = _DEPENDS.get(target)
    return target != THRONE_ROOM and (depends is None or depends(table, cards) > 0)


def _cellar(table: Table, cards: Seat) -> int:
    return 90 if habits.cellar_discards(table, cards) >= 0 else 0


def _chapel(table: Table, cards: Seat) -> int:
    number = sum(1 for card in cards.hand if card in (ESTATE, CURSE))
    if number >= 2 and table.supply[PROVINCE] > 4:
        return 85
    return 55 if habits.chapel_trashes(table, cards) >= 0 else 0


def _militia(table: Table, cards: Seat) -> int:
    return 66 if any(len(one.hand) > 3 for one in table.seats if one is not cards) else 46


def _witch(table: Table, cards: Seat) -> int:
    return 80 if table.supply[CURSE] else 39


def _library(table: Table, cards: Seat) -> int:
    more = 7 - (len(cards.hand) - 1)
    if more <= 0:
        return 0
    # Other cards leave the hand first, if there are actions for them.
    return 30 if table.actions > 1 else 30 + 11 * more


def _mine(table: Table, cards: Seat) -> int:
    card = habits.mine_trashes(table, cards)
    if card < 0 or habits.to_mine(table, COST[card] + 3) <= card:
        return 0
    return 52


def _moneylender(table: Table, cards: Seat) -> int:
    return 60 if COPPER in cards.hand else 0


def _remodel(table: Table, cards: Seat) -> int:
    card = habits.remodel_trashes(table, cards)
    if card == GOLD:
        return 75
    return 48 if card in (CURSE, ESTATE) else 0


_DEPENDS |= {
    THRONE_ROOM: _throne_room, CELLAR: _cellar, CHAPEL: _chapel, MILITIA: _militia, WITCH: _witch,
    LIBRARY: _library, MINE: _mine, MONEYLENDER: _moneylender, REMODEL: _remodel,
}  # fmt: skip


def to_buy(table: Table, cards: Seat) -> int:
    """The card to buy with the coins there are; NONE to end the turn."""
    card = cards.plan.pick(table.coins, cards.owned, table.supply)
    if table.supply[PROVINCE] <= 2 or table.empty >= 2:
        return _cautious(table, cards, card)
    return card


def _cautious(table: Table, cards: Seat, card: int) -> int:
    """``card``, unless that ends and loses the match, or leaves the last Province to its winner."""
    own = cards.points()
    others = max(one.points() for one in table.seats if one is not cards)
    supply = table.supply
    if card == PROVINCE:
        left = supply[PROVINCE]
        if (left == 1 and own + 6 < others) or (left == 2 and own < others):
            if (
                table.coins >= COST[DUCHY]
                and supply[DUCHY]
                and not _ends_badly(table, DUCHY, own + 3, others)
            ):
                return DUCHY
            if left == 1:
                return NONE
        return card
    if card >= 0 and _ends_badly(table, card, own + POINTS[card], others):
        return NONE
    return card


def _ends_badly(table: Table, card: int, own: int, others: int) -> bool:
    return table.empty >= 2 and table.supply[card] == 1 and own < others


_TARGETS = (
    WITCH, COUNCIL_ROOM, MILITIA, SMITHY, FESTIVAL, LABORATORY, MARKET, BUREAUCRAT, MONEYLENDER,
    WOODCUTTER, CHANCELLOR, ADVENTURER, LIBRARY, FEAST, MINE, WORKSHOP, THIEF, MOAT, VILLAGE, SPY,
    CHAPEL, REMODEL, CELLAR, THRONE_ROOM,
)  # fmt: skip


def enthroned(table: Table, cards: Seat) -> int:
    """Throne Room: the action card to play twice; a must, NONE only without any (DO25)."""
    hand = cards.hand
    fallback = NONE
    for card in _TARGETS:
        if card in hand:
            if card == THRONE_ROOM or _playable(table, cards, card):
                return card
            if fallback < 0:
                fallback = card
    return fallback
