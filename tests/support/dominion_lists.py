"""Players of Dominion who buy whatever there is, so that every card is played."""

from __future__ import annotations

from random import Random

from rules.players.crafts.dominion.lists import BuyList


def everything(kingdom: list[str], random: Random) -> BuyList:
    """A list that buys whatever there is, so that every card is played."""
    cards = random.sample(kingdom, 10)
    wanted = [f"{card}:{random.randint(1, 3)}" for card in cards]
    money = ["province+gold:1", "duchy@4", "estate@2", "gold:3", "silver:4"]
    split = random.randint(0, 10)
    return BuyList("everything", [*money[:3], *wanted[:split], *money[3:], *wanted[split:]])
