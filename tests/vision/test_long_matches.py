"""Whole sittings at a table that is pushed and lit anew, without a question too many."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.simulator import Camera, Light, VirtualTable
from companion.simulator.objects import Shade
from rules.box import Box, load_box
from rules.reading.sighting import Glimpse
from tests.support.scenes.sitting import Sitting
from tests.support.watched import WATCHED
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.pieces.sighting import SeenPiece, Sighting, site_beliefs
from vision.stickers.reader import SeenSticker, StickerReader, Window
from vision.tracker import Tracker

COOL = Light(brightness=0.63, kelvin=4300, gradient=(0.1, 0.02))
WARM = Light(brightness=1.04, kelvin=3450, shade=Shade(-115, -130, 125, 0.41))


def anthology(game_id: str = "opferroulette") -> Box:
    """The box of most games, with the sites of one."""
    return load_box("stonehenge_anthology").for_game(game_id)


def looked(tracker: Tracker, image: Picture, number: int = 0) -> Sighting:
    """One look at a still picture."""
    return tracker.look(Frame(image, number, str(number), float(number)), settled=True)


@pytest.mark.thorough
def test_a_lamp_of_another_colour_is_no_hand_however_long_one_looks() -> None:
    box = anthology()
    table, camera, tracker = VirtualTable(box, seed=5), Camera.over(box, seed=5), Tracker(box)
    camera.noise = 2.5
    for number, site in enumerate(sorted(s for s in box.sites if s.endswith("-day"))[:12]):
        table.put(("disc blue", "disc white", "disc green")[number % 3], site)
    table.put("figure blue", "6")
    for number, light in enumerate([COOL] * 3 + [WARM] * 8):
        table.light = light
        seen = looked(tracker, camera.render(table), number)
        on_board = {s for s in seen.occluded if not s.endswith("-area")}
        assert not seen.hand, f"look {number}"
        assert not on_board, f"look {number}"


def test_what_lay_in_the_shade_at_first_is_no_hand_when_the_shade_is_gone() -> None:
    box = anthology("hoher_rat")
    table, camera, tracker = VirtualTable(box, seed=2), Camera.over(box, seed=2), Tracker(box)
    camera.noise = 2.5
    for number, owner in enumerate(("white", "blue", "green", "yellow", "red"), start=1):
        for _ in range(10):
            table.put(f"bar {owner}", f"T{number}")
    shady = Light(0.81, 5040, (0.143, -0.023), shade=Shade(-31, 16, 139, 0.35))
    clear = Light(0.7, 6210, (-0.154, -0.047), shade=Shade(-154, 204, 78, 0.21))
    for number, light in enumerate([shady] * 4 + [clear] * 4):
        table.light = light
        seen = looked(tracker, camera.render(table), number)
        assert not seen.hand, f"look {number}"
        assert not {s for s in seen.occluded if not s.endswith("-area")}, f"look {number}"


def test_a_table_is_found_again_if_it_was_pushed_while_two_corners_were_hidden() -> None:
    box = anthology()
    table, camera, tracker = VirtualTable(box, seed=5), Camera.over(box, seed=5), Tracker(box)
    for site in ("3", "9", "16", "21", "27"):
        table.put("figure blue" if site == "3" else "bar white", site)
    first = looked(tracker, camera.render(table))
    table.bump(6.0, -5.0, 0.7)
    image = camera.render(table)
    for corner in (box.corners[0], box.corners[3]):
        u, v = camera.project(np.array([[*corner.at, 0.0]]), table.nudge)[0]
        cv2.circle(image, (round(u), round(v)), 40, (60, 120, 90), -1)
    seen = looked(tracker, image, 1)
    assert seen.board == "found", seen.reason
    assert {s: t for s, t in seen.table.items() if s.isdigit()} == {
        s: t for s, t in first.table.items() if s.isdigit()
    }
    assert seen.pose is not None
    miss = seen.pose.project(np.array([[-200.0, 0.0]])) - camera.project(
        np.array([[-200.0, 0.0, 0.0]]), table.nudge
    )
    assert float(np.abs(miss).max()) < 2.0


@pytest.mark.thorough
def test_a_drawing_that_reads_like_a_sticker_is_no_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    box = load_box("dominion").for_game("dominion")
    camera, tracker = Camera.over(box), Tracker(box)
    card = box.kinds["adventurer"].stickers[0]
    read_at, misled = StickerReader.read_at, list[int]()

    def misread(
        self: StickerReader, image: Picture, windows: Sequence[Window], module_px: float,
        full: bool = False,
    ) -> list[list[SeenSticker]]:  # fmt: skip
        found = read_at(self, image, windows, module_px, full)
        u, v = camera.project(np.array([[*box.sites["discard-p3"].at, 0.4]]))[0]
        corners = np.array([(u - 17, v - 17), (u + 17, v - 17), (u + 17, v + 17), (u - 17, v + 17)])
        for pieces in found[:1]:
            pieces.append(SeenSticker(card, corners))
            misled.append(card)
        return found

    monkeypatch.setattr(StickerReader, "read_at", misread)
    table = VirtualTable(box, seed=1)
    seen = looked(tracker, camera.render(table))
    assert misled and "discard-p3" not in seen.table
    # A card that lies there truly is read.
    table.put("adventurer", "discard-p3")
    assert looked(tracker, camera.render(table), 1).table["discard-p3"] == "adventurer"


def _piece(kind: str, at: tuple[float, float], body: Sequence[tuple[float, float]]) -> SeenPiece:
    square = np.array([(-6.0, 6.0), (6.0, 6.0), (6.0, -6.0), (-6.0, -6.0)])
    return SeenPiece(kind, 0, at, "C1", square + at, square, np.array(body))


def test_what_a_trilithon_may_hide_in_its_yard_is_not_said_to_be_missing() -> None:
    box = anthology("erbaut_stonehenge")
    x, y = box.sites["C1"].at
    tall = _piece(
        "trilithon white",
        (x, y),
        [(x - 45, y - 9), (x + 30, y - 9), (x + 30, y + 9), (x - 45, y - 24)],
    )
    low = _piece("pillar", (x, y), [(x - 8, y - 8), (x + 8, y - 8), (x + 8, y + 8), (x - 8, y + 8)])
    both = (Glimpse("pillar"), Glimpse("trilithon white"))
    belief = site_beliefs(box, [tall], frozenset())["C1"]
    assert -1.5 < belief.score(both) < 0
    assert belief.best == (Glimpse("trilithon white"),)
    # Nothing hides a trilithon, and a pillar no other pillar.
    belief = site_beliefs(box, [low], frozenset())["C1"]
    assert belief.score(both) < -8
    assert belief.score((Glimpse("pillar"), Glimpse("pillar"))) < -8


@pytest.mark.thorough
def test_a_full_yard_hides_no_corner_and_nothing_that_lies_there_is_missing() -> None:
    box = anthology("erbaut_stonehenge")
    table, camera = VirtualTable(box, seed=3), Camera.over(box)
    yards = {}
    for number, owner in enumerate(("white", "blue", "green", "yellow"), start=1):
        yards[f"C{number}"] = (f"card n{number}", "pillar", f"trilithon {owner}")
        for kind in yards[f"C{number}"]:
            table.put(kind, f"C{number}")
    seen = looked(Tracker(box), camera.render(table))
    assert seen.board == "found", seen.reason
    assert seen.pose is not None
    assert len(seen.pose.stickers) == 4
    for yard, kinds in yards.items():
        truth = tuple(Glimpse(kind) for kind in kinds)
        assert seen.sites[yard].score(truth) > -1.5, seen.table[yard]


def test_what_lies_outside_the_picture_is_not_asked_of_the_camera() -> None:
    sitting = Sitting("opferroulette", seed=5, players=4)
    assert "p0-area" in sitting._out_of_picture()
    assert not {"1", "15", "d1"} & set(sitting._out_of_picture())


def test_a_high_pile_that_leans_out_of_its_field_still_lies_there() -> None:
    box = anthology("hoher_rat")
    table, camera, tracker = VirtualTable(box, seed=3), Camera.over(box, seed=3), Tracker(box)
    camera.noise = 2.5
    x, y = box.sites["T3"].at
    for _ in range(6):
        bar = table.put("bar green", "T3", jitter=False)
        table.move(bar.id, x + 2, y + 22)
    seen = looked(tracker, camera.render(table))
    assert {glimpse.kind for glimpse in seen.sites["T3"].best} == {"bar green"}
    assert not [stray for stray in seen.strays if stray.kind == "bar green"]


MOVES = 5
QUICK = "knizia_stonehenge"


@pytest.mark.parametrize(
    "game_id",
    [pytest.param(g, marks=() if g == QUICK else pytest.mark.thorough) for g in WATCHED],
)
def test_a_match_is_read_without_asking_though_the_table_is_pushed_and_a_lamp_switched(
    game_id: str,
) -> None:
    tally = Sitting(game_id, seed=1).play(MOVES)
    assert tally.visible + tally.alike == MOVES
    assert tally.pushes
    assert tally.lamps
    assert tally.wrong == tally.accused == 0, tally.troubles
    assert tally.read == tally.visible, tally.troubles
