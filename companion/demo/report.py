"""The demo's report: what happened, with figures, in a page people can read."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from companion.settings.writing import hand_out
from rules.games import find_game
from rules.telling import Teller
from rules.texts import Texts

__all__ = ["write_report", "write_whole_report"]

PICTURES = (
    "1-start", "2-under-way", "3-not-allowed", "4-put-right", "5-take-back", "6-resumed",
    "7-result",
)  # fmt: skip


def write_report(out: Path, lang: str, kept: dict[str, int], seconds: float) -> str:
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


def write_whole_report(out: Path, lang: str, seconds: float) -> str:
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
    """What display and lamps showed at the end."""
    display = [f"│{row}│" for row in part["display"]]
    return ["", f"## {say('devices')}", "", "```", *display, *part["lamps"], "```", ""]


def _part(out: Path, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    return data
