"""Phones at the table: their server, loaded and started when it is turned on.

Turning it on takes a moment, since Python packages are loaded; that is done in a thread of its own.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from companion.match.public_log import PublicIds
from companion.presentation.phones import PhonesNow, SeatPhone
from companion.settings.services import WebSettings
from companion.signals import Signal
from companion.words.errors import notice
from hardware.supervised_thread import InboxThread

if TYPE_CHECKING:
    from companion.match.session import Session
    from companion.web.hosting import Host, House
    from companion.web.server import TableServer

log = logging.getLogger(__name__)

KEPT = "phones.json"
"""File in the state folder with the phones of an unfinished match."""
HOST = "host.json"
"""File in the state folder with the phone that looks after a table without a screen."""
SERVER = "companion.web.server"
"""Module loaded when phones are turned on; it wants packages that not every table has."""
FRESH_S = 0.5
"""Seconds for which a status is reused, unless the server reports a change: screens ask with every
view, and the addresses of this computer are looked up each time."""
CLOSE_S = 5.0
"""Maximum time to turn phones off when the program ends, seconds."""


class TablePhones:
    """The phones of one table; implements ``companion.presentation.phones.Phones``."""

    def __init__(
        self,
        settings: WebSettings,
        state: Path,
        keep: Callable[[bool], object],
        aliases: PublicIds | None = None,
    ) -> None:
        """``keep`` stores whether phones are on. ``aliases``: ids of matches outside the table."""
        self._settings, self._kept, self._remember = settings, state / KEPT, keep
        self._aliases = aliases or PublicIds()
        self._found: tuple[float, PhonesNow] | None = None
        """Last status, and its time, monotonic seconds …"""
        self._changes = 0
        """… and how often something has changed."""
        self._lock = threading.RLock()
        self._wanted = False
        self._lang = "de"
        self._session: Session | None = None
        self._server: TableServer | None = None
        self._house: House | None = None
        self._trouble = ""
        self._callbacks = Signal[[]]()
        self._thread = InboxThread[None](
            "phones", lambda _: self._switch(), last=self._switch, failed=self._failed
        )
        self._asked: Callable[[int], object] = lambda _seat: None
        self._told: tuple[int, ...] = ()
        """Seats that were told to ``_asked``, as long as their phones wait."""

    # -- for screens ----------------------------------------------------------------------

    @property
    def now(self) -> PhonesNow:
        """Current status of the phones."""
        with self._lock:
            found, changes = self._found, self._changes
        if found is not None and time.monotonic() - found[0] <= FRESH_S:
            return found[1]
        seen = self._look()
        with self._lock:
            if changes == self._changes:
                self._found = (time.monotonic(), seen)
        return seen

    def _look(self) -> PhonesNow:
        with self._lock:
            server, session, wanted = self._server, self._session, self._wanted
        if server is None:
            return PhonesNow(on=wanted, trouble=self._trouble)
        seats = range(0 if session is None else session.view.players)
        return PhonesNow(
            on=wanted,
            ready=bool(server.address),
            trouble=server.trouble,
            address=server.address,
            name_address=server.name_address,
            seats=tuple(_seat(server, seat) for seat in seats),
            streams=server.phones,
        )

    def turn(self, on: bool) -> None:
        """Turns phones on or off, and remembers it."""
        self._remember(on)
        self.want(on)

    def confirm(self, seat: int) -> None:
        """Confirms that the waiting phone belongs to the player of this seat."""
        self._with_server(lambda server: server.seats.confirm(seat))

    def refuse(self, seat: int) -> None:
        """Refuses the waiting phone; the seat gets a new code."""
        self._with_server(lambda server: server.seats.refuse(seat))

    def take_back(self, seat: int) -> None:
        """Shut out the phone of a seat."""
        self._with_server(lambda server: server.seats.take_back(seat))

    def renew(self, seat: int) -> None:
        """Show a code for another phone."""
        self._with_server(lambda server: server.seats.renew(seat))

    def lend(self, picture: bytes) -> None:
        """Shows everybody who watches the picture of the match that is over."""
        self._with_server(lambda server: server.lend(picture))

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback``, on any thread, after every change; returns how to stop that."""
        return self._callbacks.add(callback)

    # -- for the program ------------------------------------------------------------------

    def when_asked(self, asked: Callable[[int], object]) -> None:
        """Call ``asked`` with a seat, once for every phone that wants one. In whatever thread."""
        self._asked = asked

    def look_after(self, house: House) -> None:
        """Let a phone be the host: this table has no screen. Before phones are wanted."""
        self._house = house

    def tell_host(self) -> None:
        """Something that the host sees has changed."""
        self._with_server(lambda server: server.wake())

    def want(self, on: bool) -> None:
        """Turn it on or off; returns at once, the rest happens in a thread."""
        with self._lock:
            self._wanted, self._trouble = on, ""
        self._thread.start()
        self._thread.put(None)
        self._changed()

    def follow(self, session: Session | None) -> None:
        """This match is on the table from now on; None: no match is."""
        with self._lock:
            self._session = session
            if self._server is not None:
                self._server.follow(session)
        self._changed()

    def speak(self, lang: str) -> None:
        """The language of pages that name none."""
        with self._lock:
            self._lang = lang
            if self._server is not None:
                self._server.lang = lang

    def close(self) -> None:
        """Shut the pages; phones of an unfinished match come back to it."""
        with self._lock:
            self._wanted = False
        self._callbacks.clear()
        self._thread.close(CLOSE_S)

    # -- private --------------------------------------------------------------------------

    @property
    def _server_fails(self) -> bool:
        return self._server is not None and bool(self._server.trouble)

    def _switch(self) -> None:
        """Make it as it is wanted now."""
        with self._lock:
            wanted, server = self._wanted, self._server
            if server is not None and (not wanted or self._server_fails):
                self._server = None
        if server is not None and self._server is None:
            server.close()
        if wanted and self._server is None:
            self._start()
        self._changed()

    def _start(self) -> None:
        try:
            made: type[TableServer] = import_module(SERVER).TableServer
        except ModuleNotFoundError as error:
            log.warning("phones: %s (%s)", notice("phones_web_missing"), error)
            with self._lock:
                self._trouble = "phones_web_missing"
            return
        server = made(
            self._settings.port, self._lang, self._kept, aliases=self._aliases,
            called=self._settings.name, host=self._host(),
        )  # fmt: skip
        server.listen(self._changed)
        trouble = server.start()
        if trouble:
            log.warning("phones: %s", notice(trouble))
        else:
            log.info("phones are let in at %s", server.address)
        with self._lock:
            self._server = server
            server.lang = self._lang
            server.follow(self._session)

    def _host(self) -> Host | None:
        if self._house is None:
            return None
        from companion.web.hosting import Host

        return Host(self._house, self._kept.with_name(HOST))

    def _failed(self) -> None:
        with self._lock:
            self._trouble = "phones_mistake"
        self._changed()

    def _with_server(self, deed: Callable[[TableServer], object]) -> None:
        with self._lock:
            server = self._server
        if server is not None:
            deed(server)

    def _changed(self) -> None:
        with self._lock:
            self._found = None
            self._changes += 1
            server = self._server
            waiting = () if server is None else server.seats.waiting()
            new = [seat for seat in waiting if seat not in self._told]
            self._told = waiting
        self._callbacks()
        for seat in new:
            self._asked(seat)


def _seat(server: TableServer, seat: int) -> SeatPhone:
    seats = server.seats
    return SeatPhone(seats.state(seat), seats.renewed(seat), server.link(seat))
