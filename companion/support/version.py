"""The version of this Heelstone, and the commit that it was made from.

A checkout asks git. What is built elsewhere – wheel, sdist, Debian package, an archive by git – has
the commit in a file; ``python companion/support/version.py`` prints what belongs into it. Only the
standard library is imported here, for packages are built where nothing else is installed.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path("companion", "support", "commit.txt")
"""File in which a tree's commit is recorded; git fills it in when it exports an archive."""
UNRECORDED = "$"
"""First letter of the file until it is filled in."""
GIT_S = 5.0
DIRTY = "-dirty"
SHORT = 12
"""Number of letters of a commit that people are shown."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version as people and programs are told it."""

    number: str
    commit: str
    """Its whole name, with git's ``-dirty`` if files were changed since; empty: not known."""

    def __str__(self) -> str:
        if not self.commit:
            return self.number
        name, dirty, _ = self.commit.partition(DIRTY)
        return f"{self.number} ({name[:SHORT]}{dirty})"


@cache
def heelstone_version() -> Version:
    """The version of the Heelstone that is running."""
    try:
        number = version("heelstone")
    except PackageNotFoundError:
        number = "0"
    return Version(number, commit_of(ROOT))


def commit_of(tree: Path) -> str:
    """The commit that a folder with ``companion`` in it was made from; empty if it is unknown."""
    try:
        recorded = (tree / RECORD).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        recorded = ""
    if recorded and not recorded.startswith(UNRECORDED):
        return recorded
    # Only a checkout of our own: a tree may lie within somebody else's.
    return _told_by_git(tree) if (tree / ".git").exists() else ""


def _told_by_git(tree: Path) -> str:
    command = [
        "git", "-c", "safe.directory=*", "--no-optional-locks", "-C", str(tree),
        "describe", "--always", "--abbrev=40", "--exclude=*", f"--dirty={DIRTY}",
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_S)
    except (OSError, subprocess.TimeoutExpired):
        # No git here, or a disk that sleeps; the number says enough.
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    print(commit_of(ROOT))
