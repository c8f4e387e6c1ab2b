"""1.1, 1.3 Why something cannot be entered."""

from __future__ import annotations

from rules.core import Move, Objection
from rules.games.any_game.moves import entry_of
from rules.games.any_game.state import ScoreState

CODES = (
    "match_over",
    "unknown_move",
    "wrong_player",
    "row_taken",
    "not_due",
    "no_close",
    "no_done",
)
"""Codes of all objections."""


def violations(state: ScoreState, move: Move) -> list[Objection]:
    due, seat = state.due, move.player
    if due is None:
        return [Objection.of("1.3", "match_over")]
    if seat is None or not _is_known(state, move):
        return [Objection.of("1.1", "unknown_move", move=move.text)]
    asked = state.awaited[0]
    if seat != asked and (move.verb != "score" or seat not in due.seats):
        return [Objection.of("1.1", "wrong_player", player=asked, other=seat)]
    if move.verb == "score" and move.args[0] not in {row.id for row in due.rows}:
        taken = any((one.seat, one.row) == (seat, move.args[0]) for one in state.entries)
        return [Objection.of("1.1", "row_taken" if taken else "not_due", row=move.args[0])]
    if move.verb == "close" and not state.may_close:
        return [Objection.of("1.3", "no_close")]
    if move.verb == "done" and not due.many:
        return [Objection.of("1.1", "no_done")]
    return []


def _is_known(state: ScoreState, move: Move) -> bool:
    """True if the sheet has such a move for one of the players."""
    seats, rows = range(state.players), state.sheet.row
    if move.player not in seats:
        return False
    match move.verb, move.args:
        case "score", (row, _, *_) if row in rows:
            return entry_of(move, rows[row]) is not None
        case "winner", (who, victory) if victory in state.sheet.victory:
            return who in {f"p{seat}" for seat in seats}
        case (("close" | "done"), ()):
            return True
    return False
