"""The thread in which a table's uploads live: it never makes a match wait."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.club.membership import Membership
from companion.club.upload import Upload
from companion.club.upload_state import FILE
from companion.match.events import TableEvent
from companion.match.view import TableView
from hardware.worker import Worker

__all__ = ["Uploader"]

log = logging.getLogger(__name__)

END_S = 5.0
"""The program ends without what could not be sent by then; it is sent next time."""


class Uploader:
    """Tells a club what is in the journal of ``state``. A listener of the session."""

    def __init__(self, member: Membership, state: Path) -> None:
        self.member = member
        self.trouble = ""
        """Why nothing is sent just now; empty while all is well."""
        self._upload = Upload(member, state / "journal.db", state / FILE, self._hear)
        self._over = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = threading.Event()
        self._thread = Worker(self._work, "club", over=self._closing.is_set)

    def start(self) -> Uploader:
        """Begin to send."""
        self._thread.start()
        return self

    def __call__(self, _view: TableView, _events: Sequence[TableEvent]) -> None:
        """Something happened at the table; returns at once."""
        self._call(self._upload.wake)

    def close(self) -> None:
        """Stop; what was not sent waits in the journal."""
        self._closing.set()
        self._call(self._over.set)
        self._thread.join(END_S)

    # -- private --------------------------------------------------------------------------

    def _work(self) -> None:
        if not self._closing.is_set():
            asyncio.run(self._run())

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            if not self._closing.is_set():
                await self._upload.run(self._over)
        finally:
            self._loop = None

    def _call(self, what: Callable[[], object]) -> None:
        loop = self._loop
        if loop is not None:
            # It may have ended just now; then nobody is to be told any more.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(what)

    def _hear(self, trouble: str) -> None:
        if trouble != self.trouble:
            log.info("club %s: %s", self.member.club, trouble or "connected")
        self.trouble = trouble
