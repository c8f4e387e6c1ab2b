"""What hands could do beside what is right, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import Actor, Move, Prompt
from rules.games.dominion.asked_by_cards import put_back
from rules.games.dominion.moves import (
    CARD_MOVES,
    DISCARD_DECK,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    KEEP,
    LOT_KINGDOM,
    NAME,
    NONE,
    REVEAL,
    SHOW_MOAT,
    SPY_DISCARD,
    SPY_KEEP,
    START,
    STEAL,
    shape,
    show_hand,
)
from rules.games.dominion.state import DominionState


def attempts(state: DominionState, prompt: Prompt) -> Iterable[Move]:
    """Whatever hands could do with any card of this match, whoever is asked."""
    asked = state.seat if prompt.player is None else prompt.player
    if not state.supply:
        yield from LOT_KINGDOM.values()
        for seat in range(state.players):
            yield from NAME[seat].values()
    yield from START[: state.players]
    for seat in range(state.players):
        verbs = CARD_MOVES if seat == asked else ("play", "buy", "discard")
        yield from (CARD_MOVES[verb][seat][card] for verb in verbs for card in state.supply)
        yield from (DONE[seat], NONE[seat], SHOW_MOAT[seat], KEEP[seat], DISCARD_DECK[seat])
        drawn = list(state.seats[seat].owned)
        if prompt.actor is Actor.PLAYER:
            del drawn[1:]  # drawing too early is one mistake, whatever is drawn
        for card in drawn:
            yield DRAW[seat][card]
            yield REVEAL[seat][card]
        if state.physical:
            yield DRAW_UNSEEN[seat]
        for owner in range(state.players):
            if state.seats[owner].aside and seat == asked:
                for rows in (SPY_DISCARD, SPY_KEEP, STEAL):
                    yield from (rows[seat][owner][card] for card in state.supply)
    if state.stack and state.stack[-1][0] == "moat":
        yield show_hand(asked, ["copper"])
    if state.stack and state.stack[-1][0] == "bureaucrat":
        hand = [*state.seats[asked].kinds(), *(["curse"] * 5)]
        yield show_hand(asked, hand[: state.seats[asked].hand_size()])


def done_by_hand(state: DominionState, move: Move) -> None:
    """What hands do although nobody asked: cards move, nothing follows from it."""
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
