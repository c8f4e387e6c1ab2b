"""A table without a touchscreen: camera, referee, lamps, display, voice and buttons.

The match that was under way continues; otherwise a new one begins, or the host's phone sets one up.
When one has ended, the commit button or the host begins the next.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from companion.app.application import Application
from companion.app.hosting import Hosting
from companion.app.preload import settle_memory
from companion.journal.entries import JournalError
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from companion.support.heartbeat import Heartbeat, Notifier, Sign
from companion.support.log import RunLog, runtime_folder

# -- a match with another table ---------------------------------------------------------------

STEP_S = 0.3
"""Seconds between looks at whether the other table has answered."""
AGAIN_S = 20.0
"""Seconds after which a table that plays, or is not heard, is invited again."""
_NEVER = {"no": "declined_no", "game": "declined_game", "rules": "declined_rules"}


@dataclass
class Meeting:
    """A match with ``table``: of ``plan`` and with the seats ``here``, or as it invites us if there
    is no plan. Raises JournalError at a table that belongs to no club."""

    house: Application
    table: str
    plan: MatchSetup | None = None
    here: tuple[int, ...] = ()
    clock: Callable[[], float] = time.monotonic
    _asked_s: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        tables = self.house.neighbours.join_tables()
        if tables is None:
            raise JournalError("in_no_club")
        if self.plan is not None and not tables.suits(self.plan):
            raise JournalError("not_for_two_tables", game=self.plan.game)
        self._tables = tables

    def begun(self) -> bool:
        """True if the match is on this table now; polled.

        Raises JournalError if the other table does not play along.
        """
        now = self._tables.now
        if self.plan is None:
            ready = now.received is not None and now.received.table == self.table
        else:
            sent = now.sent
            answer = "" if sent is None else sent.answer
            if answer in _NEVER:
                self._tables.withdraw()
                raise JournalError(_NEVER[answer], table=self.table)
            again = sent is None or answer in ("busy", "gone")
            if again and self.clock() - self._asked_s >= AGAIN_S:
                log.info("table %s is invited", self.table)
                self._asked_s = self.clock()
                self._tables.invite(self.table, self.plan, self.here)
            ready = answer == "yes"
        if ready:
            log.info("a match with table %s", self.table)
            self.house.begin_together()
            self.house.begin()
        return ready


log = logging.getLogger(__name__)

ANSWER_S = 2.0
"""Maximum time for an answer of the session, seconds."""


TOO_SOON_S = 1.5
"""Seconds after a question within which a press was meant for the game."""
FORGOTTEN_S = 60.0
"""Seconds after which buttons mean the game again; the command ``phones`` still answers."""


class Doorbell:
    """Phones that want a seat at a table without a screen: the players' buttons answer."""

    def __init__(self, house: Application, clock: Callable[[], float] = time.monotonic) -> None:
        self._house, self._clock = house, clock
        self._lock = threading.Lock()
        self._asking: list[tuple[int, float]] = []
        """Seats in the order in which their phones asked, and when that was said."""

    def rung(self, seat: int) -> None:
        """A phone wants this seat. Any thread."""
        from companion.settings.validating import button_action

        actions = {button_action(name) for name in self._house.settings.rig.buttons}
        self._house.director.phone_asks(seat, by_button={"commit", "undo"} <= actions)
        with self._lock:
            self._asking.append((seat, self._clock()))

    def answered(self, yes: bool) -> bool:
        """Takes a press of a button; True if it answered a question."""
        phones, now = self._house.phones, self._clock()
        waiting = phones.now.waiting
        with self._lock:
            self._asking = [
                (seat, since) for seat, since in self._asking
                if seat in waiting and now - since < FORGOTTEN_S
            ]  # fmt: skip
            if not self._asking or now - self._asking[0][1] < TOO_SOON_S:
                return False
            seat = self._asking.pop(0)[0]
            # Whoever asked meanwhile is asked about now: one press answers one question.
            left, self._asking = self._asking, []
        (phones.confirm if yes else phones.refuse)(seat)
        for other, _since in left:
            self.rung(other)
        return True


@dataclass(frozen=True, slots=True)
class _Signals:
    """SIGTERM and SIGINT as an event, and the handlers that were there before."""

    stop: threading.Event
    before: Mapping[signal.Signals, Callable[[int, FrameType | None], object] | int | None]

    @classmethod
    def caught(cls) -> _Signals:
        stop = threading.Event()
        before = {
            number: signal.signal(number, lambda *_: stop.set())
            for number in (signal.SIGTERM, signal.SIGINT)
        }
        return cls(stop, before)

    def release(self) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)


def signs_of_life(house: Application) -> dict[str, Sign]:
    """Checks of whether session, camera and outputs are alive."""

    def session() -> bool:
        return house.session is None or house.session.settle(ANSWER_S)

    def camera() -> bool:
        # A camera that was unplugged is looked for; only a thread that hangs is dead.
        return house.eyes is None or house.eyes.alive()

    return {"session": session, "camera": camera, "outputs": house.rig.alive}


def serve(
    settings: Settings, state: Path, lang: str, plan: MatchSetup | None, table: str = "",
    here: tuple[int, ...] = (), settings_file: Path | None = None,
) -> int:  # fmt: skip
    """Referee until SIGTERM or SIGINT. ``plan``: the match to begin if none is under way.

    ``table``: another table of the club to play it with, and the seats that are ``here``; without
    a plan that table is to invite this one. Raises JournalError if there is nothing to play.
    """
    signals = _Signals.caught()
    house = Application(settings, state, lang, settings_file)
    hosting = Hosting(house)
    try:
        if house.preferences.now.phones:
            house.phones.look_after(hosting)
            house.phones.want(True)
        meeting = _begin(house, plan and hosting.fit(plan), table, here)
        house.buttons.after_match = hosting.again
        doorbell = Doorbell(house)
        house.phones.when_asked(doorbell.rung)
        house.buttons.answers = doorbell.answered
        keep_log = RunLog(house.recent_log.lines, runtime_folder())
        heartbeat = Heartbeat(signs_of_life(house), Notifier(), keep_log).start()
        settle_memory()
        try:
            while not signals.stop.wait(None if meeting is None else STEP_S):
                if meeting is not None and meeting.begun():
                    meeting = None
        finally:
            heartbeat.close()
    finally:
        hosting.close()
        house.close()
        signals.release()
    return 0


def _begin(
    house: Application, plan: MatchSetup | None, table: str, here: tuple[int, ...]
) -> Meeting | None:  # fmt: skip
    """Put a match on the table; or say who is to be met for one."""
    unfinished = house.unfinished()
    fits = [m for m in unfinished if plan is None or m.game == plan.game]
    if fits:
        log.info("going on with match %s of %s", fits[0].match_id, fits[0].game)
        house.resume(fits[0].match_id)
    elif table:
        return Meeting(house, table, plan, here)
    elif plan is not None:
        log.info("a new match of %s", plan.game)
        house.start(plan)
        house.begin()
    elif house.preferences.now.phones:
        log.info("the host's phone may begin a match: heelstone phones code")
    else:
        raise JournalError("nothing_to_play")
    return None
