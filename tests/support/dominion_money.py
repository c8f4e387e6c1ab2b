"""Two simple money strategies, the yardsticks among strategies.

*Big money* lays all treasures and buys Province, Gold or Silver. *Late greens* does the same, and
takes Duchies and Estates when the Provinces run low. Other strategies are measured against them,
and so is the speed of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from rules.core import Actor, Move
from rules.games.dominion import GAME
from rules.games.dominion.effects import QUESTIONS, settle
from rules.games.dominion.holdings import DealtCards
from rules.games.dominion.moves import BUY, DONE, PLAY
from rules.games.dominion.state import DominionState


def money_move(state: DominionState) -> Move:
    """The move of big money in its turn; it plays no actions, so it is asked nothing else."""
    seat = state.seat
    hand = state.seats[seat].kinds()
    for treasure in ("gold", "silver", "copper"):
        if treasure in hand:
            return PLAY[seat][treasure]
    coins, supply = state.coins, state.piles
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
    seat, coins, supply = state.seat, state.coins, state.piles
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
            deal(state, random)
        else:
            state.apply(strategies[state.seat % len(strategies)](state))
    return state


def deal(state: DominionState, random: Random) -> None:
    """Answer everything the dealer is asked now, at random and without a log of moves.

    The chances are the same as those of playing the moves one by one.
    """
    while state.stack:
        frame = state.stack[-1]
        cards = state.seats[frame[1]]
        if frame[0] == "draw" and isinstance(cards, DealtCards) and not cards.known_top:
            left = frame[2]
            while left and cards.deck:
                card = _drawn_from(cards.deck, random)
                cards.draw(card)
                left -= 1
            state.stack[-1] = ("draw", frame[1], left)
            settle(state)
        elif QUESTIONS[frame[0]].actor is Actor.DEALER:
            moves = state.legal_moves()
            state.apply(random.choices(moves, state.weights(moves))[0])
        else:
            return


def _drawn_from(deck: dict[str, int], random: Random) -> str:
    """A card of the pile, each equally likely."""
    at = int(random.random() * sum(deck.values()))
    for card, number in deck.items():
        at -= number
        if at < 0:
            return card
    raise AssertionError("an empty pile has been drawn from")
