"""One part of the demo, a program of its own: ``python -m companion.demo PART DIR LANG``."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from companion.demo.stage import Stage
from companion.demo.story import GAME, Picture, Story
from companion.view import TableView

__all__ = ["play_part"]


def play_part(part: str, out: Path, lang: str, *, headless: bool) -> None:
    """Play the ``first`` or ``second`` part in the folder ``out``."""
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
