"""A table tells its club what is in its journal: in order, as often as it takes, and never hurried.

The journal is the truth and is only read here. What is new goes to the broker (NATS JetStream) in
the order of its numbers; a table that was without a network for days goes on where it stopped. The
broker's word that it has a message counts for sending on; the word of the club's database counts
for being done: what it does not have in the end, although nothing is under way, is sent again.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import Header as JsHeader

from companion.club.connection import connect
from companion.club.membership import Membership
from companion.club.naming import ClubError, answer_subject, asking_subject
from companion.club.public_events import (
    MOST_EVENTS,
    VERSION,
    Answer,
    Asks,
    Letter,
    PublicForm,
    match_key,
)
from companion.decoding import Unfit, decoded
from companion.journal.entries import OPEN, JournalError, Stand
from companion.journal.events import Event
from companion.journal.store import Journal
from companion.match.events import TableEvent
from companion.match.view import TableView
from companion.settings.writing import put_aside, write_whole
from hardware.supervised_thread import AsyncThread
from rules.bounded import read_bytes
from rules.core import GameError
from rules.errors import Sentence

# -- acknowledged events ----------------------------------------------------------------------
#
# The file may be lost: then everything is sent again, and the club knows what it has already.

FILE = "club-sent.json"
SAVE_S = 10.0
"""Minimum time between two writes, seconds: a memory card wears out, and what is sent twice counts
once."""


class Known(msgspec.Struct):
    """State of one match at the club."""

    edition: int = 1
    sent: int = -1
    """Events that the broker took; -1: not even the match itself."""
    link: int = 0
    """The journal's hash of the last of them."""
    status: str = ""
    """Last status sent of the match, …"""
    stood: int = 0
    """… and how often it was told so."""
    again: int = 0
    """Number of times it had to be sent again because the database lacked something."""
    stored: int = -1
    """Events that the club's database confirmed."""


@dataclass
class Acknowledged:
    """The file; ``matches`` by their ids in the journal."""

    path: Path
    matches: dict[str, Known] = field(default_factory=dict, init=False)
    salvage: Sentence | None = field(default=None, init=False)
    """Report on a damaged file that was put aside."""

    def __post_init__(self) -> None:
        self._saved_s, self._kept = time.monotonic(), b""
        try:
            self._kept = read_bytes(self.path)
        except FileNotFoundError:
            return
        try:
            self.matches = msgspec.json.decode(self._kept, type=dict[str, Known])
        except msgspec.DecodeError:
            self.salvage = put_aside(self.path)

    def of(self, match_id: str) -> Known:
        """State of a match; from now on it is in the file."""
        return self.matches.setdefault(match_id, Known())

    def save(self, *, now: bool = False) -> None:
        """Write the file if something changed and the last time is long ago. Raises OSError."""
        if not now and time.monotonic() - self._saved_s < SAVE_S:
            return
        data: bytes = msgspec.json.encode(self.matches)
        self._saved_s = time.monotonic()
        if data != self._kept:
            write_whole(self.path, data)
            self._kept = data


log = logging.getLogger(__name__)

LOOK_S = 30.0
"""Seconds between looks at the journal if nothing new is reported."""
ASK_S = 10.0
"""Seconds between questions to the club's database about what it has, while it may lack
something."""
LONGEST_ASK_S = 60.0
"""The same while nobody answers."""
MOST_AGAIN = 3
"""Number of times that a match is sent again at once; then as often as everything is asked for."""
ASK_ALL_S = 3600.0
"""Seconds between questions about everything: the database may have come back from an older
copy."""
ASKED_AT_ONCE = 200
"""Maximum number of matches in one question."""
AT_ONCE = 64
"""Maximum number of events that are under way at the same time."""
TAKE_S = 10.0
"""Maximum time for the broker to take a message, seconds."""
WARM = 8
"""Number of matches that need no replay when they continue."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A question to the club's database: what was sent of each match, by its name there."""

    asked: Mapping[str, tuple[str, Known]]
    everything: bool


class Upload:
    """The uploads of one table, within an event loop.

    ``told`` hears what people may want to know of it: ``""`` while all is well, otherwise why not.
    """

    def __init__(
        self, member: Membership, journal: Path, acknowledged: Path,
        told: Callable[[str], object] = lambda _trouble: None,
    ) -> None:  # fmt: skip
        self._member, self._path, self._told = member, journal, told
        self._acknowledged = Acknowledged(acknowledged)
        self._warm: OrderedDict[str, PublicForm] = OrderedDict()
        self._unfit: dict[str, Stand] = {}
        """Matches that cannot be told, and how they stood then."""
        self._new = asyncio.Event()
        self._asked_s = self._asked_all_s = -ASK_ALL_S
        self._confirm: set[str] = set()
        """Matches of which the database has not confirmed everything."""
        self._questions: dict[int, _Question] = {}
        """Questions without an answer, by number."""
        self._answers: list[Answer] = []
        self._number, self._patience_s = random.randrange(MOST_EVENTS), ASK_S

    def wake(self) -> None:
        """Reports that something new is in the journal; to be called within the loop."""
        self._new.set()

    @property
    def done(self) -> bool:
        """True if the club's database has confirmed everything that was sent."""
        return not self._confirm and all(
            known.stored >= known.sent for known in self._acknowledged.matches.values()
        )

    def told_of(self, stands: Iterable[Stand]) -> bool:
        """True if the broker has everything of these matches."""
        for stand in stands:
            known = self._acknowledged.matches.get(stand.id)
            if known is None or (known.sent, known.status) != (stand.events, stand.status):
                return False
        return True

    async def run(self, over: asyncio.Event) -> None:
        """Upload until ``over``. Raises JournalError if the journal cannot be read."""
        # It belongs to the loop that it is waited for in.
        self._new = asyncio.Event()
        with Journal(self._path, beside=True) as journal:
            wait_s = 1.0
            while not over.is_set():
                try:
                    client = await connect(self._member)
                except (NatsError, OSError, TimeoutError) as error:
                    self._told(str(error) or type(error).__name__)
                    await _first_of([over.wait()], wait_s)
                    wait_s = min(2 * wait_s, 60.0)
                    continue
                wait_s = 1.0
                try:
                    await self._serve(client, journal, over)
                finally:
                    self._acknowledged.save(now=True)
                    await client.close()

    # -- private --------------------------------------------------------------------------

    async def _serve(self, client: Client, journal: Journal, over: asyncio.Event) -> None:
        stream, member = client.jetstream(timeout=TAKE_S), self._member
        await client.subscribe(answer_subject(member.club, member.table), cb=self._answered)
        while not over.is_set():
            self._new.clear()
            try:
                await self._send_new(journal, stream)
                self._hear_answers()
                await self._ask(stream)
                self._told("")
                waited_s = ASK_S if self._confirm else LOOK_S
            except (NatsError, TimeoutError) as error:
                # The client connects again by itself; what was not taken is sent again.
                self._told(str(error) or type(error).__name__)
                waited_s = 2.0
            self._acknowledged.save()
            await _first_of([self._new.wait(), over.wait()], waited_s)

    async def _send_new(self, journal: Journal, stream: JetStreamContext) -> None:
        for stand in journal.stands():
            known = self._acknowledged.of(stand.id)
            if (known.sent, known.link, known.status) == (stand.events, stand.head, stand.status):
                continue
            if self._unfit.get(stand.id) == stand:
                continue
            try:
                await self._send_match(journal, stream, stand, known)
            except (JournalError, GameError, ClubError) as error:
                # A game that is not installed any more, a damaged or overlong entry: the others go
                # on.
                log.warning("match %s is not told to the club: %s", stand.id, error)
                self._unfit[stand.id] = stand
                self._warm.pop(stand.id, None)

    async def _send_match(
        self, journal: Journal, stream: JetStreamContext, stand: Stand, known: Known
    ) -> None:
        form, rows = self._followed(journal, stand, known)
        if known.sent < 0:
            await _put(stream, [form.begun()])
            known.sent = 0
        for first in range(0, len(rows), AT_ONCE):
            began_s, some = time.monotonic(), rows[first : first + AT_ONCE]
            letters = [form.take(event) for event, _link in some]
            worked_s = time.monotonic() - began_s
            known_of = max(known.sent - some[0][0].seq + 1, 0)
            await _put(stream, letters[known_of:])
            if form.seq > known.sent:
                known.sent, known.link = form.seq, some[-1][1]
            # Whoever was away for days must not take the processor from the match under way.
            await asyncio.sleep(min(worked_s, 0.5) if len(rows) > AT_ONCE else 0)
        if not rows and not form.seq:
            known.link = stand.head
        if known.status != stand.status:
            await _put(stream, [form.stands(stand.status, known.stood + 1)])
            known.status, known.stood = stand.status, known.stood + 1
        self._keep_warm(stand.id, form, known)
        self._confirm.add(stand.id)

    def _followed(
        self, journal: Journal, stand: Stand, known: Known
    ) -> tuple[PublicForm, list[tuple[Event, int]]]:
        """A match as far as it was told, or from its beginning, and the events that follow."""
        form = self._warm.get(stand.id)
        if form is not None and form.seq == known.sent and form.edition == known.edition:
            rows = journal.events_after(stand.id, form.seq, known.link)
            if rows is not None:
                return form, rows
        rows = journal.events_after(stand.id, 0, 0) or []
        if known.sent > 0 and [link for _, link in rows[known.sent - 1 : known.sent]] != [
            known.link
        ]:
            # A copy of the journal was put back, and something else was played since.
            log.warning("match %s is told anew: its record was replaced", stand.id)
            known.edition, known.sent, known.stored, known.status = known.edition + 1, -1, -1, ""
        header, member = journal.header(stand.id), self._member
        form = PublicForm(header, member.key, member.club, member.table, known.edition, known.again)
        return form, rows

    def _keep_warm(self, match_id: str, form: PublicForm, known: Known) -> None:
        self._warm.pop(match_id, None)
        if form.seq == known.sent and known.status == OPEN:
            self._warm[match_id] = form
        while len(self._warm) > WARM:
            self._warm.popitem(last=False)

    # -- what the database has ---------------------------------------------------------------

    async def _ask(self, stream: JetStreamContext) -> None:
        """Ask the club's database what it has, now and then. A question waits behind all that was
        sent before it, and so does its answer."""
        now_s, matches = time.monotonic(), self._acknowledged.matches
        everything = now_s - self._asked_all_s > ASK_ALL_S
        if everything:
            self._asked_all_s, self._patience_s = now_s, ASK_S
            self._confirm.update(matches)
        elif not self._confirm or now_s - self._asked_s < self._patience_s:
            return
        # Where nobody writes just now, questions must not pile up.
        unanswered, self._asked_s = bool(self._questions), now_s
        self._patience_s = min(2 * self._patience_s, LONGEST_ASK_S) if unanswered else ASK_S
        self._questions.clear()
        asked = [id for id in self._confirm if id in matches]
        for first in range(0, len(asked), ASKED_AT_ONCE):
            some = {
                self._name(id): (id, replace(matches[id]))
                for id in asked[first : first + ASKED_AT_ONCE]
            }
            # 0 is the number of questions that want no answer.
            self._number = self._number % (MOST_EVENTS - 1) + 1
            question = Asks(v=VERSION, number=self._number, matches=tuple(some))
            self._questions[self._number] = _Question(some, everything)
            await stream.publish(
                asking_subject(self._member.club, self._member.table),
                msgspec.json.encode(question),
            )

    async def _answered(self, message: Msg) -> None:
        try:
            self._answers.append(decoded(message.data, Answer))
        except Unfit as error:
            log.warning("an answer of the club makes no sense: %s", error)
        self._new.set()

    def _hear_answers(self) -> None:
        answers, self._answers = self._answers, []
        for answer in answers:
            question = self._questions.pop(answer.number, None)
            if question is None:
                continue
            for name, (id, then) in question.asked.items():
                stored, status = answer.stored.get(name, (-1, ""))
                self._hear(id, then, stored, status, often=not question.everything)

    def _hear(self, match_id: str, then: Known, stored: int, status: str, *, often: bool) -> None:
        """``then``: what was sent when it was asked for."""
        known = self._acknowledged.matches[match_id]
        known.stored = stored
        if stored >= known.sent and status == known.status:
            self._confirm.discard(match_id)
        elif (then.edition, then.again) != (known.edition, known.again):
            # It is being sent again already.
            return
        elif stored >= then.sent and status == then.status:
            self._confirm.add(match_id)
        elif often and known.again >= MOST_AGAIN:
            # It will not be taken the next time either; it is asked for with all others.
            log.warning("the club does not take match %s", match_id)
            self._confirm.discard(match_id)
        else:
            # What was taken before is lost.
            log.warning("match %s is sent to the club again", match_id)
            known.sent, known.status, known.again = -1, "", known.again + 1
            self._warm.pop(match_id, None)
            self._confirm.add(match_id)
            self._new.set()

    def _name(self, match_id: str) -> str:
        return match_key(match_id, self._member.key, self._acknowledged.of(match_id).edition)


async def _put(stream: JetStreamContext, letters: Sequence[Letter]) -> None:
    """Hand letters to the broker; it has them all when this returns. Raises NatsError."""
    await asyncio.gather(*(
        stream.publish(letter.subject, letter.body, headers={JsHeader.MSG_ID: letter.id})
        for letter in letters
    ))  # fmt: skip


async def _first_of(waits: Iterable[Coroutine[Any, Any, object]], seconds: float) -> None:
    """Return as soon as one of them does, or after a time."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


# -- the thread of uploads --------------------------------------------------------------------

END_S = 5.0
"""Maximum time to send the rest when the program ends, seconds; what is left is sent next time."""


class Uploader:
    """Tells a club what is in the journal of ``state``. A listener of the session."""

    def __init__(self, member: Membership, state: Path) -> None:
        self.member = member
        self.trouble = ""
        """Reason why nothing is sent just now; empty while all is well."""
        self._upload = Upload(member, state / "journal.db", state / FILE, self._hear)
        self._thread = AsyncThread("club", self._upload.run)

    def start(self) -> Uploader:
        """Begin to send."""
        self._thread.start()
        return self

    def __call__(self, _view: TableView, _events: Sequence[TableEvent]) -> None:
        """Wakes the upload after every event at the table; returns at once."""
        self._thread.call(self._upload.wake)

    def close(self) -> None:
        """Stop; what was not sent waits in the journal."""
        self._thread.close(END_S)

    def _hear(self, trouble: str) -> None:
        if trouble != self.trouble:
            log.info("club %s: %s", self.member.club, trouble or "connected")
        self.trouble = trouble
