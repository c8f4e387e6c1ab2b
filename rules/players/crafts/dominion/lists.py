"""Buy lists: cards in the order in which they are wanted; read from ``lists.toml``.

A list is a strategy of the kind that players write down for one another: the first card on it that
can be had is bought. A line may stand only up to a number of cards (``witch:2``), only when few
Provinces are left (``duchy@4``), or only once something else is owned (``province+gold:1``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from rules.games.dominion.components import ACTIONS as ACTION_NAMES
from rules.games.dominion.components import CARDS, KINGDOM
from rules.games.dominion.components import COINS as COINS_BY_NAME
from rules.games.dominion.components import COST as COST_BY_NAME
from rules.games.dominion.components import POINTS as POINTS_BY_NAME
from rules.games.dominion.components import VICTORIES as VICTORY_NAMES

# The cards as numbers, for playouts: their place in ``CARDS``, and what each is, as arrays.

KINDS = len(CARDS)
NUMBER: dict[str, int] = {card: number for number, card in enumerate(CARDS)}
"""A card's number by its name in move texts."""

COPPER, SILVER, GOLD = NUMBER["copper"], NUMBER["silver"], NUMBER["gold"]
ESTATE, DUCHY, PROVINCE = NUMBER["estate"], NUMBER["duchy"], NUMBER["province"]
CURSE = NUMBER["curse"]
ADVENTURER, BUREAUCRAT = NUMBER["adventurer"], NUMBER["bureaucrat"]
CELLAR, CHANCELLOR, CHAPEL = NUMBER["cellar"], NUMBER["chancellor"], NUMBER["chapel"]
COUNCIL_ROOM, FEAST, FESTIVAL = NUMBER["council-room"], NUMBER["feast"], NUMBER["festival"]
GARDENS, LABORATORY, LIBRARY = NUMBER["gardens"], NUMBER["laboratory"], NUMBER["library"]
MARKET, MILITIA, MINE, MOAT = NUMBER["market"], NUMBER["militia"], NUMBER["mine"], NUMBER["moat"]
MONEYLENDER, REMODEL, SMITHY = NUMBER["moneylender"], NUMBER["remodel"], NUMBER["smithy"]
SPY, THIEF, THRONE_ROOM = NUMBER["spy"], NUMBER["thief"], NUMBER["throne-room"]
VILLAGE, WITCH = NUMBER["village"], NUMBER["witch"]
WOODCUTTER, WORKSHOP = NUMBER["woodcutter"], NUMBER["workshop"]

COST: tuple[int, ...] = tuple(COST_BY_NAME[card] for card in CARDS)
COINS: tuple[int, ...] = tuple(COINS_BY_NAME.get(card, 0) for card in CARDS)
POINTS: tuple[int, ...] = tuple(POINTS_BY_NAME.get(card, 0) for card in CARDS)
"""Points of each card, without Gardens, which count tens of cards (DO30)."""
IS_ACTION: tuple[bool, ...] = tuple(card in ACTION_NAMES for card in CARDS)
IS_VICTORY: tuple[bool, ...] = tuple(card in VICTORY_NAMES for card in CARDS)


_ALWAYS = 99

Line = tuple[int, int, int, int, int, int]
"""Card, its cost, how many at most, at most how many Provinces left, once how many of what."""


class BuyList:
    """One strategy for buying and gaining."""

    __slots__ = ("lines", "name", "needs", "rating", "simple")

    def __init__(
        self, name: str, wanted: Sequence[str], rating: float = 0.5, simple: bool = False
    ) -> None:
        """``rating``: part of the matches that it wins against plain money with one Smithy;
        ``simple``: money with one kind of kingdom card, as people play after a few matches."""
        self.name, self.rating, self.simple = name, rating, simple
        self.lines: tuple[Line, ...] = tuple(_line(text) for text in wanted)
        self.needs = frozenset(line[0] for line in self.lines if line[0] >= NUMBER[KINGDOM[0]])
        """The kingdom cards on it."""

    def pick(self, coins: int, owned: Sequence[int], supply: Sequence[int]) -> int:
        """The first card wanted that costs at most ``coins``; -1 if none is."""
        provinces = supply[PROVINCE]
        for card, cost, most, near, other, least in self.lines:
            if (
                cost <= coins
                and provinces <= near
                and owned[card] < most
                and supply[card]
                and owned[other] >= least
            ):
                return card
        return -1


def _line(text: str) -> Line:
    text, _, once = text.partition("+")
    text, _, near = text.partition("@")
    card, _, most = text.partition(":")
    other, _, least = once.partition(":")
    number = NUMBER[card]
    return (
        number, COST[number], int(most or _ALWAYS), int(near or _ALWAYS),
        NUMBER[other] if other else 0, int(least or 0),
    )  # fmt: skip


@cache
def _known() -> tuple[BuyList, ...]:
    text = (files("rules.players.crafts.dominion") / "lists.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    frames: dict[str, list[str]] = data["frames"]
    found = []
    for entry in data["lists"]:
        wanted: list[str] = []
        for line in frames[entry["frame"]]:
            wanted += entry.get(line[1:], []) if line.startswith("$") else [line]
        found.append(BuyList(entry["name"], wanted, entry["rating"], entry.get("simple", False)))
    return tuple(sorted(found, key=lambda one: (-one.rating, one.name)))


def lists_for(kingdom: Iterable[str], *, simple: bool = False) -> tuple[BuyList, ...]:
    """The lists that can be played with these kingdom cards, the best first; never empty."""
    return _lists_for(frozenset(kingdom), simple)


@lru_cache(maxsize=64)
def _lists_for(kingdom: frozenset[str], simple: bool) -> tuple[BuyList, ...]:
    there = {NUMBER[card] for card in kingdom}
    return tuple(one for one in _known() if one.needs <= there and one.simple == simple)
