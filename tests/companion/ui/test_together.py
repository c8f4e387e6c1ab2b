"""A match at two tables, touched: the invitation, its answer, and what the play screen says."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.match.state import Heard
from companion.match.view import OtherTable, TableState, TableView, WentWrong
from companion.presentation.remote_table import Pairing, TableThere
from companion.settings.enforcement import Enforcement
from companion.settings.people import MatchSetup
from companion.words.errors import notice
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running, faults
from tests.support.fake_shell import FakeShell
from tests.support.fake_tables import FakeTables
from tests.support.ui_harness import (
    GAME,
    FakeTable,
    key,
    places,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)

SHAPES = ((800, 480), (480, 800), (1280, 800))
PLAN = MatchSetup(GAME, 2, names=("Maximiliane", "Konstantin"))
FIVE = MatchSetup(
    "dolmengoetter", 5, names=("Maximiliane", "Konstantin", "", "Friedrich-Wil", "Eva")
)
LONG = "the-longest-name-of-a-table-ever"


@pytest.fixture(params=places(SHAPES))
def place(request: pytest.FixtureRequest, opened: Opened[Running], tmp_path: Path) -> Running:
    size, lang = request.param
    shell = FakeShell(tmp_path)
    shell.together = FakeTables()
    return opened(Running(size, lang, shell))


@pytest.fixture
def wide(opened: Opened[Running], tmp_path: Path) -> Running:
    shell = FakeShell(tmp_path)
    shell.together = FakeTables("south", "west")
    return opened(Running((800, 480), "en", shell))


def row(screen: Any, text: str) -> Any:
    """A line that can be touched."""
    from kivy.uix.behaviors import ButtonBehavior

    found = [w for w in walk(screen) if isinstance(w, ButtonBehavior) and w.text == text]
    assert len(found) == 1, texts(screen)
    return found[0]


def tables(shown: Running) -> FakeTables:
    found = shown.shell.together
    assert isinstance(found, FakeTables)
    return found


def beat(shown: Running) -> None:
    shown.screen._tick(0.0)
    tick(3)


@pytest.mark.thorough
def test_every_state_of_an_invitation_is_well_set(place: Running) -> None:
    there = tables(place)
    for plan in (PLAN, FIVE, MatchSetup("dominion", 2)):
        place.app.invite(plan)
        tick(3)
        for connected, names in ((False, ()), (True, ()), (True, ("south", LONG)),
                                 (True, tuple(f"table-{n}" for n in range(9)))):  # fmt: skip
            there.set(connected=connected, tables=tuple(TableThere(n, n == LONG) for n in names))
            beat(place)
            assert faults(place.screen) == [], (plan.game, names)
        if plan.game == "dominion":
            continue
        place.screen.choose("table-3")
        tick(3)
        assert faults(place.screen) == []
        place.screen.invite()
        for answer in ("", "no", "busy", "game", "rules", "gone"):
            there.answer(answer)
            beat(place)
            assert faults(place.screen) == [], answer
        place.screen.back()
    place.app.shelf()
    for plan, here in ((PLAN, (1,)), (FIVE, (0, 3, 4))):
        there.invited_by(LONG, plan, here)
        tick(3)
        assert faults(place.screen) == []
        there.set(received=None)
        beat(place)
        assert faults(place.screen) == []
        place.app.shelf()


def test_a_match_is_set_up_with_another_table_and_begins_when_they_say_yes(wide: Running) -> None:
    there = tables(wide)
    wide.app.seats(GAME)
    tick(3)
    tap_on(key(wide.screen, "With another table"))
    assert there.asked == ["look"]
    tap_on(row(wide.screen, "Table south"))
    tap_on(key(wide.screen, "Invite table south"))
    assert there.asked == ["look", "invite south"]
    beat(wide)
    assert "Table south is asked" in texts(wide.screen)
    there.answer("yes")
    beat(wide)
    assert len(wide.shell.started) == 1
    assert there.asked[-1] == "look away", "who said yes is not told that nobody plays"
    assert "withdraw" not in there.asked


def test_seats_change_tables_by_touch_and_each_table_keeps_one(wide: Running) -> None:
    wide.app.invite(FIVE)
    tick(3)
    assert wide.screen.here == {0, 1, 2}
    for name in ("Maximiliane", "Konstantin", "Green", "Friedrich-Wil", "Eva"):
        tap_on(row(wide.screen, name))
    assert wide.screen.here == {2, 3, 4}, "the last one stays"
    for name in ("Friedrich-Wil", "Eva"):
        tap_on(row(wide.screen, name))
    assert wide.screen.here == {2}
    wide.app.back()
    wide.app.invite(PLAN)
    tick(3)
    tap_on(row(wide.screen, "Maximiliane"))
    assert wide.screen.here == {1}, "two change places"


def test_a_no_is_said_plainly_and_another_table_may_be_asked(wide: Running) -> None:
    there = tables(wide)
    wide.app.invite(PLAN)
    tick(3)
    tap_on(row(wide.screen, "Table west"))
    tap_on(key(wide.screen, "Invite table west"))
    there.answer("busy")
    beat(wide)
    assert "At table west a match is going on" in texts(wide.screen)
    tap_on(key(wide.screen, "Choose again"))
    assert there.now.sent is None
    beat(wide)
    assert row(wide.screen, "Table south")


def test_leaving_the_page_withdraws_what_nobody_has_answered(wide: Running) -> None:
    there = tables(wide)
    wide.app.invite(PLAN)
    tick(3)
    there.invite("south", PLAN, (0,))
    wide.app.shelf()
    assert there.now.sent is None and "look away" in there.asked


def test_games_with_hidden_cards_say_why_they_are_played_at_one_table(wide: Running) -> None:
    wide.app.seats("dominion")
    tick(3)
    assert "another table" not in texts(wide.screen)
    # A variant may deal what the game as it comes out of the box does not.
    wide.app.invite(MatchSetup("dominion", 2))
    tick(3)
    assert "This game is played at one table" in texts(wide.screen)
    assert "look" not in tables(wide).asked
    tap_on(key(wide.screen, "Go back"))


def test_an_invitation_is_shown_with_no_first_and_is_refused(wide: Running) -> None:
    there = tables(wide)
    there.invited_by("south", PLAN)
    tick(3)
    assert "Table south invites you" in texts(wide.screen)
    keys = [key(wide.screen, word) for word in ("No", "Yes, we play")]
    assert keys[0].x < keys[1].x
    tap_on(keys[0])
    assert there.asked == ["refuse"]
    assert "What shall we play?" in texts(wide.screen)


def test_an_invitation_says_how_strict_the_referee_is_and_which_rules_are_changed(
    wide: Running,
) -> None:
    options = {"hidden": "on"}
    tables(wide).invited_by("south", replace(PLAN, enforcement=Enforcement.OFF, options=options))
    tick(3)
    assert "Hidden stones: on · Referee: only score" in texts(wide.screen)


def test_an_invitation_is_accepted_and_the_match_begins(wide: Running) -> None:
    tables(wide).invited_by("south", PLAN)
    tick(3)
    tap_on(key(wide.screen, "Yes, we play"))
    assert [plan.game for plan in wide.shell.started] == [GAME]


def test_an_invitation_that_is_gone_says_so(wide: Running) -> None:
    there = tables(wide)
    there.invited_by("south", PLAN)
    tick(3)
    there.set(received=None)
    beat(wide)
    assert "The invitation is gone" in texts(wide.screen)
    tap_on(key(wide.screen, "Go back"))
    assert "What shall we play?" in texts(wide.screen)


def test_nobody_is_asked_in_the_middle_of_a_match_and_an_open_invitation_waits(
    wide: Running,
) -> None:
    there = tables(wide)
    wide.app.play(FakeTable(Match(GAME, 2)))
    tick(3)
    there.invited_by("south", PLAN)
    tick(3)
    assert "invites" not in texts(wide.screen)
    wide.app.shelf()
    tick(3)
    assert "Table south invites you" in texts(wide.screen)


def test_when_a_match_is_over_the_same_table_is_invited_again_or_invites(wide: Running) -> None:
    there = tables(wide)
    match, chance = Match(GAME, 2, physical=True), random.Random(3)
    while match.outcome is None:
        match.push(chance.choice(match.legal_moves()))
    table = FakeTable(match)
    wide.app.play(table)
    other = OtherTable("west", frozenset({0}), False, heard=Heard.THERE)
    table.send(replace(view_of(match), names=("Anna", "Jörg"), other=other))
    tick(3)
    wide.app._again()
    tick(3)
    assert wide.screen.chosen == "west"
    assert [wide.screen.plan.names[seat] for seat in wide.screen.here] == ["Anna"]
    wide.app.play(table)
    tick(3)
    there.invited_by("west", PLAN)
    tick(3)
    assert "Table west invites you" in texts(wide.screen)
    tap_on(key(wide.screen, "No"))
    assert "What decided it" in texts(wide.screen)


def test_without_a_club_nothing_speaks_of_other_tables(
    tmp_path: Path, opened: Opened[Running]
) -> None:
    shown = opened(Running((800, 480), "en", FakeShell(tmp_path)))
    shown.app.seats(GAME)
    tick(3)
    assert "another table" not in texts(shown.screen)


def away(match: Match, heard: Heard = Heard.THERE, **changes: Any) -> TableView:
    """View of this table while the other one is asked."""
    other = OtherTable("south", frozenset({0}), True, heard=heard)
    return replace(
        view_of(match), legal=(), hints=(), usual=None, names=("Anna", "Jörg"),
        other=replace(other, **changes), can_undo=False,
    )  # fmt: skip


def their_turn() -> Match:
    match = Match(GAME, 2, physical=True)
    match.push("p0 place 3 A")
    match.push("p0 done")
    return match


@pytest.mark.parametrize(("heard", "wished", "told"), [
    (Heard.THERE, False, "They play at table south"),
    (Heard.THERE, True, "Table south is asked whether your move may go back"),
    (Heard.NOT, False, "Table south is not heard of just now"),
    (Heard.RESTS, False, "put away for later"),
    (Heard.GONE, False, "does not play this match any more"),
    (Heard.MISFIT, False, "does not fit your match"),
])  # fmt: skip
def test_while_the_other_table_is_asked_the_screen_says_how_it_stands_there(
    wide: Running, heard: Heard, wished: bool, told: str
) -> None:
    table = FakeTable(their_turn())
    wide.app.play(table)
    table.send(away(table.match, heard, wished=wished))
    tick(3)
    shown = texts(wide.screen)
    assert "Jörg is to move" in shown and told in shown
    assert faults(wide.screen) == []
    # Nothing on the board answers a touch.
    assert not wide.screen.fingers.picked.kind


def test_every_word_about_the_other_table_is_well_set(place: Running) -> None:
    table = FakeTable(their_turn())
    place.app.play(table)
    for heard in Heard:
        for asked in (True, False):
            view = away(table.match, heard, asked=asked, name=LONG)
            table.send(view if asked else replace(view, legal=tuple(table.match.legal_moves())))
            tick(3)
            assert faults(place.screen) == [], (heard, asked)
            place.screen.sheets.open_troubles()
            tick(3)
            assert faults(place.screen) == [], (heard, asked)
            place.screen.sheets.close()


def test_a_table_that_is_not_heard_is_a_calm_line_while_people_here_are_asked(
    wide: Running,
) -> None:
    match = Match(GAME, 2, physical=True)
    table = FakeTable(match)
    wide.app.play(table)
    view = replace(view_of(match), other=OtherTable("south", frozenset({0}), False))
    table.send(view)
    tick(3)
    assert "Table south is not heard" in texts(wide.screen)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("taken_back_elsewhere", "Only they can take it back"),
        ("forced_here", "both tables agreed to apply them"),
        ("forced_elsewhere", "It does not count here"),
        ("forced_there", "You agreed that it counts"),
    ],
)
def test_what_the_other_table_decides_is_refused_politely(
    wide: Running, code: str, said: str
) -> None:
    table = FakeTable(their_turn())
    wide.app.play(table)
    view = away(table.match)
    table.send(view)
    tick(3)
    table.send(replace(view, wrong=WentWrong(notice(code))))
    tick(3)
    shown = texts(wide.screen)
    assert "The other table decides" in shown and said in shown
    assert "not recorded" not in shown


def test_what_was_set_there_is_shown_until_somebody_says_that_it_stands_here(
    wide: Running,
) -> None:
    from companion.match.view import SET_ELSEWHERE
    from rules.core import Result

    match = their_turn()
    table = FakeTable(match)
    wide.app.play(table)
    view = replace(
        view_of(match, TableState.BLIND), result=Result(SET_ELSEWHERE), result_ply=match.ply,
        other=OtherTable("north", frozenset({1}), False, heard=Heard.THERE),
    )  # fmt: skip
    table.send(view)
    tick(3)
    assert "Please set it too" in texts(wide.screen)
    assert faults(wide.screen) == []
    tap_on(key(wide.screen, "It stands so"))
    assert "Please set it too" not in texts(wide.screen)


def pairing(plan: MatchSetup, *, here: bool) -> Pairing:
    return Pairing("The autumn tournament of the whole valley", 12, 20, here, plan)


@pytest.mark.thorough
def test_games_of_tournaments_are_well_set_on_the_shelf_and_in_their_list(place: Running) -> None:
    for waiting in ([pairing(FIVE, here=True)], [pairing(PLAN, here=False)] * 9):
        tables(place).set(pairings=tuple(waiting))
        tick(5)
        assert faults(place.screen) == []
    place.app.tournament()
    tick(5)
    assert faults(place.screen) == []


def test_the_game_of_a_tournament_that_waits_for_this_table_begins_by_one_touch(
    wide: Running,
) -> None:
    there, plan = tables(wide), replace(PLAN, pairing="17", tips=False)
    there.set(pairings=(pairing(plan, here=True), pairing(PLAN, here=False)))
    tick(5)
    assert "Round 12, board 20 · Stonehenge" in texts(wide.screen)
    tap_on(row(wide.screen, "Maximiliane – Konstantin"))
    (begun,) = wide.shell.started
    assert (begun.names, begun.pairing, begun.tips) == (PLAN.names, "17", False)
    wide.app.shelf()
    there.set(pairings=())
    tick(5)
    assert "Round 12" not in texts(wide.screen)


def test_of_games_that_any_table_may_play_one_is_chosen(wide: Running) -> None:
    here = [replace(PLAN, pairing="3"), replace(PLAN, names=("Ada", "Ben"), pairing="4")]
    tables(wide).set(pairings=tuple(pairing(one, here=False) for one in here))
    tick(5)
    tap_on(row(wide.screen, "The autumn tournament of the whole valley"))
    tap_on(row(wide.screen, "Ada – Ben"))
    assert [one.pairing for one in wide.shell.started] == ["4"]
