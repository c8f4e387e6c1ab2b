"""Round pieces that touch each other, on a board that was never seen bare: go stones."""

from __future__ import annotations

from functools import cache
from random import Random

import cv2
import numpy as np

from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from rules.reading.sighting import EMPTY
from tests.support.scenes.go_board import STONES, go_board
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.pieces.dense_pieces import crowded
from vision.pieces.outlines import outlines_of
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

SIZE = (1280, 960)
PATCH = ("G10", "G11", "H10", "H11")
"""Empty sites in the sun."""


@cache
def table() -> tuple[Box, dict[str, str], Picture]:
    """A go board with touching stones on three of five sites, and what a camera sees of it."""
    box, random = go_board(), Random(915)
    stones = {
        site: random.choice(list(STONES.values()))
        for site in box.sites if site not in PATCH and random.random() < 0.6
    }  # fmt: skip
    virtual = VirtualTable(box, seed=915)
    for site, kind in stones.items():
        virtual.put(kind, site)
    return box, stones, Camera.over(box, *SIZE, seed=915).render(virtual)


@cache
def first() -> tuple[Tracker, Sighting]:
    """A tracker after its first picture of that table, and what it saw."""
    tracker = Tracker(table()[0])
    return tracker, tracker.look(Frame(table()[2], 0, "", 0.0), settled=True)


def told(sighting: Sighting) -> dict[str, str]:
    """The kind that surely lies at each site, and ``?`` where it is not known."""
    return {
        site: "?" if belief.occluded else belief.best[0].kind
        for site, belief in sighting.sites.items()
        if belief.occluded or belief.best != EMPTY
    }


def test_touching_stones_are_told_apart_in_the_first_picture() -> None:
    _, stones, _ = table()
    found = told(first()[1])
    wrong = {s: k for s, k in found.items() if k not in ("?", stones.get(s))}
    assert not wrong and not stones.keys() - found.keys()
    assert sum(found.get(s) == k for s, k in stones.items()) >= 0.97 * len(stones)


def test_sun_on_bare_wood_is_no_white_stone() -> None:
    box, stones, image = table()
    pose = first()[1].pose
    assert pose is not None
    px = pose.project(np.array([box.sites[site].at for site in PATCH]))
    sunny = image.copy()
    hull = cv2.convexHull(np.round(px).astype(np.int32))
    cv2.fillConvexPoly(sunny, hull, (235, 250, 255))
    cv2.polylines(sunny, [hull], True, (235, 250, 255), round(14 * pose.px_per_mm()))
    sunny = np.asarray(cv2.GaussianBlur(sunny, (0, 0), 1.0), dtype=np.uint8)
    found = told(Tracker(box).look(Frame(sunny, 0, "", 0.0), settled=True))
    assert {site: found.get(site, "?") for site in PATCH} == dict.fromkeys(PATCH, "?")
    assert all(found.get(site) in ("?", kind) for site, kind in stones.items())


def test_what_looks_as_before_is_not_looked_at_again() -> None:
    tracker, before = first()
    again = tracker.look(Frame(table()[2], 1, "", 1.0), settled=True)
    assert len(before.bare) > 100 and all(
        one.body_mm is other.body_mm for one, other in zip(before.bare, again.bare, strict=True)
    )


def test_only_sites_whose_pieces_may_touch_are_explained_jointly() -> None:
    box = go_board()
    outlines = {site: outlines_of(list(box.kinds.values())) for site in box.sites}
    assert set(crowded(box, outlines)) == set(box.sites)
    far = load_box("knizia_stonehenge")
    stones = outlines_of([kind for kind in far.kinds.values() if kind.group == "stone"])
    assert not crowded(far, dict.fromkeys(far.sites, stones))


def test_sites_printed_in_a_colour_of_their_own_have_rims_without_any_piece() -> None:
    box = load_box("stonehenge_anthology").for_game("opferroulette")
    discs = [kind for kind in box.kinds.values() if kind.group == "disc"]
    sites = [site.id for site in box.printed_sites if "disc" in site.takes and site.room == 1]
    assert len(sites) >= 60
    assert not crowded(box, dict.fromkeys(sites, outlines_of(discs)))
