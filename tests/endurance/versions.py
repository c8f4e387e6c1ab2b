"""A newer Heelstone and this one by turns, in the middle of matches: ``python -m
tests.endurance.versions [--rounds N]``.

The newer one is this tree with a journal of the next version. Programs are killed at random
moments, also while the newer one brings the journal up to date. What was heard of before an upgrade
the newer one must have; this one must refuse the newer journal and leave it alone; and with the
file that was set aside for the way back it must play on.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from companion.journal.backup import restore
from companion.journal.schema import SCHEMA, UPGRADABLE
from companion.journal.store import Journal
from tests.endurance.power import histories

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0
NEXT = (
    (f"SCHEMA = {SCHEMA}\n", f"SCHEMA = {SCHEMA + 1}\n"),
    (f"UPGRADABLE = {UPGRADABLE}\n", f"UPGRADABLE = {SCHEMA}\n"),
    (f"LAYOUTS = {{UPGRADABLE: (_MATCHES_{UPGRADABLE}, _EVENTS_{UPGRADABLE})",
     "LAYOUTS = {UPGRADABLE: (_MATCHES, _EVENTS)"),
    ("SCHEMA: (_MATCHES, _EVENTS)}",
     'SCHEMA: (_MATCHES.replace("strict", " strict"), _EVENTS.replace("strict", " strict"))}'),
)  # fmt: skip
"""Changes to the schema that make it the next version."""


def newer_tree(folder: Path) -> Path:
    """This tree with a journal of the next version."""
    for name in ("rules", "vision", "hardware", "tests"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(
        ROOT / "companion", folder / "companion", ignore=shutil.ignore_patterns("*.pyc")
    )
    schema = folder / "companion/journal/schema.py"
    text = schema.read_text()
    for old, new in NEXT:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    schema.write_text(text)
    return folder


def play(tree: Path, folder: Path, seed: int, wait_s: float) -> tuple[list[tuple[str, str]], str]:
    """Programs of a tree play until they are killed; what was heard of, and what else they said."""
    heard, said = folder / "heard.txt", folder / "said.txt"
    with heard.open("w") as out, said.open("w") as words:
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.endurance.player", str(folder), str(seed)], stdout=out,
            stderr=words, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)},
        )  # fmt: skip
        until = time.monotonic() + PATIENCE_S
        while wait_s > 0 and "heard" not in heard.read_text() and program.poll() is None:
            assert time.monotonic() < until, "it neither plays nor says why"
            time.sleep(0.002)
        try:
            program.wait(abs(wait_s))
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGKILL)
            program.wait()
    # The last line may be cut off by the kill itself.
    lines = [line.split() for line in heard.read_text().split("\n")[:-1]]
    return [(line[1], line[2]) for line in lines if line[0] == "heard"], said.read_text()


def lacking(tree: Path, folder: Path, heard: list[tuple[str, str]]) -> int:
    """Number of events heard of that the journal lacks, as a program of ``tree`` reads it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.endurance.versions", "--read", str(folder)], cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    kept = {tuple(line.split()) for line in done.stdout.splitlines()}
    return sum(one not in kept for one in heard)


def read(folder: Path) -> None:
    """Prints every position that any match of a journal has had."""
    with Journal(folder / "journal.db") as journal:
        for summary in journal.matches():
            for mark in histories(journal, summary.header.id):
                print(summary.header.id, mark)


def change(folder: Path, newer: Path, chance: random.Random) -> str:
    """One upgrade and one way back in the middle of matches; what went wrong."""
    before, _ = play(ROOT, folder, chance.randrange(10**6), chance.random())
    if chance.random() < 0.5:
        # The power goes while the journal is brought up to date, or a moment before or after.
        play(newer, folder, 0, -0.4 - chance.random())
    after, said = play(newer, folder, chance.randrange(10**6), chance.random())
    if not after:
        return f"the newer one does not play: {said}"
    if lost := lacking(newer, folder, before + after):
        return f"{lost} positions are lost in the newer one"
    heard, said = play(ROOT, folder, 0, PATIENCE_S)
    if heard or "newer Heelstone" not in said:
        return f"the older one does not refuse: {said}"
    if lost := lacking(newer, folder, before + after):
        return f"{lost} positions are lost since the older one looked"
    asides = sorted(folder.glob("journal-before-upgrade-*.db"), key=lambda one: one.stat().st_mtime)
    restore(asides[-1], folder / "journal.db")
    if lost := lacking(ROOT, folder, before):
        return f"{lost} positions are lost on the way back"
    return ""


def main() -> int:
    """Change versions so many times; 1 if anything was lost or touched."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--rounds", type=int, default=20)
    asking.add_argument("--seed", type=int, default=1)
    asking.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    given = asking.parse_args()
    if given.read is not None:
        read(given.read)
        return 0
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as base:
        newer, folder = newer_tree(Path(base)), Path(base) / "state"
        folder.mkdir()
        for number in range(given.rounds):
            if wrong := change(folder, newer, chance):
                print(f"round {number + 1}: {wrong}", flush=True)
                return 1
        print(f"{given.rounds} times up and back, none lost, none touched", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
