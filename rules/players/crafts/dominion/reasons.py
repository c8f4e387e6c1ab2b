"""Reasons why a move of Dominion is good, from public knowledge and the own hand."""

from __future__ import annotations

from rules.core import Move
from rules.games.dominion.components import COINS, COST, points_of
from rules.games.dominion.state import DominionState
from rules.players.player import Reason

CODES = (
    "six_points", "ends_ahead", "every_point", "not_the_last_but_one", "gold_for_provinces",
    "silver_for_gold", "thin_deck", "gives_curses", "keeps_going", "more_cards", "smaller_hands",
    "more_buys", "gardens_grow", "all_money", "better_card", "copper_pays", "least_missed",
    "wards_off", "buys_nothing",
)  # fmt: skip

_BOUGHT = {
    "gold": "gold_for_provinces",
    "silver": "silver_for_gold",
    "chapel": "thin_deck",
    "witch": "gives_curses",
    "militia": "smaller_hands",
    "gardens": "gardens_grow",
    "woodcutter": "more_buys",
    **dict.fromkeys(("village", "market", "laboratory", "festival", "spy"), "keeps_going"),
    **dict.fromkeys(("smithy", "council-room", "library"), "more_cards"),
}
"""Reasons to buy or gain a card."""
_PLAYED = {
    **_BOUGHT,
    "moat": "more_cards",
    "moneylender": "copper_pays",
    "mine": "better_card",
    **dict.fromkeys(COINS, "all_money"),
}
"""Reasons to play a card."""
_ANSWERED = {
    ("show", "moat"): "wards_off",
    ("discard", "militia"): "least_missed",
    ("trash", "chapel"): "thin_deck",
    ("trash", "mine"): "better_card",
    ("trash", "moneylender"): "copper_pays",
}
"""By verb and by what is asked."""


def reason(state: DominionState, move: Move) -> Reason | None:
    """One clause that is true in every position that fits what the seat knows; None: nothing to
    say. Only the cards that each player owns, the piles and the move itself are looked at."""
    if not state.piles or state.keeps_ledger or move.player is None:
        return None
    card = move.args[-1] if move.args else ""
    asked = state.stack[-1][0] if state.stack else ""
    if move.verb in ("buy", "gain"):
        code = _bought(state, move.player, card)
    elif move.verb == "play":
        code = _PLAYED.get(card, "") if _takes_effect(state, move.player, card) else ""
    elif move.verb == "done" and not asked:
        # With coins in hand and buys left nothing was wanted.
        code = "buys_nothing" if state.buys else ""
    else:
        code = _ANSWERED.get((move.verb, asked), "")
        if asked == "mine" and card == "gold":
            code = ""
    return Reason(code) if code else None


def _takes_effect(state: DominionState, seat: int, card: str) -> bool:
    """True if a card surely does what it is played for."""
    hand = state.seats[seat].kinds()
    others = [state.seats[other] for other in state.others(seat)]
    if card in ("witch", "militia"):
        # A player who owns a Moat may have it in hand.
        open_to = [one for one in others if not one.owned.get("moat")]
        if card == "witch":
            return bool(open_to and state.piles["curse"])
        return any(one.hand_size() > 3 for one in open_to)
    if card == "mine":
        return "copper" in hand or "silver" in hand
    if card == "moneylender":
        return "copper" in hand
    return card != "library" or state.seats[seat].hand_size() <= 7


def _bought(state: DominionState, seat: int, card: str) -> str:
    own = _points(state, seat)
    others = max(_points(state, other) for other in state.others(seat))
    provinces, supply = state.piles["province"], state.piles
    if card == "province":
        ends = provinces == 1 and state.seat == seat
        return "ends_ahead" if ends and own + 6 > others else "six_points"
    if _may_buy_province(state, seat) and provinces == 2 and own < others:
        return "not_the_last_but_one"
    if card in ("duchy", "estate"):
        near = provinces <= 4 or sum(not left for left in supply.values()) >= 2
        return "every_point" if near else ""
    if card == "witch" and not supply["curse"]:
        return "more_cards"
    return _BOUGHT.get(card, "")


def _may_buy_province(state: DominionState, seat: int) -> bool:
    return not state.stack and state.seat == seat and state.coins >= COST["province"]


def _points(state: DominionState, seat: int) -> int:
    return sum(points_of(state.seats[seat].owned).values())
