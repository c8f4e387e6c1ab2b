"""Habitual answers to the questions of cards: what to gain, to trash, to discard.

Only the player's own knowledge counts: the own hand, the cards that each player owns, the piles. It
does not matter in which order cards lie in a hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.players.crafts.dominion.lists import (
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
    FESTIVAL,
    GARDENS,
    GOLD,
    IS_ACTION,
    IS_VICTORY,
    KINDS,
    LABORATORY,
    MARKET,
    MILITIA,
    MOAT,
    MONEYLENDER,
    POINTS,
    PROVINCE,
    SILVER,
    SMITHY,
    SPY,
    VILLAGE,
    WITCH,
    WOODCUTTER,
    WORKSHOP,
)  # fmt: skip
from rules.players.crafts.dominion.table import Seat, Table

NONE = -1
"""No card."""

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
    """The card to gain that costs at most ``limit``; NONE only if there is none (DO14)."""
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
    """True if the Thief takes the trashed card."""
    return card != COPPER


# -- cards that go --------------------------------------------------------------------------

_NEVER_LAST = frozenset({FESTIVAL, VILLAGE, MARKET, LABORATORY, SPY})
"""Cards that cost no action in the end."""
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
    last = [card for card in hand if IS_ACTION[card] and card not in _NEVER_LAST]
    if len(last) > 1 and VILLAGE not in hand and FESTIVAL not in hand:
        return _least(last)
    return least


def cellar_discards(table: Table, cards: Seat) -> int:
    """A card that is of no use in this turn; NONE if all are of use."""
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
    return _least(others) if others else max(hand, key=lambda card: (-POINTS[card], card))


def to_topdeck(hand: Sequence[int]) -> int:
    """Bureaucrat: a victory card, NONE if there is none."""
    for card in (ESTATE, DUCHY, PROVINCE, GARDENS):
        if card in hand:
            return card
    return NONE


# -- other answers --------------------------------------------------------------------------


def library_keeps(table: Table, card: int) -> bool:
    """True if an action card can still be played, and so is kept."""
    return table.actions > 0 or card == MOAT


def spy_keeps(card: int, own: bool) -> bool:
    """True if the card revealed goes back on the pile."""
    useless = IS_VICTORY[card] or card == CURSE
    return not useless if own else useless or card == COPPER


def turns_over(table: Table, cards: Seat) -> bool:
    """Chancellor: True, to draw new cards sooner, unless most of the good is still to come."""
    return len(cards.deck) > 2
