"""Asks computer players for moves and tips, and plays their answers.

The player to move, and a wish for a tip, are found in the views of a session; the question goes to
``companion.players.engine_client``, and the answer comes back to the session as a message. It
counts only for the position it was asked in, so the table never waits for a thought: any change at
the table makes it stale.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from companion.journal.events import Source
from companion.match.messages import ComputerFails, ComputerPlays, GiveTip
from companion.match.session import Session
from companion.match.view import SET_FOR_COMPUTER, TableState, TableView
from companion.players.engine_client import EngineClient
from companion.settings.services import PlayersSettings
from hardware.supervised_thread import InboxThread
from rules.core import Actor, GameError, Move
from rules.match import Entry, Match
from rules.players.engine_protocol import Answer, Question
from rules.players.player import Choice
from rules.players.view import SeatView

log = logging.getLogger(__name__)

ADVISER = "archdruid"
"""Computer player that gives the tips."""
RESULT_S = 3.0
"""Seconds for which a result is shown where nothing has to be put down."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A question to a computer player."""

    session: Session
    match: Match
    since: int
    """Length of the record's ``told``."""
    seat: int
    player: str
    tip: bool

    def same_as(self, other: _Case | None) -> bool:
        """True if a thought about the one is a thought about the other."""
        return other is not None and (self.session, self.since, self.seat, self.tip) == (
            other.session, other.since, other.seat, other.tip,
        )  # fmt: skip


class Opponents:
    """The computer players of a table, and its adviser; follows one match at a time."""

    def __init__(self, settings: PlayersSettings, thinking: EngineClient | None = None) -> None:
        self._pause_s, self.seconds = settings.pause_s, settings.seconds
        self._thinking = thinking or EngineClient()
        self._thread = InboxThread("opponents", self._take_up, tick=self._play, due=self._wait)
        self._unsubscribe: Callable[[], None] = lambda: None
        self._told: tuple[_Case | None, bool] = (None, False)
        """Case that was last given to the thread, and whether it may be played."""
        # All below belongs to the thread.
        self._case: _Case | None = None
        self._ready = False
        self._play_s = 0.0
        """Not before this moment."""
        self._chosen: Choice | None = None

    def follow(self, session: Session | None) -> None:
        """This match is on the table from now on, before its session runs; None: none is."""
        self._unsubscribe()
        self._told = (None, False)
        if session is None:
            if self._thread.is_alive():
                self._thread.put(partial(self._look, None, False, 0.0))
            return
        self._unsubscribe = session.listen(lambda view, _events: self._heed(session, view))
        self._heed(session, session.view)

    def take_time(self, seconds: float) -> None:
        """Sets the maximum time for a decision, from the next one on."""
        self.seconds = seconds

    def close(self) -> None:
        """Ends all questions."""
        self._unsubscribe()
        self._thread.close(5)
        self._thinking.close()

    # -- the session's thread -------------------------------------------------------------

    def _heed(self, session: Session, view: TableView) -> None:
        record = session.table.record
        case = _case_of(session, view, record.match, len(record.told))
        ready = _may_play(view)
        before, was_ready = self._told
        if case is None and before is None:
            return
        if ready is was_ready and (case.same_as(before) if case is not None else before is None):
            return
        self._told = (case, ready)
        pause_s = self._pause_s
        if not view.physical and view.result is not None and view.result_ply == view.ply:
            pause_s = max(pause_s, RESULT_S)
        self._thread.start()
        self._thread.put(partial(self._look, case, ready, time.monotonic() + pause_s))

    # -- the thread -----------------------------------------------------------------------

    def _take_up(self, deed: Callable[[], None]) -> None:
        deed()
        self._play()

    def _wait(self) -> float | None:
        """Seconds until a move may be played; None: it depends on something else."""
        if self._chosen is None or not self._ready:
            return None
        return max(0.01, self._play_s - time.monotonic())

    def _look(self, case: _Case | None, ready: bool, play_s: float) -> None:
        """This is asked at the table now."""
        self._ready = ready
        if case is not None and case.same_as(self._case):
            return
        if self._case is not None:
            self._thinking.stop()
        self._case, self._chosen, self._play_s = case, None, play_s
        if case is None:
            return
        try:
            question = _question(case, self.seconds)
        except GameError as error:
            # A game that cannot say what a seat knows; the match goes on without its player.
            log.warning("computer player %s cannot be asked: %s", case.player, error)
            self._fail(case)
            return
        self._thinking.ask(question, partial(self._heard, case))

    def _heard(self, case: _Case, answer: Answer) -> None:
        """Takes an answer; called in the thread of the thoughts."""
        self._thread.put(partial(self._take, case, answer))

    def _take(self, case: _Case, answer: Answer) -> None:
        if case is not self._case:
            return
        if answer.choice is None:
            if answer.error:
                log.warning("computer player %s cannot choose: %s", case.player, answer.error)
            self._fail(case)
        elif case.tip:
            case.session.post(GiveTip(answer.choice, case.since), Source.COMPUTER)
        else:
            self._chosen = answer.choice

    def _play(self) -> None:
        """Play what was chosen, as soon as it may be played."""
        case, chosen = self._case, self._chosen
        if case is None or chosen is None or not self._ready or time.monotonic() < self._play_s:
            return
        self._chosen = None
        moves = _turn(case, chosen)
        case.session.post(ComputerPlays(moves, chosen.why, case.since), Source.COMPUTER)

    def _fail(self, case: _Case) -> None:
        intent = GiveTip(None, case.since) if case.tip else ComputerFails(case.seat, case.since)
        case.session.post(intent, Source.COMPUTER)


def _case_of(session: Session, view: TableView, match: Match, since: int) -> _Case | None:
    """The question to a computer player, if there is one."""
    if view.thinks is not None:
        player = view.computers[view.thinks]
        return _Case(session, match, since, view.thinks, player, tip=False)
    tip = view.tip
    if tip is not None and tip.choice is None and not tip.failed:
        return _Case(session, match, since, tip.seat, ADVISER, tip=True)
    return None


def _may_play(view: TableView) -> bool:
    """True if hands have done everything that was played before."""
    if not view.physical:
        return True
    if view.result is not None and view.result.code == SET_FOR_COMPUTER:
        return False
    return view.state in (TableState.SETTLED, TableState.BLIND)


def _question(case: _Case, seconds: float) -> Question:
    # Whoever gives a tip knows what the one who asks can know, not what they should remember.
    view = SeatView.of(case.match, case.seat, remembers=not case.tip)
    moves, name = tuple(case.match.legal_moves()), secrets.token_hex(6)
    return Question(name, case.player, view, moves, seconds, secrets.randbits(32))


def _turn(case: _Case, chosen: Choice) -> tuple[Move, ...]:
    """Moves that are played at once: with real pieces a whole turn, as far as it depends on no
    other player, so that it is set in one go; on the screen one move after the other, each thought
    about anew."""
    if not case.match.physical:
        return (chosen.move,)
    trial, moves = case.match.clone(), list[Move]()
    for move in (chosen.move, *chosen.line):
        prompt = trial.prompt
        if prompt is None or prompt.actor is not Actor.PLAYER or prompt.player != case.seat:
            break
        if trial.why_not(move):
            break
        moves.append(move)
        trial.play(Entry(move))
    return tuple(moves)
