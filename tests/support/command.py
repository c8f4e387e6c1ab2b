"""Runs the command ``heelstone``, for the tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from companion.app.cli import main

ROOT = Path(__file__).parents[2]
PHOTOS = ROOT / "../shared/photos/knizia_stonehenge"

OWN_FOLDERS = ("STATE_DIRECTORY", "CONFIGURATION_DIRECTORY", "HEELSTONE_TRACEBACK")
"""Variables that would lead a command away from the folders of a test."""


@dataclass(frozen=True)
class Result:
    """Result of a command."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """Every line of stdout as the JSON object it must be."""
        found = [json.loads(line) for line in self.out.splitlines()]
        assert all(isinstance(record, dict) for record in found)
        return found

    def complaint(self) -> str:
        """The one line on stderr of a command that was refused; nothing may be on stdout."""
        assert self.code == 2, self
        assert self.out == ""
        assert self.err.startswith("heelstone: ")
        assert self.err.count("\n") == 1, self.err
        assert self.err.endswith("\n")
        assert "Traceback" not in self.err
        return self.err.removeprefix("heelstone: ").rstrip("\n")


def heed_ctrl_c() -> None:
    """Makes a new process end by Ctrl-C, as ``preexec_fn`` of ``subprocess``.

    What a shell runs in the background ignores it, and so would everything that it starts.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Heelstone(Protocol):
    """The command, with folders of its own for every test."""

    def __call__(self, *arguments: object) -> Result:
        """Run it with these arguments."""


class Pytest(Protocol):
    """The part of ``capfd`` that is used here."""

    def readouterr(self) -> Any:
        """Output since the last call."""


def inside(capture: Pytest) -> Heelstone:
    """The command within this process: quick, and stderr is caught down to the libraries."""

    def run(*arguments: object) -> Result:
        capture.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capture.readouterr()
        return Result(code, said.out, said.err)

    return run


def outside(home: Path, **environment: str) -> Heelstone:
    """The command as a program of its own, as a shell runs it."""

    def run(*arguments: object) -> Result:
        kept = {k: v for k, v in os.environ.items() if k not in OWN_FOLDERS}
        folders = {"XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config")}
        done = subprocess.run(
            [sys.executable, "-m", "companion.app.cli", *map(str, arguments)],
            cwd=ROOT,
            env=kept | folders | environment,
            capture_output=True,
            timeout=240,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
