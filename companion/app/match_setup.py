"""Turns the choices for a match into the first line of its record, and back into new defaults."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from companion.journal.entries import Header, Together, new_match_id
from companion.players.suiting import dealt_at_table
from companion.settings.people import Plan
from companion.words.player_names import named
from rules.games import find_game

__all__ = ["header_of", "house_rules", "own_course"]

log = logging.getLogger(__name__)


def header_of(plan: Plan, lang: str, *, course: str, together: Together | None) -> Header:
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
        names=named(plan.seats, plan.sitting, lang),
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


def house_rules(plan: Plan) -> Plan:
    """The plan as it is remembered: without what only the result of the last match decided."""
    series = find_game(plan.game).series
    decided = () if series is None else series.decides
    return replace(plan, options={n: v for n, v in plan.options.items() if n not in decided})
