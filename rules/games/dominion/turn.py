"""8.2 The turn: what its player is asked, may not do, plays and buys."""

from __future__ import annotations

from functools import lru_cache

from rules.core import Actor, Move, Objection, Prompt
from rules.games.dominion.cards import ACTIONS, COINS, COST
from rules.games.dominion.effects import end_turn, play_action
from rules.games.dominion.questions import not_held
from rules.games.dominion.state import DominionState


@lru_cache(maxsize=8192)
def turn_prompt(seat: int, buying: bool, actions: int, buys: int, coins: int) -> Prompt:
    """Who must do what, while nothing else is asked."""
    code = "buy" if buying else "action"
    params = (("actions", actions), ("buys", buys), ("coins", coins))
    return Prompt(Actor.PLAYER, seat, code, "8.2", params)


def refuse_turn(state: DominionState, move: Move) -> list[Objection]:
    """8.2: why the player whose turn it is may not do this; play, buy or done."""
    seat = state.seat
    if move.verb == "done":
        return []
    card = move.args[0]
    if move.verb == "buy":
        found = []
        if not state.supply.get(card):
            found.append(Objection.of("DO10", "pile_empty", card=card))
        if COST[card] > state.coins:
            found.append(
                Objection.of("8.2", "too_dear", card=card, cost=COST[card], coins=state.coins)
            )
        return found
    if card in ACTIONS:
        if state.buying:
            found = [Objection.of("DO12", "action_phase_over", player=seat)]
        elif not state.actions:
            found = [Objection.of("8.2", "no_actions", player=seat)]
        else:
            found = []
    elif card in COINS:
        late = state.treasures_first and state.bought
        found = [Objection.of("DO1", "treasure_after_buy", card=card)] if late else []
    else:
        found = [Objection.of("8.2", "not_playable", card=card)]
    if not state.seats[seat].may_hold(card):
        found.append(not_held(state, seat, card))
    return found


def play(state: DominionState, seat: int, card: str) -> None:
    """A card of the hand is played."""
    cards = state.seats[seat]
    if not cards.take(card):
        return
    cards.play.append(card)
    coins = COINS.get(card)
    if coins is not None:
        state.coins += coins
        state.buying = True  # DO12
    elif card in ACTIONS:
        state.actions = max(0, state.actions - 1)
        play_action(state, seat, card)


def buy(state: DominionState, seat: int, card: str) -> None:
    """A card of the supply is bought; the last buy ends the turn."""
    if not state.gain(seat, card):
        return
    state.coins = max(0, state.coins - COST[card])
    state.buys -= 1
    state.buying = state.bought = True
    if state.buys <= 0:
        end_turn(state)
