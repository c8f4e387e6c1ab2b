"""Pieces without stickers: told by colour, and found out unaided."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.core import Item, Layout
from rules.reading.sighting import EMPTY
from tests.support.scenes.bare_pieces import (
    GROUPS,
    LIGHTS,
    SIZE,
    Scene,
    Table,
    first_pieces,
    judged,
    laid,
    played,
)
from tests.support.sweep import widely
from vision.board.colour import ColourClasses, apart, lab
from vision.camera.sources import Frame
from vision.pieces.bare import AUTO, bare_kinds, hardly_told
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

SEED = 911
RACE = Path(__file__).parents[2] / "support" / "race" / "race_game" / "box.toml"


@cache
def seen(table: Table, light: str) -> tuple[Scene, Sighting]:
    """A table of bare pieces, and what a tracker that saw the empty board first sees of it."""
    scene = laid(table, SEED)
    return scene, scene.look(LIGHTS[light])


@pytest.mark.parametrize(
    ("table", "light"), widely([Table.KNIZIA, Table.DOLMEN], ["day", "dim and warm"], most=1)
)
def test_bare_pieces_are_told_by_their_colour(table: Table, light: str) -> None:
    found = judged(*seen(table, light))
    pieces = sum(n for (what, _), n in found.items() if what == "piece")
    assert pieces >= 12
    assert found["piece", "wrong"] == 0, found
    assert found["empty", "wrong"] == 0, found
    assert found["piece", "right"] >= 0.7 * pieces, found


@pytest.mark.thorough
def test_stickers_and_bare_pieces_lie_on_one_board() -> None:
    box = load_box("knizia_stonehenge")
    scene = laid(Table.KNIZIA, SEED + 1, stickers_on=("stone",))
    sighting = scene.look(LIGHTS["day"])
    stones = {s: k for s, (k, _) in scene.truth.items() if box.kinds[k].group == "stone"}
    for site, kind in stones.items():
        assert [g.kind for g in sighting.sites[site].best] == [kind]
    bars = [p.kind for p in sighting.bare if p.site is not None]
    wanted = Counter(k for k, _ in scene.truth.values() if box.kinds[k].group == "megalith")
    assert Counter(bars) <= wanted and len(bars) >= 0.7 * wanted.total()


def test_kinds_of_one_colour_stay_undecided() -> None:
    _, sighting = seen(Table.KNIZIA, "day")
    site = next(
        p.site for p in sighting.bare if p.site is not None and p.kind.startswith("stone black")
    )
    belief = sighting.sites[site]
    best = {look[0].kind for look, score in belief.looks.items() if score == 0.0 and look}
    assert best == {f"stone black {value}" for value in range(1, 7)}
    assert belief.score(EMPTY) < -5


def test_without_being_told_nothing_is_guessed() -> None:
    scene = laid(Table.KNIZIA, SEED)
    sighting = Tracker(scene.box).look(Frame(scene.picture(LIGHTS["day"]), 0, "", 0.0), True)
    assert not sighting.bare
    assert all(belief.best == EMPTY for belief in sighting.sites.values())


@pytest.mark.thorough
def test_discs_and_bars_are_seen_beside_every_site() -> None:
    scene = laid(Table.ROLLING, SEED)
    sighting = scene.look(LIGHTS["day"])
    assert judged(scene, sighting)["piece", "wrong"] == 0
    bars = Counter(p.kind for p in sighting.bare if p.kind.startswith("bar"))
    discs = Counter(p.kind for p in sighting.bare if p.site is None)
    wanted = Counter(kind for kind, _ in scene.loose)
    seen = bars + discs
    assert not seen - wanted
    assert seen.total() >= 0.7 * wanted.total()
    assert Counter(g.kind for g in sighting.sites["board"].best) == bars


def test_a_colour_that_is_off_is_learnt_from_the_opening() -> None:
    classes = ColourClasses({"red": "#b3322b", "blue": "#2f5f9e"})
    faded = np.asarray(classes.mean("red") + np.array([10.0, -18.0, -12.0]), dtype=np.float32)
    before = classes.likelihoods(faded, classes.names)
    for _ in range(6):
        classes.learn("red", faded)
    after = classes.likelihoods(faded, classes.names)
    assert after["red"] > before["red"] + 2
    assert float(apart(classes.mean("blue"), ColourClasses({"b": "#2f5f9e"}).mean("b"))) == 0.0


def test_white_has_no_hue_whatever_the_lamp() -> None:
    assert np.allclose(lab(np.ones(3, dtype=np.float32)), (100, 0, 0), atol=0.1)


def test_pieces_are_hardly_told_on_places_of_their_own_colour() -> None:
    box = load_box("stonehenge_anthology")
    near = hardly_told(box, box.kinds)
    assert "11" in near["disc red"] and "15" in near["disc green"]
    assert "11" not in near["disc green"]


@pytest.mark.parametrize("painted", [False, True])
def test_pawns_that_stand_side_by_side_are_counted_or_nothing_is_claimed(painted: bool) -> None:
    race = load_box(str(RACE))
    kinds = {
        name: replace(kind, stickers=(), shape="pawn", size=(15, 15), height=16, count=3)
        if kind.group == "pawn" else kind for name, kind in race.kinds.items()
    }  # fmt: skip
    red = next(name for name, kind in kinds.items() if kind.group == "pawn")
    colour = kinds[red].colour if painted else "#f0e8d8"
    box = replace(
        race, kinds=kinds, sites={k: replace(s, colour=colour) for k, s in race.sites.items()}
    )
    table, camera, tracker = VirtualTable(box, 5), Camera.over(box, 1000, 750, 5), Tracker(box)
    tracker.look(Frame(camera.render(table), 0, "", 0.0), True)
    table.set_layout(Layout({Item("f2", red): 2, Item("f4", red): 1}))
    seen = tracker.look(Frame(camera.render(table), 1, "", 1.0), True).sites
    if painted:
        assert seen["f2"].occluded and seen["f4"].occluded
    else:
        told = [[one.kind for one in seen[site].best] for site in ("f2", "f3", "f4")]
        assert told == [[red, red], [], [red]]


def test_bare_kinds_are_named_by_kind_group_or_star() -> None:
    box = load_box("knizia_stonehenge")
    assert bare_kinds(box) == frozenset()
    assert bare_kinds(box, ["megalith"]) == {"megalith black", "megalith brown"}
    assert bare_kinds(box, ["*"]) == set(box.kinds)
    stickerless = box.without_stickers(["megalith"])
    assert bare_kinds(stickerless) == {"megalith black", "megalith brown"}
    with pytest.raises(ValueError, match="no pieces 'dragon'"):
        bare_kinds(box, ["dragon"])


@pytest.mark.thorough
def test_a_hand_is_no_piece() -> None:
    scene = laid(Table.KNIZIA, SEED)
    tracker = Tracker(scene.box, bare=["stone", "megalith"])
    camera = Camera.over(scene.box, 1600, 1200, seed=SEED)
    table = scene.table
    tracker.look(Frame(camera.render(table), 0, "", 0.0), True)
    table.hand = table.reaching(30.0, -40.0)
    try:
        sighting = tracker.look(Frame(camera.render(table), 1, "", 1.0), True)
    finally:
        table.hand = None
    assert sighting.hand


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
