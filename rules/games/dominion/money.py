"""Two simple money strategies, the yardsticks among strategies.

*Big money* lays all treasures and buys Province, Gold or Silver. *Late greens* does the same, and
takes Duchies and Estates when the Provinces run low. Other strategies are measured against them,
and so is the speed of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from rules.core import Move
from rules.games.dominion import GAME
from rules.games.dominion.moves import BUY, DONE, PLAY
from rules.games.dominion.state import DominionState


def money_move(state: DominionState) -> Move:
    """What big money does in its turn; it plays no actions, so it is asked nothing else."""
    seat = state.seat
    hand = state.seats[seat].kinds()
    for treasure in ("gold", "silver", "copper"):
        if treasure in hand:
            return PLAY[seat][treasure]
    coins, supply = state.coins, state.supply
    if coins >= 8 and supply["province"]:
        return BUY[seat]["province"]
    if coins >= 6 and supply["gold"]:
        return BUY[seat]["gold"]
    if coins >= 3 and supply["silver"]:
        return BUY[seat]["silver"]
    return DONE[seat]


def late_greens_move(state: DominionState) -> Move:
    """Big money that buys lesser victory cards once few Provinces are left."""
    move = money_move(state)
    if move.verb == "play":
        return move
    seat, coins, supply = state.seat, state.coins, state.supply
    if coins >= 8 and supply["province"]:
        return move
    if coins >= 5 and supply["province"] <= 4 and supply["duchy"]:
        return BUY[seat]["duchy"]
    if coins >= 2 and supply["province"] <= 2 and supply["estate"]:
        return BUY[seat]["estate"]
    return move


Strategy = Callable[[DominionState], Move]


def money_match(
    seed: int | str, players: int = 2, strategies: Sequence[Strategy] = (money_move,)
) -> DominionState:
    """A whole match of money strategies, dealt out round the table; the position at its end."""
    random = Random(seed)
    state = GAME.setup(players, GAME.complete_options(players, {}), physical=False)
    while not state.over:
        if state.stack:
            GAME.deal(state, random)
        else:
            GAME.apply(state, strategies[state.seat % len(strategies)](state))
    return state
