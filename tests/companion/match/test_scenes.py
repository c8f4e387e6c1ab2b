"""Scenes: what hands do at a table in their own order, and what the referee makes of it.

Each file of ``tests/scenes/<game>/`` is a test of its own; the format is in ``docs/rehearse.md``.
``tests/scenes/pending.txt`` names those that the referee cannot do yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from companion.match.rehearsing.expecting import unmet
from tests.support.rehearsing import SCENES, rehearsed, scene_of

FILES = sorted(SCENES.glob("*/*.jsonl"))
ONE_OF = 2
"""Scenes of which the quick run plays one: which, its name decides, so that it stays the same."""


def name_of(path: Path) -> str:
    """Name of a scene in ``pending.txt``."""
    return f"{path.parent.name}/{path.stem}"


def pending() -> dict[str, str]:
    """The scenes that the referee cannot do yet, each with the reason."""
    rows = (SCENES / "pending.txt").read_text(encoding="utf-8").splitlines()
    told = (row.partition(":") for row in rows if row and not row.startswith("#"))
    return {name.strip(): reason.strip() for name, _, reason in told}


def scenes() -> Iterator[object]:
    """All scenes, those that are pending as failures that are expected."""
    reasons = pending()
    for path in FILES:
        reason = reasons.get(name_of(path))
        marks = [pytest.mark.xfail(reason=reason, strict=False)] if reason is not None else []
        marks += [pytest.mark.thorough] if crc32(name_of(path).encode()) % ONE_OF else []
        yield pytest.param(path, id=name_of(path), marks=marks)


@pytest.mark.parametrize("path", scenes())
def test_the_referee_makes_of_a_scene_what_it_expects(path: Path) -> None:
    scene = scene_of(path)
    assert scene.expects, f"{path.name} does not say what it expects"
    rehearsal = rehearsed(scene, path.parent.name)
    happened = "\n".join(f"{told.at_s:8.2f} {told.event}" for told in rehearsal.told)
    assert unmet(scene.heading.expect, rehearsal) == [], happened


def test_every_folder_of_scenes_is_a_game_and_has_scenes() -> None:
    folders = {path.name for path in SCENES.iterdir() if path.is_dir()}
    assert folders == {path.parent.name for path in FILES}


def test_every_pending_scene_exists_and_says_what_is_missing() -> None:
    assert pending().keys() <= {name_of(path) for path in FILES}
    assert all(pending().values())
