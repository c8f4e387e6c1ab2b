"""The decision that is due, its legal answers, and everything that hands could try."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rules.core import Actor, Move, Prompt
from rules.games.dominion import final_count, ledger
from rules.games.dominion.components import DEAREST
from rules.games.dominion.effects import QUESTIONS
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
    PLAY_ANY,
    PLAY_TREASURE,
    REVEAL,
    SHOW_MOAT,
    SPY_DISCARD,
    SPY_KEEP,
    START,
    STEAL,
    show_hand,
)
from rules.games.dominion.state import DominionState


def prompt(state: DominionState) -> Prompt | None:
    """The decision that is due; None after the end."""
    if state.over:
        return None
    if state.stack:
        frame = state.stack[-1]
        if frame[0] == "draw":
            return _draw_prompt(frame[1], frame[2])
        return QUESTIONS[frame[0]].prompt(state, frame)
    if state.keeps_ledger:
        return ledger.prompt(state)
    return _turn_prompt(
        state.seat, state.buying or not state.actions, state.actions, state.buys, state.coins
    )


@lru_cache(maxsize=1024)
def _draw_prompt(seat: int, number: int) -> Prompt:
    return Prompt(Actor.DEALER, seat, "draw", "DO20", (("number", number),))


@lru_cache(maxsize=8192)
def _turn_prompt(seat: int, buying: bool, actions: int, buys: int, coins: int) -> Prompt:
    """The decision of a turn, while nothing else is asked."""
    code = "buy" if buying else "action"
    params = (("actions", actions), ("buys", buys), ("coins", coins))
    return Prompt(Actor.PLAYER, seat, code, "8.2", params)


def legal_moves(state: DominionState) -> list[Move]:
    """The right answers: every legal move."""
    if state.over:
        return []
    if state.stack:
        frame = state.stack[-1]
        return QUESTIONS[frame[0]].moves(state, frame)
    if state.keeps_ledger:
        return ledger.legal_moves(state)
    seat = state.seat
    row = PLAY_TREASURE[seat] if state.buying or not state.actions else PLAY_ANY[seat]
    if state.bought and state.treasures_first:
        found = []
    else:
        found = [row[card] for card in state.seats[seat].kinds() if card in row]
    coins = state.coins
    found += state.market.buys[seat][coins if coins < DEAREST else DEAREST]
    found.append(DONE[seat])
    return found


def pseudo_moves(state: DominionState) -> Iterable[Move]:
    """All that hands could do with any card of this match, no matter who is asked."""
    asked = prompt(state)
    if asked is None:
        return
    if state.counting:
        yield from final_count.pseudo_moves(state)
        return
    seat_asked = state.seat if asked.player is None else asked.player
    if not state.piles:
        yield from LOT_KINGDOM.values()
        for seat in range(state.players):
            yield from NAME[seat].values()
    yield from START[: state.players]
    if state.keeps_ledger and asked.actor is Actor.PLAYER:
        yield from ledger.pseudo_moves(state, seat_asked)
    for seat in range(state.players):
        verbs = CARD_MOVES if seat == seat_asked else ("play", "buy", "discard")
        yield from (CARD_MOVES[verb][seat][card] for verb in verbs for card in state.piles)
        yield from (DONE[seat], NONE[seat], SHOW_MOAT[seat], KEEP[seat], DISCARD_DECK[seat])
        drawn = list(state.seats[seat].owned)
        if asked.actor is Actor.PLAYER:
            del drawn[1:]  # drawing too early is one mistake, whatever is drawn
        for card in drawn:
            yield DRAW[seat][card]
            yield REVEAL[seat][card]
        if not state.seats[seat].dealt:
            yield DRAW_UNSEEN[seat]
        for owner in range(state.players):
            if state.seats[owner].aside and seat == seat_asked:
                for rows in (SPY_DISCARD, SPY_KEEP, STEAL):
                    yield from (rows[seat][owner][card] for card in state.piles)
    if state.stack and state.stack[-1][0] == "moat":
        yield show_hand(seat_asked, ["copper"])
    asked_of = state.seats[seat_asked]
    if state.stack and state.stack[-1][0] == "bureaucrat" and asked_of.dealt:
        hand = [*asked_of.kinds(), *(["curse"] * 5)]
        yield show_hand(seat_asked, hand[: asked_of.hand_size()])
