"""Runs the demo's two parts as separate programs, and kills the first one in the middle."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from companion.care.machine import free_mb
from companion.demo.part import WHOLE
from companion.demo.report import write_report, write_whole_report
from companion.demo.stage import StageError
from companion.demo.window import CLOSED
from companion.journal.entries import JournalError
from companion.journal.store import Journal
from companion.settings.writing import writing
from companion.words.errors import HeelstoneError

__all__ = ["run_demo"]

MOVES_AFTER_TAKEBACK = 3
"""The plug is pulled when this many moves have been agreed after the takeback."""

PART_TIMEOUT_S = 300

NEEDED_MB = 10
"""What a demo writes, with some to spare."""

MARK = ".heelstone-demo"
"""A file that says: this folder was made by a demo and may be used by the next."""
LEFT = re.compile(
    r"\d+-[a-z-]+\.(png|jpg)|(first|second|whole|table)\.json(\.part)?|report\.(json|md)"
    r"|heard\.jsonl|log\.txt|(journal|play)\.(db(-wal|-shm)?|lock|mark)|\.[0-9a-f]{16}\.part"
)
"""What a demo writes. Anything else in its folder is somebody's own."""


class _WindowClosed(Exception):
    """The onlooker has seen enough."""


def run_demo(
    out: Path,
    lang: str,
    *,
    headless: bool,
    game: str = "",
    players: int | None = None,
    options: Mapping[str, str] | None = None,
) -> int:
    """Play the demo into the folder ``out``; 0 if all went as it should, else 1.

    With ``game`` a whole match of that game is played instead of the demo's story, with as few
    players as it allows unless ``players`` says otherwise.
    """
    _make_room(out)
    _need_room(out)
    try:
        if game:
            chosen = [f"--option={name}={value}" for name, value in (options or {}).items()]
            if players is not None:
                chosen.append(f"--players={players}")
            print(_perform_whole(out, lang, headless, game, chosen))
        else:
            print(_perform(out, lang, headless))
    except _WindowClosed:
        return 0
    except JournalError as error:
        print(f"heelstone: {error.sentence.told(lang)}", file=sys.stderr)
        return 1
    except StageError as error:
        _need_room(out)
        print(f"heelstone: {error}", file=sys.stderr)
        return 1
    return 0


def _make_room(out: Path) -> None:
    """An empty folder for the demo; only what an earlier demo left is removed.

    Nothing is written through a link or into a pipe that lies there: it is removed, not followed.
    Raises WriteError, HeelstoneError.
    """
    with writing(out):
        if out.exists() and (found := list(out.iterdir())):
            ours = [path for path in found if path.name == MARK or LEFT.fullmatch(path.name)]
            if len(ours) < len(found) or MARK not in {path.name for path in ours}:
                raise HeelstoneError("folder_in_use", folder=out)
            for path in ours:
                path.unlink()
        out.mkdir(parents=True, exist_ok=True)
        (out / MARK).touch()


def _need_room(out: Path) -> None:
    """Raises WriteError if the disk is too full for a demo: its parts could not even say so."""
    with writing(out):
        if free_mb(out) < NEEDED_MB:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _perform(out: Path, lang: str, headless: bool) -> str:
    """Both parts with the kill between them; returns the report's summary. Raises StageError."""
    started = time.monotonic()
    first = _start_part("first", out, lang, headless)
    try:
        _kill_in_the_middle(first, out)
    finally:
        if first.poll() is None:
            first.kill()
        first.wait()
    kept = _journal_after_kill(out)
    second = _start_part("second", out, lang, headless)
    try:
        # In a window people can then play themselves, for as long as they like.
        code = second.wait(timeout=PART_TIMEOUT_S if headless else None)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        if second.poll() is None:
            second.kill()
            second.wait()
    if code == CLOSED:
        raise _WindowClosed
    if code != 0:
        raise StageError(f"the second part did not come to its end, see {out}/log.txt")
    return write_report(out, lang, kept, time.monotonic() - started)


def _perform_whole(out: Path, lang: str, headless: bool, game: str, chosen: Sequence[str]) -> str:
    """A whole match of a game; returns the report's summary. Raises StageError."""
    started = time.monotonic()
    part = _start_part(f"{WHOLE}{game}", out, lang, headless, chosen)
    try:
        # Some matches take a quarter of an hour; each of their steps has its own timeout.
        code = part.wait()
    finally:
        if part.poll() is None:
            part.kill()
            part.wait()
    if code == CLOSED:
        raise _WindowClosed
    if code != 0:
        raise StageError(f"the match did not come to its end, see {out}/log.txt")
    return write_whole_report(out, lang, time.monotonic() - started)


def _start_part(
    part: str, out: Path, lang: str, headless: bool, chosen: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "companion.demo", part, str(out), lang, *chosen]
    if headless:
        command.append("--headless")
    log = (out / "log.txt").open("ab")
    with log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def _kill_in_the_middle(part: subprocess.Popen[bytes], out: Path) -> None:
    """SIGKILL, as a power cut would, a moment after a move was agreed."""
    deadline = time.monotonic() + PART_TIMEOUT_S
    while time.monotonic() < deadline:
        if part.poll() == CLOSED:
            raise _WindowClosed
        if part.poll() is not None:
            raise StageError(f"the first part ended by itself, see {out}/log.txt")
        heard = _heard(out)
        backs = [n for n, line in enumerate(heard) if line["type"] == "takeback"]
        if backs and len(heard) - 1 - backs[-1] >= MOVES_AFTER_TAKEBACK:
            time.sleep(Random(len(heard)).random() * 0.4)
            part.send_signal(signal.SIGKILL)
            return
        time.sleep(0.05)
    raise StageError(f"the first part did not come to its end, see {out}/log.txt")


def _heard(out: Path) -> list[dict[str, object]]:
    path = out / "heard.jsonl"
    if not path.exists():
        return []
    # A line that is being written has no end yet.
    return [json.loads(line) for line in path.read_text().split("\n")[:-1]]


def _journal_after_kill(out: Path) -> dict[str, int]:
    """What the journal holds, compared with what listeners had heard of before the kill."""
    with Journal(out / "journal.db") as journal:
        (summary,) = journal.unfinished()
        events = journal.events(summary.header.id)
        ply = journal.load(summary.header.id).ply
    heard = _heard(out)
    last = heard[-1]["ply"] if heard else 0
    assert isinstance(last, int)
    if ply < last:
        raise StageError(f"listeners knew of {last} moves, the journal only of {ply}")
    return {"events": len(events), "moves": ply, "heard": last}
