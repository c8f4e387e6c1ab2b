"""Runs the demo's two parts as programs of their own, and kills the first one in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from companion.demo.report import write_report
from companion.demo.stage import Stage, StageError
from companion.demo.story import GAME, Picture, Story
from companion.journal import Journal
from companion.view import TableView

__all__ = ["run_demo"]

MOVES_AFTER_TAKEBACK = 3
"""The plug is pulled when so many moves were agreed after the takeback."""

PART_TIMEOUT_S = 300


def run_demo(out: Path, lang: str, *, headless: bool) -> int:
    """Play the demo into the folder ``out``; 0 if all went as it should."""
    if out.exists() and any(out.iterdir()) and not (out / "journal.db").exists():
        raise OSError(17, "the folder is in use for something else; name another", str(out))
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
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
    if second.wait(timeout=PART_TIMEOUT_S) != 0:
        print(f"heelstone: the demo failed after the resume, see {out}/log.txt", file=sys.stderr)
        return 1
    report = write_report(out, lang, kept, time.monotonic() - started)
    print(report)
    return 0


def _start_part(part: str, out: Path, lang: str, headless: bool) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "companion.demo.run", part, str(out), lang]
    if headless:
        command.append("headless")
    log = (out / "log.txt").open("ab")
    with log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def _kill_in_the_middle(part: subprocess.Popen[bytes], out: Path) -> None:
    """SIGKILL, as a power cut would, a moment after a move was agreed."""
    deadline = time.monotonic() + PART_TIMEOUT_S
    while time.monotonic() < deadline:
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
    """What the journal holds, beside what listeners had heard of before the kill."""
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


def _play_part(part: str, out: Path, lang: str, headless: bool) -> None:
    stage = Stage(GAME, out, lang, seed=7)
    if headless:
        from companion.ui.offscreen import PlayScreenshots

        with PlayScreenshots(lang) as shots:

            def picture(name: str, view: TableView) -> None:
                shots.write(view, out / f"{name}.png", stage.session.score_lines)

            _tell(part, stage, picture)
    else:
        from companion.ui.demo_window import play_in_window

        play_in_window(stage, lang, lambda picture: _tell(part, stage, picture))
    stage.close()


def _tell(part: str, stage: Stage, picture: Picture) -> None:
    story = Story(stage, picture, Random(f"heelstone/{part}"))
    # The first part will be killed, so its figures are written down after every move.
    story.after_move = lambda: _write_figures(part, stage, story)
    if part == "first":
        story.first_part()
    else:
        story.second_part()
    _write_figures(part, stage, story)


def _write_figures(part: str, stage: Stage, story: Story) -> None:
    figures = {
        "moves": story.played,
        "wrong": story.wrong,
        "notes": story.notes,
        "frames": stage.eyes.frames,
        "see_ms": sorted(round(ms, 2) for ms in stage.eyes.see_ms),
        "commit_s": sorted(round(s, 3) for s in story.commit_s),
        "display": stage.rig.twins["score"].rows(),
        "lamps": stage.rig.twins["lamps"].rows(),
        "outcome": None,
    }
    outcome = stage.view.outcome
    if outcome is not None:
        figures["outcome"] = outcome.to_json()
    partial = stage.out / f"{part}.json.part"
    partial.write_text(json.dumps(figures), encoding="utf-8")
    partial.replace(stage.out / f"{part}.json")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    _play_part(sys.argv[1], Path(sys.argv[2]), sys.argv[3], "headless" in sys.argv[4:])
