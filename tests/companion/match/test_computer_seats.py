"""Computer players at a table: what they choose counts for the position it was chosen in, nobody
plays for them by accident, and taking back goes back to what people decided."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.journal.entries import Header, JournalError
from companion.journal.events import MovePlayed, Source, TipGiven
from companion.journal.exports import export_lines, read_export
from companion.journal.store import Journal
from companion.match.events import MovesCommitted, Trouble
from companion.match.looking_back.history import Recording
from companion.match.looking_back.rematch import rematch_of
from companion.match.looking_back.standings import best_list, is_new_record, players, results
from companion.match.messages import ComputerFails, ComputerPlays, GiveTip, Message, Seen
from companion.match.practice.sandbox import SandboxMatch
from companion.match.table import Table
from companion.match.view import (
    SET_FOR_COMPUTER,
    AskTip,
    ConfirmPlaced,
    PlayMove,
    Redo,
    Undo,
)
from companion.settings.manners import Manners
from rules.box import load_box
from rules.core import Actor, Layout, Move
from rules.games import find_game
from rules.players import Choice, Reason, Thought
from rules.testing.pictures import draw
from rules.testing.playout import pick

WHY = Reason("best_chances")


def _look(layout: Layout) -> Seen:
    box = load_box("knizia_stonehenge").for_game("knizia_stonehenge")
    return Seen(draw(box, layout), settled=True)


class _Table:
    """Anna against the druid, with a clock that only the test moves."""

    def __init__(
        self, *, physical: bool = False, computers: tuple[str, ...] = ("", "druid")
    ) -> None:
        self.journal = Journal(":memory:")
        self.header = Header(
            "m1", "knizia_stonehenge", 2, {"hidden": "off"}, physical, "seed", ("Anna", "Druid"),
            "enforce", 1.0, computers=computers,
        )  # fmt: skip
        self.journal.create(self.header)
        self.now = 0.0
        self.open()

    def open(self) -> None:
        self.table = Table(self.journal, self.header, Manners())

    def do(self, intent: Message, src: Source = Source.TOUCH) -> list[Any]:
        self.now += 5.0
        return self.table.handle(intent, self.now, src)

    def tap(self, move: str) -> list[Any]:
        return self.do(PlayMove(Move.parse(move)))

    def chosen(self, *moves: str, since: int | None = None) -> list[Any]:
        since = len(self.table.record.told) if since is None else since
        played = ComputerPlays(tuple(map(Move.parse, moves)), WHY, since)
        return self.do(played, Source.COMPUTER)

    @property
    def moves(self) -> list[str]:
        return [entry.move.text for entry in self.table.match.log]

    @property
    def view(self) -> Any:
        return self.table.view()

    @property
    def state(self) -> str:
        return self.table.state.value


def test_a_turn_with_nothing_left_to_do_ends_at_once_and_the_computer_is_asked() -> None:
    anna = _Table()
    assert anna.view.thinks is None and anna.view.legal
    anna.tap("p0 place 3 L")
    assert anna.moves == ["p0 place 3 L", "p0 done"]
    assert anna.view.thinks == 1
    assert not anna.view.legal and not anna.view.secret
    anna.chosen("p1 place 2 K")
    assert anna.moves[2:] == ["p1 place 2 K", "p1 done"]
    assert anna.view.thinks is None
    assert anna.view.computed.moves == (Move.parse("p1 place 2 K"),)
    sources = [event.src for event in anna.journal.events("m1")]
    assert sources == [Source.TOUCH, Source.DEALER, Source.COMPUTER, Source.DEALER]


def test_nobody_can_touch_the_computers_moves() -> None:
    anna = _Table()
    anna.tap("p0 place 3 L")
    (trouble,) = anna.tap("p1 place 2 K")
    assert isinstance(trouble, Trouble) and trouble.what is not None
    assert trouble.what.code == "decided_by_computer"
    assert anna.view.thinks == 1


def test_a_stale_choice_and_one_for_somebody_else_change_nothing() -> None:
    anna = _Table()
    anna.tap("p0 place 3 L")
    since = len(anna.table.record.told)
    anna.do(Undo())
    assert not anna.chosen("p1 place 2 K", since=since)
    anna.tap("p0 place 3 M")
    # As many moves as before, but it is another position.
    assert anna.table.match.ply == 2
    assert not anna.chosen("p1 place 2 K", since=since)
    assert not anna.chosen("p0 place 2 K")
    assert anna.moves == ["p0 place 3 M", "p0 done"]
    anna.chosen("p1 place 2 K")
    assert anna.moves[2] == "p1 place 2 K"


def test_taking_back_goes_back_to_what_people_decided_and_redo_brings_all_of_it_again() -> None:
    anna = _Table()
    anna.tap("p0 place 3 L")
    anna.chosen("p1 place 2 K")
    before = anna.moves
    anna.do(Undo())
    assert anna.moves == [] and anna.view.thinks is None
    anna.do(Redo())
    assert anna.moves == before
    anna.do(Undo())
    anna.tap("p0 place 3 M")
    anna.do(Undo())
    assert anna.moves == []


def test_what_only_the_computer_played_is_nothing_to_take_back() -> None:
    first = _Table(computers=("druid", ""))
    assert first.view.thinks == 0
    first.chosen("p0 place 3 L")
    assert first.moves and not first.view.can_undo
    assert not first.journal.unfinished()[0].played


def test_with_real_pieces_the_camera_waits_until_hands_have_set_what_was_chosen() -> None:
    anna = _Table(physical=True)
    empty = anna.table.match.layout
    anna.do(_look(empty))
    anna.tap("p0 place 3 L")
    mine = anna.table.match.layout
    anna.do(_look(mine))
    assert anna.state == "settled" and anna.view.thinks == 1
    anna.chosen("p1 place 2 K", "p1 done")
    assert anna.state == "pending"
    assert [fix.site for fix in anna.view.fixes] == ["K"]
    lies = anna.table.match.layout
    # The power goes; it still has to be set.
    anna.open()
    anna.do(_look(mine))
    assert anna.state == "pending"
    anna.do(_look(lies))
    assert anna.state == "settled" and anna.view.thinks is None


def test_while_it_thinks_hands_decide_nothing() -> None:
    anna = _Table(physical=True)
    anna.do(_look(anna.table.match.layout))
    anna.tap("p0 place 3 L")
    ahead = anna.table.match.clone()
    ahead.push("p1 place 2 K")
    anna.do(_look(ahead.layout))
    assert anna.state == "desync"
    assert anna.moves == ["p0 place 3 L", "p0 done"]
    # By chance it is what the computer chooses.
    anna.chosen("p1 place 2 K", "p1 done")
    assert anna.state == "settled"


def test_without_a_camera_people_say_that_it_stands() -> None:
    anna = _Table(physical=True)
    anna.tap("p0 place 3 L")
    anna.chosen("p1 place 2 K", "p1 done")
    assert anna.view.result.code == SET_FOR_COMPUTER
    anna.do(ConfirmPlaced())
    assert anna.view.result is None
    assert not _Table().view.physical


def test_people_play_for_a_computer_that_cannot_and_then_it_is_asked_again() -> None:
    anna = _Table()
    anna.tap("p0 place 3 L")
    anna.do(ComputerFails(1, 0))
    assert anna.view.thinks == 1
    anna.do(ComputerFails(1, len(anna.table.record.told)), Source.COMPUTER)
    assert anna.view.thinks is None and anna.view.helpless == {1} and anna.view.legal
    anna.tap("p1 place 2 K")
    anna.tap("p0 place 4 M")
    assert anna.view.thinks == 1 and not anna.view.helpless


def _choice() -> Choice:
    move, second = Move.parse("p0 place 3 L"), Move.parse("p0 place 3 M")
    return Choice(move, WHY, (Thought(move, 0.6, 9), Thought(second, 0.5, 3)))


def test_a_tip_is_for_whoever_is_asked_goes_with_the_move_and_stays_in_the_record() -> None:
    anna = _Table()
    anna.do(AskTip())
    assert anna.view.tip.seat == 0 and anna.view.tip.choice is None
    anna.do(GiveTip(_choice(), 0))
    assert anna.view.tip.choice == _choice()
    anna.do(AskTip())
    assert anna.view.tip is None
    anna.do(AskTip(1), Source.PHONE)
    assert anna.view.tip is None
    anna.do(AskTip())
    anna.do(GiveTip(_choice(), 0))
    anna.tap("p0 place 3 L")
    assert anna.view.tip is None and not anna.view.may_tip
    anna.do(Undo())
    told = [e.what for e in anna.journal.events("m1") if isinstance(e.what, TipGiven)]
    best, second = (one.move for one in _choice().thoughts)
    assert told == [TipGiven(0, best, "best_chances", second)] * 2
    anna.open()
    assert [ply for ply, _tip in anna.table.record.tips] == [0, 0]


def test_a_match_without_tips_gives_none() -> None:
    anna = _Table()
    anna.table.record.header = replace(anna.header, tips=False)
    assert not anna.view.may_tip
    anna.do(AskTip())
    assert anna.view.tip is None


def test_the_header_and_exports_name_computer_players_and_old_ones_have_none() -> None:
    anna = _Table()
    anna.do(AskTip())
    anna.do(GiveTip(_choice(), 0))
    anna.tap("p0 place 3 L")
    anna.chosen("p1 place 2 K")
    events = anna.journal.events("m1")
    lines = "\n".join(export_lines(anna.header, "open", events))
    header, _status, read = read_export(lines, "a test")
    assert header == anna.header and header.computer(1) == "druid" and not header.computer(0)
    assert [e.what for e in read] == [e.what for e in events]
    assert Source.COMPUTER in {e.src for e in read}
    old = {k: v for k, v in anna.header.to_json().items() if k not in ("computers", "tips")}
    assert Header.from_json(old).computers == () and Header.from_json(old).tips
    for wrong in ("druid", ["", "", "druid"], 7):
        with pytest.raises(JournalError):
            Header.from_json({**json.loads(json.dumps(old)), "computers": wrong})


def test_computer_players_are_no_people_in_statistics_and_best_lists() -> None:
    journal = Journal(":memory:")
    for number, computers in enumerate([(), ("druid",)]):
        header = Header(
            f"m{number}", "rollende_steine", 1, {"course": "marked"}, False, "s", (f"P{number}",),
            "enforce", 1.0, computers=computers,
        )  # fmt: skip
        journal.create(header)
        table = Table(journal, header, Manners())
        random = Random(number)
        while (match := table.match).outcome is None:
            move = pick(match.state, match.legal_moves(), random)
            table.record.commit([move], Source.COMPUTER if computers else Source.TOUCH)
        table.record.close(Source.DEALER)
    found = results(journal)
    assert [one.name for one in players(found)] == ["P0"]
    lists = {r.achievement.list for r in found if r.achievement is not None}
    assert lists
    for name in lists:
        assert [e.result.header.id for e in best_list(found, "rollende_steine", name)] == ["m0"]
    assert not is_new_record(found, next(r for r in found if r.header.id == "m1"))


def test_a_rematch_has_the_same_company() -> None:
    plan = rematch_of(_Table().view)
    assert plan.computers == ("", "druid") and plan.names == ("Anna", "")
    assert plan.people == 1


def test_agreed_moves_of_a_computer_are_told_as_its_own() -> None:
    anna = _Table()
    anna.tap("p0 place 3 L")
    agreed = [e for e in anna.chosen("p1 place 2 K") if isinstance(e, MovesCommitted)]
    assert agreed[0].src is Source.COMPUTER and agreed[0].sites == ("K",)
    played = [e.what for e in anna.journal.events("m1") if isinstance(e.what, MovePlayed)]
    assert len(played) == 4


def test_a_piece_set_elsewhere_than_chosen_is_led_back_and_is_no_choice_of_hands() -> None:
    anna = _Table(physical=True)
    anna.do(_look(anna.table.match.layout))
    anna.tap("p0 place 3 L")
    mine = anna.table.match.layout
    anna.do(_look(mine))
    anna.chosen("p1 place 2 K", "p1 done")
    (stone,) = (item for item in anna.table.match.layout if item.site == "K")
    anna.do(_look(mine + Counter([stone._replace(site="A")])))
    assert anna.state == "desync"
    assert not anna.view.candidates and not anna.view.objections
    assert {fix.site for fix in anna.view.fixes} == {"A", "K"}
    assert anna.moves[2] == "p1 place 2 K"


def test_the_review_says_who_asked_for_a_tip() -> None:
    anna = _Table()
    anna.do(AskTip())
    anna.do(GiveTip(_choice(), 0))
    anna.tap("p0 place 3 L")
    recording = Recording(anna.header, anna.journal.events("m1"))
    assert [tip.move.text for tip in recording.plies[0].tips] == ["p0 place 3 L"]
    assert not recording.plies[1].tips


def test_nobody_looks_into_a_computer_players_hand_unless_people_play_for_it() -> None:
    journal = Journal(":memory:")
    options = find_game("dominion").complete_options(2, {})
    header = Header(
        "m1", "dominion", 2, options, False, "seed", ("Anna", "Druid"), "enforce", 1.0,
        computers=("", "druid"),
    )  # fmt: skip
    journal.create(header)
    table = Table(journal, header, Manners())
    assert table.hands[0] and not table.hands[1]
    while table.company.thinks is None:
        table.handle(PlayMove(table.match.legal_moves()[-1]), 1.0)
    view = table.view()
    assert not view.legal and not view.hints and view.spread is None
    told = len(table.record.told)
    table.handle(ComputerFails(1, told), 2.0, Source.COMPUTER)
    assert table.hands[1] and table.view().secret


@pytest.mark.parametrize(("physical", "may"), [(True, False), (False, True)])
def test_whoever_holds_real_cards_gets_no_tip(physical: bool, may: bool) -> None:
    journal = Journal(":memory:")
    options = find_game("dominion").complete_options(2, {})
    header = Header(
        "m1", "dominion", 2, options, physical, "seed", ("Anna", "Bo"), "enforce", 1.0
    )  # fmt: skip
    journal.create(header)
    table = Table(journal, header, Manners())
    while (prompt := table.match.prompt) is not None and prompt.actor is not Actor.PLAYER:
        table.handle(PlayMove(table.match.legal_moves()[0]), 1.0)
    assert table.view().prompt is not None and table.view().legal[0].player is not None
    assert table.view().may_tip is may


def test_whoever_tries_something_out_decides_for_computer_players_too() -> None:
    trial = SandboxMatch(_Table().header, ())
    trial.post(PlayMove(Move.parse("p0 place 3 L")))
    trial.post(PlayMove(Move.parse("p0 done")))
    assert trial.view is not None
    assert trial.view.thinks is None and {move.player for move in trial.view.legal} == {1}
    assert not trial.view.may_tip
