"""The table: seen, proposed and agreed are never mixed, and everything can be corrected."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from companion.journal.entries import Header, JournalError
from companion.journal.events import to_row
from companion.journal.store import Journal
from companion.match.events import (
    Asked,
    BoardOutOfSync,
    MatchOver,
    MovesCommitted,
    MovesUndone,
    Penalised,
    Refused,
    Trouble,
)
from companion.match.messages import CameraGone, Tick
from companion.match.table import Table
from companion.match.table_view import open_objections
from companion.match.view import (
    CameraIsWrong,
    ChooseCandidate,
    PlayAnyway,
    PlayMove,
    PlayMoves,
    Redo,
    TableState,
    Undo,
)
from companion.settings.manners import Commit, Manners
from rules.core import Move
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import random_match
from tests.support.table_setup import Hands, Look, tap_move

BLACK_1, BROWN_5, BLACK_4 = "stone black 1", "stone brown 5", "stone black 4"


def test_a_laid_stone_is_agreed_after_it_held_still() -> None:
    hands = Hands()
    hands.look()
    hands.board["G"] = BLACK_1
    hands.look(0.1)
    assert hands.shows(TableState.PROPOSED)
    assert hands.moves == []
    hands.look(0.5)
    assert hands.moves == []
    hands.look(0.5)
    assert hands.moves == ["p0 place 1 G"]
    assert hands.shows(TableState.SETTLED)


def test_nothing_is_concluded_while_a_hand_is_over_the_board() -> None:
    hands = Hands()
    hands.board["G"] = BLACK_1
    for _ in range(50):
        hands.look(0.1, hand=True)
    assert hands.shows(TableState.HAND)
    assert hands.moves == []


def test_a_tick_commits_when_the_camera_has_nothing_new_to_say() -> None:
    hands = Hands()
    hands.board["G"] = BLACK_1
    hands.look()
    deadline = hands.table.next_deadline()
    assert deadline is not None
    hands.send(Tick(), deadline - hands.now + 0.01)
    assert hands.moves == ["p0 place 1 G"]


def test_with_commit_by_button_the_move_waits_for_it() -> None:
    hands = Hands(manners=Manners(commit=Commit.BUTTON))
    hands.lay("G", BLACK_1, 10)
    assert hands.shows(TableState.PROPOSED)
    assert hands.moves == []
    hands.send(ChooseCandidate(0))
    assert hands.moves == ["p0 place 1 G"]


def illegal(enforcement: str = "enforce") -> Hands:
    """Brown claims H1 without controlling it."""
    hands = Hands(enforcement)
    hands.look()
    hands.lay("G", BLACK_1)
    hands.lay("A", BROWN_5)
    hands.lay("H1", "megalith brown", 0.5)
    return hands


def test_a_breach_is_marked_softly_first_and_explained_later() -> None:
    hands = illegal()
    assert not hands.shows(TableState.ILLEGAL)
    hands.hold_still(1.0)
    assert hands.shows(TableState.ILLEGAL)
    assert hands.table.view().objections == ()
    hands.hold_still(2.5)
    view = hands.table.view()
    assert [(o.rule, o.code) for o in view.objections] == [("1.5", "still_open")]
    assert [fix.site for fix in view.fixes] == ["H1"]
    assert sum(isinstance(event, Refused) for event in hands.events) == 1
    assert "p1 claim H1" not in hands.moves


def test_putting_the_piece_back_settles_the_table_and_the_match_goes_on() -> None:
    hands = illegal()
    hands.hold_still(4)
    hands.take("H1")
    assert hands.shows(TableState.SETTLED)
    assert hands.table.view().objections == ()
    hands.lay("E", BLACK_4)
    assert hands.moves[-2:] == ["p1 done", "p0 place 4 E"]


def test_playing_on_anyway_takes_the_breach_into_the_record() -> None:
    hands = illegal()
    hands.hold_still(4)
    hands.send(PlayAnyway())
    assert hands.moves[-1] == "p1 claim H1"
    assert hands.table.match.log[-1].forced
    assert hands.shows(TableState.SETTLED)


def test_enforcement_off_only_keeps_score() -> None:
    hands = illegal("off")
    hands.hold_still(4)
    assert hands.moves[-1] == "p1 claim H1"
    assert not any(isinstance(event, Refused) for event in hands.events)


def test_enforcement_advise_explains_and_lets_them_play_on() -> None:
    hands = illegal("advise")
    hands.hold_still(4)
    assert hands.shows(TableState.ILLEGAL)
    assert "p1 claim H1" not in hands.moves
    hands.lay("E", BLACK_4, 4)
    assert hands.moves[-3:] == ["p1 claim H1", "p1 done", "p0 place 4 E"]


def test_enforcement_advise_takes_a_tap_the_second_time() -> None:
    hands = Hands("advise")
    hands.send(tap_move("p0 claim H1"))
    assert hands.moves == []
    hands.send(tap_move("p0 claim H1"))
    assert hands.moves == ["p0 claim H1"]


def test_in_desync_the_camera_proposes_and_never_commits() -> None:
    hands = Hands()
    hands.look()
    hands.lay("G", BLACK_1)
    hands.board.clear()
    hands.board.update({"B": BROWN_5, "C": BLACK_1, "D": BLACK_4, "H2": "megalith brown"})
    hands.hold_still(10)
    assert hands.shows(TableState.DESYNC)
    hands.board.clear()
    hands.board.update({"A": BROWN_5, "G": BLACK_1})
    hands.hold_still(5)
    assert hands.shows(TableState.DESYNC)
    assert hands.moves == ["p0 place 1 G"]
    hands.send(ChooseCandidate(0))
    assert hands.moves[-1] == "p1 place 5 A"
    hands.hold_still(1)
    assert hands.shows(TableState.SETTLED)


def test_enforcement_penalise_notes_the_breach_once() -> None:
    hands = illegal("penalise")
    hands.hold_still(8)
    penalties = [event for event in hands.events if isinstance(event, Penalised)]
    assert [(p.player, p.objection.rule) for p in penalties] == [(1, "1.5")]
    assert [to_row(e.what)[0] for e in hands.journal.events("m1")].count("penalty") == 1


def test_the_camera_may_be_told_that_it_is_wrong() -> None:
    hands = illegal()
    hands.hold_still(4)
    hands.send(CameraIsWrong())
    assert hands.shows(TableState.SETTLED)
    hands.hold_still(5)
    assert hands.shows(TableState.SETTLED)
    hands.board["H1"] = "megalith black"
    hands.hold_still(5)
    assert hands.shows(TableState.ILLEGAL)


def test_a_stone_taken_up_again_asks_whether_to_take_the_move_back() -> None:
    hands = Hands()
    hands.look()
    hands.lay("G", BLACK_1)
    hands.take("G")
    assert not hands.shows(TableState.AMBIGUOUS), "it may be in somebody's hand"
    hands.hold_still(3)
    assert hands.shows(TableState.AMBIGUOUS)
    assert any(isinstance(event, Asked) for event in hands.events)
    hands.send(ChooseCandidate(0))
    assert hands.moves == []
    assert any(isinstance(event, MovesUndone) for event in hands.events)
    assert hands.shows(TableState.SETTLED)


def test_a_stone_that_was_put_on_the_next_field_after_all_is_recorded_there() -> None:
    hands = Hands()
    hands.look()
    hands.lay("G", BLACK_1)
    hands.board["H"] = hands.board.pop("G")
    hands.hold_still(4)
    assert hands.moves == ["p0 place 1 H"]
    assert hands.record_matches_board()


def test_a_tapped_move_waits_for_the_hands() -> None:
    hands = Hands()
    hands.look()
    hands.send(tap_move("p0 place 1 G"))
    hands.hold_still(3)
    assert hands.shows(TableState.PENDING)
    assert [f.site for f in hands.table.view().fixes] == ["G"]
    hands.lay("G", BLACK_1)
    assert hands.shows(TableState.SETTLED)
    assert hands.moves == ["p0 place 1 G"]


def test_a_refused_tap_is_explained_and_goes_away_with_the_next() -> None:
    hands = Hands()
    hands.send(tap_move("p0 claim H1"))
    view = hands.table.view()
    assert view.state is TableState.ILLEGAL
    assert view.objections[0].code == "still_open"
    hands.send(tap_move("p0 place 1 G"))
    assert hands.shows(TableState.BLIND)
    assert hands.moves == ["p0 place 1 G"]


@pytest.mark.parametrize("text", ["p0 nonsense", "p0 place 99 A", "dealer place 1 A"])
def test_a_senseless_tap_changes_nothing(text: str) -> None:
    hands = Hands()
    hands.send(tap_move(text))
    assert hands.moves == []


def test_a_refusal_is_open_if_whoever_knows_nothing_hidden_would_refuse_it_too() -> None:
    game, told = find_game("hoher_rat"), dict[str, set[str]]()
    options = game.complete_options(2, {})
    for match, _, _ in islice(random_match(game, 2, options, seed=1), 6, 60, 9):
        for move in islice(match.state.pseudo_moves(), 0, None, 7):
            if why := tuple(match.why_not(move)):
                openly = {objection.code for objection in open_objections(move, why, match)}
                told.setdefault(why[0].code, set()).update(openly or {""})
    assert told["not_in_hand"].isdisjoint({"not_in_hand"})
    assert told["not_neighbours"] == {"not_neighbours"}
    assert "already_acted" in told["already_acted"]


def test_a_whole_match_without_a_camera() -> None:
    hands = Hands()
    hands.send(CameraGone())
    while hands.table.match.outcome is None:
        hands.send(PlayMove(hands.table.view().legal[-1]))
    assert hands.table.view().blind_reason == "no_camera"
    assert any(isinstance(event, MatchOver) for event in hands.events)
    assert hands.journal.status("m1") == "finished"
    hands.send(Undo())
    assert hands.journal.status("m1") == "open"


def test_undo_and_redo_go_through_the_journal() -> None:
    hands = Hands()
    for move in ("p0 place 1 G", "p0 done", "p1 place 5 A"):
        hands.send(tap_move(move))
    hands.send(Undo())
    hands.send(Undo())
    hands.send(Redo())
    assert hands.moves == ["p0 place 1 G", "p0 done"]
    again = Table(hands.journal, hands.journal.header("m1"), Manners())
    assert [e.move.text for e in again.match.log] == hands.moves
    assert [to_row(e.what)[0] for e in hands.journal.events("m1")] == [
        "move", "move", "move", "takeback", "takeback", "move",
    ]  # fmt: skip


def test_undo_at_the_start_does_nothing() -> None:
    hands = Hands()
    hands.send(Undo())
    assert hands.journal.events("m1") == []


def test_the_journal_is_written_before_anybody_hears(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Hands()

    def full(*_: Any, **__: Any) -> int:
        raise JournalError("the disk is full")

    monkeypatch.setattr(hands.journal, "append", full)
    hands.send(tap_move("p0 place 1 G"))
    assert hands.moves == []
    assert [type(event) for event in hands.events] == [Trouble]


def test_a_board_that_nothing_explains_is_guided_back() -> None:
    hands = Hands()
    hands.look()
    hands.lay("G", BLACK_1)
    hands.lay("A", BROWN_5)
    hands.board.clear()
    hands.board.update({"B": BROWN_5, "C": BLACK_1, "D": BLACK_4, "H2": "megalith brown"})
    hands.hold_still(10)
    assert hands.shows(TableState.DESYNC)
    assert {fix.site for fix in hands.table.view().fixes} >= {"A", "B", "C", "G"}
    assert len(hands.moves) == 3
    hands.board.clear()
    hands.board.update({"A": BROWN_5, "G": BLACK_1})
    hands.hold_still(1)
    assert hands.shows(TableState.SETTLED)


def test_a_lost_camera_and_its_return_leave_the_match_alone() -> None:
    hands = Hands()
    hands.look()
    hands.lay("G", BLACK_1)
    hands.send(CameraGone())
    assert hands.shows(TableState.BLIND)
    hands.send(tap_move("p0 done"))
    hands.lay("A", BROWN_5)
    assert hands.moves == ["p0 place 1 G", "p0 done", "p1 place 5 A"]


def test_resuming_shows_the_same_table() -> None:
    hands = illegal()
    hands.hold_still(4)
    again = Table(hands.journal, hands.journal.header("m1"), Manners())
    old, new = hands.table.view(), again.view()
    assert (new.items, new.prompt, new.scores, new.turn, new.last) == (
        old.items, old.prompt, old.scores, old.turn, old.last,
    )  # fmt: skip


def test_the_view_names_what_everybody_may_know() -> None:
    hands = Hands()
    hands.send(tap_move("p0 place 1 G"))
    view = hands.table.view()
    assert str(view.last) == "p0 place 1 G"
    assert view.last_sites == ("G",)
    assert view.turn == 1
    assert view.supplies[0]["stone black 1"] == 1
    assert view.can_undo and not view.can_redo


def test_events_carry_the_agreed_moves() -> None:
    hands = Hands()
    (agreed,) = [e for e in hands.send(tap_move("p0 place 1 G")) if isinstance(e, MovesCommitted)]
    assert (agreed.src, agreed.sites, agreed.forced) == ("touch", ("G",), False)


def test_a_look_at_the_table_changes_nothing_by_itself() -> None:
    hands = Hands()
    hands.look()
    before = Match.load(hands.table.match.dump()).state.to_json()
    hands.hold_still(3)
    assert hands.table.match.state.to_json() == before
    assert Look({}).sites


def test_a_piece_that_was_moved_without_a_move_differs_and_nobody_is_accused() -> None:
    hands = Hands()
    hands.look()
    hands.lay("G", BLACK_1)
    hands.lay("A", BROWN_5)
    hands.board["B"] = hands.board.pop("G")
    hands.hold_still(12)
    assert hands.shows(TableState.DESYNC)
    assert [set(e.sites) for e in hands.events if isinstance(e, BoardOutOfSync)] == [{"B", "G"}]
    assert not any(isinstance(event, Refused) for event in hands.events)


def test_a_piece_held_for_long_is_read_as_soon_as_it_lies() -> None:
    hands = Hands()
    hands.look()
    hands.lay("G", BLACK_1)
    hands.lay("A", BROWN_5)
    held = hands.board.pop("G")
    hands.hold_still(10)
    assert hands.shows(TableState.DESYNC)
    hands.board["G"] = held
    hands.lay("E", BLACK_4)
    assert hands.moves[-1] == "p0 place 4 E"
    assert not any(isinstance(event, Refused) for event in hands.events)


def test_several_moves_at_once_are_taken_in_together_or_not_at_all() -> None:
    with Journal(":memory:") as journal:
        journal.create(
            Header(
                id="m1", game="dominion", players=2, options={"record": "count"}, physical=False,
                seed="m1", names=("", ""), enforcement="enforce", created_s=0.0,
            )
        )  # fmt: skip
        table = Table(journal, journal.header("m1"), Manners())
        helping = tuple(Move.parse(f"p0 count {card}") for card in ("estate", "copper"))
        table.handle(PlayMoves(helping), 0.0)
        assert table.match.scores == (1, 0) and len(journal.events("m1")) == 2
        table.handle(PlayMoves((*helping, *[Move.parse("p0 count province")] * 13)), 1.0)
        # A finger slipped on the glass: why is told, and nothing else waits for an answer.
        assert (table.match.ply, table.state) == (2, TableState.BLIND)
        assert [objection.code for objection in table.view().objections] == ["all_counted"]
        table.handle(Undo(2), 2.0)
        assert table.match.ply == 0 and not table.view().objections
