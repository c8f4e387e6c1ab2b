"""Moves that come from a phone: who may make which one, and what is answered.

The session makes them under a condition of its own (``PlayMoves.since``), so that nothing is
played twice, and nothing is played into a position that the phone has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from companion.decoding import Name
from companion.journal.events import MovePlayed
from companion.match.view import AskTip, PlayMoves, Undo
from companion.presentation.views import PrivateView, Snapshot
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _, speaking
from companion.web.public_page import Said, said
from rules.core import Move, MoveSyntaxError

_Text = Annotated[str, msgspec.Meta(max_length=200)]


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """Request of a phone."""

    match: Name
    since: int
    """``changes`` of the page on which it was decided."""
    moves: Annotated[list[_Text], msgspec.Meta(max_length=60)]
    take_back: bool = False
    """True: take back the last touch, instead of moves."""
    tip: bool = False
    """True: show a tip, or dismiss it, instead of moves."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Answer to a request."""

    status: int
    """Status as in HTTP: 202, 409 or 422."""
    body: Said | None = None
    post: AskTip | PlayMoves | Undo | None = None
    """Message for the session."""


def judge(asked: Asked, seat: int, snapshot: Snapshot | None, lang: str) -> Verdict:
    """Judges whether ``seat`` may make these moves now."""
    with speaking(lang):
        if snapshot is None or asked.match != snapshot.public_id:
            return _late(_("phones.this_match_is"), _("phones.wait_for_the_next_one"))
        view = snapshot.seat(seat)
        if asked.take_back:
            return _taken_back(asked, view)
        if asked.tip:
            return _tip(asked, view)
        try:
            moves = tuple(map(Move.parse, asked.moves))
        except MoveSyntaxError:
            moves = ()
        # What no player is asked, any phone may say if the table has no screen.
        able = (seat, None) if view.may_play and view.asked is None else (seat,)
        if not moves or any(move.player not in able for move in moves):
            return Verdict(
                422, Said(_("phones.that_is_no_move_of_yours"), "", _("phones.choose_another_one"))
            )
        if asked.since != view.changes and not _answered_meanwhile(snapshot, asked.since, seat):
            if _played(snapshot, asked.since, moves):
                return Verdict(202)
            return _late(_("phones.the_table_is_further_already"), _("phones.look_again"))
        if not view.may_play:
            return _late(_("phones.you_are_not_asked_now"), _("phones.wait_until_you_are"))
        assert view.ahead is not None
        refused = view.ahead.refusal(moves)
        if refused is None:
            return Verdict(
                422, Said(_("phones.one_move_brings_to_light"), "", _("phones.make_that_one_first"))
            )
        if refused:
            return Verdict(422, said(teller_of(view, lang).objection(refused[0])))
        return Verdict(202, post=PlayMoves(moves, view.changes))


# -- private ----------------------------------------------------------------------------------


def _taken_back(asked: Asked, view: PrivateView) -> Verdict:
    if asked.since != view.changes:
        return _late(_("phones.the_table_is_further_already"), _("phones.look_again"))
    if not view.back:
        return _late(_("phones.this_cannot_be_taken_back"), _("phones.take_it_back_at_the_tables"))
    return Verdict(202, post=Undo(1, asked.since))


def _tip(asked: Asked, view: PrivateView) -> Verdict:
    if asked.since != view.changes:
        return _late(_("phones.the_table_is_further_already"), _("phones.look_again"))
    if not view.may_tip:
        return _late(_("phones.there_is_no_tip"), _("phones.ask_again_when"))
    return Verdict(202, post=AskTip(view.seat))


def _late(title: str, do: str) -> Verdict:
    return Verdict(409, Said(title, "", do))


def _answered_meanwhile(snapshot: Snapshot, since: int, seat: int) -> bool:
    """True if all that came after ``since`` are the others' answers to what ``seat`` is asked too,
    of which it cannot know."""
    prompt = snapshot.view.prompt
    if prompt is None or seat not in prompt.together or not 0 <= since <= len(snapshot.told):
        return False
    others = set(prompt.together) - {seat}
    moves = [one.move if isinstance(one, MovePlayed) else None for one in snapshot.told[since:]]
    return all(move is not None and move.player in others for move in moves)


def _played(snapshot: Snapshot, since: int, moves: tuple[Move, ...]) -> bool:
    """True if just these moves came after ``since`` changes: the answer was lost on its way."""
    then = snapshot.told[since : since + len(moves)] if since >= 0 else ()
    return tuple(one.move for one in then if isinstance(one, MovePlayed)) == moves
