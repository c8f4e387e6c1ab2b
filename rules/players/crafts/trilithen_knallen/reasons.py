"""Why a move of Trilithen Knallen is good, by what lies open.

TK23: no card that lies face down is named, nor whether one is known: it is a memory game.
"""

from __future__ import annotations

from rules.core import Move
from rules.games.trilithen_knallen.components import COLOURS
from rules.games.trilithen_knallen.moves import MEANING
from rules.games.trilithen_knallen.state import Phase, TrilithenState
from rules.players.crafts.trilithen_knallen.promise import Aim, aim, aims
from rules.players.player import Reason

__all__ = ["CODES", "why"]

CODES = (
    "throws_off", "rams_far", "rams_near", "reaches", "reaches_near", "reaches_two",
    "could_throw_off", "next_colour", "first_colour", "looks", "no_look", "swaps",
    "new_cards",
)  # fmt: skip

_NEAR = 3
"""Up to so many cards is a short way."""


def why(state: TrilithenState, move: Move) -> Reason | None:
    """The reason, None if there is none but the chances."""
    match move.verb:
        case "place":
            return _placing(state, move)
        case "ram":
            _, colour, direction = MEANING[move.text]
            one = aim(state, colour, state.place_of[colour], direction)
            return None if one is None else _ramming(state, one)
        case "flip":
            return _turning(state)
        case "peek":
            return Reason("looks")
        case "swap":
            return Reason("swaps")
        case "discard":
            return Reason("new_cards")
        case "done" if state.phase is Phase.PEEK:
            return Reason("no_look")
    return None


def _destroys(state: TrilithenState, one: Aim) -> bool:
    return one.distance > state.points[state.owners[one.target]][one.target]


def _placing(state: TrilithenState, move: Move) -> Reason | None:
    _, colour, _, place = MEANING[move.text]
    found = aims(state, colour, place)
    targets = {one.target for one in found}
    for one in found:
        if _destroys(state, one):
            return Reason.of("could_throw_off", target=COLOURS[one.target])
    if len(targets) > 1:
        return Reason.of("reaches_two", targets=",".join(COLOURS[one] for one in sorted(targets)))
    if not found:
        return None
    one = max(found, key=lambda other: other.distance)
    if one.distance == 1:
        return Reason.of("reaches_near", target=COLOURS[one.target])
    return Reason.of("reaches", target=COLOURS[one.target], number=one.distance)


def _ramming(state: TrilithenState, one: Aim) -> Reason:
    if _destroys(state, one):
        return Reason.of("throws_off", target=COLOURS[one.target])
    if len(one.needed) <= _NEAR:
        return Reason.of("rams_near", number=len(one.needed))
    return Reason.of("rams_far", target=COLOURS[one.target], number=one.distance)


def _turning(state: TrilithenState) -> Reason:
    colour = COLOURS[state.needed[state.right]]
    if not state.right:
        return Reason.of("first_colour", colour=colour)
    return Reason.of("next_colour", colour=colour, right=state.right, cards=len(state.needed))
