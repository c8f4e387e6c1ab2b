"""The table's own web server: one thread with a queue of its own, started and stopped at run time.

What happens at the table is handed over in the session's thread, which never waits: the newest
snapshot replaces the one before it, and only the last of the events are kept.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from companion.journal.events import Source
from companion.match.events import TableEvent
from companion.match.public_log import PublicIds
from companion.match.session import Session
from companion.match.view import TableView
from companion.presentation.views import Snapshot, snapshot_of
from companion.signals import Signal
from companion.web.connections import Limits, Lines, lines_of
from companion.web.event_stream import Happened, Happenings
from companion.web.guard import Guard
from companion.web.hosting import Host
from companion.web.move_requests import Verdict
from companion.web.network import Names, listening, network_trouble, own_addresses, port_trouble
from companion.web.routes import site
from companion.web.seats import Seats
from companion.web.stream import Readers
from companion.web.view_cache import Feed
from hardware.supervised_thread import AsyncThread, tell_failure

log = logging.getLogger(__name__)

PORT: Final = 8750
_STOP_S: Final = 5.0
_MOST_WAITING: Final = 256
"""Maximum number of changes of the table that wait for this thread; the oldest give way."""
_BACKLOG: Final = 128
_UNREAD_BYTES: Final = 65_536
_LAMPS_FIRST_S: Final = 0.015
"""Seconds after a change in which pictures are made. By then lamps and displays have theirs, which
would have to wait for a thread that makes pictures; and what follows at once is in the same one."""


class TableServer:
    """Pages of a table in its own network. See ``docs/phones.md``."""

    def __init__(
        self,
        port: int = PORT,
        lang: str = "de",
        kept: Path | None = None,
        limits: Limits | None = None,
        aliases: PublicIds | None = None,
        called: str = "",
        host: Host | None = None,
    ) -> None:
        """``port``: 0 takes a free one. ``lang``: for requests that name none. ``kept``: the file
        by which phones come back after a restart. ``aliases``: ids of matches outside the table.
        ``called``: the table's own name in the network; empty: the computer's. ``host``: the phone
        that looks after a table without a screen."""
        self.lang, self.host = lang, host
        self._refused = ""
        self._port, self._limits, self._called = port, limits or Limits(), called
        self._lock = threading.Lock()
        self._callbacks = Signal[[]]()
        self.seats = Seats(kept, self._seats_changed)
        self.feed = Feed()
        self.keepsake = b""
        """The picture of the match, once it is over and somebody wants it, a PNG file."""
        self.happenings = Happenings()
        self.readers, self.hands = Readers(), Readers()
        self._aliases = aliases or PublicIds()
        self.lines = Lines(self._limits)
        self._thread: AsyncThread | None = None
        self._socket: socket.socket | None = None
        self._session: Session | None = None
        self._stop_listening: Callable[[], None] | None = None
        self._match = ""
        self._opening = False
        self._opens = threading.Lock()
        self._inbox: deque[_Change] = deque(maxlen=_MOST_WAITING)
        self._missed = 0
        self._rung = False

    # -- starting and stopping ------------------------------------------------------------

    def start(self) -> str:
        """Listen in the local network from now on; returns ``trouble``."""
        self.seats.take_up()
        try:
            self._socket = self._bound()
        except OSError as error:
            self._refused = port_trouble(error)
            log.warning("pages for phones: port %d: %s", self._port, error)
            return self._refused
        self._port, self._refused = self._socket.getsockname()[1], ""
        self._thread = AsyncThread("phones", self._serve)
        self._thread.start()
        return self.trouble

    def close(self) -> None:
        """Ends all connections and listens no longer. Phones come back after the next start."""
        self._unfollow()
        if self._thread is not None:
            self._thread.close(_STOP_S)
            self._thread = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def follow(self, session: Session | None) -> None:
        """Show this session's match from now on; None: no match is on the table."""
        self._unfollow()
        self.keepsake = b""
        if session is None:
            self._put(_Change(None, ()))
            return
        view = session.view
        self.seats.begin(view.match_id, view.players)
        self._session, self._match, self._opening = session, view.match_id, True
        self._stop_listening = session.listen(self._hear)
        self._open(session, session.view)

    def lend(self, picture: bytes) -> None:
        """Show whoever watches this picture of the match."""
        self.keepsake = picture

    # -- what can be asked ----------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Code of why it cannot be reached: one of ``port_trouble`` or ``network_trouble``; empty:
        all is well."""
        if self._refused or self._thread is None:
            return self._refused
        return network_trouble()

    @property
    def port(self) -> int:
        """Port on which it listens, once it does."""
        return self._port

    @property
    def address(self) -> str:
        """Address for other machines, by number; empty without a network."""
        found = own_addresses()
        return f"http://{found[0]}:{self._port}/" if found and self._thread is not None else ""

    @property
    def name_address(self) -> str:
        """The same by name, where the system announces it (avahi)."""
        local = Names(self._port, self._called).local
        return f"http://{local}:{self._port}/" if local and self._thread is not None else ""

    def link(self, seat: int) -> str:
        """Address in the code of a seat; empty while it may not be claimed. For the screen only."""
        token, address = self.seats.token(seat), self.address
        return f"{address}hand#{token}" if token and address else ""

    @property
    def phone_lines(self) -> Lines:
        """All connections."""
        return self.lines

    @property
    def view(self) -> TableView | None:
        """The match on the table, before its first picture is made; None without one."""
        session = self._session
        return None if session is None else session.view

    @property
    def phones(self) -> int:
        """Number of listeners now, spectators too."""
        return len(self.readers) + len(self.hands)

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback``, in whatever thread, when a phone asks to be let in, or anything about
        seats changed; returns how to stop that."""
        return self._callbacks.add(callback)

    # -- in the session's thread ----------------------------------------------------------

    def _hear(self, view: TableView, events: Sequence[TableEvent]) -> None:
        session = self._session
        if session is not None and view.match_id == self._match:
            self._open(session, view)
            self._put(self._change(session, view, events))

    def _open(self, session: Session, view: TableView) -> None:
        """Say once that the match is on the table, before anything that happens in it."""
        with self._opens:
            if self._opening:
                self._opening = False
                self._put(self._change(session, view, (), opened=True))

    def _change(
        self, session: Session, view: TableView, events: Sequence[TableEvent], *,
        opened: bool = False,
    ) -> _Change:  # fmt: skip
        hands = tuple(session.hand(seat) for seat in range(view.players))
        public_id = self._aliases.of(view.match_id)
        snapshot = snapshot_of(
            public_id, session.table.record, view, hands, shared=self.host is not None
        )
        return _Change(snapshot, tuple(events), opened)

    def _put(self, change: _Change) -> None:
        with self._lock:
            self._missed += len(self._inbox) == _MOST_WAITING
            self._inbox.append(change)
            ring = not self._rung
            self._rung = True
        if ring:
            self._call(lambda: self._bell.set())

    # -- in any thread --------------------------------------------------------------------

    def _call(self, what: Callable[[], None]) -> None:
        """Have ``what`` done in the serving thread, if there is one."""
        thread = self._thread
        if thread is not None:
            # It may just have ended; what is new is taken up when it begins again.
            thread.call(what)

    def wake(self) -> None:
        """Something that phones of this table see has changed."""
        self._call(self.hands.wake)

    def _seats_changed(self) -> None:
        self.wake()
        self._callbacks()

    def _unfollow(self) -> None:
        stop, self._stop_listening = self._stop_listening, None
        if stop is None or self._session is None:
            return
        stop()
        over = self._session.view.outcome is not None
        self._session, self._match = None, ""
        self.seats.leave(over=over)

    # -- in the serving thread ------------------------------------------------------------

    def _bound(self) -> socket.socket:
        bound = listening(self._port)
        try:
            # What waits in here for a slow reader is old already.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNREAD_BYTES)
            bound.listen(_BACKLOG)
        except OSError:
            bound.close()
            raise
        return bound

    async def _serve(self, over: asyncio.Event) -> None:
        self._bell = asyncio.Event()
        self._bell.set()
        self.lines.closed = False
        listening = self._socket or self._bound()
        self._socket = None
        names = Names(self._port, self._called)
        guarded = Guard(site(self, self._limits), names, self.lines, self._limits)
        config = uvicorn.Config(
            guarded, http=lines_of(self.lines), ws="none", lifespan="off", loop="asyncio",
            log_config=None, log_level="error", access_log=False, server_header=False,
            proxy_headers=False,
            backlog=_BACKLOG, timeout_keep_alive=10, timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16_384,
        )  # fmt: skip
        server = uvicorn.Server(config)
        beside = [
            asyncio.create_task(self.lines.watch()), asyncio.create_task(self._tell_changes()),
            asyncio.create_task(self._stop(server, over)),
        ]  # fmt: skip
        try:
            await server.serve(sockets=[listening])
        finally:
            for task in beside:
                task.cancel()
            self.lines.cut_all()
            listening.close()

    async def _stop(self, server: uvicorn.Server, over: asyncio.Event) -> None:
        await over.wait()
        server.should_exit = True
        self.lines.closed = True
        self.lines.cut_all()

    async def _tell_changes(self) -> None:
        while True:
            await self._bell.wait()
            await asyncio.sleep(_LAMPS_FIRST_S)
            self._bell.clear()
            try:
                self._tell_new()
            except Exception as error:
                # The next change is told all the same.
                tell_failure(error)

    def _tell_new(self) -> None:
        with self._lock:
            changes = list(self._inbox)
            self._inbox.clear()
            missed, self._missed, self._rung = self._missed, 0, False
        happened = [one for change in changes for one in self._take(change)]
        if missed:
            happened += self.happenings.missed(missed)
        for one in happened:
            self.readers.tell(one)
        self.readers.wake()
        self.hands.wake()

    def _take(self, change: _Change) -> list[Happened]:
        self.feed.take(change.snapshot)
        if change.snapshot is None:
            return self.happenings.left()
        if change.opened:
            return self.happenings.opened(change.snapshot.public)
        return self.happenings.heard(change.snapshot.public, change.events)

    def play(self, verdict: Verdict) -> None:
        """Posts a phone's moves to the session."""
        session = self._session
        if verdict.post is not None and session is not None:
            session.post(verdict.post, Source.PHONE)


@dataclass(frozen=True, slots=True)
class _Change:
    """State of the table now, and the events that led to it."""

    snapshot: Snapshot | None
    events: tuple[TableEvent, ...]
    opened: bool = False
