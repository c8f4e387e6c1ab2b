"""Plays a scene of ``tests/scenes`` and compares what came of it with what it expects."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.rehearsing.scene import Expected, Scene, read_scene
from companion.settings.manners import Enforcement
from rules.core import Actor
from rules.games import find_game
from rules.match import Match
from tests.support.command import ROOT

__all__ = ["SCENES", "rehearsed", "scene_of", "unmet"]

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


def unmet(expected: Expected, rehearsal: Rehearsal) -> list[str]:
    """What came out differently."""
    codes = {o.code for refused in rehearsal.refusals for o in refused.objections}
    found = {
        "moves": _moves(rehearsal.match, expected.moves or ()),
        "asked": rehearsal.asked,
        "accused": len(rehearsal.refusals),
        "objections": codes & (expected.objections or frozenset()),
        "scores": tuple(rehearsal.match.scores),
        "table": rehearsal.table.state,
    }
    return [
        f"{key}: expected {getattr(expected, key)}, found {value}"
        for key, value in found.items()
        if getattr(expected, key) not in (None, value)
    ]


def _moves(match: Match, expected: Sequence[str]) -> tuple[str, ...]:
    """The record; without what dealer and table did, if the scene does not say anything of it."""
    played = [entry.move for entry in match.log]
    if not any(text.startswith((Actor.DEALER, Actor.TABLE)) for text in expected):
        played = [move for move in played if move.actor is Actor.PLAYER]
    return tuple(move.text for move in played)
