"""The frozen picture of a table that screens and other listeners get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.match.hands import keeps_secrets
from companion.match.record import MatchRecord
from companion.match.view import SightNote, TableState, TableView
from companion.settings.manners import Enforcement
from rules.core import Actor, Move, Objection
from rules.reading.reading import Candidate, Fix, Reading

__all__ = ["Question", "question_of", "view_of"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the table asks or refuses just now."""

    objections: tuple[Objection, ...] = ()
    refused: Move | None = None
    fixes: tuple[Fix, ...] = ()
    candidates: tuple[Candidate, ...] = ()


def question_of(reading: Reading | None, state: TableState, *, told: bool) -> Question:
    """What a reading asks in ``state``; ``told``: it is time to say why something is refused."""
    if reading is None:
        return Question()
    match state:
        case TableState.ILLEGAL:
            objections = reading.objections if told else ()
            return Question(objections, reading.refused, reading.fixes)
        case TableState.PENDING:
            return Question(fixes=reading.fixes)
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
    enforcement: Enforcement,
    hold_s: float,
    notes: tuple[SightNote, ...],
    devices: Mapping[str, str],
) -> TableView:
    """Everything a screen needs. ``blind``: why the board is not seen, as a code; ``hold_s``: see
    ``TableView``."""
    header, match, game = record.header, record.match, record.match.game
    told = record.public_log
    return TableView(
        match_id=header.id,
        game=game.id,
        box=game.box,
        players=match.players,
        options=dict(match.options),
        physical=match.physical,
        names=header.names,
        colours=match.colours,
        state=state,
        blind_reason=blind if state is TableState.BLIND else "",
        prompt=match.prompt,
        scores=match.scores,
        supplies=tuple(dict(game.supply(match.state, seat)) for seat in range(match.players)),
        items=tuple(sorted(match.layout.elements())),
        legal=record.legal,
        hints=tuple(game.hints(match.state)),
        last=told[-1] if told else None,
        last_sites=record.last_sites,
        ply=match.ply,
        turn=record.turn,
        started_s=header.created_s,
        can_undo=any(entry.move.actor is not Actor.DEALER for entry in match.log),
        can_redo=bool(match.undone),
        enforcement=enforcement,
        objections=question.objections,
        refused=question.refused,
        fixes=question.fixes,
        candidates=question.candidates,
        outcome=match.outcome,
        series=header.series,
        new_record=record.new_record and match.outcome is not None,
        secret=keeps_secrets(match),
        hold_s=hold_s,
        notes=notes,
        stickered=record.stickered,
        devices=dict(devices),
    )
