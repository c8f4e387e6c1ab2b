"""Starts all parts of a club and keeps them running: broker, database, writer and pages.

Each part is a process of its own. One that ends is started again, so none of them must be awake for
the others, and any of them may be killed at any moment.
"""

from __future__ import annotations

import json
import logging
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.club.naming import (
    ClubError,
    account_of,
    answer_subject,
    calls_subject,
    inbox_of,
    passed_on_subject,
    subjects_of,
    together_subject,
    waiting_subject,
)
from companion.club.settings import Club, public_key
from companion.club.wire import LARGEST
from companion.settings.checking import SettingsError
from companion.settings.writing import write_whole
from companion.words.errors import HeelstoneError
from rules.bounded import read_text

# -- broker and database on this machine ------------------------------------------------------

READY_S = 60.0
END_S = 20.0
AGAIN_S = 1.0
READ_S = 10.0
"""Maximum time for the broker to read its configuration."""
DATABASES = "postgresql/*/bin"
"""Debian's folders of its programs below ``/usr/lib``, by version."""


class Program(ABC):
    """A program that runs beside ours."""

    process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def start(self) -> None:
        """Start it. Raises ClubError, OSError."""

    @property
    def running(self) -> bool:
        """True if it runs now."""
        return self.process is not None and self.process.poll() is None

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Asks it to end, and waits; kills it if it does not."""
        process, self.process = self.process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(how)
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.end(signal.SIGKILL)


@dataclass
class LocalBroker(Program):
    """``nats-server`` with a configuration of ours. Raises ClubError."""

    folder: Path
    program: str = "nats-server"
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def config(self) -> Path:
        """The file of its configuration."""
        return self.folder / "broker.conf"

    def configure(self, text: str) -> None:
        """Tell it its configuration; one that runs reads it at once. Raises OSError."""
        if self.config.exists() and read_text(self.config) == text:
            return
        write_whole(self.config, text)
        if self.running:
            # Only when it reads of a new account for the second time is what that one says handed
            # over (nats-server 2.9).
            for _ in range(2):
                self._read_again()

    def _read_again(self) -> None:
        """Has it read its configuration, and waits until it has: two signals may become one."""
        assert self.process is not None
        log = self.folder / "broker.log"
        told, end_s = log.stat().st_size, time.monotonic() + READ_S
        self.process.send_signal(signal.SIGHUP)
        while time.monotonic() < end_s and self.running:
            with log.open("rb") as lines:
                lines.seek(told)
                if b"Reloaded server configuration" in lines.read():
                    return
            time.sleep(0.02)

    def start(self) -> None:
        """Start it; it may take a moment until it answers. Raises ClubError, OSError."""
        found = shutil.which(self.program)
        if found is None:
            raise ClubError("club_program", program=self.program, package="nats-server")
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "broker.log").open("ab") as log:
            self.process = subprocess.Popen(
                [found, "-c", str(self.config)], stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )


@dataclass
class LocalDatabase(Program):
    """PostgreSQL with its data in ``folder``, heard on a socket that only we can reach.

    It refuses to run as root; then it runs as ``user``.
    """

    folder: Path
    user: str = "postgres"
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _sockets: Path | None = field(default=None, init=False)

    @property
    def dsn(self) -> str:
        """Connection string while it runs."""
        return f"host={self._socket_folder()} dbname=postgres user=heelstone"

    def start(self) -> None:
        """Start it, the first time with an empty database; it answers when this returns.

        Raises ClubError, OSError.
        """
        data = self.folder / "data"
        if not (data / "PG_VERSION").exists():
            self._make(data)
        command = [
            self._program("postgres"), "-D", str(data), "-k", str(self._socket_folder()),
            "-c", "listen_addresses=", "-c", "log_min_messages=warning",
        ]  # fmt: skip
        end_s = time.monotonic() + READY_S
        while True:
            with (self.folder / "database.log").open("ab") as log:
                self.process = subprocess.Popen(
                    command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/",
                    user=self._as(),
                )  # fmt: skip
            while self.running:
                if self._answers():
                    return
                if time.monotonic() > end_s:
                    break
                time.sleep(0.05)
            if time.monotonic() > end_s:
                self.end(signal.SIGINT)
                raise ClubError("club_database_silent", file=self.folder / "database.log")
            # Processes of one that was killed may hold its memory for another moment.
            time.sleep(AGAIN_S)

    def stop(self) -> None:
        """End it in order, and take its socket away."""
        self.end(signal.SIGINT)
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None

    # -- private --------------------------------------------------------------------------

    def _make(self, data: Path) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self.folder / "data.part"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self._own(draft)
        made = subprocess.run(
            [
                self._program("initdb"), "-D", str(draft), "-U", "heelstone", "-E", "UTF8",
                "--locale=C.UTF-8", "--auth=trust",
            ],
            capture_output=True, cwd="/", user=self._as(), check=False,
        )  # fmt: skip
        if made.returncode:
            raise ClubError("club_database_unmade", reason=made.stderr.decode()[-300:].strip())
        draft.rename(data)

    def _answers(self) -> bool:
        asked = subprocess.run(
            [self._program("pg_isready"), "-q", "-h", str(self._socket_folder())], check=False
        )
        return asked.returncode == 0

    def _socket_folder(self) -> Path:
        # Not in the data folder: the path of a socket may have a hundred letters at most.
        if self._sockets is None:
            self._sockets = Path(tempfile.mkdtemp(prefix="heelstone-club-"))
            self._own(self._sockets)
        return self._sockets

    def _own(self, folder: Path) -> None:
        user = self._as()
        if user is not None:
            entry = pwd.getpwnam(user)
            os.chown(folder, entry.pw_uid, entry.pw_gid)

    def _as(self) -> str | None:
        """Another user than ours, if it has to be."""
        if os.geteuid() != 0:
            return None
        try:
            pwd.getpwnam(self.user)
        except KeyError:
            raise ClubError("club_database_root", user=self.user) from None
        return self.user

    @staticmethod
    def _program(name: str) -> str:
        found = sorted(Path("/usr/lib").glob(f"{DATABASES}/{name}"), key=_version)
        program = str(found[-1]) if found else shutil.which(name)
        if program is None:
            raise ClubError("club_program", program=name, package="postgresql")
        return program


def _version(program: Path) -> float:
    text = program.parts[-3]
    return float(text) if text.replace(".", "", 1).isdigit() else 0.0


# -- settings of the broker -------------------------------------------------------------------


def broker_config(
    club: str,
    listen: str,
    store: Path,
    tables: Mapping[str, str],
    own_key: str,
    *,
    certificate: str = "",
    certificate_key: str = "",
) -> str:
    """The broker's configuration. ``tables``: public keys by name; ``own_key``: of the club's own
    programs.

    Whoever has more rights never answers to an address that the asker chose: a table lives in an
    account of its own, in which receipts stay, wherever they are wanted. It says under its own name
    what is handed over to the club's account, and hears what is meant for it. The club's programs
    say nothing to tables but answers, under subjects that the club chose.
    """
    accounts = [
        _account("club", own_key, [
            "$JS.API.STREAM.CREATE.*", "$JS.API.STREAM.UPDATE.*", "$JS.API.STREAM.INFO.*",
            "$JS.API.CONSUMER.>", "$JS.ACK.>",
            answer_subject(club, "*"), calls_subject(club, "*"),
        ], [f"{inbox_of(club, 'club')}.>", waiting_subject(club, "*")], [
            "    jetstream: enabled",
            "    exports: [",
            *(f"        {{ service: {_text(subject)} }}" for subject in _said(club, "*")),
            *(f"        {{ stream: {_text(subject)} }}" for subject, _ in _heard(club, "*")),
            "    ]",
        ]),
        *(
            _account(account_of(name), key, _said(club, name), [
                f"{inbox_of(club, name)}.>", *(to for _, to in _heard(club, name)),
            ], [
                f"    limits: {{ max_connections: 8, max_subscriptions: 32, "
                f"max_payload: {LARGEST} }}",
                "    imports: [",
                *(
                    f"        {{ service: {{ account: club, subject: {_text(subject)} }} }}"
                    for subject in _said(club, name)
                ),
                *(
                    f"        {{ stream: {{ account: club, subject: {_text(subject)} }}, "
                    f"to: {_text(to.replace('*', '$1'))} }}"
                    for subject, to in _heard(club, name)
                ),
                "    ]",
            ])
            for name, key in sorted(tables.items())
        ),
    ]  # fmt: skip
    lines = [
        f"server_name: {_text('heelstone-' + club)}",
        f"listen: {_text(listen)}",
        f"max_payload: {LARGEST}",
        "jetstream {",
        f"    store_dir: {_text(str(store))}",
        "}",
        "accounts {",
        *accounts,
        "}",
    ]
    if certificate:
        lines += [
            "tls {",
            f"    cert_file: {_text(certificate)}",
            f"    key_file: {_text(certificate_key)}",
            "}",
        ]
    return "\n".join(lines) + "\n"


def _said(club: str, table: str) -> list[str]:
    """Subjects under which a table may speak."""
    return [*subjects_of(club, table), together_subject(club, table, ">")]


def _heard(club: str, table: str) -> list[tuple[str, str]]:
    """Subjects of the club's account that a table hears, and what they are called in its own."""
    own = answer_subject(club, table), calls_subject(club, table)
    return [
        *((subject, subject) for subject in own),
        *(
            (passed_on_subject(club, "*", to), together_subject(club, "*", to))
            for to in (table, "")
        ),
    ]


def _account(
    name: str, key: str, publish: list[str], subscribe: list[str], more: Iterable[str]
) -> str:
    """An account with one user, and what that one may say and hear."""
    return "\n".join([
        f"  {_text(name)}: {{",
        f"    users: [ {{ nkey: {_text(key)}, permissions: {{",
        f"        publish: {{ allow: {json.dumps(publish)} }}",
        f"        subscribe: {{ allow: {json.dumps(subscribe)} }}",
        "    } } ]",
        *more,
        "  }",
    ])  # fmt: skip


def _text(text: str) -> str:
    """Quoted as the broker reads it; its escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)


log = logging.getLogger(__name__)

DSN = "HEELSTONE_CLUB_DSN"
"""Variable of writer and pages with the connection string of the database."""
LOOK_S = 1.0
FIRST_AGAIN_S, LONGEST_AGAIN_S = 1.0, 30.0
"""Shortest and longest wait before a part that ends is started again, seconds."""
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
        """Time of its last start, and the wait before the next, for each part."""
        self.broker: LocalBroker | None = None
        self.database: LocalDatabase | None = None
        self.running: dict[str, Program] = {}
        """Running parts by name, in the order in which they are started."""

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
