"""The demo's report: what happened, with figures, in a page people can read."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from companion.wording import Wording

__all__ = ["write_report"]

PICTURES = (
    "1-start", "2-under-way", "3-not-allowed", "4-put-right", "5-take-back", "6-resumed",
    "7-result",
)  # fmt: skip


def write_report(out: Path, lang: str, kept: dict[str, int], seconds: float) -> str:
    """Write ``report.md`` and ``report.json`` into ``out``; gives a summary line."""
    say = Wording("demo", lang)
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
    (out / "report.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
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
    for name in PICTURES:
        if (out / f"{name}.png").exists():
            camera = (
                f" ![camera]({name}-camera.jpg)" if (out / f"{name}-camera.jpg").exists() else ""
            )
            lines += ["", f"## {say(name.replace('-', '_'))}", "", f"![screen]({name}.png){camera}"]
    lines += ["", f"## {say('devices')}", "", "```"]
    for row in parts[1]["display"]:
        lines.append(f"│{row}│")
    lines += [*parts[1]["lamps"], "```", ""]
    (out / "report.md").write_text("\n".join(lines), encoding="utf-8")
    return say("summary", moves=moves, wrong=wrong, path=out / "report.md")


def _part(out: Path, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    return data
