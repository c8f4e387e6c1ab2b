"""Mapping one's own board: gestures, judgement, files, and what the camera reads afterwards."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from companion.boards.mapping import Mapping
from companion.boards.picture import BoardPictureError, board_picture, draw_layout, read_picture
from companion.boards.store import OwnBoards, load_any_box, without_supplies
from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from rules.box.override import override_text
from rules.reading.sighting import Stray
from tests.support.own_board import (
    CORNERS,
    GAME,
    LYING,
    STRAYED,
    photograph,
    true_board,
    with_a_print_of_its_own,
)
from vision.camera.frames import Frame
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

BOX = load_box(GAME)


def test_moving_turning_and_scaling_go_together_and_come_back_by_undo() -> None:
    mapping = Mapping(BOX)
    mapping.grip()
    mapping.transform((10, 20), 90, 2, about=(0, 0))
    mapping.release()
    x, y = BOX.sites["C"].at
    assert mapping.places["C"].at == pytest.approx((10 - 2 * y, 20 + 2 * x))
    assert mapping.places["C"].radius == pytest.approx(2 * BOX.sites["C"].radius)
    assert mapping.turn_and_scale == pytest.approx((90, 2))
    assert mapping.changed and mapping.can_undo
    mapping.undo()
    assert mapping.places["C"].at == BOX.sites["C"].at
    assert not mapping.changed
    mapping.redo()
    assert mapping.turn_and_scale == pytest.approx((90, 2))


def test_a_gesture_is_reckoned_from_its_beginning_and_is_one_step() -> None:
    mapping = Mapping(BOX)
    mapping.grip()
    for step in range(1, 11):
        mapping.transform((step, 0))
    mapping.release()
    assert mapping.places["C"].at == pytest.approx(
        (BOX.sites["C"].at[0] + 10, BOX.sites["C"].at[1])
    )
    mapping.undo()
    assert not mapping.can_undo
    mapping.grip()
    mapping.release()
    assert not mapping.can_undo, "a touch that changed nothing is no step"


def test_rectangles_turned_by_a_right_angle_lie_across() -> None:
    dominion = load_box("dominion")
    mapping = Mapping(dominion)
    name = next(n for n, s in dominion.sites.items() if s.size and s.size[0] != s.size[1])
    mapping.transform(turn_deg=88)
    wide, high = dominion.sites[name].size or (0, 0)
    assert mapping.places[name].size == pytest.approx((high, wide))


def test_sites_of_other_games_at_the_same_spot_go_along() -> None:
    box = load_box("stonehenge_anthology")
    pairs = [
        (a, b) for a in box.sites.values() for b in box.sites.values()
        if a.id < b.id and a.at == b.at
    ]  # fmt: skip
    assert pairs, "the box has fields that several games share"
    one, other = pairs[0]
    mapping = Mapping(box)
    mapping.move_site(one.id, (1.0, 2.0))
    assert mapping.places[other.id].at == (1.0, 2.0)


def test_the_printed_layout_of_every_box_is_without_fault() -> None:
    for name in ("knizia_stonehenge", "dolmengoetter", "dominion", "stonehenge_anthology"):
        assert Mapping(load_box(name)).faults() == [], name


def test_fields_on_each_other_or_outside_keep_it_from_being_saved() -> None:
    mapping = Mapping(BOX)
    mapping.move_site("C", mapping.places["D"].at)
    assert [(f.code, f.blocks) for f in mapping.faults()][:1] == [("overlap", True)]
    mapping.undo()
    mapping = Mapping(BOX)
    mapping.transform((150, 0))
    outside = next(f for f in mapping.faults() if f.code == "outside")
    assert outside.blocks and "N" in outside.sites


def test_a_field_far_from_its_neighbours_is_remarked_but_allowed() -> None:
    box = load_box("dolmengoetter")
    mapping = Mapping(box)
    mapping.move_site("U1", (-205, -20))
    fault = mapping.faults()[0]
    assert (fault.code, fault.blocks) == ("stretched", False)
    assert "U1" in fault.sites


def test_a_field_below_a_corner_sticker_is_remarked_and_unknown_and_the_others_are_read() -> None:
    mapping = Mapping(BOX)
    mapping.move_site("R1", BOX.corners[2].at)
    below = next(fault for fault in mapping.faults() if fault.code == "below_sticker")
    assert below.sites == ("R1",) and not below.blocks
    table, camera = VirtualTable(mapping.laid, seed=5), Camera.over(mapping.laid, seed=5)
    seen = Tracker(mapping.laid).look(Frame(camera.render(table), 0, "", 0.0), settled=True)
    assert not seen.hand
    assert {s for s, belief in seen.sites.items() if belief.occluded} == {"R1"}


def test_the_stickers_places_are_measured_from_one_picture() -> None:
    found = board_picture(photograph(), BOX).board
    across = math.dist(CORNERS[0], CORNERS[1])
    scale = across / math.dist(found.corners[0].at, found.corners[1].at)
    # One picture knows the size to 1 or 2 per cent, the shape to a millimetre.
    assert scale == pytest.approx(1, abs=0.02)
    middle = tuple(sum(at[axis] for at in CORNERS.values()) / 4 for axis in (0, 1))
    for corner in found.corners:
        true = (CORNERS[corner.id][0] - middle[0], CORNERS[corner.id][1] - middle[1])
        assert math.dist((corner.at[0] * scale, corner.at[1] * scale), true) < 1.5
    told = board_picture(photograph(), BOX, across_mm=across).board
    assert math.dist(told.corners[0].at, told.corners[1].at) == pytest.approx(across, abs=0.1)


def test_a_mapped_board_is_read_where_the_printed_one_is_not(tmp_path: Path) -> None:
    across = math.dist(CORNERS[0], CORNERS[1])
    seen = board_picture(photograph(), BOX, across_mm=across)
    mapping = Mapping(BOX)
    mapping.use_corners(seen.board)
    _drag_to_the_picture(mapping, true_board())
    assert [f for f in mapping.faults() if f.blocks] == []
    own = OwnBoards(tmp_path)
    own.keep(mapping.override)
    read = _read(OwnBoards(tmp_path).box(GAME))
    assert read == LYING
    assert _read(BOX) != LYING


@pytest.mark.thorough
def test_a_board_with_a_print_of_its_own_is_known_by_its_portrait(tmp_path: Path) -> None:
    """With the printed board's drawing alone its colours would pass for a hand for ever."""
    original = with_a_print_of_its_own(1)
    table, camera = VirtualTable(original, seed=5), Camera.over(original, seed=5)
    seen = board_picture(camera.render(table), BOX)
    mapping = Mapping(BOX)
    mapping.use_corners(seen.board)
    own = OwnBoards(tmp_path)
    own.keep(mapping.override)
    drawn = own.box(GAME)
    own.keep(mapping.override, seen.portrait())
    known = OwnBoards(tmp_path).box(GAME)
    assert known.portrait and not drawn.portrait
    for site, kind in LYING.items():
        table.put(kind, site)
    image = camera.render(table)
    by_drawing, by_portrait = Tracker(drawn), Tracker(known)
    assert by_drawing.look(Frame(image, 0, "x", 0.0), True).hand
    sighting = by_portrait.look(Frame(image, 0, "x", 0.0), True)
    assert not sighting.hand
    assert {s: b.best[0].kind for s, b in sighting.sites.items() if b.best} == LYING
    assert not any(b.occluded for b in sighting.sites.values())
    # And a hand is still one.
    table.hand = table.reaching(0, 0)
    assert by_portrait.look(Frame(camera.render(table), 1, "x", 1.0), True).hand


def test_a_portrait_that_is_gone_leaves_the_drawing(tmp_path: Path) -> None:
    own = OwnBoards(tmp_path)
    own.keep(Mapping(BOX).override, board_picture(photograph(), BOX).portrait())
    (look,) = (tmp_path / "boxes").glob(f"{GAME}-*.jpg")
    look.unlink()
    assert Tracker(OwnBoards(tmp_path).box(GAME)).look(
        Frame(photograph(), 0, "x", 0.0), True
    ).board in ("found", "lost")


def test_what_was_saved_is_the_same_after_a_restart_and_can_be_forgotten(tmp_path: Path) -> None:
    mapping = Mapping(BOX)
    mapping.transform((3.3, -4.4), 1.5, 0.97)
    own = OwnBoards(tmp_path)
    assert own.box(GAME) is BOX
    path = own.keep(mapping.override)
    again = OwnBoards(tmp_path)
    assert again.has(GAME) and vars(again.box(GAME)) == vars(own.box(GAME))
    assert load_any_box(str(path), GAME).sites == own.box(GAME).sites
    assert not list(path.parent.glob("*.part"))
    assert again.forget(GAME) and not again.forget(GAME)
    assert OwnBoards(tmp_path).box(GAME) is BOX


@pytest.mark.parametrize("damage", ["[[[", '[override]\nbox = "dominion"\nsize = [9, 9]', ""])
def test_a_damaged_file_is_said_set_aside_and_the_printed_board_used(
    tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "boxes"
    folder.mkdir()
    (folder / f"{GAME}.toml").write_text(damage)
    own = OwnBoards(tmp_path)
    assert own.box(GAME) is BOX
    assert "set aside" in str(own.troubles[0]) and GAME in str(own.troubles[0])
    kept = list(folder.glob("*-damaged-*"))
    assert len(kept) == 1 and kept[0].read_text() == damage
    assert OwnBoards(tmp_path).troubles == []


def test_a_power_cut_while_saving_leaves_the_old_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = OwnBoards(tmp_path)
    mapping = Mapping(BOX)
    own.keep(mapping.override)
    before = (tmp_path / "boxes" / f"{GAME}.toml").read_text()
    mapping.transform((5, 5))

    def no_room(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_room)
    with pytest.raises(OSError, match="No space left"):
        own.keep(mapping.override)
    assert (tmp_path / "boxes" / f"{GAME}.toml").read_text() == before
    assert own.box(GAME).sites["C"].at == BOX.sites["C"].at


def test_supplies_beside_a_smaller_board_are_no_pieces_that_strayed() -> None:
    small = Mapping(BOX)
    small.transform(scale=0.6)
    small.scale_corners(small.across_mm * 0.6)
    lying = (Stray("stone black 1", (5.0, 5.0)), Stray("stone black 2", (180.0, 0.0)))
    sighting = Sighting({}, False, lying)
    assert without_supplies(sighting, small.laid).strays == lying[:1]
    assert without_supplies(sighting, BOX) is sighting


def test_pictures_without_the_stickers_or_no_pictures_say_so(tmp_path: Path) -> None:
    with pytest.raises(BoardPictureError, match=r"corner stickers .* are not visible"):
        board_picture(photograph()[:500], BOX)
    (tmp_path / "a.jpg").write_text("no picture")
    with pytest.raises(BoardPictureError, match="is not a picture"):
        read_picture(tmp_path / "a.jpg")


def test_the_layout_is_drawn_where_it_lies() -> None:
    seen = board_picture(photograph(), BOX)
    mapping = Mapping(BOX)
    mapping.use_corners(seen.board)
    drawn = draw_layout(seen, mapping)
    x, y = seen.px(mapping.places["C"].at)
    radius = mapping.places["C"].radius * seen.px_per_mm
    ring = drawn[round(y), round(x + radius)].astype(int)
    assert abs(ring - (75, 194, 240)).max() < 60
    assert (drawn != seen.picture).any()


def _drag_to_the_picture(mapping: Mapping, truth: Box) -> None:
    """As a person does it: two fingers on two fields far apart, then single fields."""
    one, other = "H4", "N"
    z0, z1 = (complex(*mapping.places[s].at) for s in (one, other))
    middle = [sum(at[axis] for at in CORNERS.values()) / 4 for axis in (0, 1)]

    def seen(site: str) -> complex:
        x, y = truth.sites[site].at
        return complex(x - middle[0], y - middle[1])

    turn = (seen(other) - seen(one)) / (z1 - z0)
    shift = seen(one) - z0
    mapping.grip()
    degrees = math.degrees(math.atan2(turn.imag, turn.real))
    mapping.transform((shift.real, shift.imag), degrees, abs(turn), about=(z0.real, z0.imag))
    mapping.release()
    for site in mapping.shown:
        if mapping.box.sites[site].printed and site != STRAYED:
            assert abs(complex(*mapping.places[site].at) - seen(site)) < 4
    mapping.grip()
    mapping.move_site(STRAYED, (seen(STRAYED).real, seen(STRAYED).imag))
    mapping.release()


def _read(box: Box) -> dict[str, str]:
    tracker = Tracker(box)
    sighting = tracker.look(Frame(photograph(), 0, "x", 0.0), True)
    sighting = tracker.look(Frame(photograph(), 1, "x", 0.5), True)
    return {site: b.best[0].kind for site, b in sighting.sites.items() if b.best}


def test_the_override_of_the_docs_is_read() -> None:
    page = Path(__file__).parents[3] / "docs" / "own-board.md"
    block = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    from rules.box.override import overridden, parse_override

    override = parse_override(block, "own-board.md")
    assert overridden(BOX, override).sites["A"].at != BOX.sites["A"].at
    assert "[override]" in override_text(override)
