"""Choices between the moves that one touch can mean, or that a question leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.touching import Picked, piece_of, touched
from companion.presentation.words.translate import _
from rules.box import PieceKind
from rules.core import Actor, Move
from rules.telling import Teller

__all__ = ["MOST_ANSWERS", "Offer", "finishing", "offer_of", "question_at_a_place"]

_MOST_PIECES = 8
"""Maximum number of pieces beside each other."""
MOST_ANSWERS = 6
"""A question about one place with more answers than this waits until the place is touched."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Moves, and what they are called."""

    title: str
    """Empty: what the prompt says is the question."""
    moves: tuple[Move, ...]
    keys: tuple[tuple[str, str], ...]
    """Per move the words on its key, and what comes of it."""
    pieces: tuple[PieceKind, ...]
    """One piece per move, if that is all they differ in; else none."""
    sites: tuple[str, ...]
    """Places they are about."""


def offer_of(moves: Sequence[Move], site: str, view: TableView, teller: Teller) -> Offer:
    """The offer of ``moves`` after a touch of ``site``."""
    box = box_of(view)
    kinds = [kind for move in moves if (kind := piece_of(move, view, box)) is not None]
    same_place = len({(move.verb, touched(move, view, box)) for move in moves}) == 1
    distinct = len({kind.id for kind in kinds}) == len(moves)
    few = 1 < len(moves) <= _MOST_PIECES
    # What only happened, such as a roll, is nobody's piece.
    own = all(move.player is not None for move in moves)
    pieces = tuple(kinds) if same_place and distinct and few and own else ()
    title = _("Which piece?") if pieces else _("What is meant?")
    return Offer(title, tuple(moves), _keys(moves, view, teller), pieces, (site,))


def finishing(offer: Offer, view: TableView, picked: Picked) -> Move | None:
    """The one move of an offer that says all that was touched, while more of the same could be
    touched: whoever has begun it mostly wants to end it there."""
    if len(offer.moves) != 1:
        return None
    (move,), box = offer.moves, box_of(view)
    more = (m for m in view.legal if m != move and m.verb == move.verb)
    return move if any(set(picked.sites) <= set(touched(m, view, box)) for m in more) else None


def question_at_a_place(view: TableView, teller: Teller) -> Offer | None:
    """The question that is open if everything that may be done concerns the same places, so that
    touching them would not say more."""
    prompt, box = view.prompt, box_of(view)
    if view.outcome is not None or prompt is None or prompt.actor is not Actor.PLAYER:
        return None
    moves = view.legal
    if not 1 < len(moves) <= MOST_ANSWERS:
        return None
    sites = {frozenset(touched(move, view, box)) for move in moves}
    if len(sites) != 1 or not next(iter(sites)):
        return None
    first = sorted(moves, key=lambda move: move != view.usual)
    pieces = offer_of(first, "", view, teller).pieces
    return Offer("", tuple(first), _keys(first, view, teller), pieces, touched(moves[0], view, box))


def _keys(moves: Sequence[Move], view: TableView, teller: Teller) -> tuple[tuple[str, str], ...]:
    return tuple(teller.key(move, view.prompt) for move in moves)
