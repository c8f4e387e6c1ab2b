"""The club's own broker and database on this machine: Debian's programs, started and ended here."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path

from companion.club.naming import ClubError
from companion.settings.writing import write_whole
from rules.bounded import read_text

__all__ = ["LocalBroker", "LocalDatabase", "Program"]

READY_S = 60.0
END_S = 20.0
AGAIN_S = 1.0
DATABASES = "postgresql/*/bin"
"""Where Debian keeps them below ``/usr/lib``, by version."""


class Program(ABC):
    """A program that runs beside ours."""

    process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def start(self) -> None:
        """Start it. Raises ClubError, OSError."""

    @property
    def running(self) -> bool:
        """Whether it runs now."""
        return self.process is not None and self.process.poll() is None

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to end, and wait; whoever does not end is killed."""
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
        if self.running and self.process is not None:
            self.process.send_signal(signal.SIGHUP)

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
        """How to connect to it while it runs."""
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
