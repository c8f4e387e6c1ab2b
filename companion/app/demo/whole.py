"""A whole match of any game at the virtual table, every piece of it moved by hands.

A dealer plays a random match; what a physical table shows of it is the truth. Hands lay it out
under the camera, move by move; the record is kept from what vision reads. What no picture shows is
tapped, but where people throw dice the next throw may tell it; and where the table asks, the
question is answered.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from companion.app.demo.stage import Stage, StageError
from companion.match.view import TableState, TableView
from companion.simulator import Step, TableError, next_step
from rules.core import Layout, Move
from rules.match import Match
from rules.reading.reading import Candidate, Status, read
from rules.reading.sighting import looks
from rules.testing.pictures import draw
from rules.testing.playout import random_match

WHOLE = "whole:"
"""Prefix of a part of the demo that is a whole match of the game named after it."""

PATIENT_S, PATIENT_LOOKS = 8.0, 30
"""Time and number of looks after which a move neither read nor asked about is said on the
screen."""
MOST_STEPS = 12
"""Number of changed pieces above which they are set out like a new game: the hand stays over the
board."""


class Hands(Protocol):
    """Hands that move pieces and tap."""

    def carry_out(self, step: Step) -> None:
        """Drag, put back or turn a piece."""

    def set_out(self, layout: Layout) -> None:
        """Lay everything out again."""

    def tap(self, move: Move) -> None:
        """Say a move on the screen."""

    def choose(self, number: int) -> None:
        """Answer the question of the screen with this candidate."""

    def hold(self, what: str, done: Callable[[TableView], bool]) -> float:
        """Hold still until ``done``; returns the seconds it took. Raises StageError."""


@dataclass
class Tally:
    """Results of a match."""

    moves: int = 0
    """Moves in the record."""
    dragged: int = 0
    """Moves made by hands on the table …"""
    read: int = 0
    """… of these: in the record without a question."""
    asked: int = 0
    """… of these: a question was asked, or nothing was understood and the move tapped, as it is
    where the table does neither within its patience …"""
    alike: int = 0
    """… and of these: rightly asked, as legal moves look alike even in a perfect picture."""
    tapped: int = 0
    """Moves that no picture can show, said on the screen."""
    wrong: int = 0
    """Moves in the record that were not made."""
    steps: int = 0
    """Pieces dragged, put back or turned."""
    notes: list[str] = field(default_factory=list)
    """Questions and errors, with the move at which they came."""


class WholeMatch:
    """Plays one match; ``moment`` is called with a name when there is something to show."""

    def __init__(
        self,
        stage: Stage,
        seed: int | str,
        moment: Callable[[str], None] = lambda name: None,
        hands: Hands | None = None,
    ) -> None:
        """``hands``: others than the stage's own."""
        self.stage, self.hands, self.seed = stage, hands or stage, seed
        self._moment = moment
        header = stage.view
        self.truth = Match(
            stage.game.id, header.players, dict(header.options), physical=True, seed=seed
        )
        self._dealt: list[Move] = [entry.move for entry in self.truth.log]
        self._untold = 0
        """Number of moves made by hand that the next throw may tell."""
        self._agreed = self.truth.ply
        """Number of moves when record and truth agreed last."""
        self.tally = Tally()
        self.after_move: Callable[[], None] = lambda: None

    def play(self, limit: int | None = None) -> Tally:
        """To the end, or until this many moves were made by hand. Raises StageError."""
        tally = self.tally
        self._deal()
        if looks(self.truth.layout):
            self.hands.set_out(self.truth.layout)
        self.hands.hold("the table is recognised", _quiet)
        self._moment("1-start")
        for number, move in enumerate(self._moves()):
            before = looks(self.truth.layout)
            self._take_up_dice(move)
            self.truth.push(move)
            self._deal()
            if looks(self.truth.layout) == before:
                self._say(move)
            else:
                self._lay(move)
            tally.moves = self.truth.ply
            self.after_move()
            if number == 12:
                self._moment("2-under-way")
            if limit is not None and tally.dragged >= limit:
                return tally
        self.hands.hold("the end is recognised", lambda v: v.outcome is not None)
        self._moment("7-result")
        return tally

    # -- the truth ------------------------------------------------------------------------

    def _moves(self) -> Iterator[Move]:
        game, view = self.stage.game, self.stage.view
        for match, _, move in random_match(game, view.players, view.options, self.seed):
            for shown in match.state.shown(move):
                if self._dealt:
                    self._dealt.pop(0)
                else:
                    yield shown

    def _deal(self) -> None:
        """Plays the moves that need no decision, as the table does."""
        self._dealt += self.truth.follow()

    # -- moves ----------------------------------------------------------------------------

    def _say(self, move: Move) -> None:
        """A move that leaves no trace is tapped, or left to the throw that follows it."""
        if self._is_told_by_a_throw(move):
            return
        self.tally.tapped += 1
        self._tap_what_is_missing()
        self._agree(f"'{move}' is taken from the screen", move)

    def _lay(self, move: Move) -> None:
        """A move of the hands."""
        tally = self.tally
        tally.dragged += 1
        told = self._told_by_a_picture()
        waits = told is None and self._is_told_by_a_throw(move)
        if told is None and not waits and self._untold:
            tally.tapped += self._untold
            self._untold = 0
            self._tap_what_is_missing(most=self.truth.ply - 1)
            told = self._told_by_a_picture()
        if told is None and not waits:
            # No picture could show it, so people say what they do.
            tally.tapped += 1
            self._tap_what_is_missing()
        self._hands()
        if told is not None or waits:
            self._wait_for(move, or_quiet=waits)
            if self._agrees:
                tally.read += 1 + self._untold
            elif waits and _quiet(self.stage.view):
                self._untold += 1
                return
            else:
                tally.tapped += self._untold
                self._answer(move, alike=told is Status.AMBIGUOUS)
        self._untold = 0
        self._agree(f"'{move}' is in the record and on the table", move)

    def _is_told_by_a_throw(self, move: Move) -> bool:
        """True if people go on to a throw of dice that may tell what no picture shows now."""
        goes_on = self.truth.throws_lie_here and self.truth.outcome is None
        return goes_on and move.player is not None

    def _take_up_dice(self, move: Move) -> None:
        """Before a throw the dice are in a hand, and the tray is seen without them."""
        throw = self.truth.state.throw()
        if throw is not None and move in throw and self.truth.throws_lie_here:
            self.hands.set_out(throw.taken_up(self.truth.layout))
            self.hands.hold("the dice are taken up", _quiet)

    def _hands(self) -> None:
        """Pieces are moved until the table shows the truth."""
        virtual, steps = self.stage.virtual, 0
        self.stage.make_room()
        while steps < MOST_STEPS:
            try:
                step = next_step(virtual, self.truth.layout)
            except TableError as error:
                self.tally.notes.append(f"set out: {error}")
                break
            if step is None:
                return
            self.hands.carry_out(step)
            steps += 1
            self.tally.steps += 1
        self.hands.set_out(self.truth.layout)

    def _wait_for(self, move: Move, *, or_quiet: bool = False) -> None:
        """Until the record has the move, or the table asks, gives up or goes on doing neither;
        ``or_quiet``: or is calm without it."""
        asking = (TableState.AMBIGUOUS, TableState.DESYNC, TableState.ILLEGAL)
        since: float | None = None
        began, looks_taken = time.monotonic(), 0

        def done(view: TableView) -> bool:
            nonlocal since, looks_taken
            looks_taken += 1
            if self._agrees or self._astray or (or_quiet and _quiet(view)):
                return True
            if looks_taken > PATIENT_LOOKS and time.monotonic() - began > PATIENT_S:
                return True
            if view.state not in asking:
                since = None
                return False
            since = since or time.monotonic()
            # A question may vanish with the next picture.
            return time.monotonic() - since > self.stage.manners.reason_s

        self.hands.hold(f"'{move}' is read, or asked about", done)

    def _answer(self, move: Move, *, alike: bool) -> None:
        """The table asks, or has understood nothing."""
        tally, view = self.tally, self.stage.view
        if self._astray:
            tally.wrong += 1
            record = [entry.move.text for entry in self.stage.journal_match().log]
            raise StageError(f"'{move}' was meant, the record ends with {record[-3:]}")
        if alike and view.state is TableState.AMBIGUOUS:
            tally.alike += 1
        else:
            tally.asked += 1
            tally.notes.append(f"asked at {self.truth.ply}: {move} ({view.state.value})")
        if view.state is TableState.AMBIGUOUS:
            for number, candidate in enumerate(view.candidates):
                if self._leads(candidate):
                    self.hands.choose(number)
                    return
        self._tap_what_is_missing()

    def _tap_what_is_missing(self, most: int | None = None) -> None:
        """Say all that the record lacks, up to ``most`` moves of the match."""
        most = self.truth.ply if most is None else most
        known = Counter(_texts(self.stage.journal_match())[self._agreed :])
        for move in [entry.move for entry in self.truth.log[self._agreed : most]]:
            if known[move.text]:
                known[move.text] -= 1
            elif self.stage.journal_match().ply < most:
                self.hands.tap(move)

    def _agree(self, what: str, move: Move) -> None:
        self.hands.hold(what, lambda v: self._agrees and v.state is not TableState.AMBIGUOUS)
        self._follow_the_record()
        if self.stage.view.outcome is None:
            self.hands.hold(f"the table agrees after '{move}'", _quiet)

    def _follow_the_record(self) -> None:
        """The order in which a turn was played does not show: then it is as the record says."""
        record = self.stage.journal_match()
        if _texts(record) != _texts(self.truth):
            while self.truth.ply > self._agreed:
                self.truth.pop()
            for entry in record.log[self._agreed :]:
                self.truth.push(entry.move)
        self._agreed = self.truth.ply

    # -- comparing ------------------------------------------------------------------------

    @property
    def _agrees(self) -> bool:
        return self.stage.view.ply == self.truth.ply and not self._astray

    @property
    def _astray(self) -> bool:
        """True if the record holds a move that was not made."""
        return not self._is_told_by(self.stage.journal_match())

    def _is_told_by(self, record: Match) -> bool:
        """True if ``record`` has only what was played, or what leads to the same position: the way
        of a piece that moved twice does not show."""
        told, played, since = _texts(record), _texts(self.truth), self._agreed
        if told[:since] != played[:since] or len(told) > len(played):
            return False
        if len(told) == len(played):
            return bool(record.state.to_json() == self.truth.state.to_json())
        return self._untold > 0 or not Counter(told[since:]) - Counter(played[since:])

    def _told_by_a_picture(self) -> Status | None:
        """Status if a perfect picture of the table reveals this move, or offers it; None if not."""
        match = self.stage.journal_match()
        reading = read(match, draw(self.stage.box, self.truth.layout))
        if reading.status is Status.MOVE:
            offered = [Candidate(reading.moves)]
        else:
            offered = list(reading.candidates) if reading.status is Status.AMBIGUOUS else []
        return reading.status if any(map(self._leads, offered)) else None

    def _leads(self, candidate: Candidate) -> bool:
        """True if a candidate leads to the match as it was played."""
        if candidate.takeback:
            return False
        trial = self.stage.journal_match()
        for move in candidate.moves:
            trial.push(move)
        trial.follow()
        return trial.ply == self.truth.ply and self._is_told_by(trial)


def _quiet(view: TableView) -> bool:
    """True if board and record agree; the rules may wait for something that cannot be seen."""
    return view.state is TableState.SETTLED or (view.state is TableState.PENDING and not view.fixes)


def _texts(match: Match) -> list[str]:
    return [entry.move.text for entry in match.log]
