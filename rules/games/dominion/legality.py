"""Reasons why a move is not allowed: its form, the seat asked (8.2), and the question."""

from __future__ import annotations

from rules.core import Actor, Move, Objection
from rules.games.dominion import ledger
from rules.games.dominion.components import ACTIONS, COINS, COST, TREASURES
from rules.games.dominion.effects import QUESTIONS
from rules.games.dominion.moves import DISCARD_UNSEEN, DRAW_UNSEEN, SEAT_NAMES, shape
from rules.games.dominion.questions import not_held
from rules.games.dominion.state import DominionState, Frame

CODES = (
    "match_over", "unknown_move", "wrong_player", "not_in_game", "kingdom_first",
    "not_kingdom_card", "already_named", "start_first", "not_a_candidate", "draw_first",
    "reveal_first", "other_pile", "top_known", "not_in_pile", "stays_hidden", "no_card_due",
    "answer_first", "nothing_asks", "not_owned", "not_in_hand", "no_actions",
    "action_phase_over", "treasure_after_buy", "not_playable", "too_dear", "pile_empty",
    "cost_too_high", "not_a_treasure", "not_an_action", "not_a_victory_card", "only_copper",
    "not_optional", "must_choose", "must_topdeck", "wrong_hand", "only_moat", "not_drawn",
    "not_revealed", "not_trashed_now", "not_entered", "not_counted", "all_counted",
    "none_counted", "not_tied", "fewer_first",
)  # fmt: skip

_UNSEEN_SEATS = {
    move.text: seat for moves in (DRAW_UNSEEN, DISCARD_UNSEEN) for seat, move in enumerate(moves)
}
"""Seat whose cards are moved without being named, by move."""


def violations(state: DominionState, move: Move) -> list[Objection]:
    """Every reason against ``move``; empty if it is legal."""
    if state.over:
        return [Objection.of("8.3", "match_over")]
    kind = shape(move)
    if not state.keeps_ledger and kind in ledger.KINDS:
        kind = ""
    if not kind or (move.player or 0) >= state.players:
        return [Objection.of("8.6", "unknown_move", move=move.text)]
    for arg in move.args:
        if arg in SEAT_NAMES and int(arg[1:]) >= state.players:
            return [Objection.of("8.6", "unknown_move", move=move.text)]
        if arg in COST and state.piles and arg not in state.piles:
            return [Objection.of("8.1", "not_in_game", card=arg)]
    if move.text in _UNSEEN_SEATS and state.seats[_UNSEEN_SEATS[move.text]].dealt:
        return [Objection.of("8.6", "unknown_move", move=move.text)]
    if state.stack:
        return _refuse_answer(state, state.stack[-1], move)
    if state.keeps_ledger:
        return ledger.violations(state, move, kind)
    if move.player is None:
        return [Objection.of("8.2", "no_card_due")]
    if move.player != state.seat:
        return [Objection.of("8.2", "wrong_player", player=state.seat, other=move.player)]
    if kind not in ("play", "buy", "done"):
        return [Objection.of("8.2", "nothing_asks", player=state.seat)]
    return _refuse_turn(state, move)


def _refuse_answer(state: DominionState, frame: Frame, move: Move) -> list[Objection]:
    question = QUESTIONS[frame[0]]
    if question.hears(frame, move):
        return question.refuse(state, frame, move)
    if question.actor is Actor.PLAYER:
        if move.player is None:
            return [Objection.of("8.2", "no_card_due")]
        if move.player != frame[1]:
            # 8.2 would not explain it: a card may be answered by a player whose turn it is not.
            rule = question.first(frame).rule
            return [Objection.of(rule, "wrong_player", player=frame[1], other=move.player)]
    return [question.first(frame)]


def _refuse_turn(state: DominionState, move: Move) -> list[Objection]:
    """8.2: why the player whose turn it is may not do this; play, buy or done."""
    seat = state.seat
    if move.verb == "done":
        return []
    card = move.args[0]
    if move.verb == "buy":
        found = []
        if not state.piles.get(card):
            found.append(Objection.of("DO10", "pile_empty", card=card))
        if COST[card] > state.coins:
            laid = any(played in TREASURES for played in state.seats[seat].play)
            found.append(
                Objection.of(
                    "8.2", "too_dear", card=card, cost=COST[card], coins=state.coins,
                    advice="lay-more" if laid else "lay-first",
                )
            )  # fmt: skip
        return found
    found = unplayable(state, card)
    if not state.seats[seat].may_hold(card):
        found.append(not_held(state, seat, card))
    return found


def unplayable(state: DominionState, card: str) -> list[Objection]:
    """8.2: the reasons why this card may not be played now, whether or not it is in the hand."""
    seat = state.seat
    if card in ACTIONS:
        if state.buying:
            return [Objection.of("DO12", "action_phase_over", player=seat)]
        return [] if state.actions else [Objection.of("8.2", "no_actions", player=seat)]
    if card in COINS:
        late = state.treasures_first and state.bought
        return [Objection.of("DO1", "treasure_after_buy", card=card)] if late else []
    return [Objection.of("8.2", "not_playable", card=card)]
