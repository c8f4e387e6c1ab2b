"""The players' clock at a table: whose time runs, when it stands, and what undoing gives back.

The clock of the player whom the prompt names runs, even if it is another player's turn. Without
such a player it stands: chance and dexterity need no thinking. It stands as well while a question
is open, while the board is being put right or is out of sight, and while the match is not on the
screen. Before the first move, and after a break, it waits for a touch or for a move: it never runs
while players are away. Only monotonic time is used; a Raspberry Pi does not know what time it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.journal.events import ClockStood, Source
from companion.match.events import MovesCommitted, MovesUndone, TableEvent
from companion.match.record import MatchRecord
from companion.match.view import ClockView, SetClockRunning, SetForeground, TableState
from companion.match.watchers.watcher import Happened
from companion.settings.clocks import ClockKind, ClockPlan, clock_plan
from rules.core import Actor, Call, Move
from rules.match import Match

TELL_S = 8.0
"""Seconds for which it is told that a player's time has run out."""
GOES_ON = (TableState.SETTLED, TableState.HAND, TableState.PROPOSED)
"""States in which a player may think: no question is open, and nothing is to be put right."""
_ROUNDED_S = 1e-6
"""Tolerance of sums of seconds, which are never exact."""
MOST_BY_ITSELF = 200
"""Maximum number of moves made without a decision."""


@dataclass(frozen=True, slots=True)
class _Stand:
    """The time that all players have left."""

    left_s: tuple[float, ...]
    turn: int | None
    """Seat whose turn it is; None before the first turn."""

    def in_turn(self, turn: int | None) -> _Stand:
        """The same with a turn, if it has none yet."""
        return self if self.turn is not None else _Stand(self.left_s, turn)

    @property
    def stood(self) -> ClockStood:
        """The event that is written down."""
        return ClockStood(tuple(round(s * 1000) for s in self.left_s), self.turn)


class TableClock:
    """The clock of one match; without one nothing ever comes of it."""

    def __init__(self, record: MatchRecord) -> None:
        self._record = record
        self.plan = clock_plan(record.header.clock)
        self._match = record.match
        self.waits = True
        """True if it stands until it is touched, or until the next move."""
        self.here = True
        """True if the match is on the screen."""
        self._seeing = False
        """True if there is a camera that moves are expected from."""
        self._asked: int | None = None
        self._running = False
        self._since_s = 0.0
        self._told_until_s = 0.0
        self._time_up: tuple[int, Call] | None = None
        """The call that a player's time is up, while it is told, and the number of moves then."""
        self._due = False
        """True if something is still to be written down."""
        full = float(self.plan.seconds) if self.plan else 0.0
        self._now = _Stand((full,) * record.match.players, None)
        self._at = {0: self._now}
        """Reading when each number of moves was reached, as far as it is known."""
        if self.plan is not None:
            self._recall()
            self._asked, turn = self._asks()
            self._now = self._now.in_turn(turn)
        self._written = self._now.stood

    def _recall(self) -> None:
        players = self._match.players
        for ply, stood in self._record.clocks:
            if len(stood.left_ms) == players and stood.turn in (None, *range(players)):
                self._now = _Stand(tuple(ms / 1000 for ms in stood.left_ms), stood.turn)
                self._at.setdefault(ply, self._now)

    # -- what can be seen from outside ----------------------------------------------------

    @property
    def view(self) -> ClockView | None:
        """A frozen picture of it; None without a clock."""
        if self.plan is None:
            return None
        return ClockView(
            self.plan, self._now.left_s, self._since_s, self._asked, self._running, self.waits
        )

    @property
    def calls(self) -> tuple[tuple[int, Call], ...]:
        """A call to the player whose time ran out a moment ago, with the number of moves then."""
        return () if self._time_up is None else (self._time_up,)

    def deadline(self) -> float | None:
        """Time (monotonic seconds) at which the clock alone changes something."""
        if self._time_up is not None:
            return self._told_until_s
        if self._running and self._asked is not None and self._now.left_s[self._asked] > 0:
            return self._since_s + self._now.left_s[self._asked]
        return None

    # -- what happens ---------------------------------------------------------------------

    def heed(self, happened: Happened) -> None:
        """Takes what happened at the table.

        Raises JournalError; what was to be written down then is tried again the next time.
        """
        if self.plan is None:
            return
        events, now = happened.events, happened.now
        match happened.message:
            case SetClockRunning(on):
                self.waits, self._due = not on, True
            case SetForeground(here):
                self.here = here
        looked = self._seeing
        self._see(events, happened.clear)
        spent = self._spent(now)
        asked = self._asked
        if self._record.match is not self._match:
            self._spend(spent, now)
            self._follow(events, self.plan)
            asked = self._asks()[0]
        elif asked is not None and self._ran_out(asked, spent):
            self._spend(spent, now)
            self._told_until_s, self._due = now + TELL_S, True
            time_up = Call("time_up", (asked,), hands=False, sign="◷")
            self._time_up = self._match.ply, time_up
        if self._seeing != looked:
            asked, turn = self._asks()
            self._pass_to(turn, self.plan)
        if now >= self._told_until_s or asked != self._asked:
            self._time_up = None
        running = asked is not None and not self.waits and self.here and self._open(happened.state)
        if (asked, running) != (self._asked, self._running):
            self._spend(self._spent(now), now)
            self._due = self._due or asked != self._asked
            self._asked, self._running, self._since_s = asked, running, now
        self._write(now)

    def close(self, now: float) -> None:
        """Writes down the last reading, and stops. Raises JournalError."""
        if self.plan is not None:
            self._due = True
            self._write(now)
            self._running = False

    # -- private --------------------------------------------------------------------------

    def _asks(self) -> tuple[int | None, int | None]:
        return asked_of(self._match, seeing=self._seeing)

    def _see(self, events: Sequence[TableEvent], clear: bool) -> None:
        """Updates whether a camera counts. One that went blind does so no longer once people go on
        by touch."""
        by_hand = (Source.TOUCH, Source.BUTTON, Source.PHONE)
        agreed = [event.src for event in events if isinstance(event, MovesCommitted)]
        self._seeing = clear or (self._seeing and not any(src in by_hand for src in agreed))
        if any(src is not Source.DEALER for src in agreed):
            self.waits = False

    def _open(self, state: TableState) -> bool:
        """True if a player may think in this state."""
        return state in GOES_ON or (state is TableState.BLIND and not self._seeing)

    def _spent(self, now: float) -> float:
        return max(now - self._since_s, 0.0) if self._running else 0.0

    def _ran_out(self, asked: int, spent: float) -> bool:
        return self._running and 0 < self._now.left_s[asked] <= spent + _ROUNDED_S

    def _spend(self, spent: float, now: float) -> None:
        """Take what was spent off the time of the one asked."""
        self._since_s = now
        if self._asked is not None and spent:
            self._set(self._asked, max(self._now.left_s[self._asked] - spent, 0.0))

    def _set(self, seat: int, seconds: float) -> None:
        left = list(self._now.left_s)
        left[seat] = seconds
        self._now = _Stand(tuple(left), self._now.turn)

    def _follow(self, events: Sequence[TableEvent], plan: ClockPlan) -> None:
        """The record has changed."""
        before, match = self._match, self._record.match
        self._match = match
        same = _in_common(before, match)
        if same < before.ply:
            self._at = {ply: stand for ply, stand in self._at.items() if ply <= same}
            self._due = True
        if same == match.ply and _only_undone(events):
            # The time as it was then; ``_at`` always holds how the match began.
            self._now = self._at[max(self._at)].in_turn(self._asks()[1])
        elif same == before.ply:
            for turn in (*_turns(match, same), self._asks()[1]):
                self._pass_to(turn, plan)
        else:
            # What was put right gives nobody time, or turns that they had already.
            self._pass_to(self._asks()[1], plan)
        self._at[match.ply] = self._now

    def _pass_to(self, turn: int | None, plan: ClockPlan) -> None:
        """Passes the turn to this seat."""
        last = self._now.turn
        if turn is None or turn == last:
            return
        left = self._now.left_s
        if plan.kind is ClockKind.TURN:
            left = (float(plan.seconds),) * len(left)
        self._now = _Stand(left, turn)
        if last is not None and plan.increment_s:
            self._set(last, left[last] + plan.increment_s)

    def _write(self, now: float) -> None:
        """Write down how it stands, if something happened since that was written down last."""
        if not self._due:
            return
        if self._running:
            self._spend(self._spent(now), now)
        stood = self._now.stood
        if self._match.outcome is None and stood != self._written:
            self._record.note_clock(stood, Source.DEALER)
            self._written = stood
        self._due = False


def asked_of(match: Match, *, seeing: bool) -> tuple[int | None, int | None]:
    """Seat that has to think now, and seat whose turn that is; None: no single one.

    While a camera is ``seeing`` the board, a turn in which nothing else can be done need not be
    ended by touch: the next player is thinking already.
    """
    trial, played = match, 0
    while (move := _goes_on(trial, seeing=seeing)) is not None and played < MOST_BY_ITSELF:
        trial = match.clone() if trial is match else trial
        trial.push(move)
        played += 1
    prompt = trial.prompt
    if prompt is None or prompt.actor is not Actor.PLAYER or prompt.player is None:
        return None, None
    return prompt.player, trial.state.turn_of()


def _goes_on(match: Match, *, seeing: bool) -> Move | None:
    """The next move, if it needs no thought."""
    move = match.by_itself(ends_turns=True)
    if move is None and seeing and match.outcome is None:
        legal = match.legal_moves()
        move = legal[0] if [one.verb for one in legal] == ["done"] else None
    return move


def _turns(match: Match, since: int) -> Iterator[int | None]:
    """Seat whose turn it was after each move from number ``since`` on, where a player was asked."""
    trial = match.clone()
    while trial.ply > since:
        trial.pop()
    state = trial.state.clone()
    for entry in match.log[since:]:
        state.apply(entry.move)
        prompt = state.prompt()
        if prompt is not None and prompt.actor is Actor.PLAYER:
            yield state.turn_of()


def _in_common(before: Match, after: Match) -> int:
    """Number of moves with which two records of a match begin alike."""
    pairs = zip(before.log, after.log, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(before.ply, after.ply))


def _only_undone(events: Sequence[TableEvent]) -> bool:
    """True if moves were taken back, and no others made in their place."""
    made = any(isinstance(e, MovesCommitted) and e.src is not Source.DEALER for e in events)
    return not made and any(isinstance(event, MovesUndone) for event in events)
