"""The clock: whose time runs, when it stands, what undoing gives back, and what is written down."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.journal.entries import Header
from companion.journal.events import ClockStood
from companion.journal.store import Journal
from companion.match.messages import Seen, Tick
from companion.match.table import Table
from companion.match.view import (
    Amend,
    ClockView,
    Intent,
    PlayMove,
    Redo,
    SetClockRunning,
    SetForeground,
    Undo,
)
from companion.match.watchers.clock import TELL_S, asked_of
from companion.settings.clocks import clock_plan
from companion.settings.manners import Manners
from rules.core import Call, Move
from rules.games import find_game, game_ids
from rules.match import Match
from tests.support.sweep import some
from tests.support.table_setup import Hands, Look, header, tap_move


class Timed:
    """A match entered by touch, with a clock, at a time of its own."""

    def __init__(self, clock: str = "player 600+5") -> None:
        self.journal = Journal(":memory:")
        self.header: Header = header(clock=clock)
        self.journal.create(self.header)
        self.now = 1000.0
        self.open()

    def open(self) -> None:
        """Open the match anew, as after a power cut."""
        self.table = Table(self.journal, self.header, Manners())

    def send(self, intent: Intent | Tick | str, after: float = 0.0) -> list[object]:
        """Tell the table something ``after`` seconds."""
        self.now += after
        what = tap_move(intent) if isinstance(intent, str) else intent
        return list(self.table.handle(what, self.now))

    def play(self, site: str, after: float = 0.0) -> None:
        """A whole turn: a stone on ``site`` after so many seconds, and nothing else."""
        seat, number = self.clock.asked, self.table.match.ply // 4 + 1
        self.send(f"p{seat} place {number} {site}", after)
        self.send(f"p{seat} done")

    @property
    def clock(self) -> ClockView:
        found = self.table.view().clock
        assert found is not None
        return found

    @property
    def left(self) -> list[float]:
        """Whole seconds by seat."""
        return [round(self.clock.left_at(seat, self.now)) for seat in range(2)]

    @property
    def written(self) -> list[tuple[tuple[float, ...], int | None]]:
        """The clock's readings in the journal."""
        events = [event.what for event in self.journal.events(self.header.id)]
        return [
            (tuple(ms / 1000 for ms in what.left_ms), what.turn)
            for what in events
            if isinstance(what, ClockStood)
        ]


@pytest.mark.parametrize("text", ["", "x", "player 0", "turn 60+5", "player 99999999", "player"])
def test_a_text_that_names_no_clock_is_none(text: str) -> None:
    assert clock_plan(text) is None
    assert Timed(text).table.view().clock is None


def test_the_first_move_starts_the_clock_of_whoever_is_asked_next() -> None:
    at = Timed()
    at.send(Tick(), 50)
    assert at.left == [600, 600]
    assert at.clock.waits
    at.play("G", 10)
    assert at.clock.asked == 1
    at.send(Tick(), 30)
    assert at.left == [605, 570]


def test_a_touch_starts_it_as_well_and_lets_it_stand() -> None:
    at = Timed()
    at.send(SetClockRunning(True))
    at.send(SetClockRunning(False), 40)
    at.send(Tick(), 100)
    assert at.left == [560, 600]
    at.send(SetClockRunning(True))
    at.send(Tick(), 5)
    assert at.left == [555, 600]


def test_no_clock_runs_while_something_else_is_on_the_screen() -> None:
    at = Timed()
    at.send(SetClockRunning(True))
    at.send(SetForeground(False), 10)
    at.send(SetForeground(True), 1000)
    at.send(Tick(), 10)
    assert at.left == [580, 600]


def test_a_refusal_stops_the_clock_until_it_is_settled() -> None:
    at = Timed()
    at.play("G")
    at.send("p1 place 4 G", 20)
    at.send(Tick(), 100)
    assert at.left == [605, 580]
    at.send(Undo())
    at.send(Tick(), 1)
    assert at.left == [605, 579]


def test_undoing_gives_the_time_back_and_the_journal_says_so() -> None:
    at = Timed()
    at.send(SetClockRunning(True))
    at.play("G", 30)
    assert at.left == [575, 600]
    at.play("A", 60)
    assert at.left == [575, 545]
    at.send(Undo(2), 20)
    assert at.left == [575, 600]
    assert at.written[-1] == ((575, 600), 1)
    at.send(Undo(), 7)
    assert at.left == [570, 600]
    at.send(Undo(), 3)
    assert at.left == [600, 600]
    at.send(Redo(), 9)
    at.send(Redo())
    assert at.left == [596, 600]
    at.open()
    assert at.left == [596, 600]


def test_after_a_power_cut_it_waits_with_what_was_written_at_the_last_turn() -> None:
    at = Timed()
    at.send(SetClockRunning(True))
    at.play("G", 30)
    at.send(Tick(), 200)
    at.open()
    at.send(Tick(), 3600)
    assert at.left == [575, 600]
    assert at.clock.waits
    at.play("A", 5)
    assert at.clock.running
    assert at.clock.asked == 0
    at.send(Undo(), 5)
    assert at.left == [575, 600]


def test_closing_writes_down_how_it_stands_and_nothing_if_it_never_ran() -> None:
    at = Timed()
    at.table.close(at.now)
    assert at.written == []
    at.send(SetClockRunning(True))
    at.table.close(at.now + 12)
    assert at.written[-1] == ((588, 600), 0)


def test_the_journal_gets_one_entry_for_each_turn() -> None:
    at = Timed()
    for site in "GABCD":
        for _ in range(60):
            at.send(Tick(), 1)
        at.play(site)
    assert len(at.written) == 5


def test_time_up_is_told_once_and_ends_nothing() -> None:
    at = Timed("player 60")
    at.play("G")
    deadline = at.table.next_deadline()
    assert deadline == at.now + 60
    call = Call("time_up", (1,), hands=False, sign="◷")
    assert at.send(Tick(), 60) == []
    assert at.table.view().calls == ((at.table.match.ply, call),)
    assert at.left == [60, 0]
    assert at.table.next_deadline() == at.now + TELL_S
    assert at.send(Tick(), TELL_S) == []
    assert not at.table.view().calls
    assert at.send(Tick(), 600) == [] and not at.table.view().calls, "told once"
    at.play("A", 100)
    assert at.table.match.ply == 4
    assert at.left == [60, 0]
    assert at.clock.running


def test_a_sand_timer_is_turned_with_every_turn() -> None:
    at = Timed("turn 60")
    at.play("G")
    at.play("A", 45)
    assert at.left == [60, 60]
    at.send(Undo(), 10)
    assert at.left == [60, 15]


def test_whoever_answers_in_the_middle_of_a_turn_gets_no_increment() -> None:
    match = Match("dominion", 2, {"kingdom": "first-game"}, seed=3)
    match.follow()
    first = match.state.turn_of()
    assert first is not None
    state = match.state.clone()
    state.stack.append(["militia", 1 - first])
    assert state.turn_of() == first


def test_where_nothing_but_done_is_left_the_next_player_thinks_already() -> None:
    match = Match("knizia_stonehenge", 2, physical=True)
    match.push("p0 place 1 G")
    assert asked_of(match, seeing=True) == (1, 1)
    assert asked_of(match, seeing=False) == (0, 0)


def test_a_clock_stands_while_the_board_is_out_of_sight_until_people_go_on_by_touch() -> None:
    hands = Hands(clock="player 600")
    hands.look()
    hands.lay("G", "stone black 1", 2)
    clock = hands.table.view().clock
    assert clock is not None and clock.running
    hands.send(Seen(Look({}), blind="board_lost"))
    clock = hands.table.view().clock
    assert clock is not None and not clock.running
    hands.send(tap_move("p0 done"))
    clock = hands.table.view().clock
    assert clock is not None and clock.running


def test_what_is_put_right_afterwards_gives_nobody_time() -> None:
    at = Timed()
    at.play("G", 30)
    at.play("A", 60)
    before = at.left
    moves = tuple(
        Move.parse(text) for text in ("p0 place 1 B", "p0 done", "p1 place 1 A", "p1 done")
    )
    at.send(Amend(1, moves, len(at.table.record.told)), 20)
    assert at.table.match.log[0].move == moves[0]
    assert at.left == [before[0] - 20, before[1]]
    at.open()
    assert at.left == [before[0] - 20, before[1]]


def test_an_exported_match_keeps_its_clock_and_one_that_makes_no_sense_is_none() -> None:
    at = Timed()
    at.play("G", 30)
    at.play("A", 60)
    text = "\n".join(at.journal.export("m1"))
    for what, left in (("player 600+5", at.left), ("noon", None)):
        other = Journal(":memory:")
        other.import_match(text.replace("player 600+5", what), "by hand")
        clock = Table(other, other.header("m1"), Manners()).view().clock
        assert (clock and [round(s) for s in clock.left_s]) == left
    strange = text.replace('"turn": 1', '"turn": 7').replace('"turn": 0', '"turn": -1')
    other = Journal(":memory:")
    other.import_match(strange, "by hand")
    clock = Table(other, other.header("m1"), Manners()).view().clock
    assert clock is not None and clock.left_s == (600, 600)


@pytest.mark.parametrize("game", some(game_ids()))
def test_in_every_game_all_that_players_think_is_theirs_and_the_journal_stays_short(
    game: str,
) -> None:
    rules, random, now = find_game(game), Random(3), 0.0
    players = max(rules.players)
    journal = Journal(":memory:")
    kept = replace(header(clock="player 9000"), game=game, players=players, physical=False)
    kept = replace(kept, options=rules.complete_options(players, {}), names=("",) * players)
    journal.create(kept)
    table = Table(journal, kept, Manners())
    table.handle(SetClockRunning(True), now)
    asked = [0.0] * players
    for _ in range(50):
        clock = table.view().clock
        if clock is None or table.match.outcome is not None:
            break
        seconds = random.random() * 10
        now += seconds
        if clock.asked is not None:
            asked[clock.asked] += seconds
        legal = table.match.legal_moves()
        table.handle(PlayMove(table.match.state.choose(legal, random)), now)
    clock = table.view().clock
    assert clock is not None
    assert [9000 - clock.left_at(seat, now) for seat in range(players)] == pytest.approx(asked)
    written = sum(isinstance(event.what, ClockStood) for event in journal.events("m1"))
    assert written <= 2 * table.view().turn
