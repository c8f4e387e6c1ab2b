"""How somebody with experience plays: what to play first, what to trash, discard and gain.

Every habit looks only at what its player knows: the own hand, what everybody owns, the piles. It
does not matter in which order cards lie in a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.players.crafts.dominion.cards import (
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
    DUCHY,
    ESTATE,
    FEAST,
    FESTIVAL,
    GARDENS,
    GOLD,
    IS_ACTION,
    IS_VICTORY,
    KINDS,
    LABORATORY,
    LIBRARY,
    MARKET,
    MILITIA,
    MINE,
    MOAT,
    MONEYLENDER,
    PROVINCE,
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

NONE = -1
"""No card."""

# -- the turn -------------------------------------------------------------------------------

_GOES_ON = {FESTIVAL: 100, VILLAGE: 99, MARKET: 98, LABORATORY: 97, SPY: 96}
"""Cards that cost no action in the end; they are played before all others."""
_DRAWS = {COUNCIL_ROOM: 70, SMITHY: 65, ADVENTURER: 62, MOAT: 38}
_FIRST = {COUNCIL_ROOM: 89, SMITHY: 88, WITCH: 87, MOAT: 86, ADVENTURER: 85}
"""With an action to spare, cards that draw come first: they may find what the next one needs."""
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
    return 90 if cellar_discards(table, cards) >= 0 else 0


def _chapel(table: Table, cards: Seat) -> int:
    number = sum(1 for card in cards.hand if card in (ESTATE, CURSE))
    if number >= 2 and table.supply[PROVINCE] > 4:
        return 85
    return 55 if chapel_trashes(table, cards) >= 0 else 0


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
    card = mine_trashes(table, cards)
    if card < 0 or to_mine(table, COST[card] + 3) <= card:
        return 0
    return 52


def _moneylender(table: Table, cards: Seat) -> int:
    return 60 if COPPER in cards.hand else 0


def _remodel(table: Table, cards: Seat) -> int:
    card = remodel_trashes(table, cards)
    if card == GOLD:
        return 75
    return 48 if card in (CURSE, ESTATE) else 0


_DEPENDS |= {
    THRONE_ROOM: _throne_room, CELLAR: _cellar, CHAPEL: _chapel, MILITIA: _militia, WITCH: _witch,
    LIBRARY: _library, MINE: _mine, MONEYLENDER: _moneylender, REMODEL: _remodel,
}  # fmt: skip


def to_buy(table: Table, cards: Seat) -> int:
    """What to buy with the coins there are; NONE to end the turn."""
    card = cards.plan.pick(table.coins, cards.owned, table.supply)
    if table.supply[PROVINCE] <= 2 or table.empty >= 2:
        return _cautious(table, cards, card)
    return card


def _cautious(table: Table, cards: Seat, card: int) -> int:
    """Nobody ends a match that is lost by it, nor leaves the last Province to who wins with it."""
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
    if card >= 0 and _ends_badly(table, card, own + _points(card), others):
        return NONE
    return card


def _ends_badly(table: Table, card: int, own: int, others: int) -> bool:
    return table.empty >= 2 and table.supply[card] == 1 and own < others


def _points(card: int) -> int:
    return {ESTATE: 1, DUCHY: 3, PROVINCE: 6, CURSE: -1}.get(card, 0)


# -- cards that come in ---------------------------------------------------------------------

_WISHES = (
    PROVINCE, GOLD, WITCH, LABORATORY, MARKET, FESTIVAL, COUNCIL_ROOM, SILVER, MILITIA, SMITHY,
    VILLAGE, DUCHY,
)  # fmt: skip
_GREENS = (PROVINCE, DUCHY, GOLD, GARDENS, SILVER, ESTATE)
_LEFT_OVER = (
    *sorted(
        (card for card in range(KINDS) if card not in (COPPER, CURSE, ESTATE)),
        key=lambda card: (-COST[card], card),
    ),
    ESTATE,
    COPPER,
    CURSE,
)
_EARLY = tuple(dict.fromkeys((*_WISHES, *_LEFT_OVER)))
_LATE = tuple(dict.fromkeys((*_GREENS, *_WISHES, *_LEFT_OVER)))


def to_gain(table: Table, cards: Seat, limit: int) -> int:
    """What to gain that costs at most ``limit``; NONE only if there is nothing (DO14)."""
    supply = table.supply
    card = cards.plan.pick(limit, cards.owned, supply)
    if card >= 0:
        return card
    for card in _LATE if supply[PROVINCE] <= 3 else _EARLY:
        if COST[card] <= limit and supply[card]:
            return card
    return NONE


def to_mine(table: Table, limit: int) -> int:
    """The best treasure up to ``limit``."""
    for card in (GOLD, SILVER, COPPER):
        if COST[card] <= limit and table.supply[card]:
            return card
    return NONE


def steals(card: int) -> bool:
    """Whether the Thief takes what was trashed."""
    return card != COPPER


# -- cards that go --------------------------------------------------------------------------

_KEPT = [20] * KINDS
for _card, _worth in {
    CURSE: 0, PROVINCE: 1, DUCHY: 2, ESTATE: 3, GARDENS: 4, COPPER: 10, CELLAR: 11, CHAPEL: 12,
    WORKSHOP: 13, VILLAGE: 14, WOODCUTTER: 16, CHANCELLOR: 17, MOAT: 18, SILVER: 24, SPY: 25,
    MONEYLENDER: 26, MILITIA: 27, SMITHY: 28, MARKET: 29, FESTIVAL: 30, LABORATORY: 31,
    COUNCIL_ROOM: 32, GOLD: 33, WITCH: 34,
}.items():  # fmt: skip
    _KEPT[_card] = _worth


def _least(cards: Sequence[int]) -> int:
    return min(cards, key=lambda card: (_KEPT[card], card))


def militia_discards(cards: Seat) -> int:
    """The card that will be missed least; of actions that cannot all be played only one is kept."""
    hand = cards.hand
    least = _least(hand)
    if _KEPT[least] < 5:
        return least
    last = [card for card in hand if IS_ACTION[card] and card not in _GOES_ON]
    if len(last) > 1 and VILLAGE not in hand and FESTIVAL not in hand:
        return _least(last)
    return least


def cellar_discards(table: Table, cards: Seat) -> int:
    """What is of no use in this turn; NONE if everything is."""
    for card in (CURSE, ESTATE, DUCHY, PROVINCE, GARDENS):
        if card in cards.hand:
            return card
    return NONE


def chapel_trashes(table: Table, cards: Seat) -> int:
    """Curses, early on Estates, then Coppers as long as enough money is left for this turn."""
    hand = cards.hand
    if CURSE in hand:
        return CURSE
    if ESTATE in hand and table.supply[PROVINCE] > 4:
        return ESTATE
    if COPPER in hand and cards.money() > 5:
        coins = table.coins + sum(COINS[card] for card in hand)
        wanted = cards.plan.pick(coins, cards.owned, table.supply)
        needed = COST[wanted] if wanted >= 0 and COST[wanted] >= 5 else 0
        if coins > needed:
            return COPPER
    return NONE


def mine_trashes(table: Table, cards: Seat) -> int:
    """Silver becomes Gold, or else Copper Silver; a must (DO14)."""
    hand, supply = cards.hand, table.supply
    if SILVER in hand and supply[GOLD]:
        return SILVER
    for card in (COPPER, SILVER, GOLD):
        if card in hand:
            return card
    return NONE


def remodel_trashes(table: Table, cards: Seat) -> int:
    """Near the end Gold becomes a Province; before, what is worth least goes; a must (DO14)."""
    hand, left = cards.hand, table.supply[PROVINCE]
    if not hand:
        return NONE
    if GOLD in hand and 0 < left <= 5:
        return GOLD
    if CURSE in hand:
        return CURSE
    if ESTATE in hand and left > 2:
        return ESTATE
    others = [card for card in hand if not IS_VICTORY[card]]
    return _least(others) if others else max(hand, key=lambda card: (-_points(card), card))


def to_topdeck(hand: Sequence[int]) -> int:
    """Bureaucrat: a victory card, NONE if there is none."""
    for card in (ESTATE, DUCHY, PROVINCE, GARDENS):
        if card in hand:
            return card
    return NONE


# -- other answers --------------------------------------------------------------------------

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


def library_keeps(table: Table, card: int) -> bool:
    """An action card is kept if it can still be played."""
    return table.actions > 0 or card == MOAT


def spy_keeps(card: int, own: bool) -> bool:
    """Whether the card revealed goes back on the pile."""
    useless = IS_VICTORY[card] or card == CURSE
    return not useless if own else useless or card == COPPER


def turns_over(table: Table, cards: Seat) -> bool:
    """Chancellor: what was just bought comes sooner; unless most of the good is still to come."""
    return len(cards.deck) > 2
