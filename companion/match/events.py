"""What happened at a table. Cues, screens and logs listen; the journal knew it before them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.journal.events import Source
from companion.match.view import TableState
from rules.core import Move, Objection, Outcome
from rules.errors import Sentence

if TYPE_CHECKING:
    from rules.reading.reading import Candidate


@dataclass(frozen=True, slots=True)
class MovesCommitted:
    """Moves were taken into the record."""

    moves: tuple[Move, ...]
    """As everybody may know them."""
    src: Source
    sites: tuple[str, ...]
    forced: bool = False


@dataclass(frozen=True, slots=True)
class MovesUndone:
    """Moves were taken out of the record."""

    moves: tuple[Move, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Something is not allowed, and now the reason is given."""

    objections: tuple[Objection, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardOutOfSync:
    """The board lies differently from the record, which is nobody's fault."""

    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Penalised:
    """A breach was noted (enforcement ``penalise``)."""

    player: int
    objection: Objection


@dataclass(frozen=True, slots=True)
class Asked:
    """The players must choose between explanations."""

    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class StateEntered:
    """The table's visible state changed."""

    state: TableState


@dataclass(frozen=True, slots=True)
class TimeUp:
    """A player's time has run out; nothing follows from it but that it is said."""

    player: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has ended."""

    outcome: Outcome
    new_record: bool = False
    """It is better than every match of its best list before it."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something failed that players must know about; nothing agreed is lost."""

    what: Sentence | None = None
    """What was not written down; None: a mistake in the program, which is in the log."""


TableEvent = (
    MovesCommitted
    | MovesUndone
    | Refused
    | BoardOutOfSync
    | Penalised
    | Asked
    | StateEntered
    | TimeUp
    | MatchOver
    | Trouble
)
"""Anything that can happen."""
