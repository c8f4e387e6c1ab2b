"""Dice in a tray of the virtual table: a throw is seen as faces, or nothing is told of it."""

from __future__ import annotations

from random import Random

import pytest

from companion.simulator.camera import Camera
from companion.simulator.table import VirtualTable
from rules.box import Box, parse_box
from rules.reading.sighting import Glimpse, SiteBelief
from tests.support.box_file import FILE_TEXT
from vision.camera.sources import Frame
from vision.tracker import Tracker

DIE = """
[[site]]
id = "tray"
kind = "tray"
at = [0, %s]
size = [100, 60]
takes = ["die"]
printed = false

[kinds."die white"]
group = "die"
shape = "die"
size = [16, 16]
colour = "#f4f1e8"
count = 3

[kinds."die red"]
group = "die"
shape = "die"
size = [16, 16]
colour = "#a02020"
count = 2
"""
FACES = 'faces = ["axe", "shield", "none"]\nstickers = [30, 31, 32]\nsticker_mm = 11\n'


def box_with(dice: str = DIE, y: float = -140) -> Box:
    return parse_box(FILE_TEXT + dice % y, "b.toml")


def seen(table: VirtualTable, seed: int = 0, width: int = 1280) -> SiteBelief:
    camera = Camera(width=width, height=width * 9 // 16, height_mm=760, tilt=6, seed=seed)
    sighting = Tracker(table.box).look(Frame(camera.render(table), 0, "", 0.0), True)
    assert not sighting.hand
    return sighting.sites["tray"]


@pytest.mark.parametrize("y", [-140, -50])
def test_thrown_dice_are_told_by_colour_and_face_on_the_board_and_beside_it(y: float) -> None:
    random = Random(y)
    for seed in range(2):
        table = VirtualTable(box_with(y=y), seed)
        thrown = [
            Glimpse(kind, str(random.randint(1, 6))) for kind in 3 * ["die white"] + 2 * ["die red"]
        ]
        for die in thrown:
            table.put(die.kind, "tray", pose=die.pose)
        belief = seen(table, seed)
        assert belief.best == tuple(sorted(thrown))
        assert not belief.occluded


def test_an_empty_tray_is_empty() -> None:
    belief = seen(VirtualTable(box_with()))
    assert belief.best == () and not belief.occluded


def test_corner_stickers_beside_a_tray_are_no_pips() -> None:
    box = box_with(DIE.replace("size = [100, 60]", "size = [124, 60]"), y=-50)
    table = VirtualTable(box, 3)
    assert seen(table).best == () and not seen(table).occluded
    die = table.put("die white", "tray", pose="5")
    table.knock(die.id, -52 - die.x_mm, -66 - die.y_mm)
    belief = seen(table)
    assert belief.best == (Glimpse("die white", "5"),) and not belief.occluded


def test_of_dice_too_small_to_be_read_nothing_is_told() -> None:
    table = VirtualTable(box_with())
    table.put("die red", "tray", pose="2")
    assert seen(table, width=800).occluded


def test_while_one_die_hangs_over_another_nothing_is_told_of_the_tray() -> None:
    table = VirtualTable(box_with(), 1)
    lower = table.put("die white", "tray", pose="4")
    upper = table.put("die red", "tray", pose="3")
    table.knock(upper.id, lower.x_mm + 9 - upper.x_mm, lower.y_mm + 5 - upper.y_mm)
    assert seen(table).occluded


def test_stickers_on_the_faces_of_a_die_tell_its_face() -> None:
    dice = DIE.partition('[kinds."die red"]')[0].replace("count = 3", FACES + "count = 3")
    table = VirtualTable(box_with(dice), 4)
    for pose in ("axe", "none", "axe"):
        table.put("die white", "tray", pose=pose)
    assert [glimpse.pose for glimpse in seen(table).best] == ["axe", "axe", "none"]


def test_a_die_shows_the_same_face_however_it_is_turned() -> None:
    table = VirtualTable(box_with(y=-50), 2)
    die = table.put("die red", "tray", pose="6")
    for _ in range(2):
        table.knock(die.id, 0, 0, 25)
        assert seen(table).best == (Glimpse("die red", "6"),)
