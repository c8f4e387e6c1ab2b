"""Looking back on the screen: scrubbing, what if, corrections, the list of matches, export."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.looking_back.library import Library
from companion.match.table import Table
from companion.match.view import PlayMove
from companion.settings.manners import Manners
from rules.core import Move
from rules.match import Entry
from rules.players import Reason
from rules.players.analysis_result import Judgement, Moment, TurningPoint
from tests.companion.ui.conftest import Opened
from tests.support.library import OPENING, finished, played
from tests.support.table_setup import header, tap_move
from tests.support.ui_harness import (
    PLACES,
    OnScreen,
    key,
    tap,
    tap_on,
    texts,
    tick,
    walk,
)
from tests.support.waiting import PATIENCE_S


class Application:
    """The program behind the two screens."""

    def __init__(self, journal: Journal, exports: Path) -> None:
        self.library = Library(journal, exports)
        self.resumed: list[str] = []

    def amend(self, match_id: str, ply: int, entries: Sequence[Entry]) -> None:
        self.library.amend(match_id, ply, entries)

    def resume(self, match_id: str) -> str:
        self.resumed.append(match_id)
        return match_id


class Shown(OnScreen):
    """A screen in the window; ``journal`` is what it looks back at."""

    def __init__(self, size: tuple[int, int], lang: str, exports: Path) -> None:
        super().__init__(size, lang)
        self.journal = Journal(":memory:")
        self.house = Application(self.journal, exports)
        self.left: list[Any] = []

    def review(self, match_id: str = "m1") -> Any:
        from companion.ui.screens.looking_back.review import ReviewScreen

        self._leave_screen()
        house: Any = self.house
        return self.put(ReviewScreen(
            house, match_id, lambda: self.left.append("left"), on_play=self.left.append,
            on_export=self.left.append, **self.room,
        ))  # fmt: skip

    def records(self) -> Any:
        from companion.ui.screens.looking_back.records import RecordsScreen

        self._leave_screen()
        house: Any = self.house
        left = self.left.append
        return self.put(RecordsScreen(house, lambda: left("left"), on_review=left, **self.room))


@pytest.fixture(params=PLACES)
def shown(request: pytest.FixtureRequest, opened: Opened[Shown], tmp_path: Path) -> Shown:
    size, lang = request.param
    return opened(Shown(size, lang, tmp_path / "exports"))


@pytest.fixture
def small(opened: Opened[Shown], tmp_path: Path) -> Shown:
    return opened(Shown((800, 480), "de", tmp_path / "exports"))


def board(screen: Any) -> Any:
    from companion.ui.drawing.board import Board

    return next(w for w in walk(screen) if isinstance(w, Board) and w.height > screen.height / 4)


def wait_for(done: Any) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not done() and time.monotonic() < deadline:
        tick(1)
        time.sleep(0.01)
    assert done()


@pytest.mark.thorough
def test_every_page_of_the_review_fits(shown: Shown) -> None:
    table = played(shown.journal, *OPENING[:3], enforcement="off")
    table.handle(tap_move("p1 claim H1"), 0.0)
    for move in ("p1 done", "p0 place 4 E", "p0 done"):
        table.handle(tap_move(move), 0.0)
    screen = shown.review()
    for ply in (7, 4, 0):
        screen.go_to(ply)
        assert shown.faults() == [], f"move {ply}"
    screen.go_to(4)
    screen.what_if()
    assert shown.faults() == [], "what if"
    screen.back_to_record()
    screen.correct()
    assert shown.faults() == [], "correcting"


def test_a_finger_on_the_line_scrubs_through_the_match(small: Shown) -> None:
    from companion.ui.drawing.chart import Scrubber

    played(small.journal, *OPENING)
    screen = small.review()
    assert screen.ply == 10, "it begins where the match stands"
    line = next(w for w in walk(screen) if isinstance(w, Scrubber))
    from kivy.tests.common import UnitTestTouch

    y = line.center_y
    touch = UnitTestTouch(line.at(3), y)
    touch.touch_down()
    tick(1)
    assert screen.ply == 3
    assert {i.site for i in board(screen).scene.items} == {"C", "A"}
    touch.touch_move(line.at(5), y)
    tick(1)
    assert screen.ply == 5, "the line is held although the words below it changed"
    touch.touch_up()
    tap_on(key(screen, "←"))
    assert screen.ply == 4
    tap_on(key(screen, "⇤"))
    assert screen.ply == 0
    assert board(screen).scene.items == ()


def test_a_touch_in_the_list_goes_to_that_move(small: Shown) -> None:
    from companion.ui.widgets.tiles import TileGrid

    played(small.journal, *OPENING)
    screen = small.review()
    screen.go_to(1)
    tick(3)
    tap_on(key(screen, "Züge"))
    tick(3)
    grid = next(w for w in walk(screen) if isinstance(w, TileGrid))
    number = next(n for n, t in enumerate(grid.tiles) if t.text.startswith("3."))
    x, y, w, h = grid.cell(number)
    tap(*grid.to_window(x + w / 2, y + h / 2))
    wait_for(lambda: screen.ply == 3)
    assert "Braun legt die 5 auf A" in texts(screen)


def test_what_was_against_the_rules_says_so_and_opens_the_rule(small: Shown) -> None:
    table = played(small.journal, *OPENING[:3], enforcement="off")
    table.handle(tap_move("p1 claim H1"), 0.0)
    screen = small.review()
    said = texts(screen)
    assert "Trotzdem gespielt: Linie H1 ist noch offen" in said
    tap_on(key(screen, "§"))
    assert "Wem gehört eine Linie?" in texts(screen)


def test_what_if_is_played_by_touch_and_forgotten(small: Shown) -> None:
    played(small.journal, *OPENING)
    before = small.journal.events("m1")
    screen = small.review()
    screen.go_to(4)
    tick(3)
    tap_on(key(screen, "Und wenn?"))
    tick(3)
    tap(*screen.trial.screen.board.centre_of("L"))
    tick(2)
    from companion.ui.screens.play.panels import PieceKey

    tap_on(next(w for w in walk(screen.trial.screen) if isinstance(w, PieceKey)))
    assert screen.trial.branch.view.ply == 5
    assert small.journal.events("m1") == before
    tap_on(key(screen, "Zum Protokoll"))
    tick(2)
    assert screen.ply == 4
    assert screen.trial is None
    assert {i.site for i in board(screen).scene.items} == {"C", "A"}


def test_a_wrong_entry_is_put_right_by_touch_and_back(small: Shown) -> None:
    played(small.journal, *OPENING)
    screen = small.review()
    screen.go_to(3)
    tick(3)
    tap_on(key(screen, "Ändern"))
    tick(3)
    tap(*screen.trial.screen.board.centre_of("B"))
    tick(2)
    from companion.ui.screens.play.panels import PieceKey

    keys = [w for w in walk(screen.trial.screen) if isinstance(w, PieceKey)]
    tap_on(next(k for k in keys if k.kind.id == "stone brown 5"))
    tick(3)
    said = texts(screen.sheet)
    assert "Stattdessen: Braun legt die 5 auf B" in said
    assert "Alle 7 späteren Züge passen weiterhin." in said
    assert len(small.journal.events("m1")) == 10, "nothing is written before somebody agrees"
    tap_on(key(screen.sheet, "✓"))
    tick(3)
    assert screen.recording.entries[2].move.text == "p1 place 5 B"
    assert "Richtiggestellt" in texts(screen)
    tap_on(key(screen, "↺"))
    tick(3)
    assert screen.recording.entries[2].move.text == "p1 place 5 A"


def test_conflicts_are_listed_with_their_reasons(shown: Shown) -> None:
    from companion.match.looking_back.library import correction
    from rules.core import Move

    played(shown.journal, *OPENING)
    screen = shown.review()
    screen.go_to(3)
    screen.correct()
    tick(2)
    screen._ask(correction(screen.recording, 3, Move.parse("p1 place 5 E")))
    assert [f for f in shown.faults() if "overlap" not in f] == []
    said = texts(screen.sheet)
    taken = {"de": "Feld E ist besetzt", "en": "Field E is taken"}[shown.lang]
    assert taken in said
    assert "5. " in said
    tap_on(key(screen.sheet, "←"))
    assert len(shown.journal.events("m1")) == 10


def test_an_unfinished_match_can_be_played_on(small: Shown) -> None:
    played(small.journal, *OPENING)
    tap_on(key(small.review(), "Weiterspielen"))
    assert small.left == ["m1"]


def test_a_match_that_cannot_be_read_is_told_and_left(small: Shown) -> None:
    screen = small.review("gone")
    assert "Diese Partie lässt sich nicht zeigen" in texts(screen)
    tap_on(key(screen, "←"))
    assert small.left == ["left"]


# -- where it was won and lost ------------------------------------------------------------


def judged(shown: Shown) -> Judgement:
    """The judgement of the match ``m1``, which is over: it turned twice."""
    table = finished(shown.journal)
    match = table.match
    reason = Reason.of("takes", lines="H5,L5")
    played = [match.log[22].move, match.log[34].move]
    other = Move.parse("p0 place 6 R"), Move.parse("p1 place 2 R")
    found = Judgement(
        match.ply,
        (
            Moment(0, (0.5, 0.5), 90), Moment(22, (0.8, 0.2), 90), Moment(23, (0.1, 0.9), 90),
            Moment(match.ply, (0.0, 1.0), 0),
        ),
        (
            TurningPoint(23, 0, played[0], other[0], 0.1, 0.8, reason, 0.05),
            TurningPoint(35, 1, played[1], other[1], 0.9, 0.3, reason, 0.05),
        ),
        19,
    )  # fmt: skip
    shown.house.library.judging._kept.keep("m1", match, found)
    return found


def test_where_it_was_won_fits_and_tells_both_kinds_of_turning_points(shown: Shown) -> None:
    judged(shown)
    screen = shown.review()
    assert shown.faults() == []
    screen.show_chances()
    assert shown.faults() == []
    said = texts(screen)
    told = {
        "de": ("Besser: Schwarz legt die 6 auf R", "80\u00a0% statt 10\u00a0%", "Stark: "),
        "en": ("Better: Black puts the 6 on R", "80\u00a0% instead of 10\u00a0%", "Strong: "),
    }[shown.lang]
    for words in told:
        assert words in said
    screen._go_from_chances(23)
    assert shown.faults() == []
    assert told[0] in texts(screen), "beside the board too"


def test_a_touch_of_the_curve_goes_there(small: Shown) -> None:
    from kivy.tests.common import UnitTestTouch

    from companion.ui.drawing.chart import ChanceChart

    judged(small)
    screen = small.review()
    tap_on(key(screen, "∿"))
    tick(3)
    chart = next(w for w in walk(screen) if isinstance(w, ChanceChart))
    touch = UnitTestTouch(chart.at(10, 50)[0], chart.center_y)
    touch.touch_down()
    tick(1)
    assert "Zug 10 von 44 · Schwarz 50\u00a0% · Braun 50\u00a0%" in texts(screen)
    touch.touch_move(chart.at(23, 50)[0] + 2, chart.center_y)
    tick(1)
    assert "Schwarz 10\u00a0%" in texts(screen)
    touch.touch_up()
    tick(2)
    assert screen.turning is None and screen.ply == 23


def test_a_turning_point_opens_its_move_on_the_board(small: Shown) -> None:
    judged(small)
    screen = small.review()
    screen.show_chances()
    tick(3)
    tap_on(next(w for w in walk(screen) if getattr(w, "text", "").startswith("Zug 35: ")))
    tick(2)
    assert screen.ply == 35


def test_looking_back_shows_how_far_it_is_and_can_be_ended(shown: Shown) -> None:
    finished(shown.journal)
    screen = shown.review()
    judging = shown.house.library.judging
    judging.pause(True)
    screen.show_chances()
    assert shown.faults() == []
    assert {"de": "niemand mehr spielt", "en": "nobody is playing"}[shown.lang] in texts(screen)
    judging.pause(False)
    tap_on(key(screen, "■"))
    assert shown.faults() == []
    assert not judging.of("m1", screen._whole).running
    tap_on(key(screen, "↻"))
    assert judging.of("m1", screen._whole).running
    screen.back_to_record()
    assert judging.of("m1", screen._whole).running, "it goes on when nobody looks"
    judging.close()


def test_of_a_match_that_goes_on_nobody_learns_who_is_ahead(small: Shown) -> None:
    played(small.journal, *OPENING)
    assert "Wer lag vorn?" not in texts(small.review())


# -- records --------------------------------------------------------------------------------


def several(journal: Journal) -> None:
    """Two matches of a series between Anna and Jonas, and one that goes on."""
    for number in (1, 2):
        table = finished(journal, f"x{number}")
        head = replace(
            table.record.header, id=f"s{number}", series="s1", names=("Anna-Katharina", "Jonas")
        )
        journal.create(head)
        happened = [event.what for event in journal.events(f"x{number}")]
        journal.append(head.id, *happened, src=Source.IMPORT, status="finished")
    played(journal, *OPENING, match_id="m1")


def test_all_segments_of_the_records_fit(shown: Shown) -> None:
    several(shown.journal)
    screen = shown.records()
    for segment in ("matches", "people", "games", "best", "series"):
        screen.choose(segment)
        assert shown.faults() == [], segment


def test_empty_records_say_how_they_fill(shown: Shown) -> None:
    screen = shown.records()
    for segment in ("matches", "people", "games", "best", "series"):
        screen.choose(segment)
        assert shown.faults() == [], segment


def test_records_tell_of_people_series_and_matches(small: Shown) -> None:
    several(small.journal)
    screen = small.records()
    tap_on(key(screen, "Spieler"))
    assert "2 von 2 gewonnen" in texts(screen)
    name = "Anna-Katharina"
    (row,) = (w for w in walk(screen) if getattr(w, "text", "") == name and hasattr(w, "state"))
    tap_on(row)
    assert screen.player == name and "Partien" in texts(screen)
    tap_on(key(screen, "Zurück"))
    assert screen.player == "" and small.left == []
    tap_on(key(screen, "Serien"))
    assert "Stonehenge" in texts(screen)
    assert "beginnt die nächste" in texts(screen)
    tap_on(key(screen, "Partien"))
    opened = [w for w in walk(screen) if getattr(w, "symbol", "") == "▶"]
    tap_on(opened[0])
    assert small.left == ["m1"]


def test_courses_have_their_best_list(small: Shown) -> None:
    head = replace(
        header("r1"), game="rollende_steine", names=("Mia", "Ole"),
        options={**_defaults("rollende_steine")},
    )  # fmt: skip
    small.journal.create(head)
    table = Table(small.journal, head, Manners())
    import random

    chance = random.Random(1)
    while table.match.outcome is None:
        legal = table.match.legal_moves()
        table.handle(PlayMove(chance.choice(legal)), 0.0)
    screen = small.records()
    screen.choose("best")
    tick(2)
    assert "1. Mia, Ole" in texts(screen)
    assert "Scheiben" in texts(screen)


def _defaults(game: str) -> dict[str, str]:
    from rules.games import find_game

    return find_game(game).complete_options(2, {})


def test_a_match_that_went_on_meanwhile_is_not_overwritten(small: Shown) -> None:
    """The table may refuse a correction that was decided for an older record."""
    from companion.match.looking_back.library import correction
    from rules.core import Move

    played(small.journal, *OPENING)
    screen = small.review()
    small.house.amend = lambda *_: None  # type: ignore[method-assign]
    screen.accept(correction(screen.recording, 3, Move.parse("p1 place 5 B")))
    tick(2)
    assert "ging inzwischen weiter" in texts(screen)
    assert "Richtiggestellt" not in texts(screen)


def test_of_a_ledger_the_piles_are_shown_as_they_were(small: Shown) -> None:
    from companion.ui.screens.play.ledger_desk import LedgerDesk
    from companion.ui.widgets.pile_grid import PileGrid

    options = {"record": "ledger", "last_winners": "p1"}
    entered = replace(header(), game="dominion", options=options, physical=False)
    small.journal.create(entered)
    table = Table(small.journal, entered, Manners())
    for text in ("p0 gain silver", "p0 done", "p1 gain gold"):
        table.handle(tap_move(text), 0.0)
    screen = small.review()
    screen.go_to(1)
    tick(3)
    (grid,) = (widget for widget in walk(screen) if isinstance(widget, PileGrid))
    assert [tile.figure for tile in grid.tiles[:3]] == ["46", "39", "30"]
    tap_on(key(screen, "Und wenn?"))
    tick(3)
    assert any(isinstance(widget, LedgerDesk) for widget in walk(screen))
