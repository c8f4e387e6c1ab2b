"""Moves that come from a phone: who may make which one, and what is answered.

The session makes them under a condition of its own (``TapMoves.expected``), so that nothing is
played twice, and nothing is played into a position that the phone has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from companion.match.view import AskTip, TapMoves, Undo
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _, speaking
from companion.web.seat_picture import may_play, may_tip, seen_from, taken_back
from companion.web.snapshot import Snapshot
from rules.core import Move, MoveSyntaxError, Objection

__all__ = ["Asked", "Verdict", "judge"]

_MOST_MOVES: Final = 60
_LONGEST: Final = 200
"""Letters of a move."""


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """What a phone asks for."""

    match: str
    ply: int
    """How many moves there were when it was decided."""
    moves: list[str]
    take_back: bool = False
    """Instead of moves: the last touch goes."""
    tip: bool = False
    """Instead of moves: a tip is wanted, or is to go away."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of it."""

    status: int
    """As in HTTP: 202, 409 or 422."""
    body: dict[str, Any]
    post: AskTip | TapMoves | Undo | None = None
    """What the session is to be told."""


def judge(asked: Asked, seat: int, snapshot: Snapshot | None, name: str, lang: str) -> Verdict:
    """Whether ``seat`` may make these moves now, in the match called ``name``."""
    with speaking(lang):
        if snapshot is None or asked.match != name:
            return _late(_("This match is not on the table"), _("Wait for the next one."))
        if asked.take_back:
            return _taken_back(asked, seat, snapshot)
        if asked.tip:
            return _tip(asked, seat, snapshot)
        try:
            moves = tuple(map(Move.parse, asked.moves)) if _is_small(asked) else ()
        except MoveSyntaxError:
            moves = ()
        if not moves or any(move.player != seat for move in moves):
            return Verdict(422, _told(_("That is no move of yours"), "", _("Choose another one.")))
        if asked.ply != snapshot.match.ply:
            if _played(snapshot, asked.ply, moves):
                return Verdict(202, {})
            return _late(_("The table is further already"), _("Look again, then choose."))
        if not may_play(snapshot, seat):
            return _late(_("You are not asked now"), _("Wait until you are."))
        refused = _first_refusal(snapshot, moves)
        if refused is not None:
            told = teller_of(seen_from(snapshot, seat), lang).objection(refused)
            return Verdict(422, _told(told.title, told.text, told.do))
        return Verdict(202, {}, TapMoves(moves, asked.ply))


# -- private ----------------------------------------------------------------------------------


def _taken_back(asked: Asked, seat: int, snapshot: Snapshot) -> Verdict:
    if asked.ply != snapshot.match.ply:
        return _late(_("The table is further already"), _("Look again, then choose."))
    if not taken_back(snapshot, seat):
        return _late(
            _("This cannot be taken back from a phone"), _("Take it back at the table's screen.")
        )
    return Verdict(202, {}, Undo(1, asked.ply))


def _tip(asked: Asked, seat: int, snapshot: Snapshot) -> Verdict:
    if asked.ply != snapshot.match.ply:
        return _late(_("The table is further already"), _("Look again, then choose."))
    if not may_tip(snapshot, seat):
        return _late(_("There is no tip for you now"), _("Ask again when you are to move."))
    return Verdict(202, {}, AskTip(seat))


def _is_small(asked: Asked) -> bool:
    return len(asked.moves) <= _MOST_MOVES and all(len(text) <= _LONGEST for text in asked.moves)


def _told(title: str, text: str, do: str) -> dict[str, Any]:
    return {"title": title, "text": text, "do": do}


def _late(title: str, do: str) -> Verdict:
    return Verdict(409, _told(title, "", do))


def _played(snapshot: Snapshot, ply: int, moves: tuple[Move, ...]) -> bool:
    """Whether just these moves were made after ``ply`` moves: the answer was lost on its way."""
    log = snapshot.match.log
    return ply >= 0 and tuple(e.move for e in log[ply : ply + len(moves)]) == moves


def _first_refusal(snapshot: Snapshot, moves: tuple[Move, ...]) -> Objection | None:
    """Why the first of ``moves`` that is not allowed is not."""
    trial = snapshot.match.clone()
    for move in moves:
        if objections := trial.why_not(move):
            return objections[0]
        trial.push(move)
    return None
