"""Turns the choices for a match into the first line of its record, and back into new defaults."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.journal.entries import Header, JournalError, Together, new_match_id
from companion.journal.events import Source
from companion.journal.fold import know_board
from companion.journal.store import Journal
from companion.players.suiting import dealt_at_table
from companion.settings.people import MatchSetup, clean_name
from companion.ui.shell import UnfinishedMatch
from companion.words.player_names import named
from rules.core import GameError
from rules.games import find_game

if TYPE_CHECKING:
    from companion.match.record import MatchRecord


# -- resumable matches ------------------------------------------------------------------------

MOST_REPLAYED = 5_000
"""Maximum number of events of unfinished matches that a start replays: many evenings of play, a
second or two."""


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


log = logging.getLogger(__name__)


def header_of(plan: MatchSetup, lang: str, *, course: str, together: Together | None) -> Header:
    """The record's first line. ``course``: of ``own_course``; ``together``: what was agreed with
    another table. Raises OptionError for options that the game does not have."""
    match_id, game = new_match_id(), find_game(plan.game)
    options = game.complete_options(plan.players, plan.options)
    # Of a ledger nothing is watched, and the program draws the lots.
    physical = plan.physical and not game.keeps_ledger(options)
    computers = plan.computer_seats
    return Header(
        id=match_id,
        game=plan.game,
        players=plan.players,
        options=options,
        physical=physical,
        # Not the id: that is told to everybody, and who knows the seed knows every card.
        seed=secrets.token_hex(16),
        names=named(tuple(map(clean_name, plan.seats)), plan.sitting, lang),
        enforcement=plan.enforcement.value,
        created_s=time.time(),
        course=course,
        commit=plan.commit,
        clock=plan.clock,
        board=game.board_text,
        series=plan.series or (match_id if game.series else ""),
        together=together,
        computers=plan.sitting if computers else (),
        dealt=dealt_at_table(plan.game, plan.players, options, computers) if physical else (),
        tips=plan.tips,
        pairing=plan.pairing,
    )


def own_course(state: Path, options: Mapping[str, str]) -> str:
    """The players' own course that a match is played on; empty for all others."""
    if options.get("course") != "own":
        return ""
    # Not needed before: the shelf appears sooner without it.
    from companion.match.looking_back.standings import CourseError, Courses

    try:
        return Courses(state / "courses").current()
    except CourseError as error:
        log.warning("%s", error)
        return ""


def house_rules(plan: MatchSetup) -> MatchSetup:
    """The plan as it is remembered: without what only the result of the last match decided."""
    series = find_game(plan.game).series
    decided = () if series is None else series.decides
    return replace(plan, options={n: v for n, v in plan.options.items() if n not in decided})
