"""Troubles below the table are told on the screen, with a remedy, and go away again.

The power supply is a folder of files as a Raspberry Pi has them; the disk is full because SQLite
is told that it may only read.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.match.events import TableEvent
from companion.match.view import DismissNote, MachineNote
from companion.support.machine import MachineWatch
from companion.words.errors import notice
from rules.errors import because
from tests.companion.ui.conftest import Opened
from tests.support.at_the_screen import Player
from tests.support.pi import Pi
from tests.support.sweep import widely
from tests.support.ui_harness import LANGS, SIZES, badly_set, texts, tick, too_small

SIZE = (800, 480)
GAME = "knizia_stonehenge"
SAID = {
    "power": {"de": "Das Netzteil ist zu schwach", "en": "The power supply is too weak"},
    "written": {"de": "Das wurde nicht aufgeschrieben", "en": "That was not recorded"},
    "sorry": {"de": "Das geht gerade nicht", "en": "That is not possible now"},
    "files": {
        "de": "Mit den gespeicherten Dateien ist etwas passiert",
        "en": "Something happened to the saved files",
    },
    "fault": {
        "de": "Im Programm ging etwas schief",
        "en": "Something went wrong in the program",
    },
    "full": {"de": "Der Speicher ist voll", "en": "The disk is full"},
    "goes_on": {"de": "Die Partie geht weiter", "en": "The match goes on"},
}


class Evening:
    """A match on the screen of a computer whose files can be changed."""

    def __init__(self, folder: Path, size: tuple[int, int], lang: str) -> None:
        self.pi, self.lang = Pi(folder / "root"), lang
        self.player = Player(folder / "state", size, lang)
        house = self.player.house
        house.machine = MachineWatch(house.state, house._machine, self.pi.root)

    def begin(self) -> None:
        self.player.set_up(GAME, 2, physical=False)

    def look(self) -> None:
        """The watch looks; the screen shows what it found."""
        self.player.house.machine.look()
        self.player.settle()

    def says(self, word: str) -> bool:
        return self.player.says(SAID[word][self.lang])

    def disk(self, *, full: bool) -> None:
        self.player.house.journal._db.execute(f"pragma query_only = {int(full)}")

    def problems(self) -> list[str]:
        tick(3)
        return badly_set(self.player.screen) + too_small(self.player.screen)


@pytest.fixture(params=["de", pytest.param("en", marks=pytest.mark.thorough)])
def evening(request: pytest.FixtureRequest, tmp_path: Path, opened: Opened[Player]) -> Evening:
    found = Evening(tmp_path, SIZE, request.param)
    opened(found.player)
    return found


def test_a_weak_supply_is_told_while_playing_and_no_more_once_it_was_read(
    evening: Evening,
) -> None:
    player = evening.player
    evening.begin()
    assert not evening.says("power")
    evening.pi.tell(low=True)
    evening.look()
    assert evening.says("power") and evening.problems() == []
    player.press(SAID["power"][evening.lang])
    assert evening.says("goes_on"), "nothing is lost by it"
    assert evening.problems() == []
    player.press(player.word("screens.i_see"))
    assert not evening.says("power")
    player.play(Random(1))
    assert not evening.says("power")


def test_a_move_that_could_not_be_written_down_says_so_and_counts_when_there_is_room(
    evening: Evening,
) -> None:
    player = evening.player
    evening.begin()
    player.play(Random(1))
    ply = player.view.ply
    evening.disk(full=True)
    player.press("↺")
    assert player.view.ply == ply
    assert evening.says("written"), "a touch that does nothing needs a reason at once"
    assert not evening.says("goes_on")
    assert "/" not in texts(player.screen.sheet), "folders help nobody at the table"
    assert evening.problems() == []
    player.press(player.word("play.back"))
    assert evening.says("written"), "a line stays as long as nothing counts"
    evening.disk(full=False)
    player.press("↺")
    assert player.view.ply < ply
    assert not evening.says("written")


def test_a_mistake_in_the_program_is_owned_up_to_one_touch_from_the_problem_report(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.ui.workshop.report import ReportPage

    player = evening.player
    evening.begin()
    player.play(Random(1))
    session = player.session
    assert session is not None

    def broken(*_: object) -> list[TableEvent]:
        raise ZeroDivisionError("division by zero")

    with monkeypatch.context() as patched:
        patched.setattr(session.table, "handle", broken)
        player.press("↺")
    assert evening.says("fault") and evening.problems() == []
    assert "division" not in texts(player.screen.sheet)
    player.press(player.word("screens.report_a_problem"))
    assert isinstance(player.screen.shown, ReportPage)
    player.press(player.word("workshop.overview"))
    player.press(player.word("workshop.leave"))
    assert player.screen.sheet is None, "it was read"
    player.press("↺")
    assert not evening.says("fault")


def test_a_match_that_cannot_be_begun_ends_no_other(evening: Evening) -> None:
    player = evening.player
    evening.begin()
    player.play(Random(1))
    evening.disk(full=True)
    player.app.shelf()
    tick(3)
    player.set_up(GAME, 2, physical=False)
    assert evening.says("sorry") and evening.problems() == []
    evening.disk(full=False)
    assert len(player.house.unfinished()) == 1
    player.press(player.word("screens.go_back"))
    player.press(player.word("screens.start_playing"))
    assert player.view.ply == 0


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
def test_everything_at_once_fits_on_every_screen(
    size: tuple[int, int], lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Evening(tmp_path, size, lang)
    player = found.player
    found.begin()
    monkeypatch.setattr("companion.support.machine.free_mb", lambda _folder: 0)
    found.pi.tell(low=True, temp=85_000)
    found.look()
    assert found.says("full") and found.problems() == []
    player.play(Random(1))
    player.app.shelf()
    tick(3)
    assert found.says("full") and found.problems() == []
    player.app.open_matches()
    tick(3)
    assert found.says("full"), "the question whether to go on does not hide it"
    assert found.problems() == []
    player.press(SAID["full"][lang])
    assert found.says("power") and found.problems() == []
    player.close()


def test_a_journal_that_was_set_aside_is_told_before_the_match_goes_on(evening: Evening) -> None:
    evening.begin()
    evening.player.play(Random(1))
    house = evening.player.house
    house.journal.salvage = notice(
        "journal_set_aside", because=because(notice("pages_unfit")),
        aside="journal-damaged-1.db", events=30,
    )  # fmt: skip
    evening.player.app.shelf()
    tick(3)
    assert evening.says("files")
    evening.player.press(SAID["files"][evening.lang])
    assert evening.player.says("journal-damaged-1.db")
    assert not evening.player.says("pages")
    assert evening.problems() == []
    evening.player.press(evening.player.word("screens.go_back"))
    assert not evening.says("files"), "who has read it is not told again"
    evening.player.app.open_matches()
    tick(3)
    evening.player.press(evening.player.word("shelf.go_on"))
    assert evening.player.view.ply > 0


def test_what_was_read_counts_for_this_match_only(evening: Evening) -> None:
    player = evening.player
    evening.begin()
    evening.pi.tell(low=True)
    evening.look()
    session = player.session
    assert session is not None
    session.post(DismissNote(MachineNote("power_low")))
    player.settle()
    assert not evening.says("power")
    player.app.shelf()
    tick(3)
    assert evening.says("power")
