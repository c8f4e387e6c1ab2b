"""Checks of a match from elsewhere before it becomes part of this journal.

Its moves are replayed by the rules. What the rules do not know is checked here: it must make sense
for this match, since it would be believed when the match is resumed, and it must not claim what is
only known at this table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.journal.entries import ABANDONED, FINISHED, Header, JournalError
from companion.journal.events import (
    Event,
    Happening,
    MatchEnded,
    Other,
    PenaltyNoted,
    StickersSaid,
    TipGiven,
)
from companion.journal.fold import Fold
from rules.core import GameError
from rules.errors import Where

Tell = Callable[[int, int], None]
"""Callback with the number of replayed events, and of all."""
OFTEN = 500
"""Number of events between two reports of progress."""
LONGEST_WORD = 64
"""Maximum length of a rule's id, a code, a group of pieces or an event's type, letters."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A match that may be kept."""

    header: Header
    status: str
    events: tuple[Event, ...]
    moves: int
    """Number of moves that count at the end."""
    over: bool


def nobody(done: int, of: int) -> None:
    """Ignores progress."""


def admit(
    header: Header, status: str, events: Sequence[Event], where: Where, tell: Tell = nobody
) -> Admitted:
    """The match with its events as they may be kept. Raises JournalError naming what is wrong."""
    fold, kept = Fold(header, where), []
    for event in events:
        try:
            fold.take(event.what)
            kept.append(replace(event, what=_sensible(event.what, fold)))
        except GameError as error:
            raise JournalError(
                "event_misfit", file=where, match=header.id, event=event.seq, reason=error
            ) from error
        if len(kept) % OFTEN == 0:
            tell(len(kept), len(events))
    over = fold.match.outcome is not None
    if over != (status == FINISHED):
        status = FINISHED if over else ABANDONED
    return Admitted(header, status, tuple(kept), fold.match.ply, over)


def _sensible(what: Happening, fold: Fold) -> Happening:
    """``what`` as it is kept, after it happened in ``fold``. Raises JournalError."""
    match, seats = fold.match, range(fold.match.players)
    match what:
        case StickersSaid(groups):
            if not all(_is_word(group) for group in groups):
                raise JournalError("wants_words", most=LONGEST_WORD)
        case PenaltyNoted(player, rule, code):
            if player not in seats or not (_is_word(rule) and _is_word(code)):
                raise JournalError("penalty_unfit", last=len(seats) - 1)
        case TipGiven(player, _move, why):
            if player not in seats or not _is_word(why):
                raise JournalError("tip_unfit", last=len(seats) - 1)
        case MatchEnded():
            if match.outcome is None:
                raise JournalError("end_too_early")
            return MatchEnded(match.outcome)
        case Other(type):
            if not _is_word(type):
                raise JournalError("wants_words", most=LONGEST_WORD)
    return what


def _is_word(text: str) -> bool:
    return len(text) <= LONGEST_WORD and text.isprintable()
