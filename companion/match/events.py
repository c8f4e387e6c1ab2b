"""Events at a table, for cues, screens and logs; the journal knew of them first."""

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
    """Public forms of the moves."""
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
    """A move is not allowed, and now the reason is given."""

    objections: tuple[Objection, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardOutOfSync:
    """The board lies differently from the record, without a breach of the rules."""

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
class MatchOver:
    """The match has ended."""

    outcome: Outcome
    new_record: bool = False
    """True if it is better than every earlier match of its best list."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A failure that players must know about; nothing agreed is lost."""

    what: Sentence | None = None
    """Report on what was not written down; None: a mistake in the program, which is in the log."""


TableEvent = (
    MovesCommitted
    | MovesUndone
    | Refused
    | BoardOutOfSync
    | Penalised
    | Asked
    | StateEntered
    | MatchOver
    | Trouble
)
"""Any event at a table."""
