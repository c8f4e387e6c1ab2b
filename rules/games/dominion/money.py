"""Big money, the yardstick among strategies: lay all treasures, buy Province, Gold or Silver.

Other strategies are measured against it, and so is the speed of this package.
"""

from __future__ import annotations

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


def money_match(seed: int | str, players: int = 2) -> DominionState:
    """A whole match of big money against big money; the position at its end."""
    random = Random(seed)
    state = GAME.setup(players, GAME.complete_options(players, {}), physical=False)
    while not state.over:
        if state.stack:
            GAME.deal(state, random)
        else:
            GAME.apply(state, money_move(state))
    return state
