"""Kinds of pieces without stickers are found out from what the record says lies there.

The seeds were not used while limits were chosen; larger counts are in docs/bare-pieces.md.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.simulator import Camera
from tests.support.scenes.bare_pieces import (
    GROUPS,
    LIGHTS,
    SIZE,
    Scene,
    Table,
    first_pieces,
    laid,
    played,
)
from vision.camera.sources import Frame
from vision.pieces.bare import AUTO
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

LAID = 913


def watched(scene: Scene, camera: Camera, expected: dict[str, str]) -> tuple[Tracker, Sighting]:
    """A tracker that saw the empty board, then the full one, knowing what lies where."""
    tracker = Tracker(scene.box, bare=(AUTO,))
    tracker.look(Frame(camera.render(scene.empty), 0, "", 0.0), settled=True)
    tracker.expect({site: (kind,) for site, kind in expected.items()})
    return tracker, tracker.look(Frame(camera.render(scene.table), 1, "", 1.0), settled=True)


def told(scene: Scene) -> dict[str, str]:
    """The kinds that lie in a scene, by site."""
    return {site: kind for site, (kind, _) in scene.truth.items()}


def test_a_few_known_pieces_tell_that_their_groups_carry_no_stickers() -> None:
    scene = laid(Table.KNIZIA, LAID)
    found, _ = played(scene, LIGHTS["dim and warm"], LAID)
    assert found.groups == {"stone", "megalith"}
    assert found.counts["piece", "wrong"] == found.counts["empty", "wrong"] == 0
    assert found.counts["piece", "right"] >= 0.8 * len(scene.truth)


def test_on_a_mixed_table_only_what_is_bare_is_told_by_colour() -> None:
    scene = laid(Table.KNIZIA, LAID, stickers_on=("megalith",))
    found, sighting = played(scene, LIGHTS["day"], LAID)
    assert found.groups == {"stone"}
    assert {scene.box.kinds[piece.kind].group for piece in sighting.bare} == {"stone"}
    assert found.counts["piece", "wrong"] == 0


@pytest.mark.thorough
def test_one_piece_is_not_enough() -> None:
    scene = laid(Table.KNIZIA, LAID)
    site, kind = next(iter(told(scene).items()))
    _, sighting = watched(scene, scene.camera, {site: kind})
    assert not sighting.bare_found and not sighting.bare


def test_what_lies_elsewhere_than_the_record_says_proves_nothing() -> None:
    scene = laid(Table.KNIZIA, LAID)
    free = [site for site in scene.box.sites if site not in scene.truth]
    kinds = [kind for kind in told(scene).values() if kind.startswith("stone")]
    stones = [s for s in free if "stone" in scene.box.sites[s].takes]
    _, sighting = watched(scene, scene.camera, dict(zip(stones, kinds, strict=False)))
    assert stones and not sighting.bare_found


def test_blurred_stickers_are_not_taken_for_bare_pieces() -> None:
    scene = laid(Table.KNIZIA, 41, stickers_on=GROUPS[Table.KNIZIA])
    camera = replace(Camera.over(scene.box, *SIZE, seed=41), blur=3.5)
    _, sighting = watched(scene, camera, told(scene))
    unread = scene.truth.keys() - {piece.site for piece in sighting.pieces}
    assert len(unread) >= 3
    assert not sighting.bare_found


@pytest.mark.thorough
def test_what_people_say_wins_over_what_was_found() -> None:
    scene = laid(Table.KNIZIA, LAID)
    tracker, sighting = watched(scene, scene.camera, first_pieces(scene, LAID))
    assert "stone" in sighting.bare_found
    tracker.have_stickers(("stone",))
    again = tracker.look(Frame(scene.camera.render(scene.table), 2, "", 2.0), settled=True)
    assert "stone" not in again.bare_found
    assert all(not piece.kind.startswith("stone") for piece in again.bare)


@pytest.mark.thorough
def test_without_auto_nothing_is_found() -> None:
    scene = laid(Table.KNIZIA, LAID)
    tracker = Tracker(scene.box)
    tracker.expect({site: (kind,) for site, kind in told(scene).items()})
    assert not tracker.look(Frame(scene.camera.render(scene.table), 0, "", 0.0), True).bare_found
