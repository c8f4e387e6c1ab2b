"""The workshop: every page at both sizes and in both languages, touched and looked at."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.match.view import Undo
from companion.outputs.lamp_sites import WalkFile
from companion.settings.preferences import Choosable, choosable
from companion.ui.shell import Ways
from companion.workshop.devices import DisplayFace
from companion.workshop.lens import LensLook
from hardware.displays.segments import Digits
from hardware.status import Report
from rules.box import load_box
from rules.core import Call
from rules.match import Match
from rules.texts import Texts
from tests.companion.ui.conftest import Opened
from tests.support.sweep import widely
from tests.support.table_setup import tap_move
from tests.support.ui_harness import (
    LANGS,
    SIZES,
    OnScreen,
    badly_set,
    key,
    pass_seconds,
    tap,
    tap_on,
    texts,
    tick,
    too_small,
    view_of,
    walk,
)
from tests.support.workshop_application import GAME, LAMPS, begin, house, wait

PAGES = (
    "camera", "devices", "twins", "lamps", "lens", "board", "fieldtest", "report", "settings",
    "update", "about",
)  # fmt: skip


class Running(OnScreen):
    """The workshop of a whole Heelstone in the window."""

    def __init__(self, house: Application, size: tuple[int, int], lang: str) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.workshop import WorkshopScreen
        from companion.ui.theme.style import style

        self.house, self.style, self.left = house, style, list[str]()
        self.session = begin(house)
        self.put(WorkshopScreen(
            house, lambda: self.left.append("left"),
            on_table_setup=lambda: self.left.append("setup"),
            on_phones=lambda: self.left.append("phones"), **self.room,
        ))  # fmt: skip

    def open(self, name: str) -> Any:
        self.screen.home()
        self.screen.open(name)
        tick(3)
        return self.screen.shown

    def tap(self, word: str) -> None:
        tick(3)
        tap_on(key(self.screen, word))
        tick(2)

    def says(self, word: str) -> bool:
        if self.screen.shown is not None:
            self.screen.shown.tick()
        tick(1)
        return word in texts(self.screen)

    def close(self) -> None:
        super().close()
        self.style.use_language("de")
        self.house.close()


@pytest.fixture
def english(tmp_path: Path, opened: Opened[Running]) -> Running:
    return opened(Running(house(tmp_path), (800, 480), "en"))


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
def test_every_page_fits_the_screen(size: tuple[int, int], lang: str, tmp_path: Path) -> None:
    running = Running(house(tmp_path, lang=lang), size, lang)
    found = {"overview": badly_set(running.screen) + too_small(running.screen)}

    def look(name: str) -> None:
        tick(3)
        found[name] = badly_set(running.screen) + too_small(running.screen)

    for name in PAGES:
        page = running.open(name)
        if name == "camera":
            seen = wait(
                lambda: (now := running.house.workshop.camera.look()).picture is not None and now
            )
            page.tick()
            look("camera-well")
            say = Texts("camera.advice", lang)
            values = {"sides": say("bottom"), "corner": say("bottom_right"), "sites": "A, B, C, D",
                      "px": "1,2", "needed": "2,2", "ratio": "3,1", "error_px": "1,5"}  # fmt: skip
            codes = ("stickers_small", "board_not_flat", "board_cut_off")
            page._write(replace(seen, advice=tuple(say(code, **values) for code in codes)))
        elif name == "devices":
            for tab in ("buttons", "score", "sound"):
                page._pick(tab)
                look(f"devices-{tab}")
            page._pick("score")
            page._type(True)
            look("devices-typing")
            page._type(False)
            page._pick("lamps")
        elif name == "lamps":
            look("lamps-start")
            page._begin()
            page._touched("A")
            page._skip()
        look(name)
    running.screen.home()
    running.close()
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
def test_a_table_with_nothing_is_told_calmly_what_to_do(
    size: tuple[int, int], lang: str, tmp_path: Path
) -> None:
    running = Running(house(tmp_path, camera=False, devices=False, lang=lang), size, lang)
    found = {}
    for name in PAGES:
        page = running.open(name)
        for tab in ("lamps", "buttons", "score", "sound") if name == "devices" else ("",):
            if tab:
                page._pick(tab)
            tick(3)
            page.tick()
            found[name + tab] = badly_set(running.screen) + too_small(running.screen)
    running.screen.home()
    no_camera = "Es ist keine Kamera eingerichtet." if lang == "de" else "No camera is set up."
    running.open("camera")
    assert running.says(no_camera)
    running.close()
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_the_overview_leads_everywhere_and_back(english: Running) -> None:
    from companion.ui.screens.workshop import Tile

    tiles = [w for w in walk(english.screen) if isinstance(w, Tile)]
    assert len(tiles) == len(PAGES) + 2
    for title in [tile.text for tile in tiles]:
        tile = next(w for w in walk(english.screen) if isinstance(w, Tile) and w.text == title)
        tap_on(tile)
        tick(2)
        if title not in ("Check the table", "Phones"):
            assert english.screen.shown is not None, title
            english.tap("Overview")
    english.tap("Leave")
    assert sorted(english.left[:-1]) == ["phones", "setup"] and english.left[-1] == "left"


def test_the_camera_page_shows_picture_beliefs_and_advice(english: Running) -> None:
    page = english.open("camera")
    wait(lambda: english.says("C: Black stone 2"))
    assert page._picture.drawn_box[2] > 300
    assert english.says("Sharpness")
    english.tap("Remember this moment")
    assert english.says("It is remembered")
    assert len(english.house.workshop.report.moments()) == 1


def test_the_board_that_is_looked_for_is_chosen_by_touch(english: Running) -> None:
    page = english.open("camera")
    wait(lambda: english.house.workshop.camera.look().picture is not None)
    page.tick()
    before = english.house.workshop.camera.look().game
    english.tap("Board: " + _game(before))
    assert english.house.workshop.camera.look().game != before


def test_a_touched_number_lights_its_lamp_in_the_chosen_rhythm(english: Running) -> None:
    english.open("devices")
    lamps = english.house.rig.twins["lamps"]
    english.tap("8")
    wait(lambda: [n for n, p in enumerate(_pixels(lamps)) if any(p)] == [7])
    english.tap("double blink")
    wait(lambda: any(p[0] > p[1] for p in _pixels(lamps)))
    english.tap("All")
    wait(lambda: all(any(p) for p in _pixels(lamps)))
    english.tap("None")
    wait(lambda: not any(any(p) for p in _pixels(lamps)))
    assert english.house.director._lent
    english.tap("Overview")
    assert not english.house.director._lent


def test_a_pressed_button_lights_its_dot(english: Running) -> None:
    english.open("devices")
    english.tap("Buttons")
    assert english.says("not pressed yet")
    english.house.workshop.devices.push("commit", True)
    wait(lambda: english.says("is pressed"))
    english.house.workshop.devices.push("commit", False)
    wait(lambda: english.says("works"))


def test_what_is_typed_stands_on_the_display(english: Running) -> None:
    page = english.open("devices")
    english.tap("Display")
    english.tap("Umlauts")
    rows = english.house.rig.twins["score"].rows
    wait(lambda: rows()[0].startswith("Äpfel"))
    english.tap("Own text")
    for letter in "Ola":
        page._key(letter)
    wait(lambda: rows()[0].startswith("Ola"))
    page.tick()
    assert page._display.face.rows[0].startswith("Ola")
    english.tap("Done")
    english.tap("Empty")
    wait(lambda: not "".join(rows()).strip())


def test_digits_are_tried_with_what_digits_can_say(english: Running, monkeypatch: Any) -> None:
    shown = english.house.rig.score
    monkeypatch.setitem(english.house.rig.twins, "score", None)
    for name, value in (("columns", 4), ("rows", 1), ("digits", Digits(4, colon=True))):
        monkeypatch.setattr(shown, name, value)
    english.open("devices")
    english.tap("Display")
    assert not english.says("Umlauts") and not english.says("Own text")
    for word, digits in (
        ("Every segment", "8.8.:8.8."), ("Figures", "0123"), ("Two scores", "07.:05"),
        ("One score", "C112"), ("Empty", "    "),
    ):  # fmt: skip
        english.tap(word)
        assert str(english.house.workshop.devices.display().digits) == digits


def test_voice_volume_and_buzzer_are_tried_by_touch(english: Running) -> None:
    english.open("devices")
    english.tap("Sound")
    english.tap("It is your turn.")
    twin: Any = english.house.rig.twins["sound"]
    assert twin.said[-1] == "It is your turn."
    english.tap("‹")
    assert english.house.preferences.now.volume == 0.6
    english.tap("slow pulse")
    assert twin.buzzed[-1].value == "slow_pulse"


def test_a_drawn_button_pushes_the_simulated_one(english: Running) -> None:
    from companion.ui.workshop.twins import PushButton

    session = english.session
    session.post(tap_move("p0 place 2 C"))
    wait(lambda: session.view.ply == 2)
    page = english.open("twins")
    button = next(w for w in walk(english.screen) if isinstance(w, PushButton) and w.name == "undo")
    x, y = button.to_window(button.x + button.width / 2, button.y + button.height / 2)
    tap(x, y)
    wait(lambda: session.view.ply == 0)
    wait(lambda: page.tick() or "Annabell" in "".join(page._display.face.rows))


def test_every_lamp_is_drawn_as_it_shines(english: Running) -> None:
    page = english.open("twins")
    english.house.rig.lamps.show({2: _light()})
    wait(lambda: page.tick() or page._lamps.colours[2] != (0, 0, 0))
    assert page._lamps.colours[3] == (0, 0, 0)


def test_the_places_of_the_lamps_are_shown_by_touching_the_board(english: Running) -> None:
    page = english.open("lamps")
    english.tap("Begin with lamp 1")
    lamps = english.house.rig.twins["lamps"]
    wait(lambda: any(_pixels(lamps)[0]))
    x, y = page._board.to_window(*page._board.centre_of("C"))
    tap(x, y)
    assert english.says("Lamp 1: C")
    wait(lambda: any(_pixels(lamps)[1]) and not any(_pixels(lamps)[0]))
    english.tap("No field")
    english.tap("Undo")
    assert english.says("Lamp 2 of 33 is lit.")
    page._walk.steps.extend([None] * (LAMPS - 2))
    page._skip()
    assert english.says("All lamps have been found.")
    english.tap("Keep it")
    assert english.house.workshop.lamps.places(GAME) == {"C": (0,)}
    assert not english.house.director._lent
    assert english.says("It is saved.")


def test_leaving_in_the_middle_keeps_the_old_places(english: Running) -> None:
    page = english.open("lamps")
    before = english.house.workshop.lamps.places(GAME)
    page._begin()
    page._touched("C")
    english.tap("Overview")
    assert english.house.workshop.lamps.places(GAME) == before
    assert not english.house.director._lent


@pytest.mark.thorough
def test_lamps_that_are_unplugged_in_the_middle_lose_nothing(english: Running) -> None:
    page = english.open("lamps")
    lamps: Any = english.house.rig.twins["lamps"]
    english.tap("Begin with lamp 1")
    for site in ("C", "D"):
        tap(*page._board.to_window(*page._board.centre_of(site)))
        tick(2)
    lamps.unplug()
    wait(lambda: english.says("The lamps are off"))
    assert key(english.screen, "No field").disabled
    tap(*page._board.to_window(*page._board.centre_of("E")))
    assert page._walk.places == {"C": (0,), "D": (1,)}, "nobody can know where a dark lamp stands"
    # Somebody looks elsewhere, and the power goes: another Heelstone reads what was shown.
    english.open("devices")
    assert not english.house.director._lent or english.house.workshop.devices._give_back
    again = WalkFile(english.house.state / "lamps")
    assert again.steps(GAME, load_box(GAME)) == ["C", "D"]
    lamps.replug()
    page = english.open("lamps")
    wait(lambda: english.says("You stopped after lamp 2 of 33."))
    wait(lambda: not english.says("The lamps are off"))
    english.tap("Continue with lamp 3")
    wait(lambda: any(_pixels(lamps)[2]))
    tap(*page._board.to_window(*page._board.centre_of("E")))
    english.tap("Keep it")
    assert english.house.workshop.lamps.places(GAME) == {"C": (0,), "D": (1,), "E": (2,)}
    assert english.says("You stopped after lamp 3 of 33."), "the others may be shown later"


def test_what_is_wrong_with_a_button_names_the_button_and_the_pin(english: Running) -> None:
    english.open("devices")
    english.tap("Buttons")
    note = english.house.rig._statuses.note
    note("buttons", Report("button_stuck", {"button": "undo"}))
    assert english.says("‘Undo’ stays pressed: it is stuck, or its wires touch.")
    note("buttons", Report("pin_twice", {"pin": "17", "first": "lamp 1", "second": "undo"}))
    assert english.says("GPIO pin 17 is assigned twice. Give each device its own pin.")


def test_lamps_that_cannot_be_kept_are_shown_on(english: Running) -> None:
    page = english.open("lamps")
    english.tap("Begin with lamp 1")
    folder = english.house.state / "lamps"
    folder.write_text("no folder")
    tap(*page._board.to_window(*page._board.centre_of("C")))
    wait(lambda: english.says("It could not be saved"))
    english.tap("Keep it")
    assert english.says("It could not be saved")
    folder.unlink()
    english.tap("Keep it")
    assert english.says("It is saved.")
    assert english.house.workshop.lamps.places(GAME) == {"C": (0,)}


def test_a_field_with_two_lamps_and_a_finger_that_trembles(
    english: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.ui.workshop import lamp_walk

    page = english.open("lamps")
    english.tap("Begin with lamp 1")
    monkeypatch.setattr(lamp_walk, "TREMBLE_S", 1e6)
    for _ in range(2):
        tap(*page._board.to_window(*page._board.centre_of("C")))
    assert page._walk.places == {"C": (0,)}
    monkeypatch.setattr(lamp_walk, "TREMBLE_S", 0.0)
    tap(*page._board.to_window(*page._board.centre_of("C")))
    assert page._walk.places == {"C": (0, 1)}
    english.tap("Keep it")
    tick(2)
    tap(*page._board.to_window(*page._board.centre_of("C")))
    assert english.says("C: lamp 1, 2")
    lamps = english.house.rig.twins["lamps"]
    wait(lambda: [n for n, pixel in enumerate(_pixels(lamps)) if any(pixel)] == [0, 1])
    english.tap("Overview")
    assert not english.house.director._lent


def test_the_report_is_written_by_touch_and_its_place_told(english: Running) -> None:
    english.open("report")
    english.tap("Write the report")
    wait(lambda: english.says("heelstone-20"), 20)
    assert english.says("kB, in the folder")
    (english.house.state / "reports").rename(english.house.state / "gone")
    (english.house.state / "reports").write_text("no folder")
    english.tap("Write the report")
    wait(lambda: english.says("Is the disk full?"), 20)
    (english.house.state / "reports").unlink()


def test_a_touch_scrolls_to_its_row_and_what_is_out_of_sight_cannot_be_touched(
    english: Running,
) -> None:
    english.open("settings")
    english.tap("Full")
    assert english.style.chosen.speech == "full"
    row = key(english.screen, "Distinct")
    row.size_hint_y, row.y = None, -10_000
    row.parent.remove_widget(row)
    english.window.add_widget(row)
    with pytest.raises(AssertionError, match="'Distinct' is out of sight"):
        tap_on(row)
    english.window.remove_widget(row)


def test_choices_count_at_once_and_are_kept(english: Running) -> None:
    english.open("settings")
    english.tap("Distinct")
    assert english.style.chosen.piece_colours == "safe"
    english.tap("Limestone")
    assert english.style.name == "limestone"
    page: Any = english.screen.shown
    lamps = english.house.rig.twins["lamps"]
    page.choose("brightness", 0.2)
    assert english.house.rig.lamps.brightness == 0.2
    wait(lambda: all(any(p) for p in _pixels(lamps)))
    page._glows_until_s = 1e-9
    page.tick()
    wait(lambda: not any(any(p) for p in _pixels(lamps)))
    page.choose("think_s", 6.0)
    assert english.says("6 s")
    english.tap("Deutsch")
    assert english.says("Einstellungen")
    kept = (english.house.state / "preferences.json").read_text()
    assert '"piece_colours": "safe"' in kept
    assert '"brightness": 0.2' in kept
    assert '"lang": "de"' in kept


LATER_S = (5, 60)
"""Seconds from one look to the next: a choice may be how long something is shown."""


def outputs(running: Running) -> tuple[object, ...]:
    """All that comes of a move and a call: pictures just after it and later, voice and buzzer, the
    lines of the display, lamps, computer players."""
    from companion.ui.screens.play.screen import PlayScreen

    house = running.house
    twin: Any = house.rig.twins["sound"]
    screen = PlayScreen(lambda _intent: None, **running.room)
    running.window.add_widget(screen)
    match, session = Match(GAME, 2, physical=False), running.session
    screen.show(view_of(match))
    tick(4)
    match.push("p0 place 1 G")
    screen.show(view_of(match))
    tick(1)
    pictures = [screen.export_as_image().texture.pixels]
    for later_s in LATER_S:
        pass_seconds(later_s)
        pictures.append(screen.export_as_image().texture.pixels)
    screen.leave()
    running.window.remove_widget(screen)
    twin.said.clear()
    twin.buzzed.clear()
    for move in ("p0 place 1 G", "p0 done"):
        session.post(tap_move(move))
    assert session.settle()
    called = replace(session.view, calls=((0, Call("time_up", (0,))),))
    house.director(called, ())
    heard, lines = (*twin.said, *twin.buzzed), tuple(house.director.lines(called))
    session.post(Undo(2))
    assert session.settle()
    brightness, seconds = house.rig.lamps.brightness, house.opponents.seconds
    turn = running.window.rotation
    return pictures, heard, lines, twin.volume, twin.language, brightness, seconds, turn


@pytest.mark.thorough
@pytest.mark.parametrize("row", choosable(), ids=lambda row: row.name)
def test_each_value_on_the_settings_page_changes_what_is_seen_or_heard(
    row: Choosable, english: Running
) -> None:
    page, found = english.open("settings"), []
    page.choose("animations", False)
    for value in row.values:
        page.choose(row.name, value)
        found.append(outputs(english))
    assert outputs(english) == found[-1], "nothing else does"
    english.style.change(animations=False)
    assert all(a != b for a, b in combinations(found, 2))


def test_each_row_of_the_settings_page_changes_what_is_seen_or_heard(english: Running) -> None:
    page = english.open("settings")
    page.choose("animations", False)
    chosen = english.house.preferences.now
    before = outputs(english)
    for row in choosable():
        usual = getattr(chosen, row.name)
        page.choose(row.name, next(v for v in reversed(row.values) if v != usual))
        assert outputs(english) != before, row.name
        page.choose(row.name, usual)
    assert outputs(english) == before, "nothing else does"


def test_the_lens_page_follows_the_measuring(
    english: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = english.house.workshop.lens
    looks = [
        LensLook(share=0.3, sentence="Good, view 3.", want="Hold the sheet at the left."),
        LensLook(share=1.0, reckoning=True),
        LensLook(share=1.0, sentence="Passed: 0.2 px.", done="passed"),
    ]
    now = [looks[0]]
    monkeypatch.setattr(type(bench), "is_possible", property(lambda _self: True))
    monkeypatch.setattr(type(bench), "begin", lambda _self: None)
    monkeypatch.setattr(type(bench), "look", lambda _self: now[0])
    english.open("lens")
    english.tap("Begin")
    assert english.says("Hold the sheet at the left.")
    assert english.says("30 % of what is needed")
    assert badly_set(english.screen) == []
    now[0] = looks[1]
    assert english.says("Calculating the lens…")
    now[0] = looks[2]
    assert english.says("Passed: 0.2 px.")
    english.tap("Stop")
    assert english.says("Every lens bends straight lines a little.")


def test_a_moment_is_remembered_from_the_menu_of_a_match(english: Running) -> None:
    from companion.ui.screens.play.screen import PlayScreen

    told, bench = [""], english.house.workshop.report
    screen = PlayScreen(
        english.session.post, Ways(moment=lambda: told[0] or bench.remember_moment()),
        size_hint=(None, None), size=english.size,
    )  # fmt: skip
    english.window.add_widget(screen)
    screen.show(english.session.view)
    tick(3)
    for trouble, title in (("", "It is remembered"), ("no room", "It could not be remembered")):
        told[0] = trouble
        screen.sheets.open_menu()
        tick(3)
        tap_on(key(screen, "Keep moment"))
        tick(3)
        assert title in texts(screen.sheet)
    assert len(bench.moments()) == 1
    screen.leave()
    english.window.remove_widget(screen)


def test_seven_segments_and_letters_are_drawn(english: Running) -> None:
    from companion.ui.workshop.twins import DisplayPanel, display_height
    from hardware.displays.segments import digit_text

    shown = digit_text("07.:05", 4)
    digits = DisplayFace(4, (shown.letters,), "x", digits=shown)
    letters = DisplayFace(20, ("Ä" * 20,) * 4, "y")
    counts = []
    for face in (digits, letters):
        panel = DisplayPanel(face, size_hint=(None, None))
        panel.size = (400, display_height(face, 400))
        counts.append(len(panel._drawing.children))
    assert counts[0] >= 4 * 7 * 3
    assert counts[1] >= 80 * 4


def _game(name: str) -> str:
    from companion.presentation.words.workshop import game_name

    return game_name(name, "en")


def _pixels(twin: Any) -> list[tuple[int, int, int]]:
    return list(twin.pixels)


def _light() -> Any:
    from hardware.lamps.lamps import Light

    return Light((255, 0, 0))
