"""A match on a screen: projects and trilithon cards that are turned up for all."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core import Move, Result, Touch
from rules.games.erbaut_stonehenge.components import (
    BUILD,
    CARD_COLOUR,
    CARD_NAMES,
    COLOURS,
    DEALT,
    EMPTY,
    END,
    FACE_DOWN,
    LOT,
    OPEN,
    PILLARS_0,
    YARDS,
)
from rules.games.erbaut_stonehenge.prompts import prompt
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.hidden import UNSEEN


class ErbautTouch(Touch[ErbautState]):
    """The game at a screen: touches and pictures."""

    beside = frozenset({"draw-pile", "display"})
    private = frozenset({"project", "return"})

    def usual(self, state: ErbautState, moves: Sequence[Move]) -> Move | None:
        """Building goes on, a drawn card stays secret, and sabotage is mostly left out."""
        usual = (move for move in moves if move.verb in ("build", "done") or UNSEEN in move.args)
        if state.phase in (BUILD, DEALT, END):
            return next(usual, None)
        return super().usual(state, moves)

    def may_deal(self, state: ErbautState) -> bool:
        """3.2: only who begins. The cards of the display stay in the match."""
        return state.phase == LOT

    def result(self, before: ErbautState, move: Move, after: ErbautState) -> Result | None:
        """3.3: a day card in a yard is turned up; a trilithon card that was drawn is shown."""
        seat = before.turn
        was, now = before.stage[seat], after.stage[seat]
        if move.verb in ("build", "show") and was == FACE_DOWN and now == OPEN:
            asked = prompt(after)
            # ES9: nothing free is left that it fits.
            fits = asked is None or asked.code != "give_up"
            return _told("revealed" if fits else "useless", after, seat, good=fits)
        if move.verb == "draw" and was == EMPTY and now == PILLARS_0:
            return _told("trilithon", after, seat)
        return None


def _told(code: str, after: ErbautState, seat: int, *, good: bool = True) -> Result:
    card = after.yard[seat]
    name, colour = CARD_NAMES[card], COLOURS[CARD_COLOUR[card]]
    params = (("card", name), ("player", seat), ("colour", colour))
    return Result(code, good, f"card {name}", YARDS[seat], params, goes_on=True, note=colour)
