"""Tells systemd how Heelstone is doing: ready, what it does, and that it is alive.

The watchdog is fed only while every part shows a sign of life. A program whose camera thread hangs
looks well from outside; this way it is restarted, and the journal continues where it was.

Protocol: sd_notify(3). It is a few bytes on a datagram socket, so no library is needed.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping

from hardware.supervised_thread import InboxThread

log = logging.getLogger(__name__)

Sign = Callable[[], bool]
"""Check of whether a part is alive; must answer within a second or two."""

BEATS_PER_LIMIT = 3
"""Number of questions to the parts within systemd's time limit."""

UNWATCHED_S = 10.0
"""Seconds between two looks without a time limit."""


class Notifier:
    """The line to systemd; silent where there is none."""

    def __init__(self, address: str | None = None) -> None:
        """``address``: of the socket; taken from the environment if absent."""
        self.address = os.environ.get("NOTIFY_SOCKET", "") if address is None else address

    def __call__(self, message: str) -> None:
        """Send one message, such as ``READY=1``; never raises."""
        if not self.address:
            return
        # An address that begins with @ exists only in the kernel, not in the file system.
        address = "\0" + self.address[1:] if self.address[0] == "@" else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.connect(address)
                line.sendall(message.encode())
        except OSError as error:
            log.warning("systemd cannot be told '%s': %s", message, error)


class Heartbeat:
    """Asks the parts for signs of life and passes them on."""

    def __init__(
        self,
        signs: Mapping[str, Sign],
        notify: Notifier | None = None,
        each: Callable[[], None] | None = None,
    ) -> None:
        """``signs``: by the name of the part. ``each``: called at every beat; must not raise."""
        self._signs = dict(signs)
        self._each = each
        self._notify = notify or Notifier()
        self._interval_s = _limit_s() / BEATS_PER_LIMIT
        self._still: tuple[str, ...] = ()
        self._thread = InboxThread[None]("heartbeat", tick=self.beat, due=lambda: self._interval_s)

    def start(self) -> Heartbeat:
        """Say that everything is ready, and begin to beat."""
        self._notify("READY=1\nSTATUS=at the table")
        self._thread.start()
        return self

    def close(self) -> None:
        """Say that the program ends, and stop."""
        self._thread.end()
        self._notify("STOPPING=1")
        self._thread.close(5)

    def beat(self) -> tuple[str, ...]:
        """Asks once; returns the parts that showed no sign of life."""
        still = tuple(name for name, sign in self._signs.items() if not _alive(name, sign))
        if not still:
            self._notify("WATCHDOG=1")
        if still != self._still:
            told = f"no sign of life from: {', '.join(still)}" if still else "at the table"
            log.log(logging.ERROR if still else logging.INFO, "%s", told)
            self._notify(f"STATUS={told}")
            self._still = still
        if self._each is not None:
            self._each()
        return still


def _alive(name: str, sign: Sign) -> bool:
    try:
        return sign()
    except Exception:
        log.exception("'%s' could not be asked for a sign of life", name)
        return False


def _limit_s() -> float:
    """systemd's time limit in seconds."""
    try:
        limit_s = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    except ValueError:
        limit_s = 0.0
    return limit_s if limit_s > 0 else UNWATCHED_S * BEATS_PER_LIMIT
