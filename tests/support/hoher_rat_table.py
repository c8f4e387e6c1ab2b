"""Der Hohe Rat as the tests lay it out: a table, its council, and moves made there."""

from __future__ import annotations

from collections.abc import Mapping

from rules.games.hoher_rat.components import CARD_NUMBER, COLOUR_NUMBER, DECK, PIECE_NUMBER
from rules.games.hoher_rat.game import RatPosition
from rules.games.hoher_rat.state import RatState

Arguments = Mapping[str, int]


def table(
    players: int,
    ring: Mapping[str, str],
    *,
    turn: int = 0,
    hands: tuple[str, ...] = (),
    arguments: Mapping[int, Arguments] | None = None,
    vote: bool = False,
    discards: str = "",
    lift_from: bool = False,
) -> RatState:
    """A position; ``ring`` maps a piece to its fields, ``hands`` lists cards by seat."""
    state = RatPosition(players, lift_from, physical=False)
    state.turn = turn
    for piece, fields in ring.items():
        for field in fields.split():
            state.put(int(field) - 1, PIECE_NUMBER[piece])
    for seat in range(players):
        dealt = hands[seat].split() if seat < len(hands) else []
        for name in dealt:
            state.draw(seat, CARD_NUMBER[name])
        while len(state.hands[seat]) < 3 and seat >= len(hands):
            state.draw(seat, state.piles[seat & 1][0])
    for name in discards.split():
        card = CARD_NUMBER[name]
        state.piles[card // DECK].remove(card)
        state.played[card // DECK].append(card)
    for seat, owned in (arguments or {}).items():
        for colour, number in owned.items():
            state.arguments[seat][COLOUR_NUMBER[colour]] += number
            state.heap[COLOUR_NUMBER[colour]] -= number
    state.vote = vote
    assert state.problems() == []
    return state


def legal(state: RatState, *verbs: str) -> list[str]:
    """The legal moves of these verbs (all without), sorted."""
    return sorted(m.text for m in state.legal_moves() if not verbs or m.verb in verbs)


def heap(state: RatState, colour: str) -> int:
    return state.heap[COLOUR_NUMBER[colour]]


def on(state: RatState, field: int) -> int:
    return state.ring[field - 1]


COUNCIL = {"yellow-spokesman": "7", "red": "6"}
ALL_TEN = {"white": "1 3 5 7 9 11 13 15 17 19", "red": "20"}
