"""Why a move of Dominion is good, from what everybody knows and the own hand."""

from __future__ import annotations

from rules.core import Move
from rules.games.dominion.material import ACTIONS, COINS, COST, points_of
from rules.games.dominion.state import DominionState
from rules.players.player import Reason

__all__ = ["CODES", "reason"]

CODES = (
    "six_points", "ends_ahead", "every_point", "gold_for_provinces", "silver_for_gold",
    "thin_deck", "gives_curses", "keeps_going", "more_cards", "smaller_hands", "all_money",
    "better_card", "never_missed", "wards_off", "buys_nothing", "more_buys", "gardens_grow",
    "not_the_last_but_one",
)  # fmt: skip


def reason(state: DominionState, move: Move) -> Reason | None:
    """One clause that is true in every position that fits what the seat knows; None: nothing to
    say. Only open things and the hand of whoever moves are looked at."""
    if not state.supply or state.ledger or move.player is None:
        return None
    card = move.args[-1] if move.args else ""
    if move.verb in ("buy", "gain") and card in COST:
        return _bought(state, move.player, card)
    code = _CODES.get((move.verb, card)) or _by_verb(state, move, card)
    return Reason(code) if code else None


def _bought(state: DominionState, seat: int, card: str) -> Reason | None:
    provinces = state.supply["province"]
    if card == "province":
        ahead = _points(state, seat) + 6 > max(_points(state, q) for q in state.others(seat))
        last = provinces == 1 and state.seat == seat
        return Reason("ends_ahead" if last and ahead else "six_points")
    if card in ("duchy", "estate"):
        return Reason("every_point") if provinces <= 6 else None
    if _spares_the_last(state, seat):
        return Reason("not_the_last_but_one")
    code = _BOUGHT.get(card)
    return Reason(code) if code else None


def _spares_the_last(state: DominionState, seat: int) -> bool:
    return (
        not state.stack
        and state.coins >= COST["province"]
        and state.supply["province"] == 2
        and _points(state, seat) < max(_points(state, q) for q in state.others(seat))
    )


def _points(state: DominionState, seat: int) -> int:
    return sum(points_of(state.seats[seat].owned).values())


def _by_verb(state: DominionState, move: Move, card: str) -> str:
    asked = state.stack[-1][0] if state.stack else ""
    if move.verb == "play" and card in COINS:
        return "all_money"
    if move.verb == "play" and card in ACTIONS:
        return _PLAYED.get(card, "")
    if move.verb == "trash" and asked == "chapel":
        return "thin_deck"
    if move.verb == "trash" and asked in ("mine", "remodel"):
        return "better_card"
    if move.verb == "discard" and asked in ("militia", "cellar"):
        return "never_missed"
    if move.verb == "done" and not asked:
        return "buys_nothing"
    return ""


_CODES = {("show", "moat"): "wards_off"}
_BOUGHT = {
    "gold": "gold_for_provinces",
    "silver": "silver_for_gold",
    "chapel": "thin_deck",
    "witch": "gives_curses",
    "militia": "smaller_hands",
    "gardens": "gardens_grow",
    "village": "keeps_going",
    "market": "keeps_going",
    "laboratory": "keeps_going",
    "festival": "keeps_going",
    "smithy": "more_cards",
    "council-room": "more_cards",
    "library": "more_cards",
    "moat": "wards_off",
    "woodcutter": "more_buys",
}
"""What a card is bought for."""
_PLAYED = {
    "village": "keeps_going",
    "market": "keeps_going",
    "laboratory": "keeps_going",
    "festival": "keeps_going",
    "spy": "keeps_going",
    "smithy": "more_cards",
    "council-room": "more_cards",
    "library": "more_cards",
    "moat": "more_cards",
    "militia": "smaller_hands",
    "witch": "gives_curses",
    "chapel": "thin_deck",
    "mine": "better_card",
    "remodel": "better_card",
    "woodcutter": "more_buys",
}
"""What a card is played for."""
