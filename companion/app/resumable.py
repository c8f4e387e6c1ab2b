"""Lists resumable matches for the first screen."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.journal.entries import Header, JournalError
from companion.journal.events import Source
from companion.journal.fold import know_board
from companion.journal.store import Journal
from companion.ui.shell import UnfinishedMatch
from rules.core import GameError
from rules.games import find_game

if TYPE_CHECKING:
    # Loaded when it is first needed: the shelf appears sooner without it.
    from companion.match.record import MatchRecord

__all__ = ["waiting_matches"]

log = logging.getLogger(__name__)

MOST_REPLAYED = 5_000
"""Events of unfinished matches that a start replays: many evenings of play, a second or two."""


def waiting_matches(journal: Journal) -> Sequence[UnfinishedMatch]:
    """Matches that may be resumed, the one taken up last first.

    Those that do not replay are left out. A match from elsewhere may be so long that a start
    must not wait for it; its points are not known then.
    """
    waiting = journal.unfinished()
    if not waiting:
        return []
    from companion.match.record import MatchRecord

    found, left = [], MOST_REPLAYED
    for summary in waiting:
        header = summary.header
        saved_s = journal.last_played_s(header)
        try:
            if summary.events > left:
                found.append(_unread(header, saved_s))
                continue
            left -= summary.events
            record = MatchRecord(journal, header)
            # The power may have gone before its end was written down; that is made up for now.
            if record.close(Source.DEALER) is None:
                found.append(_left(record, saved_s))
        except (JournalError, GameError) as error:
            log.warning("%s", error)
    return found


# -- private ------------------------------------------------------------------------------


def _left(record: MatchRecord, saved_s: float) -> UnfinishedMatch:
    """A match as it was left."""
    header, match = record.header, record.match
    return UnfinishedMatch(
        match_id=header.id, game=header.game, colours=match.colours, names=header.names,
        scores=match.scores if match.game.counts_points else (), turn=record.turn, saved_s=saved_s,
    )  # fmt: skip


def _unread(header: Header, saved_s: float) -> UnfinishedMatch:
    """A match that is listed without being replayed."""
    know_board(header)
    game = find_game(header.game)
    return UnfinishedMatch(
        match_id=header.id, game=header.game,
        colours=game.colours(header.players, game.as_played(header.options)), names=header.names,
        scores=(), turn=0, saved_s=saved_s,
    )  # fmt: skip
