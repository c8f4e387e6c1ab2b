"""One part of the demo: ``python -m companion.app.demo PART DIR LANG``.

It is a program of its own, so that the first part can be killed in the middle. The parts are
``first`` and ``second`` of the story, and ``whole:GAME``: a whole match of a game.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import signal
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Self

from companion.app.demo.stage import SEED, Stage
from companion.app.demo.story import GAME, Picture, Story
from companion.app.demo.whole import WHOLE, WholeMatch
from companion.match.view import TableView
from companion.settings.writing import write_whole
from companion.ui.offscreen import open_still_window, tick
from rules.core import ScoreLine
from rules.games import find_game

_SIZE = (800, 480)
PR_SET_PDEATHSIG = 1
"""Of prctl(2): the signal that a program gets when its parent is gone."""


def _play_part(
    part: str,
    out: Path,
    lang: str,
    *,
    headless: bool,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    bare: tuple[str, ...] = (),
    seed: int = SEED,
) -> None:
    """Play a part in the folder ``out``; all that follows ``headless`` is for whole matches."""
    game = part.partition(":")[2]
    if players is None:
        players = find_game(game).players[0] if game else 2
    stage = Stage(game or GAME, out, lang, players, options, bare=bare, seed=seed)
    if headless:
        with _Screenshots(lang) as shots:

            def picture(name: str, view: TableView) -> None:
                shots.write(view, out / f"{name}.png", stage.session.score_lines)

            _tell(part, stage, picture)
    else:
        from companion.app.demo.window import play_in_window

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

    match = WholeMatch(stage, seed=stage.seed, moment=moment)

    def keep() -> None:
        figures = asdict(match.tally) | {
            "game": stage.game.id,
            "players": stage.players,
        }
        _write(stage, "whole", figures)

    match.after_move = keep
    match.play()
    keep()


def _write_figures(part: str, stage: Stage, story: Story) -> None:
    _write(stage, part, {
        "moves": story.played,
        "wrong": story.wrong,
        "notes": story.notes,
        "commit_s": sorted(round(s, 3) for s in story.commit_s),
    })  # fmt: skip


def _write(stage: Stage, part: str, figures: Mapping[str, Any]) -> None:
    """Write the figures of a part down, with those of camera and devices."""
    outcome, twins = stage.view.outcome, stage.house.rig.twins
    found = {
        **figures,
        "frames": stage.eyes.frames,
        "see_ms": sorted(round(ms, 2) for ms in stage.eyes.see_ms),
        "display": twins["score"].rows(),
        "lamps": twins["lamps"].rows(),
        "outcome": None if outcome is None else outcome.to_json(),
    }
    write_whole(stage.out / f"{part}.json", json.dumps(found))


def _end_with_parent() -> None:
    """See that this program ends with the one that started it, however that ends: prctl(2)."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class _Screenshots:
    """Writes pictures of the play screen without a display.

    Pieces and signals stand still, so that equal views yield equal pictures. Opening it raises
    NoScreenError where nothing can be drawn.
    """

    def __init__(self, lang: str) -> None:
        self._window = open_still_window(_SIZE, lang)
        from companion.ui.screens.play.screen import PlayScreen

        self._screen = PlayScreen(lambda intent: None, size_hint=(None, None), size=_SIZE)
        self._window.add_widget(self._screen)

    def write(self, view: TableView, path: Path, score_lines: tuple[ScoreLine, ...] = ()) -> None:
        """Show ``view`` and write the picture."""
        from companion.ui.picture import snapshot

        self._screen.show(view, score_lines)
        tick()
        snapshot(self._screen, path)

    def close(self) -> None:
        """Take the screen out of the window."""
        self._screen.leave()
        self._window.remove_widget(self._screen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m companion.app.demo", epilog="heelstone demo")
    parser.add_argument("part", metavar="PART")
    parser.add_argument("out", metavar="DIR", type=Path)
    parser.add_argument("lang", metavar="LANG")
    parser.add_argument("--headless", action="store_true")
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--bare", action="append", default=[], metavar="NAME")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    _end_with_parent()
    options = dict(pair.split("=", 1) for pair in given.option)
    _play_part(
        given.part, given.out, given.lang,
        headless=given.headless, players=given.players, options=options, bare=tuple(given.bare),
        seed=given.seed,
    )  # fmt: skip
