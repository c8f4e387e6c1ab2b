"""The actions of the players' buttons: agree, take back, put back, repeat, let the clock stand.

A press asks for the same as a touch on the screen, with one difference: a press while a hand is
still over the board means what the hand is doing. It then waits until the board has been looked at;
a turn that ended before its move was read would make the move the next player's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from companion.journal.events import Source
from companion.match.events import TableEvent
from companion.match.view import (
    ChooseCandidate,
    ConfirmPlaced,
    PlayMove,
    Redo,
    SetClockRunning,
    TableState,
    TableView,
    Undo,
    waits_to_be_set,
)
from companion.settings.validating import button_action

if TYPE_CHECKING:
    from companion.match.session import Session
    from hardware.buttons.buttons import Buttons

PATIENCE_S = 10.0
"""Seconds after which a press that waits for a hand to leave is forgotten."""
READY = (TableState.SETTLED, TableState.PENDING, TableState.BLIND)
"""States in which a turn may end: nothing on the board is still to be explained."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """A press of ``commit`` that waits for a hand to leave."""

    match_id: str
    ply: int
    until: float


class PlayerButtons:
    """The buttons of a table, whatever is played there.

    ``session`` returns the match under way; ``again`` repeats what applies now.
    ``after_match``: what ``commit`` does when the match is over.
    """

    def __init__(
        self,
        session: Callable[[], Session | None],
        again: Callable[[], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._again, self._clock = session, again, clock
        self.after_match: Callable[[], None] | None = None
        self.answers: Callable[[bool], bool] | None = None
        """Answers an open question by ``commit`` (True) or ``undo`` (False) before they mean
        anything else; returns whether there was one. Only where no screen asks."""
        self._wish: _Wish | None = None
        self._match_id = ""
        self._begins: dict[int, int] = {}

    def connect(self, buttons: Buttons, names: Iterable[str]) -> None:
        """Connects these buttons; those whose names mean nothing do nothing."""
        for name in names:
            does = button_action(name)
            if not does:
                continue
            buttons.when_pressed(name, partial(self.pressed, does))
            if does == "undo":
                buttons.when_held(name, self.undo_turn)

    def pressed(self, name: str) -> None:
        """A button that does this (see ``companion.settings.validating``) went down."""
        session = self._session()
        if session is None:
            return
        answers = self.answers if name in ("commit", "undo") else None
        if answers is not None and answers(name == "commit"):
            return
        if name == "undo":
            self._wish = None
            session.post(Undo(), Source.BUTTON)
        elif name == "redo":
            session.post(Redo(), Source.BUTTON)
        elif name == "again":
            self._again()
        elif name == "clock":
            clock = session.view.clock
            if clock is not None:
                session.post(SetClockRunning(clock.waits), Source.BUTTON)
        else:
            self._commit(session)

    def undo_turn(self) -> None:
        """Undo is held: the rest of the turn goes back too. Waits for the session."""
        session = self._session()
        if session is None or not session.settle():
            return
        begin = self._begins.get(session.view.turn, session.view.ply)
        for _ in range(session.view.ply - begin):
            before = session.view.ply
            if before <= begin:
                return
            session.post(Undo(), Source.BUTTON)
            if not session.settle() or session.view.ply == before:
                return

    def __call__(self, view: TableView, events: Sequence[TableEvent]) -> None:
        """A session's listener."""
        if view.match_id != self._match_id:
            self._match_id, self._begins, self._wish = view.match_id, {}, None
        # A turn that was taken back as a whole starts over.
        self._begins = {turn: ply for turn, ply in self._begins.items() if turn <= view.turn}
        self._begins[view.turn] = min(view.ply, self._begins.get(view.turn, view.ply))
        wish = self._wish
        if wish is None or view.state is TableState.HAND:
            return
        self._wish = None
        session = self._session()
        still = (view.match_id, view.ply) == (wish.match_id, wish.ply)
        if session is None or not still or self._clock() > wish.until:
            return
        if view.state is TableState.PROPOSED:
            session.post(ChooseCandidate(0), Source.BUTTON)
        elif view.state in READY:
            # Nobody has seen yet which of several explanations is right; so nothing is chosen.
            _end_turn(session, view)

    def _commit(self, session: Session) -> None:
        view = session.view
        if view.outcome is not None:
            if self.after_match is not None:
                self.after_match()
        elif view.state is TableState.HAND:
            self._wish = _Wish(view.match_id, view.ply, self._clock() + PATIENCE_S)
        elif view.candidates and view.state is not TableState.PENDING:
            # What is only offered while the table waits is chosen on the screen.
            session.post(ChooseCandidate(0), Source.BUTTON)
        elif waits_to_be_set(view):
            session.post(ConfirmPlaced(), Source.BUTTON)
        elif view.state in READY:
            _end_turn(session, view)


def _end_turn(session: Session, view: TableView) -> None:
    done = [move for move in view.legal if move.verb == "done"]
    if done:
        session.post(PlayMove(done[0]), Source.BUTTON)
