"""Phones at the table: the page with their codes, and what a table with phones shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.match.view import OtherTable, PlayMove, TableView
from companion.presentation.phones import SeatState
from companion.presentation.words.phones import trouble_text
from companion.ui.shell import Ways
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running, faults
from tests.support.fake_shell import FakeShell
from tests.support.phones import ADDRESS, FakePhones
from tests.support.sweep import widely
from tests.support.ui_harness import (
    LANGS,
    FakeTable,
    OnScreen,
    key,
    labels,
    places,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)

SHAPES = ((800, 480), (480, 800), (1280, 800))
TEXTS = ("normal", "large", "largest")
NAMES = ("Maximiliane-Ch", "Konstantin-Jan", "Ida", "Eva")


THEMES = {"de": "night", "en": "limestone"}


def names(players: int) -> tuple[str, ...]:
    return NAMES[:players]


def dominion(players: int = 4) -> TableView:
    match = Match("dominion", players)
    match.deal()
    return replace(view_of(match), names=names(players))


class Page(OnScreen):
    """The page in the window."""

    def __init__(self, size: tuple[int, int], lang: str) -> None:
        super().__init__(size, lang, theme=THEMES[lang])
        self.left = 0

    def show(self, phones: FakePhones, view: TableView | None = None) -> Any:
        from companion.ui.screens.phones_page import PhonesScreen

        return self.put(PhonesScreen(phones, lambda: view, self._leave, **self.room))

    def _leave(self) -> None:
        self.left += 1


@pytest.fixture(params=places(SHAPES))
def page(request: pytest.FixtureRequest, opened: Opened[Page]) -> Page:
    return opened(Page(*request.param))


@pytest.fixture
def wide(opened: Opened[Page]) -> Page:
    return opened(Page((800, 480), "en"))


def photographed(screen: Any, folder: Path) -> str:
    """The text that a phone reads on the screen."""
    from companion.ui.picture import snapshot

    picture = cv2.imread(str(snapshot(screen, folder / "seen.png")))
    assert picture is not None
    for nearer in (1.0, 1.5, 2.0):
        seen = cv2.resize(picture, None, fx=nearer, fy=nearer, interpolation=cv2.INTER_LINEAR)
        for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            if text := reader.detectAndDecode(seen)[0]:
                return str(text)
    return ""


def test_every_state_of_the_page_is_well_set(page: Page) -> None:
    phones, view = FakePhones(4, on=False), dominion()
    screen = page.show(phones, view)
    assert faults(screen) == []
    phones.turn(True)
    for code in ("", "phones_mistake", "phones_no_network", "phones_not_private",
                 "phones_port_forbidden", "phones_port_taken", "phones_web_missing"):  # fmt: skip
        phones.set(trouble=code, ready=False)
        screen.renew()
        tick(3)
        assert faults(screen) == [], code
    phones.set(ready=True, streams=3)
    phones.put(0, SeatState.OPEN)
    phones.put(1, SeatState.WAITING)
    phones.put(2, SeatState.OPEN, renewed=True)
    for chosen in (None, 0, 1, 2, 3):
        screen.choose(chosen)
        tick(3)
        assert faults(screen) == [], chosen


def test_the_code_of_a_seat_and_that_for_spectators_are_read_from_the_screen(
    page: Page, tmp_path: Path
) -> None:
    phones = FakePhones(4)
    screen = page.show(phones, dominion())
    assert photographed(screen, tmp_path) == ADDRESS
    screen.choose(3)
    tick(3)
    assert photographed(screen, tmp_path) == phones.now.seats[3].link
    assert "Eva" in texts(screen)


def test_off_it_says_what_it_means_and_one_touch_turns_it_on(wide: Page) -> None:
    phones = FakePhones(2, on=False)
    screen = wide.show(phones, dominion(2))
    assert "can read along" in texts(screen)
    tap_on(key(screen, "Turn phones on"))
    assert phones.asked == ["on"]
    assert ADDRESS.removeprefix("http://").rstrip("/") in texts(screen)
    tap_on(key(screen, "Turn off"))
    assert phones.asked == ["on", "off"]


def test_a_phone_that_asks_is_shown_at_once_and_let_in_or_not(wide: Page) -> None:
    phones = FakePhones(2)
    screen = wide.show(phones, dominion(2))
    phones.put(1, SeatState.WAITING)
    screen._tick(0.0)
    tick(3)
    assert screen.chosen == 1
    tap_on(key(screen, "No"))
    assert phones.asked == ["refuse 1"]
    phones.put(1, SeatState.WAITING)
    screen._tick(0.0)
    tick(3)
    tap_on(key(screen, "Yes, let it in"))
    assert phones.asked == ["refuse 1", "confirm 1"]
    assert "What only Konstantin-Jan may see is on this phone now." in texts(screen)


def test_a_seat_is_given_to_another_phone_or_taken_back(wide: Page) -> None:
    phones = FakePhones(2)
    phones.put(0, SeatState.OPEN)
    screen = wide.show(phones, dominion(2))
    screen.choose(0)
    tick(3)
    tap_on(key(screen, "Another phone"))
    assert phones.asked == ["renew 0"]
    assert any(type(widget).__name__ == "CodePicture" for widget in walk(screen))
    tap_on(key(screen, "Sign out"))
    assert phones.asked == ["renew 0", "take back 0"]


def test_whoever_sits_at_another_table_gets_no_code_here(wide: Page) -> None:
    elsewhere = replace(dominion(2), other=OtherTable("south", frozenset({1}), asked=True))
    phones = FakePhones(2)
    screen = wide.show(phones, elsewhere)
    assert NAMES[1] in texts(screen)
    assert NAMES[0] not in texts(screen)
    screen.choose(0)
    tick(3)
    assert screen.chosen is None


def test_without_a_match_there_is_the_code_for_spectators_alone(wide: Page) -> None:
    screen = wide.show(FakePhones())
    assert "once a match is on the table" in texts(screen)
    tap_on(key(screen, "Go back"))
    assert wide.left == 1


def test_trouble_is_said_with_what_to_do(wide: Page) -> None:
    phones = FakePhones()
    phones.set(ready=False, trouble="phones_web_missing")
    screen = wide.show(phones)
    assert trouble_text("phones_web_missing") in texts(screen)
    tap_on(key(screen, "Try again"))
    assert phones.asked == ["on"]


# -- the play screen --------------------------------------------------------------------------


class Table(OnScreen):
    """A play screen whose players may have phones."""

    def __init__(
        self, size: tuple[int, int], lang: str, match: Match, text: str = "normal"
    ) -> None:
        super().__init__(size, lang, text=text, theme=THEMES[lang])
        from companion.ui.screens.play.screen import PlayScreen

        match.deal()
        self.table, self.phones = FakeTable(match), FakePhones(match.players)
        ways = Ways(phones=self.phones, open_phones=lambda: None, hand=self.table.hand)
        self.put(PlayScreen(self.table.post, ways, now_s=lambda: 720.0, **self.room))
        self.phones.listen(self.screen.phones_changed)
        self.table.subscribe(lambda view: self.screen.show(self._named(view)))
        self.show()

    def _named(self, view: TableView) -> TableView:
        return replace(view, names=names(view.players))

    def show(self) -> None:
        assert self.table.view is not None
        self.screen.show(self._named(self.table.view))
        tick(4)

    @property
    def mover(self) -> int:
        prompt = self.table.match.prompt
        assert prompt is not None and prompt.player is not None
        return prompt.player


HIDDEN = [("knizia_stonehenge", 2, {"hidden": "on"}), ("dominion", 3, {}), ("hoher_rat", 4, {})]


@pytest.mark.parametrize("game", HIDDEN, ids=lambda game: game[0])
@pytest.mark.parametrize(("size", "lang", "text"), list(widely(SHAPES, LANGS, TEXTS, most=1)))
def test_whoever_has_a_phone_chooses_there_and_the_screen_stays(
    size: tuple[int, int], lang: str, text: str, game: Any, opened: Opened[Table]
) -> None:
    table = opened(Table(size, lang, Match(*game), text))
    name = NAMES[table.mover]
    handed = {"de": f"Ich bin {name}", "en": f"I am {name}"}[lang]
    assert handed in texts(table.screen)
    table.phones.put(table.mover, SeatState.OPEN)
    tick(3)
    told = texts(table.screen)
    assert handed not in told
    assert {"de": f"{name} wählt am Handy", "en": f"{name} chooses on the phone"}[lang] in told
    assert table.screen.covered, "what only they may see is not on the screen"
    assert faults(table.screen) == []
    tap_on(key(table.screen, {"de": "Hier wählen", "en": "Choose here instead"}[lang]))
    assert handed in texts(table.screen), "with the usual veil"
    assert faults(table.screen) == []


def test_choosing_here_ends_with_the_turn(opened: Opened[Table]) -> None:
    table = opened(Table((800, 480), "en", Match("knizia_stonehenge", 2, {"hidden": "on"})))
    for seat in range(2):
        table.phones.put(seat, SeatState.OPEN)
    table.screen.choose_here()
    table.screen.uncover()
    assert not table.screen.covered
    first = table.mover
    while table.mover == first:
        table.table.post(PlayMove(table.table.match.legal_moves()[-1]))
    tick(3)
    assert table.screen.privacy.on_phone


def test_a_phone_that_asks_is_asked_about_when_nobody_is_in_the_middle_of_a_move(
    opened: Opened[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.ui.screens.play.sheets.READ_S", 0.0)
    table = opened(Table((800, 480), "en", Match("knizia_stonehenge", 2)))
    table.screen.fingers.touch_kind(next(iter(table.table.view.supplies[0])))  # type: ignore[union-attr]
    assert table.screen.fingers.holding
    table.phones.put(1, SeatState.WAITING)
    tick(3)
    assert table.screen.sheet is None, "a piece is in the hand"
    table.screen.let_go()
    tick(3)
    assert table.screen.sheet is not None, "now it is"
    tap_on(key(table.screen, "Later"))
    tap_on(next(label for label in labels(table.screen) if label.text == "☎"))
    assert "Is this the phone of Konstantin-Jan?" in texts(table.screen)
    tap_on(key(table.screen, "Yes, let it in"))
    assert table.phones.asked == ["confirm 1"]
    tick(3)
    assert table.screen.sheet is None


@pytest.mark.parametrize(("size", "lang", "text"), list(widely(SHAPES, LANGS, TEXTS, most=1)))
@pytest.mark.parametrize("game", ["knizia_stonehenge", "dominion"])
def test_the_question_about_a_phone_is_well_set_and_takes_no_touch_meant_for_something_else(
    size: tuple[int, int], lang: str, text: str, game: str, opened: Opened[Table],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    table = opened(Table(size, lang, Match(game, 2), text))
    monkeypatch.setattr("companion.ui.screens.play.sheets.READ_S", 1e6)
    table.phones.put(1, SeatState.WAITING)
    tick(4)
    # A desk goes on below the sheet, so only the sheet is looked at.
    assert [told for told in faults(table.screen.sheet) if "leaves the screen" not in told] == []
    tap_on(key(table.screen, {"de": "Ja, hereinlassen", "en": "Yes, let it in"}[lang]))
    assert table.phones.asked == []
    tap_on(key(table.screen, {"de": "Später", "en": "Later"}[lang]))
    table.show()
    assert table.screen.sheet is None, "it is asked once"


def test_the_page_is_reached_from_the_menu_of_a_match(
    tmp_path: Path, opened: Opened[Running]
) -> None:
    from companion.ui.screens.phones_page import PhonesScreen

    shell = FakeShell(tmp_path)
    shell.phones = FakePhones(2)
    running = opened(Running((800, 480), "en", shell))
    running.app.play(shell.table)
    tick(4)
    running.screen.sheets.open_menu()
    tick(2)
    tap_on(key(running.screen, "Phones"))
    assert isinstance(running.screen, PhonesScreen)
    tap_on(key(running.screen, "Go back"))
    assert not isinstance(running.screen, PhonesScreen)


@pytest.mark.parametrize(
    ("game", "physical"), [("dominion", False), ("dominion", True), ("hoher_rat", False)],
    ids=["market", "ledger", "cards"],
)  # fmt: skip
def test_after_later_every_desk_leads_back_to_the_question(
    game: str, physical: bool, opened: Opened[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.ui.screens.play.sheets.READ_S", 0.0)
    options = {"record": "ledger"} if physical else {}
    table = opened(Table((800, 480), "en", Match(game, 2, options, physical=physical)))
    while physical and table.screen.desk is None:
        table.table.post(PlayMove(table.table.match.legal_moves()[0]))
        tick(3)
    if game == "hoher_rat":
        table.screen.uncover()
        table.screen.open_picker()
        tick(3)

    def desk() -> Any:
        return table.screen.picker or table.screen

    before = faults(desk())
    table.phones.put(1, SeatState.WAITING)
    tick(3)
    if table.screen.sheet is not None:
        tap_on(key(table.screen, "Later"))

    def signs() -> list[Any]:
        return [one for one in labels(desk()) if one.text in ("☎", "A phone asks")]

    assert len(signs()) == 1 and faults(desk()) == before
    tap_on(signs()[0])
    assert "Is this the phone of Konstantin-Jan?" in texts(table.screen)
    table.phones.confirm(1)
    tick(3)
    assert signs() == []
