"""The power goes at every single change of a file: ``python -m tests.endurance.cuts [DEED…]``.

Every deed of ``tests.endurance.deeds`` is cut short before its first change of a file, before its
second, and so on to its end. What then lies there is looked at in four ways: as a killed program
leaves it; as a disk has it that took nothing but what it was asked to keep; and twice with any mix
of old and new sectors in between. Every promise must be kept in each, and every start must work.

A shim below libc (``power_cut.c``) counts the changes and remembers what was synced; it needs a C
compiler. ``--plant`` breaks Heelstone on purpose, which must be found out.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

SHIM = Path(__file__).with_name("power_cut.c")
SECTOR = 512
WAYS = ("killed", "synced", "mixed 1", "mixed 2")


@dataclass
class Cuts:
    """Results of cutting one deed."""

    points: int = 0
    """Changes before which it was cut, and one where it was not."""
    looks: int = 0
    broken: list[str] = field(default_factory=list)


def run_shimmed(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """This module as a program of its own, with the shim below it."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-w", "-o", base / "cut.so", SHIM, "-ldl"], check=True
        )
        for name in ("run", "shadow"):
            (base / name).mkdir()
        cuts = {
            "LD_PRELOAD": str(base / "cut.so"),
            "CUT_ROOT": str(base / "run"),
            "CUT_SHADOW": str(base / "shadow"),
        }
        command = [sys.executable, "-m", "tests.endurance.cuts", "--shimmed", *arguments]
        return subprocess.run(
            command, env=os.environ | cuts, text=True, capture_output=True, check=False
        )


def cut_everywhere(name: str, chance: random.Random, every: int = 1) -> Cuts:
    """Cut a deed before each ``every``-th change. Only in a program with the shim."""
    from tests.endurance.deeds import DEEDS, Promise, broken

    deed, found = DEEDS[name], Cuts()
    root, shadow = Path(os.environ["CUT_ROOT"]), Path(os.environ["CUT_SHADOW"])
    shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
    point = 1
    while True:
        for folder in (root, shadow):
            shutil.rmtree(folder)
            folder.mkdir()
        before = deed.prepare(root)
        _remember_all(root, shadow)

        def do(say: Callable[[str], object], at: int = point) -> None:
            shim.cut_at(at)
            deed.do(root, lambda promise: say(promise.text()))

        told, ended = _forked(do)
        promises = [*before, *map(Promise.read, told)]
        found.points += 1
        for way in WAYS:
            after = root.parent / "after"
            shutil.rmtree(after, ignore_errors=True)
            _after_the_cut(root, shadow, after, way, chance)
            found.looks += 1
            if wrong := broken(after, deed, promises):
                found.broken.append(f"{name}, cut at change {point}, {way}: {wrong}")
        if ended:
            return found
        point += every


def _forked(do: Callable[[Callable[[str], object]], None]) -> tuple[list[str], bool]:
    """Do it in a copy of this program; returns what it said, and whether it ended by itself."""
    hear, speak = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(hear)
            do(lambda line: os.write(speak, f"{line}\n".encode()))
            code = 0
        except BaseException:
            logging.getLogger(__name__).exception("the deed failed")
        finally:
            os._exit(code)
    os.close(speak)
    with os.fdopen(hear) as lines:
        told = lines.read().splitlines()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise RuntimeError("the deed failed by itself")
    return told, os.WIFEXITED(status)


def _remember_all(root: Path, shadow: Path) -> None:
    """Notes what has been on the disk for a long time."""
    for path in (root, *root.rglob("*")):
        number = path.stat().st_ino
        if path.is_dir():
            names = [f"{entry.stat().st_ino} {entry.name}\n" for entry in path.iterdir()]
            (shadow / f"{number}.names").write_text("".join(names))
        else:
            shutil.copyfile(path, shadow / str(number))


def _after_the_cut(root: Path, shadow: Path, after: Path, way: str, chance: random.Random) -> None:
    """Build in ``after`` what is found when the power is back."""
    if way == "killed":
        shutil.copytree(root, after)
    else:
        _rebuild(root.stat().st_ino, root, shadow, after, chance if way != "synced" else None)


def _rebuild(
    number: int, now: Path | None, shadow: Path, after: Path, chance: random.Random | None
) -> None:
    """One folder: its names and files as they were synced, or with ``chance`` anything between."""
    after.mkdir(parents=True)
    names = _synced_names(shadow / f"{number}.names")
    # Names that were never synced, and those that were removed: all of it or nothing.
    if chance is not None and now is not None and chance.random() < 0.5:
        names = {entry.name: entry.stat().st_ino for entry in now.iterdir()}
    places = {} if now is None else {entry.stat().st_ino: entry for entry in now.iterdir()}
    for name, inode in names.items():
        place = places.get(inode)
        kept, gone = shadow / str(inode), shadow / f"kept-{inode}"
        if (shadow / f"{inode}.names").exists() or (place is not None and place.is_dir()):
            _rebuild(inode, place, shadow, after / name, chance)
            continue
        old = kept.read_bytes() if kept.exists() else b""
        current = place if place is not None else gone
        new = current.read_bytes() if chance is not None and current.exists() else old
        (after / name).write_bytes(old if chance is None else _mixed(old, new, chance))


def _synced_names(path: Path) -> Mapping[str, int]:
    if not path.exists():
        return {}
    pairs = (line.split(" ", 1) for line in path.read_text().splitlines())
    return {name: int(number) for number, name in pairs if name not in (".", "..")}


def _mixed(old: bytes, new: bytes, chance: random.Random) -> bytes:
    """Any sector may be the old or the new one, and the length too."""
    length = chance.choice((len(old), len(new)))
    share = chance.random()
    sectors = []
    for place in range(0, length, SECTOR):
        source = new if chance.random() < share else old
        sectors.append(source[place : place + SECTOR].ljust(min(SECTOR, length - place), b"\0"))
    return b"".join(sectors)


# -- Heelstone broken on purpose -----------------------------------------------------------------


def _hasty(path: object, **options: Any) -> Any:
    from companion.journal.schema import connect

    class Hasty:
        """Asks the disk for nothing."""

        def __init__(self) -> None:
            self.__dict__["db"] = connect(path, **options)

        def execute(self, statement: str, *values: Any) -> Any:
            if statement.startswith("pragma synchronous"):
                statement = "pragma synchronous = normal"
            return self.db.execute(statement, *values)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.db, name)

    return Hasty()


@contextmanager
def _told_first() -> Iterator[None]:
    """``append`` answers first and writes afterwards."""
    from companion.journal.store import Journal

    write, close = Journal.append, Journal.close
    writing: list[threading.Timer] = []

    def answer(self: Journal, match_id: str, *happened: Any, **how: Any) -> int:
        finish()
        last = max((e.seq for e in self.events(match_id)), default=0)
        writing.append(threading.Timer(0.02, lambda: write(self, match_id, *happened, **how)))
        writing[-1].start()
        return last + len(happened)

    def finish() -> None:
        while writing:
            writing.pop().join()

    def close_after(self: Journal) -> None:
        # SQLite falls over a connection that is closed below somebody who writes.
        finish()
        close(self)

    with patch.object(Journal, "append", answer), patch.object(Journal, "close", close_after):
        yield


def _planted(name: str) -> Any:
    from companion.journal import store as module

    match name:
        case "no sync":
            return patch.object(module, "connect", _hasty)
        case "told first":
            return _told_first()
        case "moved first":
            return patch("companion.journal.salvage.next_journal", _moved_first)
    raise ValueError(name)


def _moved_first(path: Path, why: str) -> Path:
    """The damaged file goes before what replaces it is whole."""
    from companion.journal.salvage import _ASIDE, RESCUED

    path.rename(path.with_name(f"{path.stem}-{_ASIDE[RESCUED]}-early{path.suffix}"))
    return path.with_name(f"{path.stem}-{why}-early{path.suffix}")


PLANTS = ("no sync", "told first", "moved first")
"""Mistakes that must be found out: nothing is waited for, listeners hear before the journal is
written, a damaged file is moved before what is saved of it lies there."""


def main() -> int:
    """Cut the deeds named, or all, everywhere; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deeds", nargs="*")
    parser.add_argument("--shimmed", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--every", type=int, default=1, help="cut only before each N-th change")
    parser.add_argument("--plant", choices=PLANTS)
    given = parser.parse_args()
    if not given.shimmed:
        done = run_shimmed(sys.argv[1:])
        print(done.stdout + done.stderr, end="")
        return done.returncode
    from tests.endurance.deeds import DEEDS

    bad = 0
    with _planted(given.plant) if given.plant else nullcontext():
        for name in given.deeds or DEEDS:
            found = cut_everywhere(name, random.Random(name), given.every)
            bad += len(found.broken)
            print(f"{name}: cut at {found.points} places, looked at {found.looks} times, "
                  f"{len(found.broken)} promises broken")  # fmt: skip
            for line in found.broken[:5]:
                print(f"  {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
