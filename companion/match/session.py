"""The session: one thread owns a table; messages go in, views and events come out.

Neither callers nor the session block: cameras and fingers drop messages into the inbox,
listeners are called with frozen values after the journal has been written.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.journal.entries import JournalError
from companion.journal.events import Source
from companion.match.events import MovesCommitted, MovesUndone, TableEvent, Trouble
from companion.match.hands import Hand
from companion.match.messages import (
    DeviceChanged,
    InboxItem,
    MachineChanged,
    Message,
    MessagePosted,
    OtherTableChanged,
    Seen,
    Settle,
    Tick,
)
from companion.match.rehearsing.recall import Recall, Step
from companion.match.state import Heard
from companion.match.table import Table
from companion.match.view import DismissNote, MachineNote, TableView, WentWrong
from companion.signals import Signal
from hardware.supervised_thread import InboxThread
from rules.core import ScoreLine

log = logging.getLogger(__name__)

Listener = Callable[[TableView, Sequence[TableEvent]], None]
"""Callback in the session's thread, with the newest view and what led to it; must return at
once."""

SETTLE_S = 5.0
"""Default time to wait until all that was posted is dealt with, seconds."""
RETRY_S = 1.0
"""Seconds after which a deadline that passed without any effect is looked at again."""


class Session:
    """A table with a thread of its own."""

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self.table = table
        self._clock = clock
        self._published = Signal[[TableView, Sequence[TableEvent]]]()
        self._lock = threading.Lock()
        self._devices: dict[str, str] = {}
        self._machine: tuple[MachineNote, ...] = ()
        self._noticed: set[MachineNote] = set()
        self._wrong: WentWrong | None = None
        self._heard = Heard.NOT
        self._recall = Recall(table)
        self._view = table.view()
        self._score_lines = table.score_lines
        self._hands = table.hands
        self._score_history = table.score_history
        self._pending_sightings = 0
        self._ticked: float | None = None
        self._thread = InboxThread(
            "session", self._open, tick=self._tick, due=self._wait, last=self._leave
        )

    def start(self) -> Session:
        """Begin to listen to the inbox."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Finish what was posted so far, then stop."""
        self._thread.close(5)

    @property
    def view(self) -> TableView:
        """The newest view."""
        return self._view

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """Sources of the points of the newest view."""
        return self._score_lines

    @property
    def score_history(self) -> tuple[tuple[int, ...], ...]:
        """Points by seat before the first move and after each, once the match is over."""
        return self._score_history

    def hand(self, seat: int) -> Hand:
        """The private view of ``seat``; for that player's eyes, never for a log."""
        return self._hands[seat]

    def scene(self, name: str) -> list[Step]:
        """Last sightings and touches, as the lines of a scene (``docs/rehearse.md``)."""
        return self._recall.scene(name, self._clock())

    def post(self, message: Message, src: Source = Source.TOUCH) -> None:
        """Posts a message; returns at once."""
        self._thread.put(MessagePosted(message, src))

    def see(self, message: Message) -> None:
        """Hand over what the camera saw; only the newest sighting in the inbox counts."""
        with self._lock:
            self._pending_sightings += isinstance(message, Seen)
        self._thread.put(MessagePosted(message, Source.CAMERA))

    def device(self, name: str, trouble: str) -> None:
        """A device is in trouble (a code), or well again (empty)."""
        self._thread.put(DeviceChanged(name, trouble))

    def machine(self, notes: tuple[MachineNote, ...]) -> None:
        """This is everything that is wrong with the computer now."""
        self._thread.put(MachineChanged(notes))

    def other(self, heard: Heard) -> None:
        """Posts whether the other table of the match is there."""
        self._thread.put(OtherTableChanged(heard))

    def subscribe(self, listener: Callable[[TableView], None]) -> Callable[[], None]:
        """Call ``listener`` with every new view; returns how to stop that."""
        return self.listen(lambda view, _: listener(view))

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with every new view and its events; returns how to stop that."""
        return self._published.add(listener)

    @property
    def waiting(self) -> int:
        """Messages that have not been dealt with yet."""
        return self._thread.waiting

    def settle(self, timeout_s: float | None = None) -> bool:
        """Waits until everything posted before this call has been dealt with; True if it has.

        ``timeout_s``: maximum wait, seconds; ``SETTLE_S`` if none is given.
        """
        done = threading.Event()
        self._thread.put(Settle(done))
        return done.wait(SETTLE_S if timeout_s is None else timeout_s)

    # -- private --------------------------------------------------------------------------

    def _tick(self) -> None:
        self._ticked = self.table.next_deadline()
        self._open(MessagePosted(Tick(), Source.CAMERA))

    def _wait(self) -> float | None:
        deadline = self.table.next_deadline()
        if deadline is None:
            return None
        left = deadline - self._clock()
        if left <= 0 and deadline == self._ticked:
            # It has had its tick; without this the thread would never sleep again.
            return RETRY_S
        return max(0.01, left)

    def _open(self, letter: InboxItem) -> None:
        """Deal with one letter."""
        events: list[TableEvent] = []
        match letter:
            case Settle(done):
                done.set()
                return
            case DeviceChanged(name, trouble):
                others = {n: code for n, code in self._devices.items() if n != name}
                self._devices = others | ({name: trouble} if trouble else {})
            case MachineChanged(notes):
                self._machine = notes
            case OtherTableChanged(heard):
                self._heard = heard
            case MessagePosted(DismissNote(MachineNote() as note)):
                self._noticed.add(note)
            case MessagePosted(message, src):
                if isinstance(message, Seen) and self._is_stale(message):
                    return
                events = self._handle(message, src)
        self._publish(events)

    def _leave(self) -> None:
        try:
            self.table.close(self._clock())
        except JournalError as error:
            # The clock goes on from what was written before.
            log.warning("%s", error)

    def _is_stale(self, seen: Seen) -> bool:
        """True if a newer look is waiting; in a folder every picture counts."""
        with self._lock:
            self._pending_sightings -= 1
            return self._pending_sightings > 0 and not seen.settled

    def _handle(self, message: Message, src: Source) -> list[TableEvent]:
        now = self._clock()
        try:
            self._recall.hear(message, self.table, now)
            return self.table.handle(message, now, src)
        except Exception:
            # A mistake in a game or in the reading must not end the evening.
            log.exception("a message could not be dealt with")
            return [Trouble()]

    def _publish(self, events: Sequence[TableEvent]) -> None:
        self._score_lines = self.table.score_lines
        self._hands = self.table.hands
        self._score_history = self.table.score_history
        for event in events:
            if isinstance(event, Trouble):
                self._wrong = WentWrong(event.what)
            elif isinstance(event, MovesCommitted | MovesUndone):
                self._wrong = None
        machine = tuple(note for note in self._machine if note not in self._noticed)
        view = replace(self.table.view(self._devices), machine=machine, wrong=self._wrong)
        if view.other is not None:
            view = replace(view, other=replace(view.other, heard=self._heard))
        if view == self._view and not events:
            return
        self._view = view
        self._published(view, events)
