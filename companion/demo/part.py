"""One part of the demo, a program of its own: ``python -m companion.demo PART DIR LANG``.

The parts are ``first`` and ``second`` of the story, and ``whole:GAME``: a whole match of a game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from random import Random

from companion.demo.stage import Stage
from companion.demo.story import GAME, Picture, Story
from companion.demo.whole import StageHands, WholeMatch
from companion.match.view import TableView
from companion.settings.writing import write_whole
from rules.games import find_game

__all__ = ["WHOLE", "play_part"]

WHOLE = "whole:"
"""Parts whose name begins like this are a whole match of the game named after it."""


def play_part(
    part: str,
    out: Path,
    lang: str,
    *,
    headless: bool,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Play a part in the folder ``out``; ``players`` and ``options`` are for whole matches."""
    game = part.partition(":")[2]
    if players is None:
        players = find_game(game).players[0] if game else 2
    stage = Stage(game or GAME, out, lang, seed=7, players=players, options=options)
    if headless:
        from companion.demo.screenshots import PlayScreenshots

        with PlayScreenshots(lang) as shots:

            def picture(name: str, view: TableView) -> None:
                shots.write(view, out / f"{name}.png", stage.session.score_lines)

            _tell(part, stage, picture)
    else:
        from companion.demo.window import play_in_window

        play_in_window(stage, lang, lambda picture: _tell(part, stage, picture))
    stage.close()


def _tell(part: str, stage: Stage, picture: Picture) -> None:
    if part.startswith(WHOLE):
        _play_whole(stage, picture)
        return
    story = Story(stage, picture, Random(f"heelstone/{part}"))
    # The first part will be killed, so its figures are written down after every move.
    story.after_move = lambda: _write_figures(part, stage, story)
    if part == "first":
        story.first_part()
    else:
        story.second_part()
    _write_figures(part, stage, story)


def _play_whole(stage: Stage, picture: Picture) -> None:
    """A match to its end; its figures are written down after every move."""

    def moment(name: str) -> None:
        # The screen is a listener like any other; it must have heard of what is to be drawn.
        stage.session.settle()
        picture(name, stage.view)
        stage.photograph(name)

    match = WholeMatch(stage, StageHands(stage), seed=7, moment=moment)

    def keep() -> None:
        outcome = stage.view.outcome
        figures = asdict(match.tally) | {
            "game": stage.game.id,
            "players": stage.players,
            "frames": stage.eyes.frames,
            "see_ms": sorted(round(ms, 2) for ms in stage.eyes.see_ms),
            "display": stage.rig.twins["score"].rows(),
            "lamps": stage.rig.twins["lamps"].rows(),
            "outcome": None if outcome is None else outcome.to_json(),
        }
        write_whole(stage.out / "whole.json", json.dumps(figures))

    match.after_move = keep
    match.play()
    keep()


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
    write_whole(stage.out / f"{part}.json", json.dumps(figures))
