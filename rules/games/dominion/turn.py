"""8.2 The turn: what its player plays and buys, and what hands do unasked."""

from __future__ import annotations

from rules.core import Actor, Move
from rules.games.dominion.card_questions import put_back
from rules.games.dominion.components import ACTIONS, COINS, COST
from rules.games.dominion.effects import end_turn, play_action
from rules.games.dominion.moves import CARD_MOVES, shape
from rules.games.dominion.state import DominionState


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


def done_by_hand(state: DominionState, move: Move) -> None:
    """What hands do unasked: cards move, nothing follows from it."""
    kind, args = shape(move), move.args
    if move.actor is Actor.DEALER:
        if kind in ("draw", "reveal"):
            pile = state.seats[int(args[0][1:])]
            if pile.ready():
                (pile.draw if kind == "draw" else pile.reveal)(args[1])
        return
    assert move.player is not None
    cards = state.seats[move.player]
    if kind in ("buy", "gain"):
        state.gain(move.player, args[0])
    elif kind == "discard deck":
        cards.turn_over()
    elif kind.endswith("owner"):
        put_back(state, move)
    elif kind in CARD_MOVES and cards.take(args[0]):
        card = args[0]
        if kind == "play":
            cards.play.append(card)
        elif kind == "trash":
            state.put_in_trash(move.player, card)
        elif kind == "discard":
            cards.to_discard(card)
        elif kind == "topdeck":
            cards.to_top(card)
        else:
            cards.aside.append(card)
