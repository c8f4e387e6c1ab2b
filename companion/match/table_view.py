"""The frozen picture of a table that screens and other listeners get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.match.computer_seats import ComputerSeats
from companion.match.hands import answers_of, keeps_secrets, places_of
from companion.match.lookahead import MoveLookahead
from companion.match.record import MatchRecord
from companion.match.remote_match import Seats
from companion.match.view import ClockView, OtherTable, SightNote, TableState, TableView, still_view
from rules.core import Call, GameError, Item, Move, Objection
from rules.match import Entry, Match
from rules.reading.reading import Candidate, Fix, Reading

MOST_ANSWERS: Final = 4
"""A question offers at most so many answers, the likeliest first; whatever else happened is
entered by touch. Nobody reads a longer list while others wait."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question or refusal of the table that applies just now."""

    objections: tuple[Objection, ...] = ()
    refused: Move | None = None
    fixes: tuple[Fix, ...] = ()
    candidates: tuple[Candidate, ...] = ()


def question_of(
    reading: Reading | None, state: TableState, *, told: bool, offers: bool = False
) -> Question:
    """The question of a reading in ``state``; ``told``: it is time to give reasons; ``offers``:
    people may choose what happened although nothing is asked."""
    if reading is None:
        return Question()
    match state:
        case TableState.ILLEGAL:
            objections = reading.objections if told else ()
            return Question(objections, reading.refused, reading.fixes)
        case TableState.PENDING:
            return Question(fixes=reading.fixes, candidates=reading.candidates if offers else ())
        case TableState.DESYNC:
            return Question(fixes=reading.fixes, candidates=reading.candidates)
        case TableState.PROPOSED | TableState.AMBIGUOUS:
            return Question(candidates=reading.candidates)
    return Question()


def view_of(
    record: MatchRecord,
    state: TableState,
    question: Question,
    *,
    blind: str,
    hold_s: float,
    notes: tuple[SightNote, ...],
    devices: Mapping[str, str],
    clock: ClockView | None = None,
    calls: tuple[tuple[int, Call], ...] = (),
    wished: bool = False,
    company: ComputerSeats | None = None,
) -> TableView:
    """Everything a screen needs. ``blind``: why the board is not seen, as a code; ``hold_s``: see
    ``TableView``; ``wished``: see ``OtherTable``."""
    match = record.match
    other = other_table(record, wished=wished)
    company = company or ComputerSeats(record)
    thinks = company.thinks
    away = (other is not None and other.asked) or thinks is not None
    back = record.undone_by(1)
    if other is not None and not Seats(other.here).own_last(record.played, back):
        back = 0
    # What is decided at the other table cannot be touched here.
    legal = () if away else answers_of(record.legal, match)
    return still_view(
        record.header,
        match,
        record.turn,
        record.last_told,
        record.last_sites,
        told=tuple(record.public_log),
        last_turn=record.last_turn,
        last_way=record.last_way,
        changes=len(record.told),
        state=state,
        blind_reason=blind if state is TableState.BLIND else "",
        other=other,
        legal=legal,
        hints=() if away else tuple(match.state.hinted_moves()),
        usual=match.game.touch.usual(match.state, legal),
        may_deal=match.physical and not away and match.game.touch.may_deal(match.state),
        spread=None if away else match.game.touch.spread(match.state),
        ahead=MoveLookahead(match),
        result=record.result,
        result_ply=record.result_ply,
        calls=calls,
        places=places_of(match, legal),
        can_undo=back > 0 and not wished,
        can_redo=bool(match.undone) and not away,
        objections=question.objections,
        refused=question.refused,
        open_objections=open_objections(question.refused, question.objections, match),
        fixes=question.fixes,
        candidates=question.candidates[:MOST_ANSWERS],
        previews=previews_of(match, question.candidates[:MOST_ANSWERS]),
        series=record.header.series,
        new_record=record.new_record and match.outcome is not None,
        hold_s=hold_s,
        notes=notes,
        stickered=record.stickered,
        devices=dict(devices),
        clock=clock,
        secret=keeps_secrets(match) and thinks is None,
        thinks=thinks,
        helpless=company.helpless,
        computed=company.computed,
        may_tip=company.may_tip,
        tip=company.tip,
    )


def open_objections(
    move: Move | None, objections: tuple[Objection, ...], match: Match
) -> tuple[Objection, ...]:
    """The objections to a move tried in vain that everybody may know: for these somebody
    who knows nothing that is hidden would refuse it too, whatever else speaks against it."""
    if move is None:
        return objections
    try:
        if match.state.public(move, None) != move:
            return ()
    except GameError:
        # No move of this game.
        return ()
    known = match.as_told().violations(move)
    return objections if match.why_not(move) == known else tuple(known)


def other_table(record: MatchRecord, *, wished: bool) -> OtherTable | None:
    """The other table where the match is played; None if it is played here only."""
    together = record.header.together
    if together is None:
        return None
    here, match = frozenset(together.here), record.match
    asked = match.outcome is None and not Seats(here).asked(match)
    return OtherTable(together.table, here, asked, wished)


def previews_of(match: Match, candidates: Sequence[Candidate]) -> tuple[tuple[Item, ...], ...]:
    """Layouts of the table after each of ``candidates``; ``match`` is not changed."""
    return tuple(_preview(match, candidate) for candidate in candidates)


def _preview(match: Match, candidate: Candidate) -> tuple[Item, ...]:
    trial = match.clone()
    for _number in range(candidate.takeback):
        trial.pop()
    for move in candidate.moves:
        trial.play(Entry(move))
    return tuple(sorted(trial.layout.elements()))
