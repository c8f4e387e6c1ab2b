"""The page for one's own board, touched: mapping, and drawing the board of another edition."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.application import Application
from companion.settings.settings import CameraSettings, Settings
from rules.box import Box, load_box
from rules.box.override import runs_clockwise
from rules.games import find_game
from tests.support.own_board import (
    GAME,
    OUTLINE,
    bare,
    bare_file,
    between_stickers,
    seen_from_above,
)
from tests.support.sweep import widely
from tests.support.ui_harness import (
    LANGS,
    SIZES,
    OnScreen,
    key,
    need_screen,
    tap,
    tap_on,
    texts,
    tick,
)
from tests.support.workshop_application import wait
from vision.arrays import Picture
from vision.board.board_edge import SIDES, BoardEdge, board_edge
from vision.board.flat_board import with_corners
from vision.board.pose import NoBoard
from vision.camera.sources import Frame
from vision.pieces.sighting import Sighting, lost


class Open(OnScreen):
    """The page in the window, with a camera that sees the board of ``own_board``."""

    def __init__(
        self, state: Path, size: tuple[int, int], lang: str, picture: bytes | None = None
    ) -> None:
        super().__init__(size, lang)
        folder = state / "camera"
        folder.mkdir(parents=True)
        (folder / "1.png").write_bytes(picture or bare_file())
        settings = Settings(camera=CameraSettings(source=str(folder)))
        self.house = Application(settings, state / "state", lang)
        from companion.ui.screens.workshop import WorkshopScreen
        from companion.ui.workshop.own_board import OwnBoardPage

        self.put(WorkshopScreen(self.house, _nothing, **self.room), 0)
        with pytest.MonkeyPatch.context() as patch:
            # The camera need not look for the likeliest board first.
            patch.setattr(OwnBoardPage, "enter", _nothing)
            self.screen.open("board")
        self.page: Any = self.screen.shown
        self.choose(GAME)

    def choose(self, game: str) -> None:
        self.page._game = game
        self.page._cancel()
        tick(3)

    def take(self) -> None:
        """Take a picture of the board, on which the stickers lie."""
        self.shoot()
        self.tap(
            "Aufkleber liegen auf dem Brett"
            if self.lang == "de"
            else "The stickers lie on the board"
        )

    def begin(self, word: str) -> None:
        """Draw a board on which the stickers lie."""
        self.tap(word)
        if self.page.drawing.outline is not None:
            self.tap("The stickers lie on the board")

    def shoot(self) -> None:
        """Touch the key for a picture as soon as the camera has one."""
        bench = self.house.workshop.camera
        wait(lambda: bench.look().picture is not None)
        self.tap("Take a picture" if self.lang == "en" else "Bild aufnehmen")
        assert self.page.mapping is not None, texts(self.screen)

    def tap(self, word: str) -> None:
        tick(3)
        tap_on(key(self.screen, word))
        tick(2)

    def drag(self, view: Any, start: tuple[float, float], to: tuple[float, float]) -> None:
        """One finger from a point of the board to another, mm."""
        x, y = view.px(start)
        finger = _touch(x, y)
        finger.touch_down()
        for part in (0.3, 0.6, 1.0):
            at = (start[0] + (to[0] - start[0]) * part, start[1] + (to[1] - start[1]) * part)
            finger.touch_move(*view.px(at))
        finger.touch_up()
        tick(2)

    def close(self) -> None:
        super().close()
        self.house.close()


_EDGES: dict[tuple[object, ...], BoardEdge] = {}


@pytest.fixture(autouse=True)
def edges_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking takes a second; where the same was looked for in the same picture it is known."""

    def found(picture: Picture, box: Box) -> BoardEdge:
        sites = [(s.at, s.radius, s.size) for s in (*box.sites.values(), *box.printed_sites)]
        corners = [(corner.at, corner.size) for corner in box.corners]
        asked = (picture.tobytes(), box.size, tuple(corners), tuple(sites))
        if asked not in _EDGES:
            _EDGES[asked] = board_edge(picture, box)
        return _EDGES[asked]

    for place in ("companion.boards.picture", "companion.workshop.boards"):
        monkeypatch.setattr(f"{place}.board_edge", found)


class Unseeing:
    """Looks at no picture: the page makes its own of what the camera delivers."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def look(self, frame: Frame, settled: bool) -> Sighting:
        return lost(NoBoard("board_too_small").sentence, {"total": 0.0})

    def expect(self, layout: Any) -> None:
        pass

    def forget(self) -> None:
        pass

    def teach(self, opening: Any) -> None:
        pass

    def have_stickers(self, groups: Any) -> None:
        pass


@pytest.fixture
def seeing() -> None:
    """For tests in which the eyes look for the board themselves."""


@pytest.fixture(autouse=True)
def eyes_rest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "seeing" not in request.fixturenames:
        monkeypatch.setattr("companion.camera.observer.Tracker", Unseeing)


@pytest.fixture
def english(tmp_path: Path) -> Iterator[Open]:
    need_screen()
    found = Open(tmp_path, (800, 480), "en")
    yield found
    found.close()


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
def test_every_state_of_the_page_fits_the_screen(
    size: tuple[int, int], lang: str, tmp_path: Path
) -> None:
    need_screen()
    opened = Open(tmp_path, size, lang)
    page, found = opened.page, {"start": opened.faults()}
    opened.shoot()
    found["outline"] = opened.faults()
    page.outline._unsure = SIDES
    page.outline._write()
    found["outline that is guessed"] = opened.faults()
    page.outline._all_is_board()
    found["all"] = opened.faults()
    page._ask_across()
    found["width"] = opened.faults()
    page._ask(None)
    page._mode("single")
    page._picked = "C"
    page._write()
    found["single"] = opened.faults()
    page.mapping.transform((400, 0))
    page._write()
    found["fault"] = opened.faults()
    page._undo()
    page._cancel()
    opened.choose("dolmengoetter")
    found["dolmen"] = opened.faults()
    page._draw_board()
    found["drawing"] = opened.faults()
    page.drawing.begin(empty=False)
    if page.drawing.outline is not None:
        found["outline of a drawing"] = opened.faults()
        page.drawing.outline._all_is_board()
    for mode in ("places", "lines", "runes"):
        page.drawing._choose(mode)
        found[mode] = opened.faults()
    page.drawing.draft.join("V4", "V5")
    page.drawing._choose("lines")
    found["missing"] = opened.faults()
    page.drawing._undo()
    page.drawing._ask_across()
    found["width of a drawing"] = opened.faults()
    page._ask(None)
    page.drawing._ask_name()
    found["name"] = opened.faults()
    page._ask(None)
    page.drawing._keep()
    found["kept"] = opened.faults()
    opened.close()
    assert {state: told for state, told in found.items() if told} == {}


@pytest.fixture
def between(tmp_path: Path) -> Iterator[Open]:
    """The page with a board that lies between its stickers."""
    need_screen()
    _written, data = cv2.imencode(".png", seen_from_above(between_stickers()))
    found = Open(tmp_path, (800, 480), "en", data.tobytes())
    yield found
    found.close()


def test_the_outline_is_proposed_dragged_taken_back_and_kept(seeing: None, between: Open) -> None:
    between.shoot()
    mapping, view = between.page.mapping, between.page.outline.view
    proposed = mapping.outline
    for found, true in zip(proposed, OUTLINE, strict=True):
        assert math.dist(found, true) < 12, "the picture knows its size to 2 per cent"
    from kivy.graphics import Rectangle

    from companion.ui.drawing.layout_view import handle_px

    assert 2 * handle_px() >= 40
    x, y = view.px(proposed[2])
    finger = _touch(x + 12, y - 9)
    finger.touch_down()
    finger.touch_move(x + 12 - 0.25 * view.width, y - 9)
    tick(2)
    glass = [part for part in view._over.children if isinstance(part, Rectangle) and part.texture]
    assert glass, "a glass shows what the finger covers"
    finger.touch_up()
    tick(2)
    moved = mapping.outline[2]
    assert moved == pytest.approx(
        (proposed[2][0] - 0.25 * view.width / view.px_per_mm, proposed[2][1]), abs=0.5
    )
    assert not [p for p in view._over.children if isinstance(p, Rectangle) and p.texture]
    between.tap("Undo")
    assert mapping.outline == proposed and key(between.screen, "Undo").disabled
    between.tap("That is right")
    assert "Beside the board" not in texts(between.screen), "the fields are laid into the outline"
    between.tap("Save")
    kept = between.house.own_boards.box(GAME)
    assert np.array(kept.outline) == pytest.approx(np.array(proposed), abs=0.01)
    assert not wait(between.house.camera.snapshot).sighting.hand


@pytest.mark.thorough
def test_the_outline_can_be_changed_later_and_a_change_given_up(between: Open) -> None:
    between.shoot()
    between.tap("That is right")
    between.tap("Save")
    kept = between.house.own_boards.box(GAME).outline
    between.shoot()
    assert key(between.screen, "All fields"), "it is known"
    between.tap("Outline")
    view = between.page.outline.view
    between.drag(view, kept[0], (kept[0][0] + 25, kept[0][1] - 5))
    between.tap("Cancel")
    assert between.page.mapping.outline == kept
    between.tap("Outline")
    view = between.page.outline.view
    between.drag(view, kept[0], (kept[0][0] - 22, kept[0][1] + 14))
    between.drag(view, kept[1], (kept[2][0], kept[2][1] - 30))
    corners = between.page.mapping.outline
    assert runs_clockwise(corners), "no drag makes a board that cannot be"
    between.tap("Look again")
    assert np.array(between.page.mapping.outline) == pytest.approx(np.array(kept), abs=3)
    between.tap("Undo")
    assert between.page.mapping.outline == corners
    between.tap("Undo")
    between.tap("That is right")
    between.tap("Save")
    now = between.house.own_boards.box(GAME).outline
    assert now[0] == pytest.approx((kept[0][0] - 22, kept[0][1] + 14), abs=0.5)
    assert now[1:] == kept[1:]


@pytest.mark.thorough
def test_a_drawn_board_has_an_outline_too(tmp_path: Path) -> None:
    need_screen()
    printed = load_box("dolmengoetter")
    wider = with_corners(printed, {c.id: (c.at[0] * 1.3, c.at[1] * 1.3) for c in printed.corners})
    _written, data = cv2.imencode(".png", seen_from_above(replace(wider, outline=printed.rim)))
    between = Open(tmp_path, (720, 1280), "en", data.tobytes())
    between.choose("dolmengoetter")
    wait(lambda: between.house.workshop.camera.look().picture is not None)
    between.tap("Draw the board of another edition")
    between.tap("Our circles")
    drawing = between.page.drawing
    proposed = drawing.draft.outline
    for found, true in zip(proposed, printed.rim, strict=True):
        assert math.dist(found, true) < 15
    between.drag(drawing.outline.view, proposed[1], (proposed[1][0] - 25, proposed[1][1] - 5))
    between.tap("That is right")
    corners = drawing.draft.outline
    assert corners != proposed and "Beside the board" not in texts(between.screen)
    between.tap("Save")
    between.tap("Done")
    game = between.house.games()[-1]
    board = between.house.own_boards.box(find_game(game).box)
    between.close()
    assert np.array(board.outline) == pytest.approx(np.array(corners), abs=0.01)


def test_giving_up_the_first_outline_gives_up_the_mapping(between: Open) -> None:
    between.shoot()
    between.tap("Cancel")
    assert between.page.mapping is None and not between.house.own_boards.has(GAME)
    assert key(between.screen, "Take a picture")


def test_one_finger_moves_all_fields_and_undo_brings_them_back(english: Open) -> None:
    english.take()
    mapping, view = english.page.mapping, english.page._view
    before = mapping.places["C"].at
    english.drag(view, (0, 0), (20, -10))
    after = mapping.places["C"].at
    assert after == pytest.approx((before[0] + 20, before[1] - 10), abs=0.5)
    english.tap("Undo")
    assert mapping.places["C"].at == before


def test_two_fingers_turn_and_scale(english: Open) -> None:
    english.take()
    mapping, view = english.page.mapping, english.page._view
    degrees, scale = mapping.turn_and_scale
    one, two = _touch(*view.px((-60, 0))), _touch(*view.px((60, 0)))
    one.touch_down()
    two.touch_down()
    reach = 72
    for turned in (5, 10):
        angle = math.radians(turned)
        two.touch_move(*view.px((-60 + 2 * reach * math.cos(angle), 2 * reach * math.sin(angle))))
    two.touch_up()
    one.touch_up()
    assert mapping.turn_and_scale == pytest.approx((degrees + 10, scale * 1.2), abs=0.05)
    english.tap("Undo")
    assert mapping.turn_and_scale == pytest.approx((degrees, scale))


def test_a_single_field_is_dragged_and_nudged_by_a_millimetre(english: Open) -> None:
    english.take()
    english.tap("Single ones")
    mapping, view = english.page.mapping, english.page._view
    before, other = mapping.places["C"].at, mapping.places["D"].at
    english.drag(view, before, (before[0] - 30, before[1] + 5))
    dragged = mapping.places["C"].at
    assert dragged == pytest.approx((before[0] - 30, before[1] + 5), abs=0.5)
    assert mapping.places["D"].at == other
    english.tap("→")
    english.tap("↑")
    assert mapping.places["C"].at == pytest.approx((dragged[0] + 1, dragged[1] + 1))
    english.drag(view, (-200, 200), (-150, 200))
    assert mapping.places["D"].at == other, "bare ground moves nothing"


def test_a_touch_picks_a_field_without_moving_it(english: Open) -> None:
    english.take()
    english.tap("Single ones")
    at = english.page.mapping.places["G"].at
    tap(*english.page._view.px(at))
    assert english.page._picked == "G"
    assert english.page.mapping.places["G"].at == at
    english.tap("×1.0")
    assert english.page._view.zoom == 2.0 and english.page._view.middle == at


def test_what_blocks_saving_is_said_and_the_key_waits(english: Open) -> None:
    english.take()
    english.drag(english.page._view, (0, 0), (150, 0))
    assert "Outside the corner stickers" in texts(english.screen)
    assert key(english.screen, "Save").disabled
    english.tap("Undo")
    assert not key(english.screen, "Save").disabled


def test_a_saved_board_counts_for_the_camera_and_can_be_taken_back(
    seeing: None, english: Open
) -> None:
    english.take()
    english.drag(english.page._view, (0, 0), (-9, 6))
    at = english.page.mapping.places["C"].at
    english.tap("Save")
    assert "Your own board is now in use." in texts(english.screen)
    house = english.house
    assert house.own_boards.box(GAME).sites["C"].at == pytest.approx(at, abs=0.01)
    seen = wait(house.camera.snapshot).sighting
    assert seen.board == "found", "the eyes look for the mapped board at once"
    assert not seen.hand
    english.tap("Use the printed board")
    assert house.own_boards.has(GAME), "it asks once more"
    english.tap("Touch again to delete it for good")
    assert house.own_boards.box(GAME) is load_box(GAME)


def test_cancelling_keeps_nothing(english: Open) -> None:
    english.take()
    english.drag(english.page._view, (0, 0), (30, 0))
    english.tap("Cancel")
    assert not english.house.own_boards.has(GAME)


def test_cancelled_work_can_be_taken_up_again(english: Open) -> None:
    english.take()
    english.drag(english.page._view, (0, 0), (30, 0))
    at = english.page.mapping.places["C"].at
    english.tap("Cancel")
    assert "Your work is still here" in texts(english.screen)
    english.tap("Continue where you left off")
    assert english.page.mapping.places["C"].at == at
    english.tap("Undo")
    assert english.page.mapping.places["C"].at != at


def test_leaving_the_page_puts_a_drawing_aside(english: Open) -> None:
    english.choose("dolmengoetter")
    english.tap("Draw the board of another edition")
    english.begin("Start from scratch")
    tap(*english.page.drawing._view.px((20, 30)))
    english.screen.home()
    english.screen.open("board")
    english.page = english.screen.shown
    english.tap("Continue where you left off")
    assert list(english.page.drawing.draft.places) == ["P1"]


def test_the_real_width_scales_everything_and_can_be_taken_back(english: Open) -> None:
    english.take()
    mapping = english.page.mapping
    before, at = mapping.across_mm, mapping.places["C"].at
    english.tap(f"{round(before)} mm")
    for digit in "500":
        english.tap(digit)
    english.tap("Done")
    assert mapping.across_mm == pytest.approx(500)
    assert mapping.places["C"].at[1] == pytest.approx(at[1] * 500 / before)
    drawn = english.page._view.px(mapping.places["C"].at)
    english.tap("Undo")
    assert mapping.across_mm == pytest.approx(before)
    assert english.page._view.px(mapping.places["C"].at) == pytest.approx(drawn, abs=0.5), (
        "the fields stay where they lie on the picture"
    )
    english.tap(f"{round(before)} mm")
    english.tap("7")
    assert key(english.screen, "Done").disabled, "no board is so narrow"
    english.tap("Cancel")
    assert mapping.across_mm == pytest.approx(before)


def test_the_real_width_is_told_while_drawing_too(english: Open) -> None:
    english.choose("dolmengoetter")
    english.tap("Draw the board of another edition")
    english.begin("Our circles")
    drawing = english.page.drawing
    draft = drawing.draft
    before, at, corner = draft.across_mm, draft.places["U8"], draft.board.corners[2].at
    drawn = drawing._view.px(at)
    english.tap(f"{round(before)} mm")
    for digit in "500":
        english.tap(digit)
    english.tap("Done")
    grown = 500 / before
    assert draft.across_mm == pytest.approx(500)
    assert draft.places["U8"] == pytest.approx((at[0] * grown, at[1] * grown))
    assert draft.board.corners[2].at == pytest.approx((corner[0] * grown, corner[1] * grown))
    assert drawing._view.px(draft.places["U8"]) == pytest.approx(drawn, abs=0.5)
    assert not key(english.screen, "Save").disabled
    english.tap("Undo")
    assert draft.across_mm == pytest.approx(before) and draft.places["U8"] == at
    assert drawing._view.px(at) == pytest.approx(drawn, abs=0.5)
    english.tap(f"{round(before)} mm")
    english.tap("Cancel")
    assert draft.across_mm == pytest.approx(before)


def test_the_newest_picture_of_the_folder_is_offered(english: Open) -> None:
    folder = english.house.state / "board-pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "mine.jpg"), bare())
    english.page.host.renew()
    english.tap("Newest file")
    assert english.page.mapping is not None
    english.tap("Cancel")
    (folder / "mine.jpg").write_bytes(b"no picture")
    english.tap("Newest file")
    assert english.page.mapping is None
    assert "corner stickers" in texts(english.screen)


def test_a_board_is_drawn_by_touches_and_stands_on_the_shelf(english: Open) -> None:
    english.choose("dolmengoetter")
    english.tap("Draw the board of another edition")
    english.begin("Our circles")
    drawing = english.page.drawing
    draft, view = drawing.draft, drawing._view
    at = draft.places["U8"]
    english.drag(view, at, (at[0] + 14, at[1] + 6))
    assert draft.places["U8"] == pytest.approx((at[0] + 14, at[1] + 6), abs=0.5)
    english.tap("Lines")
    for place in ("V4", "V5"):
        tap(*view.px(draft.places[place]))
    assert frozenset(("V4", "V5")) not in draft.lines
    assert key(english.screen, "Save").disabled
    english.tap("Undo")
    english.tap("Runes")
    for place in ("U2", "Z2"):
        tap(*view.px(draft.places[place]))
    assert frozenset(("U2", "Z2")) not in draft.runes
    assert "At the edge but without a rune: U2, Z2." in texts(english.screen)
    english.tap("Suggest runes")
    assert frozenset(("U2", "Z2")) in draft.runes
    english.tap("Save")
    assert "What is the board called? " in texts(english.screen)
    for letter in "⌫⌫a":
        english.tap(letter)
    english.tap("Done")
    assert "“Our boarda” is now on the shelf." in texts(english.screen)
    game = english.house.games()[-1]
    assert find_game(game).board_name == "Our boarda"
    english.tap("Forget “Dolmen Gods: Our boarda”")
    assert game in english.house.games(), "it asks once more"
    english.tap("Touch again to delete it for good")
    assert game not in english.house.games()


def test_places_are_added_and_removed_by_touches(english: Open) -> None:
    english.choose("dolmengoetter")
    english.tap("Draw the board of another edition")
    english.begin("Start from scratch")
    drawing = english.page.drawing
    tap(*drawing._view.px((20, 30)))
    assert drawing.draft.places["P1"] == pytest.approx((20, 30), abs=1)
    english.tap("Remove this place")
    assert not drawing.draft.places


def _touch(x: float, y: float) -> Any:
    from kivy.tests.common import UnitTestTouch

    return UnitTestTouch(x, y)


def _nothing(*_: Any) -> None:
    pass
