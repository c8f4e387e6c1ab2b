"""Runs the demo's two parts as separate programs, kills the first one in the middle, and reports
what happened, with figures, in a page people can read."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from companion.app.demo.whole import WHOLE
from companion.app.demo.window import CLOSED
from companion.journal.lock import FolderLock
from companion.journal.store import Journal
from companion.settings.writing import hand_out, writing
from companion.support.machine import free_mb
from companion.support.report import LAST_RUN
from companion.words.errors import HeelstoneError
from companion.words.progress import Progress, Step
from rules.games import find_game
from rules.telling import Teller
from rules.texts import Texts

MOVES_AFTER_TAKEBACK = 3
"""Number of moves agreed after the takeback when the plug is pulled."""

LOOK_S = 0.2
"""Seconds between looks at whether a part has ended."""

NEEDED_MB = 10
"""Disk space a demo needs, MB, with some to spare."""

MARK = ".heelstone-demo"
"""Name of a file that marks a folder made by a demo, which the next may use."""
LEFT = re.compile(
    r"\d+-[a-z-]+\.(png|jpg)|(first|second|whole|virtual-table)\.json(\.part)?|report\.(json|md)"
    r"|heard\.jsonl|log\.txt|(journal|table)\.(db(-wal|-shm)?|lock|mark|reserve)|\.[0-9a-f]{16}\.part"
)
"""Names of files that a demo writes. Anything else in its folder is left alone."""


PICTURES = (
    "1-start", "2-under-way", "3-not-allowed", "4-put-right", "5-take-back", "6-resumed",
    "7-result",
)  # fmt: skip
"""Moments of a match that are kept, in their order."""


class DemoError(HeelstoneError):
    """The demo did not go as it should; the sentence says where to look."""


class _WindowClosed(Exception):
    """The onlooker has seen enough."""


def run_demo(
    out: Path,
    lang: str,
    *,
    headless: bool,
    stage: Progress,
    game: str = "",
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    bare: Sequence[str] = (),
    seed: int | None = None,
) -> str | None:
    """Play the demo into the folder ``out``; returns the report's summary, or None if its window
    was closed before. Another demo that fills the same folder is waited for. Raises DemoError,
    JournalError, and HeelstoneError for a folder in use.

    With ``game`` a whole match of that game is played instead of the demo's story, with as few
    players as it allows unless ``players`` says otherwise, and without stickers on pieces of the
    kinds and groups ``bare``; ``seed`` decides all that is chance. ``stage`` is told what is done.
    """
    try:
        # A part that is killed cannot clear up behind itself.
        with (
            _alone_in(out, stage),
            tempfile.TemporaryDirectory(prefix="heelstone-demo-") as scratch,
        ):
            _make_room(out)
            _need_room(out)
            parts = _Parts(out, lang, headless, scratch)
            if game:
                chosen = [f"--option={name}={value}" for name, value in (options or {}).items()]
                chosen += [f"--bare={name}" for name in bare]
                numbers = {"players": players, "seed": seed}
                chosen += [f"--{name}={n}" for name, n in numbers.items() if n is not None]
                return _perform_whole(parts, game, chosen, stage)
            return _perform(parts, stage)
    except _WindowClosed:
        return None
    except DemoError:
        _need_room(out)
        raise


@contextmanager
def _alone_in(out: Path, stage: Progress) -> Iterator[None]:
    """Wait for another demo that fills the folder, and keep others from it meanwhile."""
    steps: list[Step] = []

    def waiting(_seconds: float) -> None:
        if not steps:
            steps.append(stage("demo_waits", folder=out))
        steps[0](0, 0)

    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(out, waiting)
    try:
        yield
    finally:
        lock.close()


def _make_room(out: Path) -> None:
    """An empty folder for the demo; only what an earlier demo left is removed.

    Nothing is written through a link or into a pipe that lies there: it is removed, not followed.
    Raises WriteError, HeelstoneError.
    """
    with writing(out):
        if out.exists() and (found := list(out.iterdir())):
            ours = list(filter(_is_left, found))
            if len(ours) < len(found) or MARK not in {path.name for path in ours}:
                raise HeelstoneError("folder_in_use", folder=out)
            for path in ours:
                shutil.rmtree(path) if _is_folder(path) else path.unlink()
        out.mkdir(parents=True, exist_ok=True)
        (out / MARK).touch()


def _is_left(path: Path) -> bool:
    """True if an earlier demo wrote this."""
    if _is_folder(path):
        return path.name == "reports" and [file.name for file in path.iterdir()] == [LAST_RUN]
    return path.name == MARK or LEFT.fullmatch(path.name) is not None


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _need_room(out: Path) -> None:
    """Raises WriteError if the disk is too full for a demo: its parts could not even say so."""
    with writing(out):
        if free_mb(out) < NEEDED_MB:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@dataclass(frozen=True)
class _Parts:
    """Starts the programs that play."""

    out: Path
    lang: str
    headless: bool
    scratch: str
    """A folder for what they write besides."""

    def start(self, part: str, chosen: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "companion.app.demo", part, str(self.out), self.lang]
        command += chosen
        environment = os.environ | {"TMPDIR": self.scratch}
        if self.headless:
            command.append("--headless")
        with (self.out / "log.txt").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment)


def _perform(parts: _Parts, stage: Progress) -> str:
    """Both parts with the kill between them; returns the report's summary. Raises DemoError."""
    out, started, step = parts.out, time.monotonic(), stage("demo_first")
    first = parts.start("first")
    try:
        _kill_in_the_middle(first, out, step)
    finally:
        if first.poll() is None:
            first.kill()
        first.wait()
    kept = _journal_after_kill(out)
    second = parts.start("second")
    try:
        code = _ended(second, stage("demo_second"))
    finally:
        if second.poll() is None:
            second.kill()
            second.wait()
    if code == CLOSED:
        raise _WindowClosed
    if code != 0:
        raise DemoError("demo_broken", log=out / "log.txt")
    return _write_report(out, parts.lang, kept, time.monotonic() - started)


def _perform_whole(parts: _Parts, game: str, chosen: Sequence[str], stage: Progress) -> str:
    """A whole match of a game; returns the report's summary. Raises DemoError."""
    started = time.monotonic()
    part = parts.start(f"{WHOLE}{game}", chosen)
    try:
        code = _ended(part, stage("demo_whole", game=game), parts.out / "whole.json")
    finally:
        if part.poll() is None:
            part.kill()
            part.wait()
    if code == CLOSED:
        raise _WindowClosed
    if code != 0:
        raise DemoError("demo_broken", log=parts.out / "log.txt")
    return _write_whole_report(parts.out, parts.lang, time.monotonic() - started)


def _ended(part: subprocess.Popen[bytes], step: Step, figures: Path | None = None) -> int:
    """The exit code of a part; ``figures``: the file in which it counts its moves.

    It may take long: some matches a quarter of an hour, slow machines more, and in a window people
    play on for as long as they like. Each step of a part has its own timeout.
    """
    while True:
        known = figures is not None and figures.exists()
        step(_part(figures.parent, figures.stem)["moves"] if figures and known else 0, 0)
        try:
            return part.wait(LOOK_S)
        except subprocess.TimeoutExpired:
            continue


def _kill_in_the_middle(part: subprocess.Popen[bytes], out: Path, step: Step) -> None:
    """SIGKILL, as a power cut would, a moment after a move was agreed."""
    while (code := part.poll()) is None:
        step(0, 0)
        heard = _heard(out)
        backs = [n for n, line in enumerate(heard) if line["type"] == "takeback"]
        if backs and len(heard) - 1 - backs[-1] >= MOVES_AFTER_TAKEBACK:
            time.sleep(Random(len(heard)).random() * 0.4)
            part.send_signal(signal.SIGKILL)
            return
        time.sleep(0.05)
    if code == CLOSED:
        raise _WindowClosed
    raise DemoError("demo_broken", log=out / "log.txt")


def _heard(out: Path) -> list[dict[str, object]]:
    path = out / "heard.jsonl"
    if not path.exists():
        return []
    # A line that is being written has no end yet.
    return [json.loads(line) for line in path.read_text().split("\n")[:-1]]


def _journal_after_kill(out: Path) -> dict[str, int]:
    """Counts the journal's events and moves, and the moves heard of before the kill. Raises
    DemoError if the journal has fewer."""
    with Journal(out / "journal.db") as journal:
        (summary,) = journal.unfinished()
        events = journal.events(summary.header.id)
        ply = journal.load(summary.header.id).ply
    heard = _heard(out)
    last = heard[-1]["ply"] if heard else 0
    assert isinstance(last, int)
    if ply < last:
        raise DemoError("demo_forgot", heard=last, kept=ply)
    return {"events": len(events), "moves": ply, "heard": last}


# -- the report ---------------------------------------------------------------------------


def _write_report(out: Path, lang: str, kept: dict[str, int], seconds: float) -> str:
    """Write ``report.md`` and ``report.json`` into ``out``; returns a summary line."""
    say = Texts("commands.demo", lang)
    parts = [_part(out, name) for name in ("first", "second")]
    see = [ms for part in parts for ms in part["see_ms"]]
    commit = [s for part in parts for s in part["commit_s"]]
    moves = sum(part["moves"] for part in parts)
    wrong = sum(part["wrong"] for part in parts)
    frames = sum(part["frames"] for part in parts)
    figures = {
        "moves": moves,
        "wrong_moves": wrong,
        "frames": frames,
        "see_ms_median": statistics.median(see),
        "agreed_s_median": statistics.median(commit),
        "killed_with_heard_moves": kept["heard"],
        "journal_moves_after_kill": kept["moves"],
        "lost_moves": max(0, kept["heard"] - kept["moves"]),
        "outcome": parts[1]["outcome"],
        "seconds": round(seconds, 1),
    }
    hand_out(out / "report.json", json.dumps(figures, indent=1))
    lines = [f"# {say('title')}", ""]
    lines += [
        say("played", moves=moves, frames=frames, seconds=round(seconds)),
        say("right", wrong=wrong),
        say("see", ms=round(statistics.median(see), 1)),
        say("agreed", seconds=round(statistics.median(commit), 2)),
        say("killed", heard=kept["heard"], kept=kept["moves"]),
        "",
    ]
    for part in parts:
        lines += [f"- {note}" for note in part["notes"]]
    lines += [*_pictures(out, say), *_devices(parts[1], say)]
    hand_out(out / "report.md", "\n".join(lines))
    return say("summary", moves=moves, wrong=wrong, path=out / "report.md")


def _write_whole_report(out: Path, lang: str, seconds: float) -> str:
    """Write the report of a whole match of one game; returns a summary line."""
    say = Texts("commands.demo", lang)
    part = _part(out, "whole")
    see = part.pop("see_ms")
    figures = part | {"see_ms_median": statistics.median(see), "seconds": round(seconds, 1)}
    hand_out(out / "report.json", json.dumps(figures, indent=1))
    rules = find_game(part["game"])
    players = part["players"]
    colours = rules.colours(players, rules.complete_options(players, {}))
    name = Teller(rules, lang, colours).game_name
    lines = [
        f"# {say('whole_title', game=name)}", "",
        say("whole_played", seconds=round(seconds), **{
            key: part[key] for key in ("moves", "dragged", "tapped", "steps", "frames")
        }),
        say("whole_read", **{key: part[key] for key in ("read", "alike", "asked", "wrong")}),
        say("see", ms=round(statistics.median(see), 1)), "",
    ]  # fmt: skip
    lines += [f"- {note}" for note in part["notes"]]
    lines += [*_pictures(out, say), *_devices(part, say)]
    hand_out(out / "report.md", "\n".join(lines))
    keys = ("moves", "asked", "wrong")
    return say("whole_summary", path=out / "report.md", **{key: part[key] for key in keys})


def _pictures(out: Path, say: Texts) -> list[str]:
    lines = []
    for name in PICTURES:
        if (out / f"{name}.png").exists():
            camera = (
                f" ![camera]({name}-camera.jpg)" if (out / f"{name}-camera.jpg").exists() else ""
            )
            lines += ["", f"## {say(name.replace('-', '_'))}", "", f"![screen]({name}.png){camera}"]
    return lines


def _devices(part: dict[str, Any], say: Texts) -> list[str]:
    """Display and lamps as they were at the end."""
    display = [f"│{row}│" for row in part["display"]]
    return ["", f"## {say('devices')}", "", "```", *display, *part["lamps"], "```", ""]


def _part(out: Path, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    return data
