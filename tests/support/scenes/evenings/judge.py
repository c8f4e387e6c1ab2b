"""The judge of an evening: answers truthfully, and compares the record with what was played."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from itertools import takewhile

from companion.match.events import Refused
from companion.match.view import TableState
from companion.settings.enforcement import Enforcement
from rules.core import Actor, Move
from rules.match import Match
from rules.reading.reading import MISSING
from rules.reading.sighting import looks
from tests.support.scenes.evenings.evening import CALM_S, Evening, Turns
from tests.support.scenes.evenings.truth import (
    after_answer,
    begins,
    decided,
    is_so_far,
    known_until,
    leads_to,
    might_be_another,
    might_go_on,
    part_of,
    same,
    says_what_shows,
)
from tests.support.scenes.offences.legal import may_lie

TOUCH_S = 1.5
"""Seconds from touch to touch of whoever enters something."""
ANSWERS = 24
"""Number of answers and touches, all truthful, before a situation counts as stuck."""


class Verdict(StrEnum):
    """Result of one situation."""

    RIGHT = "right"
    TOLD = "told"
    """People were asked what only they can know, since another play would look the same, or said it
    by touch; then the truth was recorded."""
    ASKED = "asked"
    """They were asked although only the truth looks like this."""
    OPEN = "open"
    """It waits for what only people can know, and nothing on the screen lets them say it."""
    WAITS = "waits"
    """It waits although only the truth looks like this."""
    STUCK = "stuck"
    WRONG = "wrong"
    ACCUSED = "accused"
    # Offences only.
    OTHER_REASON = "other reason"
    OTHER_PERSON = "other person"
    DIFFERS = "differs"
    RECORDED = "recorded"


def judge(evening: Evening, at: Turns, truth: Match) -> Verdict:
    """Result of the table, once it has come to rest and was answered truthfully."""
    verdict: Verdict | None = None
    touched: set[tuple[int, Move]] = set()
    for _ in range(ANSWERS):
        if any(isinstance(event, Refused) for _, event in evening.said):
            return Verdict.ACCUSED
        record, state = evening.table.match, evening.table.state
        if state is TableState.PROPOSED or evening.table.view().candidates:
            if state is not TableState.PROPOSED and verdict is None:
                # What was lifted may be put back, or be taken back.
                lifted = all(c.takeback and not c.moves for c in evening.table.view().candidates)
                unseen = lifted or might_be_another(record, truth) or might_go_on(record, truth)
                verdict = Verdict.TOLD if unseen else Verdict.ASKED
            failed = _answered(evening, truth)
            if failed is Verdict.WRONG and verdict is not None:
                evening.something_else()  # Whoever has begun to say it does not let it pass.
            elif failed is not None:
                return failed
        else:
            found = _at_rest(evening, truth)
            # Who has begun to say it goes on until all is said.
            begun = verdict is not None and found in (Verdict.STUCK, Verdict.WAITS)
            says = found is Verdict.OPEN or begun
            if not says or not _said(evening, truth, at.before.ply, touched):
                return verdict if found is Verdict.RIGHT and verdict is not None else found
            verdict = verdict or Verdict.TOLD
            continue
        evening.look(CALM_S)
    return Verdict.STUCK


def _answered(evening: Evening, truth: Match) -> Verdict | None:
    """Answers a question truthfully; the verdict if that is not possible."""
    table, record = evening.table, evening.table.match
    happened = {entry.move for entry in truth.log}
    answers = list(enumerate(table.view().candidates))
    if begins(record, truth):
        # What happened is not taken back.
        answers = [answer for answer in answers if answer[1].moves or not answer[1].takeback]
    # What chance brought is the truth, too, and of two true answers the one that says more.
    answers.sort(key=lambda a: (not happened.issuperset(a[1].moves), -len(a[1].moves)))
    leading = [(n, c) for n, c in answers if leads_to(record, truth, c.takeback, c.moves)]
    whole = (n for n, c in leading if same(after_answer(record, c.takeback, c.moves), truth))
    index = next(whole, leading[0][0] if leading else None)
    may_lack = table.reading is not None and table.reading.doubt == MISSING
    if may_lack:
        # Of a turn of which nothing shows, a part is not the truth.
        index = next((n for n, c in answers if is_so_far(record, truth, c.takeback, c.moves)), None)
    if index is not None:
        evening.answer(index)
    elif may_lack or len(answers) < len(table.view().candidates):
        evening.something_else()
    else:
        return Verdict.WRONG if table.state is TableState.PROPOSED else Verdict.STUCK
    return None


def _said(evening: Evening, truth: Match, begun: int, touched: set[tuple[int, Move]]) -> bool:
    """Enters by touch what the record lacks of the next turn: what ended it, or else its next step;
    whether the table takes that. ``begun``: the number of moves of the truth before; ``touched``:
    all that was entered so far."""
    record = evening.table.match
    told = known_until(record, truth, begun)
    said = Counter[Move]()
    if told == begun:
        said = decided(record) - evening.begun
        said += Counter(e.move for e in record.log[begun:] if e.move.actor is Actor.TABLE)
    lacks: list[Move] = []
    for move in (entry.move for entry in truth.log[told:]):
        if said[move] > 0:
            said[move] -= 1  # in another order
        elif move.actor is not Actor.DEALER or not record.why_not(move):
            lacks.append(move)
    turn = [*takewhile(lambda move: move.player in (None, lacks[0].player), lacks)]
    for move in (*turn[-1:], *turn[:1]):
        if (record.ply, move) in touched or (move != turn[0] and not record.why_not(move)):
            continue  # Legal already, it would leave out what came before it.
        if evening.enforcement is Enforcement.OFF and record.why_not(move):
            continue  # Whatever is entered counts.
        touched.add((record.ply, move))
        before = len(evening.said)
        evening.touch(move)
        # That it is not taken, or not yet, is an answer to the touch and accuses nobody.
        evening.said[before:] = [e for e in evening.said[before:] if not isinstance(e[1], Refused)]
        evening.look(TOUCH_S)
        taken = evening.table.match.ply != record.ply
        if taken or evening.table.view().candidates:
            return True
    return False


def _at_rest(evening: Evening, truth: Match) -> Verdict:
    """Result of a table that asks nothing."""
    table = evening.table
    if same(table.match, truth):
        return Verdict.RIGHT
    if table.state in (TableState.SETTLED, TableState.PENDING) and part_of(table.match, truth):
        shows = looks(table.match.layout) == looks(truth.layout)
        if table.state is TableState.SETTLED and shows:
            # What is left of the turn leaves no trace; what comes next tells it.
            return Verdict.RIGHT
        waits = table.state is TableState.PENDING or may_lie(table.match, looks(truth.layout))
        return _waits(table.match, truth) if waits else Verdict.STUCK
    if table.state is TableState.SETTLED and says_what_shows(table.match, truth):
        return _waits(table.match, truth)
    if table.state is TableState.PENDING and part_of(evening.before_touches, truth):
        return _waits(evening.before_touches, truth)  # What was touched too early is known.
    if not part_of(table.match, truth):
        return Verdict.WRONG
    return Verdict.STUCK


def _waits(record: Match, truth: Match) -> Verdict:
    return Verdict.OPEN if might_be_another(record, truth) else Verdict.WAITS
