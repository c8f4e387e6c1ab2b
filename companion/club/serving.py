"""Everything that a club needs, started and kept running: broker, database, writer and pages.

Each part is a process of its own. One that ends is started again, so none of them must be awake for
the others, and any of them may be killed at any moment.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.club.broker import broker_config
from companion.club.keys import public_key
from companion.club.local import LocalBroker, LocalDatabase, Program
from companion.club.naming import ClubError
from companion.club.settings import Club
from companion.settings.checking import SettingsError
from companion.words.errors import HeelstoneError

__all__ = ["DSN", "Parts", "serve_club"]

log = logging.getLogger(__name__)

DSN = "HEELSTONE_CLUB_DSN"
"""In the environment of writer and pages: how to reach the database."""
LOOK_S = 1.0
FIRST_AGAIN_S, LONGEST_AGAIN_S = 1.0, 30.0
"""A part that ends again and again is started this rarely."""
CALM_S = 60.0


class Command(Program):
    """One of our own programs, as a process of its own."""

    def __init__(self, name: str, file: Path, dsn: str) -> None:
        self._command = [sys.executable, "-m", "companion.app.entry", "club", name, str(file)]
        self._dsn = dsn

    def start(self) -> None:
        """Start it. Raises OSError."""
        environment = {**os.environ, DSN: self._dsn}
        self.process = subprocess.Popen(self._command, env=environment, stdin=subprocess.DEVNULL)


class Parts:
    """The processes of a club. Raises ClubError, SettingsError, OSError."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._read = club.file.stat().st_mtime_ns
        self._again: dict[str, tuple[float, float]] = {}
        """Of each part: when it was started last, and how long is waited before the next time."""
        self.broker: LocalBroker | None = None
        self.database: LocalDatabase | None = None
        self.running: dict[str, Program] = {}
        """By name, in the order in which they are started."""

    def start(self) -> None:
        """Start all of them; the database answers when this returns."""
        settings = self._club.settings
        dsn = settings.database.dsn
        self.broker = LocalBroker(self._club.folder / "broker")
        self._configure()
        if settings.broker.run:
            self.running["broker"] = self.broker
            self.broker.start()
        if not dsn:
            self.database = LocalDatabase(self._club.folder / "database")
            self.running["database"] = self.database
            self.database.start()
            dsn = self.database.dsn
        for name in ("writer", "pages"):
            command = Command(name, self._club.file, dsn)
            self.running[name] = command
            command.start()

    def look_after(self) -> None:
        """Start again what has ended, and tell the broker of new tables."""
        for name, part in self.running.items():
            if not part.running:
                self._start_again(name, part)
        changed = self._club.file.stat().st_mtime_ns
        if changed != self._read:
            self._read = changed
            try:
                self._club = Club(self._club.file)
                self._configure()
                log.info("the club has %d tables now", len(self._club.tables))
            except (ClubError, SettingsError) as error:
                # What was read before still holds.
                log.warning("%s", error)

    def close(self) -> None:
        """End all of them, in the order in which they need each other."""
        for part in reversed(self.running.values()):
            if isinstance(part, LocalDatabase):
                part.stop()
            else:
                part.end()

    def _start_again(self, name: str, part: Program) -> None:
        now_s = time.monotonic()
        started_s, wait_s = self._again.get(name, (-CALM_S, FIRST_AGAIN_S))
        if now_s - started_s < wait_s:
            return
        calm = now_s - started_s > CALM_S
        self._again[name] = (now_s, FIRST_AGAIN_S if calm else min(2 * wait_s, LONGEST_AGAIN_S))
        log.warning("%s has ended and is started again", name)
        try:
            part.start()
        except (HeelstoneError, OSError) as error:
            log.warning("%s", error)

    def _configure(self) -> None:
        club, settings = self._club, self._club.settings.broker
        assert self.broker is not None
        host = f"[{settings.listen}]" if ":" in settings.listen else settings.listen
        here = club.file.parent
        self.broker.configure(broker_config(
            club.name, f"{host}:{settings.port}", club.folder / "broker" / "store", club.tables,
            public_key(club.own().seed),
            certificate=str(here / settings.certificate) if settings.certificate else "",
            certificate_key=str(here / settings.certificate_key) if settings.certificate else "",
        ))  # fmt: skip


def serve_club(file: Path, ready: Callable[[Club], object]) -> None:
    """Run a club until SIGTERM or SIGINT. ``ready``: called when all parts are started."""
    club = Club(file)
    over = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: over.set())
        for number in (signal.SIGTERM, signal.SIGINT)
    }
    parts = Parts(club)
    try:
        parts.start()
        ready(club)
        while not over.wait(LOOK_S):
            parts.look_after()
    finally:
        parts.close()
        for number, handler in before.items():
            signal.signal(number, handler)
