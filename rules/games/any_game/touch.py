"""The sheet at a screen, on a phone and for onlookers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rules.core import Line, Move, Pad, Touch
from rules.games.any_game.counting import places, points
from rules.games.any_game.state import ScoreState


class SheetTouch(Touch[ScoreState]):
    """Numbers on keys, row by row."""

    def usual(self, state: ScoreState, moves: Sequence[Move]) -> Move | None:
        """To be done, once something was entered."""
        due = state.due
        if due is None or not due.many or not state.entered():
            return None
        return Move.of(state.awaited[0], "done")

    def pad(self, state: ScoreState) -> Pad | None:
        inner, once = state.sheet.rows("round"), state.sheet.sheet.order == "any"
        of = len(inner) if once else state.sheet.sheet.rounds
        ranking = places(state)
        leads = ranking[0] if len(ranking) > 1 else ()
        return Pad(_lines(state), state.fields(), leads, state.round if inner else 0, of)


def _lines(state: ScoreState) -> tuple[Line, ...]:
    """Rows of start and end once, those of the rounds once in each."""
    cells: dict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    inner, once = state.sheet.rows("round"), state.sheet.sheet.order == "any"
    for entry in state.entries:
        row = state.sheet.row[entry.row]
        shown = points(state, entry) if row.scores else entry.number
        line = cells[entry.row, 0 if once else entry.round]
        line[entry.seat] = line.get(entry.seat, 0) + shown
    rows = [(row.id, 0) for row in state.sheet.rows("start")]
    # A round that nobody has begun is no news once they are over.
    begun = max((entry.round for entry in state.entries), default=0)
    last = state.round if state.phase == "round" else begun
    for number in (0,) if once else range(1, last + 1):
        rows += [(row.id, number) for row in inner]
    if state.phase in ("end", "over"):
        rows += [(row.id, 0) for row in state.sheet.rows("end")]
    due = {row.id for row in state.due.rows} if state.due else set()
    now = state.round if state.phase == "round" and not once else 0
    return tuple(
        Line(
            "" if len(inner) == 1 and number else row, number,
            tuple(cells[row, number].get(seat) for seat in range(state.players)),
            row in due and number == now,
        )
        for row, number in rows
    )  # fmt: skip
