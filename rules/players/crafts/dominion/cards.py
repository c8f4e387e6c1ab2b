"""The cards as numbers, for playouts: their place in ``CARDS``, and what each is, as arrays."""

from __future__ import annotations

from rules.games.dominion.components import ACTIONS as ACTION_NAMES
from rules.games.dominion.components import ATTACKS as ATTACK_NAMES
from rules.games.dominion.components import CARDS
from rules.games.dominion.components import COINS as COINS_BY_NAME
from rules.games.dominion.components import COST as COST_BY_NAME
from rules.games.dominion.components import POINTS as POINTS_BY_NAME
from rules.games.dominion.components import VICTORIES as VICTORY_NAMES

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
"""Without Gardens, which count tens of cards (DO30)."""
IS_ACTION: tuple[bool, ...] = tuple(card in ACTION_NAMES for card in CARDS)
IS_ATTACK: tuple[bool, ...] = tuple(card in ATTACK_NAMES for card in CARDS)
IS_VICTORY: tuple[bool, ...] = tuple(card in VICTORY_NAMES for card in CARDS)
