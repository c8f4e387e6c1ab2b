"""Reasons why a move of Opferroulette is not allowed: one code for each, with its rule."""

from __future__ import annotations

from rules.core import Actor, Move, Objection
from rules.games.opferroulette.components import (
    CARD,
    CARDS,
    COLOUR,
    FIELD_COLOURS,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
    PIT,
    SEAT,
)
from rules.games.opferroulette.state import NO_COLOUR, OpferrouletteState, Phase
from rules.hidden import UNSEEN

CODES = (
    "match_over", "wrong_player", "unknown_move", "deal_first", "turn_first",
    "offering_first", "set_up_over", "players_turn", "other_deal", "wrong_hand",
    "already_drawn", "not_in_pile", "stays_hidden", "pit_taken", "on_discards",
    "not_in_hand", "number_needed", "trilithon_needed", "other_colour", "other_number",
    "roll_first", "number_card_too",
)  # fmt: skip

_CARD_VERBS = frozenset({"roll", "roll-fall", "fall", "reverse"})
_DEALT_BY = {
    Phase.OFFER: "offer", Phase.NEUTRAL: "offer", Phase.BALL: "ball", Phase.DEAL: "draw",
    Phase.START: "start", Phase.FALL: "turn", Phase.REFILL: "draw",
}  # fmt: skip
"""The dealer's verb in each of the dealer's phases."""


def violations(state: OpferrouletteState, move: Move) -> list[Objection]:
    """The reasons why ``move`` is not allowed now; empty means legal."""
    phase = state.phase
    if phase is Phase.OVER:
        return [Objection.of("6.4", "match_over")]
    if not _exists(state, move):
        return [Objection.of("6.3", "unknown_move", move=move.text)]
    if move.player is None:
        return _to_dealer(state, move)
    if phase is Phase.FALL:
        return [Objection.of("6.3", "turn_first", player=state.turn)]
    if phase is not Phase.TURN and phase is not Phase.TRILITHON:
        return [Objection.of("6.3" if phase is Phase.REFILL else "6.2", "deal_first")]
    seat = move.player
    if seat != state.turn:
        rule = "6.3" if phase is Phase.TURN else "OR18"
        return [Objection.of(rule, "wrong_player", player=state.turn, other=seat)]
    if phase is Phase.TRILITHON:
        return _to_offering(state, seat, move)
    if move.verb == "offer":
        return [Objection.of("6.2", "set_up_over")]
    if move.verb == "done":
        # OR5: trilithon cards go with a number card, so one has to be played now.
        if state.played and state.colour == NO_COLOUR and not state.alone:
            return [Objection.of("OR5", "number_card_too", player=seat)]
        return []
    return _to_card(state, seat, move.verb, CARD[move.args[0]])


def _exists(state: OpferrouletteState, move: Move) -> bool:
    """True if the text is a move of this game with these players at all."""
    seats = range(state.players)
    match move.verb, move.args:
        case verb, (card,) if verb in _CARD_VERBS:
            return move.player in seats and card in CARD
        case "offer", (pit,):
            return move.player in seats and pit in PIT
        case "done", ():
            return move.player in seats
        case "offer", (target, card) if move.actor is Actor.DEALER:
            return card in CARD and (target == "neutral" or SEAT.get(target) in seats)
        case "draw", (target, card) if move.actor is Actor.DEALER:
            return (card in CARD or card == UNSEEN) and SEAT.get(target) in seats
        case (("ball" | "turn"), (card,)) if move.actor is Actor.DEALER:
            return card in CARD
        case "start", (target,) if move.actor is Actor.DEALER:
            return SEAT.get(target) in seats
    return False


# -- 6.2 Set-up, and everything dealt ---------------------------------------------------------


def _to_offering(state: OpferrouletteState, seat: int, move: Move) -> list[Objection]:
    if move.verb != "offer":
        return [Objection.of("OR18", "offering_first", player=seat)]
    if not state.shared and (owners := state.pits[PIT[move.args[0]]]):
        colour = state.paint.colours[owners[0]]
        return [Objection.of("OR10", "pit_taken", site=move.args[0], colour=colour)]
    return []


def _to_dealer(state: OpferrouletteState, move: Move) -> list[Objection]:
    phase, verb, seat = state.phase, move.verb, state.turn
    if phase not in _DEALT_BY:
        return [Objection.of("6.3", "players_turn", player=seat)]
    rule = "6.3" if phase in (Phase.FALL, Phase.REFILL) else "6.2"
    if verb != _DEALT_BY[phase]:
        return [Objection.of(rule, "other_deal", verb=_DEALT_BY[phase])]
    if verb == "start":
        return []
    name = move.args[-1]
    if verb in ("offer", "draw"):
        target = "neutral" if phase is Phase.NEUTRAL else f"p{seat}"
        if move.args[0] != target:
            return [Objection.of(rule, "wrong_hand", target=target)]
    if verb in ("offer", "ball"):
        if CARD[name] not in state.undrawn:
            return [Objection.of("6.2", "already_drawn", card=name)]
    elif verb == "turn":
        if CARD[name] not in state.deck.drawable():
            return [Objection.of("OR20", "not_in_pile", card=name)]
    elif state.physical:
        if name != UNSEEN:
            return [Objection.of("6.2", "stays_hidden", player=seat)]
    elif name == UNSEEN:
        return [Objection.of(rule, "unknown_move", move=move.text)]
    elif CARD[name] not in state.deck.drawable():
        return [Objection.of("OR20", "not_in_pile", card=name)]
    return []


# -- 6.3 Turn ---------------------------------------------------------------------------------


def _to_card(state: OpferrouletteState, seat: int, verb: str, card: int) -> list[Objection]:
    name = CARDS[card]
    if card in state.deck.discards:
        return [Objection.of("6.3", "on_discards", player=seat, card=name)]
    if not state.deck.holds(seat, card):
        return [Objection.of("6.3", "not_in_hand", player=seat, card=name)]
    if verb == "reverse":
        return _to_reverse(state, seat, card)
    if card >= NUMBER_CARDS:
        return [Objection.of("OR6", "number_needed", card=name)]
    colour = COLOUR[card]
    if state.colour not in (NO_COLOUR, colour):
        own, wanted = FIELD_COLOURS[colour], FIELD_COLOURS[state.colour]
        # OR1 is about black alone, and what the ball would do with this card does not help here.
        rule = "OR1" if "black" in (own, wanted) else "6.3"
        return [Objection.of(rule, "other_colour", card=name, colour=own, wanted=wanted)]
    if verb == "fall" and state.colour == NO_COLOUR:
        return [Objection.of("6.3", "roll_first", player=seat)]
    if verb == "roll-fall":
        field, number = NEXT[state.facing][state.ball][colour], NUMBER[card]
        if field != number:
            return [Objection.of("OR8", "other_number", card=name, field=field, number=number)]
    return []


def _to_reverse(state: OpferrouletteState, seat: int, card: int) -> list[Objection]:
    if card < NUMBER_CARDS:
        return [Objection.of("OR6", "trilithon_needed", card=CARDS[card])]
    needed = state.colour == NO_COLOUR and not state.alone
    if needed and not state.holds_number_card(seat, card):
        return [Objection.of("OR5", "number_card_too", player=seat)]
    return []
