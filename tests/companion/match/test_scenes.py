"""Scenes: what hands do at a table in their own order, and what the referee makes of it.

Each file of ``tests/scenes/<game>/`` is a test of its own; the format is in ``docs/rehearse.md``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.match.rehearsing.expecting import unmet
from tests.support.rehearsing import SCENES, rehearsed, scene_of

FILES = sorted(SCENES.glob("*/*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_referee_makes_of_a_scene_what_it_expects(path: Path) -> None:
    scene = scene_of(path)
    assert scene.heading.expect is not None, f"{path.name} does not say what it expects"
    rehearsal = rehearsed(scene, path.parent.name)
    happened = "\n".join(f"{told.at_s:8.2f} {told.event}" for told in rehearsal.told)
    assert unmet(scene.heading.expect, rehearsal) == [], happened


def test_every_folder_of_scenes_is_a_game_and_has_scenes() -> None:
    assert {path.name for path in SCENES.iterdir()} == {path.parent.name for path in FILES}
