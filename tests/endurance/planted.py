"""Do the tests find what they are for? ``python -m tests.endurance.planted [OPTION…] [NAME…]``.

Plants mistakes one by one in a copy of the tree and runs the tests that ``planted.toml`` names for
each; with ``--around`` also those nearest to its module and around them, until one fails. A mistake
is found by its text, in whichever module it stands. NAME is a part of a mistake's name. Ends with 1
if a mistake was missed or is no longer to be planted.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("rules", "vision", "hardware", "companion", "tests", "benchmarks", "docs", "examples")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?)(?:\[| - |$)", re.MULTILINE)
PATIENCE_S = 1800
MOST_MEMORY = 12 << 30
NO_TESTS = 5
"""What pytest returns where there are no tests."""


@dataclass(frozen=True)
class Mistake:
    """One change of the source that somebody might make."""

    name: str
    within: str
    """Package or folder in which the old text stands exactly once."""
    old: str
    new: str
    so: str
    """What becomes of the players."""
    tests: tuple[str, ...]
    """Files of tests, below ``tests``, of which one should fail."""

    def place(self, root: Path) -> Path | None:
        """The module with the old text; None unless it stands there exactly once."""
        found = [
            (file, text.count(self.old))
            for file, text in _sources(root / self.within)
            if self.old in text
        ]
        return found[0][0] if len(found) == 1 and found[0][1] == 1 else None


def mistakes() -> list[Mistake]:
    """All of ``planted.toml``."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return [
        Mistake(one["name"], one["in"], one["old"], one["new"], one["so"], tuple(one["tests"]))
        for one in data["mistake"]
    ]


def stale(root: Path = ROOT) -> Iterator[str]:
    """Mistakes that can no longer be planted, and tests that are gone."""
    for mistake in mistakes():
        if mistake.place(root) is None:
            yield f"{mistake.name}: its text does not stand once in {mistake.within}"
        for test in mistake.tests:
            if not (root / "tests" / test).exists():
                yield f"{mistake.name}: there is no tests/{test}"


@cache
def _sources(folder: Path) -> list[tuple[Path, str]]:
    return [(file, file.read_text(encoding="utf-8")) for file in folder.rglob("*.py")]


def nearest_tests(module: Path, root: Path) -> Iterator[list[Path]]:
    """Tests of a module in growing circles: of its name or its folder's, its room, its package."""
    inside = module.relative_to(root)
    words = {inside.stem, *inside.parent.parts[2:]}
    rooms = [root / "tests" / room for room in (inside.parent, *inside.parent.parents)]
    room = next(room for room in rooms if room.is_dir())
    named = [
        test for test in sorted(room.rglob("test_*.py")) if any(word in test.stem for word in words)
    ]
    if named:
        yield named
    yield [room]
    package = root / "tests" / inside.parts[0]
    if package != room:
        yield [package]


def found_by(mistake: Mistake, root: Path, *, around: bool, thorough: bool) -> str:
    """The first test that fails with the mistake planted; empty if none does."""
    module = mistake.place(root)
    assert module is not None
    named = [root / "tests" / test for test in mistake.tests]
    circles = chain([named], nearest_tests(module, root) if around else ())
    text = module.read_text(encoding="utf-8")
    module.write_text(text.replace(mistake.old, mistake.new), encoding="utf-8")
    try:
        for tests in circles:
            if name := _first_failure(tests, root, thorough):
                return name
    finally:
        module.write_text(text, encoding="utf-8")
    return ""


def _first_failure(tests: list[Path], root: Path, thorough: bool) -> str:
    try:
        done = _run(tests, root, thorough)
    except subprocess.TimeoutExpired:
        return "no end of it"
    if done.returncode in (0, NO_TESTS):
        return ""
    failed = FAILED.search(done.stdout)
    return failed[1] if failed else f"pytest itself, {done.returncode}: {done.stdout[-200:]}"


def _run(tests: list[Path], root: Path, thorough: bool) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "-p", "no:cacheprovider",
         "--no-header", *(["--thorough"] if thorough else []), *map(str, tests)],
        cwd=root, capture_output=True, text=True, timeout=PATIENCE_S, preexec_fn=_within_memory,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1",
             "SDL_VIDEODRIVER": "offscreen", "LIBGL_ALWAYS_SOFTWARE": "1", "COLUMNS": "200"},
    )  # fmt: skip


def _within_memory() -> None:
    """Limits memory: a planted mistake that runs away must not take the machine with it."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main() -> int:
    """Plant what was asked for and print a table."""
    parser = argparse.ArgumentParser(prog="planted", description=__doc__)
    parser.add_argument("name", nargs="*", help="parts of names; default: all")
    parser.add_argument("--around", action="store_true", help="with all tests of the package")
    parser.add_argument("--thorough", action="store_true", help="with the wider sweeps")
    parser.add_argument("--stale", action="store_true", help="only say which cannot be planted")
    given = parser.parse_args()
    if given.stale:
        told = list(stale())
        print(*told, sep="\n")
        return int(bool(told))
    chosen = [
        one for one in mistakes() if not given.name or any(name in one.name for name in given.name)
    ]
    missed = 0
    with tempfile.TemporaryDirectory(prefix="heelstone-planted-") as folder:
        root = Path(folder)
        for part in PARTS:
            shutil.copytree(ROOT / part, root / part)
        for file in ROOT.iterdir():
            if file.is_file() and file.name != ".git":
                shutil.copy2(file, root / file.name)
        shutil.copytree(ROOT / "systemd", root / "systemd")
        for mistake in chosen:
            if mistake.place(root) is None:
                print(f"?        {mistake.name}: its text does not stand once in {mistake.within}")
                missed += 1
                continue
            start = time.monotonic()
            by = found_by(mistake, root, around=given.around, thorough=given.thorough)
            missed += not by
            seconds = time.monotonic() - start
            print(f"{'found' if by else 'MISSED':<8} {mistake.name} ({seconds:.0f} s): "
                  f"{by or mistake.so}", flush=True)  # fmt: skip
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
