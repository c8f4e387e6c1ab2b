"""The belief from look to look: what an earlier look told, and the record lacks, still counts.

Hands go on before anything is recorded or answered. What they do then may cover or clear away what
was seen, so each explanation of the last look is gone on from as well as the record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.core import Move
from rules.match import Match
from rules.reading.case import MOST_ANSWERS, MOST_UNHEEDED
from rules.reading.meaning import MISSING, Candidate, Reading, Status
from rules.reading.reading import read
from rules.reading.sighting import Left, Look, Sighting, looks
from rules.reading.since import Since
from rules.reading.weighing import MARGIN, UNHEEDED

MOST_TOLD = MOST_ANSWERS
"""Explanations of one look that are gone on from."""


class _Look(NamedTuple):
    """One look at the table, to be read from any position."""

    sighting: Sighting
    awaiting: Collection[str]
    left: Left
    since: Since

    def read(self, match: Match) -> Reading:
        """The meaning of the look for ``match``."""
        return read(match, *self)

    def read_after(self, match: Match, told: Candidate) -> Reading:
        """The same after what was told, which is gone on from and not told anew."""
        since = replace(self.since, openings=())
        return self._replace(since=since).read(_after(match, told))


class Belief:
    """Explanations that the last looks told and the record lacks."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._told: tuple[Candidate, ...] = ()
        """These explanations …"""
        self._asked = False
        """… of which people were to choose one …"""
        self._against = 0.0
        """… and what spoke against the best of them."""

    def read(
        self, match: Match, sighting: Sighting, awaiting: Collection[str], left: Left, since: Since
    ) -> Reading:
        """The meaning of a look behind what earlier ones told; see ``reading.read``."""
        look = _Look(sighting, awaiting, left, since)
        reading = look.read(match)
        if match is not self._match:
            self._match, self._told, self._against = match, (), 0.0
        if self._told and self._leaves_out_what_was_told(reading):
            gone_on = self._asked_anew if self._asked else self._gone_on
            reading = gone_on(match, look, reading) or reading
        self._remember(reading)
        return reading

    def forget(self) -> None:
        """Drop what was told: people have said that it is none of that."""
        self._told = ()

    def _leaves_out_what_was_told(self, reading: Reading) -> bool:
        """True if what was told may have been made although ``reading`` does not hold it."""
        held = [c for c in self._told if c.moves and _within(c.moves, reading.moves)]
        rest = [c for c in self._told if c not in held]
        if held and not any(_within(one.moves, c.moves) for one in held for c in rest):
            return False
        if reading.status is Status.AMBIGUOUS:
            return not any(c.takeback for c in (*reading.candidates, *self._told))
        # Nobody is accused who may go on from what was told, such as by a throw taken up since.
        open_ended = (Status.SETTLED, Status.ILLEGAL)
        return reading.status in open_ended or reading.doubt == MISSING or _is_plain(reading)

    def _is_shown(self, reading: Reading) -> bool:
        """True if moves explain the look alone, or people would be asked how what was told goes
        on."""
        if reading.status is Status.AMBIGUOUS:
            best, told = reading.candidates[0], self._told[0].moves
            return bool(told) and not best.takeback and best.moves[: len(told)] == told
        return _is_plain(reading)

    def _gone_on(self, match: Match, look: _Look, reading: Reading) -> Reading | None:
        """The earlier explanation and what hands did since; None if ``reading`` is likelier."""
        told, ahead = self._told[0].moves, look.read_after(match, self._told[0])
        against = self._against + ahead.against
        best, lay = _best(reading), look.since.lay
        moves = (*told, *_best(ahead))
        lead = reading.against + _unheeded(match, best, lay)
        trails = against + _unheeded(match, moves, lay)
        likely = trails <= lead + MARGIN
        # The beginning of what was told says less than that, not something else.
        less = told[: len(best)] == best
        if best and not less and not likely:
            return None
        if reading.status is Status.AMBIGUOUS:
            # A question that holds what was told stays, unless what lay there answers it.
            others = [c for c in reading.candidates if c.moves[: len(told)] != told]
            leads = (reading.against - c.score + _unheeded(match, c.moves, lay) for c in others)
            if len(others) < len(reading.candidates) and any(x < trails + MARGIN for x in leads):
                return None
        if reading.status is not Status.SETTLED:
            if _agrees(ahead) or _is_plain(ahead):
                return Reading(Status.MOVE, moves, candidates=(Candidate(moves),), against=against)
            if ahead.status is Status.AMBIGUOUS:
                ways = tuple(_then(self._told[0], c.moves) for c in ahead.candidates)
                return Reading(Status.AMBIGUOUS, candidates=ways, against=against)
            if reading.doubt == ahead.doubt == MISSING:
                return Reading(Status.MOVE, told, candidates=self._told, against=self._against)
        elif ahead.status is Status.SETTLED:
            return Reading(Status.MOVE, told, candidates=self._told, against=against)
        # A table that looks as before may have been left as it was.
        return Reading(Status.PENDING, doubt=MISSING) if ahead.doubt == MISSING else None

    def _asked_anew(self, match: Match, look: _Look, reading: Reading) -> Reading | None:
        """The question that nobody has answered, with what hands did since; None if the look tells
        by itself what happened, or nothing of it can have gone on."""
        best, accused = _best(reading), reading.status is Status.ILLEGAL
        ahead = [(told, look.read_after(match, told)) for told in self._told]
        ways = [way for told, then in ahead for way in _ways(told, then)]
        if accused and not ways and any(then.status is Status.PENDING for _, then in ahead):
            return Reading(Status.PENDING, doubt=MISSING)
        if not ways or (self._is_shown(reading) and not self._is_less(match, look, best, ways)):
            return None
        lacks = min(_unheeded(match, way.moves, look.since.lay, way.takeback) for way in ways)
        if best and _unheeded(match, best, look.since.lay) < lacks:
            return None
        essence = match.game.inference.essence
        ends: dict[str, Candidate] = {}
        for way in ways:
            ends.setdefault(repr(essence(_after(match, way).state)), way)
        if self._is_shown(reading) or reading.status is Status.SETTLED:
            # Where all was put back, ways that end within the record are nothing else.
            back = 1 if self._is_shown(reading) else max(1, *(way.takeback for way in ways))
            known = (_after(match, Candidate(best, number)) for number in range(back))
            if ends.keys() <= {repr(essence(told.state)) for told in known}:
                return None
        if len(ends) > MOST_ANSWERS:
            return Reading(Status.PENDING, doubt=MISSING)
        (way, *others) = ends.values()
        if accused and not others and not way.takeback:
            return Reading(Status.MOVE, way.moves, candidates=(way,), against=self._against)
        held = any(c.moves == way.moves and c.takeback == way.takeback for c in reading.candidates)
        if not others and (reading.doubt == MISSING or held):
            return None  # One way is no question while more may have happened.
        return Reading(Status.AMBIGUOUS, candidates=(*ends.values(),), against=reading.against)

    def _is_less(
        self, match: Match, look: _Look, best: Sequence[Move], ways: Sequence[Candidate]
    ) -> bool:
        """True if some of ``ways`` hold more than ``best``, and that is neither what the look needs
        no longer nor what is still waited for behind it."""
        more = [way.moves for way in ways if not way.takeback and _within(best, way.moves)]
        if not more:
            return False
        ahead = look.read_after(match, Candidate(tuple(best)))
        if ahead.status is Status.PENDING:
            waits = [Counter(c.moves) for c in ahead.candidates]
            return any(Counter(moves) - Counter(best) not in waits for moves in more)
        in_order = all(moves[: len(best)] == best for moves in more)
        return not in_order or ahead.status is not Status.SETTLED

    def _remember(self, reading: Reading) -> None:
        if (reading.moves and not reading.takeback) or reading.status is Status.SETTLED:
            self._told = (Candidate(reading.moves),) if reading.moves else ()
            self._asked, self._against = False, reading.against
            return
        asks = reading.status in (Status.AMBIGUOUS, Status.PENDING) and reading.candidates
        # That something may have been taken back tells nothing.
        if asks and asks[0].moves:
            self._told, self._asked = asks[:MOST_TOLD], True


def _agrees(reading: Reading) -> bool:
    """True if all lies as the record has it, or something is begun that hands or people end."""
    begun = reading.status is Status.PENDING and not reading.doubt
    return begun or reading.status is Status.SETTLED


def _ways(told: Candidate, ahead: Reading) -> Iterator[Candidate]:
    """Candidates that begin with what was told, each with moves that may have followed it."""
    further = [c.moves for c in ahead.candidates if not c.takeback]
    if _agrees(ahead) or _is_plain(ahead):
        further = [ahead.moves]
    elif ahead.status not in (Status.AMBIGUOUS, Status.PENDING):
        further = []
    return (_then(told, moves) for moves in further)


def _is_plain(reading: Reading) -> bool:
    """True if moves that go on from the record explain the look."""
    return reading.status is Status.MOVE and not reading.takeback


def _best(reading: Reading) -> tuple[Move, ...]:
    """The moves of the likeliest explanation; none if there is none, or people say it."""
    asks = reading.status is Status.AMBIGUOUS
    return reading.candidates[0].moves if asks else reading.moves


def _within(some: Sequence[Move], moves: Sequence[Move]) -> bool:
    """True if all of ``some`` are among ``moves``."""
    return Counter(some) <= Counter(moves)


def _then(told: Candidate, moves: Sequence[Move]) -> Candidate:
    """The belief that was told, and ``moves`` after it."""
    return Candidate((*told.moves, *moves), told.takeback)


def _after(match: Match, told: Candidate) -> Match:
    """``match`` after what was told."""
    after = match.clone()
    for _ in range(told.takeback):
        after.pop()
    for move in told.moves:
        after.push(move)
    return after


def _unheeded(
    match: Match, moves: Sequence[Move], lay: Collection[tuple[str, Look]], takeback: int = 0
) -> float:
    """Cost of ``moves`` if something that ``lay`` there meanwhile never did by them."""
    after = _after(match, Candidate((), takeback))
    passed = {*looks(after.layout).items()}
    for move in moves:
        after.push(move)
        passed.update(looks(after.layout).items())
    return UNHEEDED * min(len({*lay} - passed), MOST_UNHEEDED)
