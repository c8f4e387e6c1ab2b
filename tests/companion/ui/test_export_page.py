"""Taking a match along: the code can be photographed, a stick is filled, everything has room."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.export.bg_stats import play_link
from companion.export.qr import LONGEST_TEXT
from companion.export.sticks import StickDesk
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from companion.match.looking_back.library import Library
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running, faults
from tests.support.fake_shell import FakeShell
from tests.support.library import OPENING, finished, played
from tests.support.match_over import LONGEST, recording
from tests.support.ui_harness import (
    PLACES,
    OnScreen,
    key,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)


class Quiet(StickDesk):
    """Looks and writes only when the test says so."""

    def start(self) -> StickDesk:
        return self


class Page(OnScreen):
    """The screen in the window; ``plugged`` says whether a stick is in."""

    def __init__(self, size: tuple[int, int], lang: str, theme: str, folder: Path) -> None:
        super().__init__(size, lang, theme=theme)
        self.plugged = False
        self.stick = folder / "LISA"
        self.stick.mkdir()
        self.desk = Quiet(self._told, [folder])
        self.library = Library(Journal(":memory:"), folder / "exports")
        self.numbers: dict[str, int] = {}

    def _told(self) -> str:
        part = {"name": "sda1", "tran": "usb", "label": "LISA", "mountpoint": str(self.stick)}
        return json.dumps({"blockdevices": [part] if self.plugged else []})

    def show(self, match_id: str) -> Any:
        from companion.ui.screens.export_page import ExportScreen

        return self.put(ExportScreen(
            self.library, match_id, lambda: None, sticks=self.desk,
            number=lambda game: self.numbers.get(game, 0), keep_number=self.numbers.__setitem__,
            **self.room,
        ))  # fmt: skip

    def look(self) -> str:
        """The page's words after the desk has looked."""
        self.desk.look()
        self.screen.renew()
        tick(4)
        assert faults(self.screen) == []
        return texts(self.screen)


@pytest.fixture(params=PLACES)
def page(request: pytest.FixtureRequest, opened: Opened[Page], tmp_path: Path) -> Page:
    size, lang = request.param
    # Every shape and every theme is seen; the code must be light in both.
    return opened(Page(size, lang, "night" if lang == "de" else "limestone", tmp_path))


def journal_of(page: Page) -> Journal:
    return page.library._journal


def photographed(path: Path) -> str:
    """The text that a phone reads on the screen, from several pictures while it is moved closer."""
    picture = cv2.imread(str(path))
    assert picture is not None
    for nearer in (1.0, 1.5, 1.75, 2.0, 2.5):
        seen = cv2.resize(picture, None, fx=nearer, fy=nearer, interpolation=cv2.INTER_LINEAR)
        for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            text = reader.detectAndDecode(seen)[0]
            if text:
                return str(text)
    return ""


def test_the_code_of_five_players_with_long_names_is_read_from_the_screen(
    page: Page, tmp_path: Path
) -> None:
    from companion.ui.drawing.code import CodePicture
    from companion.ui.picture import snapshot
    from companion.ui.theme.style import style

    match = recording("opferroulette", 5, LONGEST)
    journal_of(page).create(match.header)
    moves = [MovePlayed(entry.move, entry.forced) for entry in match.entries]
    journal_of(page).append(match.header.id, *moves, src=Source.TOUCH)
    screen = page.show(match.header.id)
    assert faults(screen) == []
    tap_on(key(screen, "▦"))
    tick(4)
    assert faults(screen) == []
    (code,) = (w for w in walk(screen) if isinstance(w, CodePicture))
    assert code.module_px >= 3
    again = page.library.recording(match.header.id)
    said = photographed(snapshot(screen, tmp_path / "code.png"))
    assert said == play_link(again, style.lang, LONGEST_TEXT)


def test_a_number_that_people_entered_is_in_the_code(page: Page, tmp_path: Path) -> None:
    from companion.ui.picture import snapshot
    from companion.ui.theme.style import style

    match = recording("opferroulette", 5, LONGEST)
    journal_of(page).create(match.header)
    moves = [MovePlayed(entry.move, entry.forced) for entry in match.entries]
    journal_of(page).append(match.header.id, *moves, src=Source.TOUCH)
    screen = page.show(match.header.id)
    for touch in ("▦", "…", *"01234", "⌫"):
        tap_on(key(screen, touch))
        tick(4)
        assert faults(screen) == []
    assert screen.typed == "123", "numbers do not begin with a nought"
    tap_on(key(screen, "✓"))
    tick(4)
    assert page.numbers == {"opferroulette": 123} and "123" in texts(screen)
    assert faults(screen) == []
    again = page.library.recording(match.header.id)
    said = photographed(snapshot(screen, tmp_path / "code.png"))
    assert said == play_link(again, style.lang, LONGEST_TEXT, 123) and "123" in said


def test_a_stick_that_comes_while_the_page_is_open_is_filled_and_may_then_be_pulled_out(
    page: Page,
) -> None:
    played(journal_of(page), *OPENING)
    screen = page.show("m1")
    assert "LISA" not in page.look()
    page.plugged = True
    assert "LISA" in page.look()
    before = texts(screen)
    (save,) = (w for w in walk(screen) if getattr(w, "primary", False))
    tap_on(save)
    assert texts(screen) != before
    assert page.look() != before
    (file,) = page.stick.iterdir()
    assert page.library.exported("m1", "de")[1] == file.read_bytes()
    assert file.name in texts(screen) and "✓" in texts(screen)
    page.plugged = False
    assert file.name in page.look()


def test_the_file_says_where_it_is_and_a_match_under_way_has_no_code(page: Page) -> None:
    played(journal_of(page), *OPENING)
    screen = page.show("m1")
    with pytest.raises(AssertionError):
        key(screen, "▦")
    tap_on(key(screen, "⇩"))
    (file,) = page.library.exports.iterdir()
    assert file.name in page.look()


def test_result_menu_and_review_lead_to_the_page_and_back(
    tmp_path: Path, opened: Opened[Running]
) -> None:
    from companion.ui.screens.export_page import ExportScreen
    from companion.ui.screens.looking_back.review import ReviewScreen
    from companion.ui.screens.play.screen import PlayScreen

    shell = FakeShell(tmp_path)
    finished(shell.library._journal, "test")
    running = opened(Running((800, 480), "en", shell))
    running.app.play(shell.table)
    tick(4)
    running.screen.sheets.open_menu()
    tick(4)
    tap_on(key(running.screen, "Take along"))
    tick(4)
    assert isinstance(running.screen, ExportScreen)
    tap_on(key(running.screen, "Go back"))
    tick(4)
    assert isinstance(running.screen, PlayScreen)
    while shell.table.match.outcome is None:
        legal = shell.table.match.legal_moves()
        shell.table.match.push(next((m for m in legal if m.verb == "claim"), legal[0]))
    shell.table.send(view_of(shell.table.match))
    tick(6)
    tap_on(key(running.screen, "Keep picture"))
    tick(4)
    assert ".png” in the folder" in texts(running.screen)
    tap_on(key(running.screen, "Take along"))
    tick(4)
    assert isinstance(running.screen, ExportScreen) and "Show the code" in texts(running.screen)
    running.app.review("test")
    tick(4)
    tap_on(key(running.screen, "Take along"))
    tick(4)
    assert isinstance(running.screen, ExportScreen)
    tap_on(key(running.screen, "Go back"))
    tick(4)
    assert isinstance(running.screen, ReviewScreen)
