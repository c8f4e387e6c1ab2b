"""The cards as data: costs, types, coins, points, piles, kingdoms; read from ``cards.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from rules.core import Choice

COLOURS = ("blue", "red", "green", "yellow")
"""Colours of the seats on the table mat, clockwise."""

_DATA = tomllib.loads((files("rules.games.dominion") / "cards.toml").read_text(encoding="utf-8"))
_CARDS = _DATA["cards"]

CARDS: tuple[str, ...] = tuple(_CARDS)
"""All kinds of cards by their name in move texts; the seven of every match first."""
BASIC = CARDS[:7]
KINGDOM = CARDS[7:]
"""The 25 kingdom cards."""
COST: dict[str, int] = {card: data["cost"] for card, data in _CARDS.items()}
COINS: dict[str, int] = {card: data["coins"] for card, data in _CARDS.items() if "coins" in data}
POINTS: dict[str, int] = {card: data["points"] for card, data in _CARDS.items() if "points" in data}
NAMES: dict[str, dict[str, str]] = {card: data["names"] for card, data in _CARDS.items()}
TYPES: dict[str, tuple[str, ...]] = {card: tuple(data["types"]) for card, data in _CARDS.items()}
DEAREST = max(COST.values())

RARELY_BOUGHT = frozenset({"copper", "curse", "estate"})


def of_type(name: str) -> frozenset[str]:
    """All cards of a type: ``action``, ``attack``, ``reaction``, ``treasure`` …"""
    return frozenset(card for card, data in _CARDS.items() if name in data["types"])


ANY = frozenset(CARDS)
ACTIONS = of_type("action")
ATTACKS = of_type("attack")
TREASURES = of_type("treasure")
VICTORIES = of_type("victory")
GROUPS = {
    **dict.fromkeys(ACTIONS, "action"),
    **dict.fromkeys(ATTACKS, "attack"),
    **dict.fromkeys(of_type("reaction"), "reaction"),
    **dict.fromkeys(TREASURES, "treasure"),
    **dict.fromkeys(VICTORIES, "victory"),
    "curse": "curse",
}
"""Groups of cards by their look on the screen."""

TENS = "tens"
"""DO32: ten of a player's cards, for Gardens."""
COUNTED = (*(card for card in POINTS if card != "curse"), "gardens", "curse", TENS)
"""DO32: cards that score, and are touched at the end; a camera counts every card (``TENS``)."""
UNSCORED = tuple(card for card in CARDS if card not in COUNTED)
"""DO32: cards that only Gardens count, once a camera has seen them."""

KINGDOMS: dict[str, tuple[str, ...]] = {n: tuple(c) for n, c in _DATA["kingdoms"].items()}
"""DO11: the fixed sets of ten."""
KINGDOM_CHOICE = Choice(KINGDOM, 10, by_lot="random")
"""DO11: players may name ten of their own."""
START_DECK: dict[str, int] = _DATA["start"]
"""8.1: the cards that each player begins with."""


def kingdom_of(value: str) -> tuple[str, ...]:
    """The kingdom cards that a value of the option stands for; none if they are settled in the
    match."""
    return KINGDOMS.get(value) or KINGDOM_CHOICE.named(value)


def layout_order(kingdom: list[str] | tuple[str, ...]) -> list[str]:
    """Kingdom cards as their piles lie on the table: by cost, then by name."""
    return sorted(kingdom, key=lambda card: (COST[card], card))


def pile_sizes(players: int, kingdom: list[str]) -> dict[str, int]:
    """8.1: the 17 piles and how many cards lie in each."""
    table = _DATA["piles"]
    sizes = {}
    for card in (*BASIC, *kingdom):
        kind = "kingdom" if card in KINGDOM else card
        if card in VICTORIES:
            kind = "victory"
        sizes[card] = int(table[kind][players - 2])
    return sizes


def points_of(owned: Mapping[str, int]) -> dict[str, int]:
    """8.3, 8.4: the points that a player gets for each kind of their cards."""
    points = {card: POINTS[card] * n for card, n in owned.items() if n and card in POINTS}
    if owned.get("gardens"):
        # DO30: one point per full ten of all own cards, for each Gardens.
        points["gardens"] = owned["gardens"] * _tens_of(owned)
    return points


def _tens_of(owned: Mapping[str, int]) -> int:
    """Full tens of a player's cards. DO32: touched as tens, or counted one by one; whichever was
    done for all of them says more."""
    singly = sum(number for card, number in owned.items() if card != TENS)
    return max(owned.get(TENS, 0), singly // 10)
