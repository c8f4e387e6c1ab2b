"""Between the eyes and a match: a gate that can be shut."""

from __future__ import annotations

import threading

from companion.match.messages import CameraGone, ProposedRoll, Seen
from companion.match.session import Session
from companion.match.view import TableView


class CameraGate:
    """Shut while pieces are put down or devices are checked."""

    def __init__(self, session: Session, *, is_open: bool) -> None:
        self.session, self.is_open = session, is_open
        self._newest: Seen | CameraGone | None = None
        self._turn = threading.Lock()

    @property
    def view(self) -> TableView:
        """The session's."""
        return self.session.view

    def see(self, message: Seen | CameraGone | ProposedRoll) -> None:
        """Hand over what the camera saw, or keep the newest until the gate opens."""
        with self._turn:
            if self.is_open:
                self.session.see(message)
            elif not isinstance(message, ProposedRoll):
                self._newest = message

    def open(self) -> None:
        """Lets everything through, including what was seen last."""
        with self._turn:
            self.is_open = True
            newest, self._newest = self._newest, None
            if newest is not None:
                self.session.see(newest)

    def shut(self) -> None:
        """Lets nothing through."""
        with self._turn:
            self.is_open = False
