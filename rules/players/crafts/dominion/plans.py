"""Which lists a player considers in a position: how much of the game they know decides it."""

from __future__ import annotations

from collections.abc import Sequence

from rules.games.dominion.state import DominionState
from rules.players.crafts.dominion.cards import (
    COPPER,
    COST,
    CURSE,
    ESTATE,
    IS_ACTION,
    KINDS,
    NUMBER,
    PROVINCE,
)
from rules.players.crafts.dominion.lists import BuyList, lists_for

__all__ = ["FIRST_MATCH", "FirstMatch", "considered", "likely"]

CONSIDERED = 10
"""Lists that are compared in a position."""
KEPT, BROKEN = 0.03, 0.08
"""What a kingdom card owned says for a list that has it, and against one that has not."""


class FirstMatch(BuyList):
    """What people buy in their first match: whatever costs most, an action card rather than
    money."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("first match", ())

    def pick(self, coins: int, owned: Sequence[int], supply: Sequence[int]) -> int:
        for card in _BY_LOOKS:
            if COST[card] <= coins and supply[card]:
                return card
        return ESTATE if coins >= 2 and supply[PROVINCE] <= 2 and supply[ESTATE] else -1


_BY_LOOKS = sorted(
    (card for card in range(KINDS) if card not in (COPPER, CURSE, ESTATE)),
    key=lambda card: (-COST[card], not IS_ACTION[card], card),
)
FIRST_MATCH = FirstMatch()


def considered(
    state: DominionState, seat: int, level: str, most: int = CONSIDERED
) -> list[tuple[BuyList, float]]:
    """The lists that ``seat`` may go by from here on, and how well each promises to do, 0 … 1; the
    most promising first.

    A list is worth what it is against plain money, more if cards of it are owned already, less if
    others are.
    """
    if level == "apprentice":
        return [(FIRST_MATCH, 0.5)]
    owned = [NUMBER[card] for card in state.seats[seat].owned if card in state.kingdom]
    found = [
        (one, _promise(one, owned)) for one in lists_for(state.kingdom, simple=level == "druid")
    ]
    found.sort(key=lambda pair: -pair[1])
    best = found[0][1]
    # The best of them meets others who know it too.
    return [(one, 0.5 + promise - best) for one, promise in found[:most]]


def _promise(one: BuyList, owned: Sequence[int]) -> float:
    kept = sum(1 for card in owned if card in one.needs)
    return one.rating + KEPT * kept - BROKEN * (len(owned) - kept)


def likely(state: DominionState, seat: int, level: str) -> list[BuyList]:
    """What ``seat`` probably goes by, judged by what it owns."""
    return [one for one, _ in considered(state, seat, level, 2)]
