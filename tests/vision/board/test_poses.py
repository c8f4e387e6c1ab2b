"""The pose of a piece is read from its sticker: which one is seen, and where it points."""

from __future__ import annotations

import numpy as np

from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.reading.sighting import Glimpse
from vision.camera.sources import Frame
from vision.pieces.sighting import pose_of
from vision.tracker import Tracker

BOX = load_box("stonehenge_anthology").for_game("opferroulette")


def test_the_ball_s_facing_is_seen_all_round_the_ring(thorough: bool) -> None:
    table = VirtualTable(BOX, seed=3)
    camera = Camera.over(BOX, 1800, 1350, seed=3)
    tracker = Tracker(BOX)
    for number, site in enumerate(("1", "8", "15", "23") if thorough else ("1", "15")):
        for pose in ("cw", "ccw"):
            table.put("figure grey", site, pose=pose)
            sighting = tracker.look(Frame(camera.render(table), number, site, number), True)
            assert sighting.sites[site].best == (Glimpse("figure grey", pose),)
            table.take(site)


def test_a_back_sticker_means_that_the_piece_lies() -> None:
    kind = load_box("dolmengoetter").kinds["druid red"]
    square = np.array([[-5.0, 5.0], [5.0, 5.0], [5.0, -5.0], [-5.0, -5.0]])
    (lying,) = kind.lying_stickers
    assert pose_of(kind, lying, (0.0, 0.0), square) == "lying"
    assert pose_of(kind, kind.stickers[0], (0.0, 0.0), square) == "standing"


def test_kinds_without_poses_have_none() -> None:
    kind = load_box("knizia_stonehenge").kinds["megalith black"]
    square = np.zeros((4, 2))
    assert pose_of(kind, kind.stickers[0], (0.0, 0.0), square) == ""
