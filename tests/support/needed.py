"""Programs that only some tests need: without them a test is skipped and says what to install."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

PYMINION = "needs pyminion: .venv/bin/pip install -e '.[bench]'"

PACKAGES = {
    "cc": "gcc libc6-dev",
    "Xvfb": "xvfb",
    "LCDd": "lcdproc",
    "dpkg-deb": "dpkg",
    "postgres": "postgresql",
    "ssh-keygen": "openssh-client",
    "systemd-analyze": "systemd",
    "mosquitto_passwd": "mosquitto",
}
"""Debian's packages, where they are not called as their program."""
PLACES = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"


def needs(*programs: str) -> pytest.MarkDecorator:
    """Marks tests that are skipped if one of the programs is missing."""
    lacking = _lacking(programs)
    return pytest.mark.skipif(bool(lacking), reason=_reason(lacking))


def skip_without(*programs: str) -> None:
    """Skips the running test if one of the programs is missing."""
    if lacking := _lacking(programs):
        pytest.skip(_reason(lacking))


def path_of(program: str) -> str:
    """The path of a program; skips the running test if it is missing."""
    skip_without(program)
    found = shutil.which(program) or shutil.which(program, path=PLACES)
    assert found is not None
    return found


def _lacking(programs: tuple[str, ...]) -> list[str]:
    return [
        one for one in programs
        if not (shutil.which(one) or shutil.which(one, path=PLACES) or Path(one).exists())
    ]  # fmt: skip


def _reason(lacking: list[str]) -> str:
    packages = " ".join(PACKAGES.get(one, one) for one in lacking)
    return f"needs {' and '.join(lacking)}: apt-get install {packages}"
