"""The thread in which a table's uploads live: it never makes a match wait."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from companion.club.membership import Membership
from companion.club.upload import Upload
from companion.club.upload_state import FILE
from companion.match.events import TableEvent
from companion.match.view import TableView
from hardware.supervised_thread import AsyncThread

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
        self._thread = AsyncThread("club", self._upload.run)

    def start(self) -> Uploader:
        """Begin to send."""
        self._thread.start()
        return self

    def __call__(self, _view: TableView, _events: Sequence[TableEvent]) -> None:
        """Something happened at the table; returns at once."""
        self._thread.call(self._upload.wake)

    def close(self) -> None:
        """Stop; what was not sent waits in the journal."""
        self._thread.close(END_S)

    def _hear(self, trouble: str) -> None:
        if trouble != self.trouble:
            log.info("club %s: %s", self.member.club, trouble or "connected")
        self.trouble = trouble
