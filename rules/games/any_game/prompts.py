"""1.1, 1.3 Who enters what, and what may be entered."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import Actor, Move, Prompt
from rules.games.any_game.moves import moves_of
from rules.games.any_game.state import ScoreState


def prompt(state: ScoreState) -> Prompt | None:
    due = state.due
    if due is None:
        return None
    seat, in_round = state.awaited[0], ("round", state.round)
    if not due.rows:
        return Prompt(Actor.PLAYER, seat, "winner", "1.3")
    if due.many:
        return Prompt(Actor.PLAYER, seat, "several", "1.1", (in_round,))
    if len(due.rows) > 1:
        return Prompt(Actor.PLAYER, seat, "choose", "1.1", (in_round,))
    params = (("row", due.rows[0].id), in_round)
    together = due.seats if len(due.seats) > 1 else ()
    return Prompt(Actor.PLAYER, seat, "enter", "1.1", params, together, state.answered)


def legal_moves(state: ScoreState) -> list[Move]:
    due = state.due
    if due is None:
        return []
    asked = state.awaited[0]
    found = [move for field in state.fields() for move in moves_of(field)]
    found += [
        Move.of(asked, "winner", f"p{seat}", victory)
        for victory in state.sheet.victory for seat in range(state.players)
    ]  # fmt: skip
    if due.many:
        found.append(Move.of(asked, "done"))
    if state.may_close:
        found.append(Move.of(asked, "close"))
    return found


def pseudo_moves(state: ScoreState) -> Iterable[Move]:
    """Entries that a screen offers, and to be done or end the match too early."""
    legal, asked = legal_moves(state), state.awaited[:1]
    early = [Move.of(seat, verb) for seat in asked for verb in ("done", "close")]
    return [*legal, *(move for move in early if move not in legal[-2:])]
