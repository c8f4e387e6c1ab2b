"""Plays a scene of ``tests/scenes``."""

from __future__ import annotations

from pathlib import Path

from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.rehearsing.scene import Scene, read_scene
from companion.settings.enforcement import Enforcement
from rules.games import find_game
from tests.support.command import ROOT

SCENES = ROOT / "tests" / "scenes"
"""One folder per game; the name of a file says what it claims."""


def scene_of(path: Path) -> Scene:
    """The scene in a file."""
    return read_scene(path.read_text(encoding="utf-8"), path)


def rehearsed(scene: Scene, game_id: str) -> Rehearsal:
    """The scene, played to its end."""
    game, heading = find_game(game_id), scene.heading
    rehearsal = Rehearsal(
        game,
        heading.players or min(game.players),
        heading.options,
        heading.enforcement or Enforcement.ENFORCE,
        dealt=heading.dealt,
        seed=heading.seed,
    )
    rehearsal.play(scene)
    return rehearsal
