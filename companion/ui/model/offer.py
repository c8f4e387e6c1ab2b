"""The moves that one touch can mean, as they are offered. Free of Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.match.view import TableView
from companion.ui.model.boxes import box_of
from companion.ui.model.touching import piece_of, touched
from companion.ui.words.translate import _
from rules.box import PieceKind
from rules.core import Move
from rules.telling import Teller

__all__ = ["Offer", "offer_of"]

_MOST_PIECES = 8
"""Maximum number of pieces beside each other."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Moves, and what they are called."""

    title: str
    moves: tuple[Move, ...]
    told: tuple[str, ...]
    """One sentence per move."""
    pieces: tuple[PieceKind, ...]
    """One piece per move, if that is all they differ in; else none."""


def offer_of(moves: Sequence[Move], site: str, view: TableView, teller: Teller) -> Offer:
    """The offer of ``moves`` after a touch of ``site``."""
    box, name = box_of(view), teller.site(site)
    title = _("{site}: which one?").format(site=name[:1].upper() + name[1:])
    kinds = [kind for move in moves if (kind := piece_of(move, view, box)) is not None]
    same_place = len({(move.verb, touched(move, view, box)) for move in moves}) == 1
    distinct = len({kind.id for kind in kinds}) == len(moves)
    pieces = tuple(kinds) if same_place and distinct and len(moves) <= _MOST_PIECES else ()
    return Offer(title, tuple(moves), tuple(map(teller.move, moves)), pieces)
