"""Looking back: recordings, what-if copies, corrections, exports."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import ABANDONED, FINISHED, OPEN, Header, JournalError
from companion.journal.events import MovePlayed, Other, PenaltyNoted, Source, to_row
from companion.journal.store import Journal
from companion.match.events import Trouble
from companion.match.looking_back.history import Recording, score_history
from companion.match.looking_back.library import Branch, Library, correction
from companion.match.record import MatchRecord
from companion.match.table import Table
from companion.match.view import Amend, PlayMove, TableState, Undo
from companion.settings.manners import Manners
from rules.core import Actor, Move
from rules.games import find_game, game_ids
from rules.match import Entry, Match
from rules.testing.playout import random_match
from tests.support.library import OPENING, finished, played
from tests.support.table_setup import header, tap_move


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal(":memory:") as journal:
        yield journal


@pytest.fixture
def library(journal: Journal, tmp_path: Path) -> Library:
    return Library(journal, tmp_path / "exports")


def test_a_recording_shows_the_table_after_every_move(journal: Journal, library: Library) -> None:
    table = played(journal, *OPENING)
    recording = library.recording("m1")
    assert len(recording) == len(OPENING)
    fresh = Match("knizia_stonehenge", 2, table.record.header.options, physical=True)
    for ply in (0, 7, 3, 10, 4):
        expected = fresh.clone()
        expected.replay(recording.entries[:ply])
        assert recording.view(ply).items == tuple(sorted(expected.layout.elements()))
        assert recording.view(ply).legal == (), "the record is looked at, not played on"
    assert recording.view(5).last == Move.parse("p0 place 4 E")
    assert recording.view(5).last_sites == ("E",)
    with pytest.raises(IndexError):
        recording.view(11)


def test_scores_are_told_for_every_move(journal: Journal, library: Library) -> None:
    table = finished(journal)
    recording = library.recording("m1")
    assert recording.scores == score_history(table.match) == table.score_history
    assert recording.scores[0] == (0, 0)
    assert recording.scores[-1] == table.match.scores
    assert len(recording.scores) == len(recording) + 1


def test_what_was_forced_and_what_was_noted_is_marked(journal: Journal, library: Library) -> None:
    table = played(journal, *OPENING[:3], enforcement="off")
    table.handle(tap_move("p1 claim H1"), 0.0)
    journal.append("m1", PenaltyNoted(0, "1.4", "occupied"), src=Source.CAMERA)
    table.handle(tap_move("p1 done"), 0.0)
    recording = library.recording("m1")
    assert [p.number for p in recording.plies if p.objections] == [4]
    assert recording.plies[3].objections[0].code == "still_open"
    assert [p.number for p in recording.plies if p.penalties] == [5]


def test_a_match_under_way_tells_no_more_than_the_table_has_seen(journal: Journal) -> None:
    played(journal, match_id="other")
    hidden = replace(header("m2", hidden="on"), physical=False)
    journal.create(hidden)
    table = Table(journal, hidden, Manners())
    move = table.match.legal_moves()[0]
    table.handle(PlayMove(move), 0.0)
    recording = Recording(hidden, journal.events("m2"))
    assert recording.entries[0].move == move
    assert recording.plies[0].move == Move.parse(f"p0 place ? {move.args[1]}")


@pytest.mark.parametrize("game", game_ids())
def test_every_game_can_be_looked_back_at(journal: Journal, game: str) -> None:
    rules, chance = find_game(game), random.Random(2)
    seats = rules.players[0]
    head = Header(
        "g", game, seats, rules.complete_options(seats, {}), False, "7", ("",) * seats,
        "enforce", 0.0,
    )  # fmt: skip
    journal.create(head)
    table = Table(journal, head, Manners())
    while table.match.outcome is None and table.match.ply < 40:
        legal = table.match.legal_moves()
        asked = table.match.prompt
        assert asked is not None
        move = (
            table.match.state.choose(legal, chance)
            if asked.actor is Actor.PLAYER
            else chance.choice(legal)
        )
        table.handle(PlayMove(move), 0.0)
    recording = Recording(head, journal.events("g"))
    for ply in range(0, len(recording) + 1, 7):
        assert recording.view(ply).ply == ply
    branch = Branch(recording, len(recording) // 2)
    assert branch.view.ply == branch.start >= len(recording) // 2
    assert branch.view.legal
    branch.close()


# -- what if ------------------------------------------------------------------------------


def test_what_is_tried_never_touches_the_record(journal: Journal, library: Library) -> None:
    played(journal, *OPENING)
    before = journal.events("m1")
    branch = Branch(library.recording("m1"), 4)
    assert branch.view.ply == 4
    assert branch.view.state is TableState.SETTLED
    branch.post(tap_move("p0 place 6 L"))
    branch.post(tap_move("p0 done"))
    assert branch.view.ply == 6
    assert journal.events("m1") == before
    assert [summary.header.id for summary in journal.matches()] == ["m1"]


def test_a_copy_can_be_taken_back_to_where_it_left_the_record(
    journal: Journal, library: Library
) -> None:
    played(journal, *OPENING)
    branch = Branch(library.recording("m1"), 4)
    assert not branch.view.can_undo
    branch.post(tap_move("p0 place 6 L"))
    assert branch.view.can_undo
    branch.post(Undo())
    assert branch.view.ply == 4
    assert not branch.view.can_undo


def test_trying_does_not_show_what_the_match_will_deal(journal: Journal) -> None:
    rules = find_game("dominion")
    head = Header(
        "d", "dominion", 2, rules.complete_options(2, {}), False, "seed", ("", ""), "enforce", 0.0
    )
    journal.create(head)
    table = Table(journal, head, Manners())
    branch = Branch(Recording(head, journal.events("d")), table.match.ply)
    assert branch._table.match.seed != table.match.seed


# -- corrections --------------------------------------------------------------------------


def test_a_correction_rechecks_every_later_move(journal: Journal, library: Library) -> None:
    played(journal, *OPENING)
    recording = library.recording("m1")
    found = correction(recording, 3, Move.parse("p1 place 5 B"))
    assert found.conflicts == ()
    assert found.left_out == 0
    assert [e.move.text for e in found.entries] == ["p1 place 5 B", *OPENING[3:]]


def test_a_conflict_names_the_move_and_the_rule(journal: Journal, library: Library) -> None:
    played(journal, *OPENING)
    found = correction(library.recording("m1"), 3, Move.parse("p1 place 5 E"))
    (conflict,) = found.conflicts
    assert conflict.ply == 5
    assert conflict.objections[0].rule == "1.4"
    assert found.left_out + len(found.entries) == len(OPENING) - 2


def test_a_correction_is_appended_and_the_old_record_stays(
    journal: Journal, library: Library
) -> None:
    played(journal, *OPENING)
    before = journal.events("m1")
    found = correction(library.recording("m1"), 3, Move.parse("p1 place 5 B"))
    library.amend("m1", 3, found.entries)
    after = journal.events("m1")
    assert after[: len(before)] == before
    assert [to_row(event.what)[0] for event in after[len(before) :]] == [
        "amended", "takeback", *["move"] * 8,
    ]  # fmt: skip
    recording = library.recording("m1")
    assert recording.entries[2].move == Move.parse("p1 place 5 B")
    assert len(recording) == len(OPENING)
    assert recording.amended == 1


def test_a_correction_can_be_taken_back_by_another(journal: Journal, library: Library) -> None:
    played(journal, *OPENING)
    old = library.recording("m1").entries
    # Black has one stone of value 4, which is laid again later.
    found = correction(library.recording("m1"), 1, Move.parse("p0 place 4 C"))
    library.amend("m1", 1, found.entries)
    assert len(library.recording("m1")) < len(old)
    library.amend("m1", 1, old)
    assert library.recording("m1").entries == old


def test_what_was_against_the_rules_stays_marked_so(journal: Journal, library: Library) -> None:
    played(journal, *OPENING)
    claim = Move.parse("p1 claim H1")
    found = correction(library.recording("m1"), 4, claim)
    assert found.objections[0].code == "still_open"
    library.amend("m1", 4, found.entries)
    assert library.recording("m1").entries[3] == Entry(claim, forced=True)


def test_moves_that_do_not_fit_change_nothing(journal: Journal, library: Library) -> None:
    played(journal, *OPENING)
    before = journal.events("m1")
    with pytest.raises(JournalError, match="nothing was changed"):
        library.amend("m1", 3, [Entry(Move.parse("p0 place 9 Z"))])
    with pytest.raises(JournalError, match="no move 40"):
        library.amend("m1", 40, [])
    assert journal.events("m1") == before


def test_a_finished_match_that_loses_its_end_is_never_resumed(
    journal: Journal, library: Library
) -> None:
    finished(journal)
    last = len(library.recording("m1"))
    end = library.recording("m1").entries[last - 1 :]
    library.amend("m1", last, [])
    assert journal.status("m1") == ABANDONED
    assert library.matches()[0].outcome is None
    library.amend("m1", last, end)
    assert journal.status("m1") == FINISHED
    assert library.matches()[0].outcome == library.recording("m1").outcome


def test_what_follows_a_correction_by_itself_is_written_with_it_in_one_piece(
    journal: Journal, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill in between would leave a match that is neither finished nor offered."""
    game = find_game("opferroulette")
    options = game.complete_options(2, {})
    moves = [move for _, _, move in random_match(game, 2, options, 0)]
    assert moves[-1].text.startswith("dealer draw")
    header_ = replace(header(), game=game.id, options=options, seed="0", physical=False)
    journal.create(header_)
    record = MatchRecord(journal, header_)
    record.commit(moves, Source.TOUCH)
    assert record.close(Source.TOUCH) is not None
    appended: list[int] = []
    append = Journal.append

    def spy(*given: Any, **how: Any) -> int:
        appended.append(len(given))
        return append(*given, **how)

    monkeypatch.setattr(Journal, "append", spy)
    library.amend("m1", len(moves) - 1, [Entry(moves[-2])])
    assert (len(appended), journal.status("m1")) == (1, FINISHED)
    assert library.recording("m1").entries[-1].move == moves[-1]


def test_a_match_whose_end_is_written_counts_as_finished_whatever_its_row_says(
    journal: Journal, library: Library
) -> None:
    finished(journal)
    journal.set_status("m1", OPEN)
    assert MatchRecord(journal, journal.header("m1")).close(Source.DEALER) is None
    assert journal.status("m1") == FINISHED


def test_the_match_under_way_is_put_right_by_its_table(journal: Journal, library: Library) -> None:
    table = played(journal, *OPENING)
    moves = tuple(map(Move.parse, ("p1 place 5 B", *OPENING[3:])))
    table.handle(Amend(3, moves, since=99), 0.0)
    assert table.match.log[2].move.text == "p1 place 5 A", "somebody played on meanwhile"
    table.handle(Amend(3, moves, since=len(table.record.told)), 0.0)
    assert [e.move.text for e in table.match.log] == [*OPENING[:2], *(move.text for move in moves)]
    assert table.view().items == Table(journal, table.record.header, Manners()).view().items
    table.handle(Undo(), 0.0)
    assert table.match.ply == 9
    assert journal.status("m1") == OPEN


def test_a_correction_that_does_not_fit_leaves_the_running_match_alone(journal: Journal) -> None:
    table = played(journal, *OPENING)
    events = table.handle(
        Amend(3, (Move.parse("p0 place 9 Z"),), since=len(table.record.told)), 0.0
    )
    (trouble,) = events
    assert isinstance(trouble, Trouble) and "nothing was changed" in str(trouble.what)
    assert table.match.ply == 10


# -- list and export ----------------------------------------------------------------------


def test_the_list_tells_how_every_match_stands(journal: Journal, library: Library) -> None:
    finished(journal, "m1")
    played(journal, *OPENING, match_id="m2")
    running, over = library.matches()
    assert (running.header.id, running.status, running.outcome) == ("m2", OPEN, None)
    assert (over.header.id, over.status) == ("m1", FINISHED)
    assert over.outcome == library.recording("m1").outcome


def test_an_export_can_be_imported_elsewhere(journal: Journal, library: Library) -> None:
    finished(journal)
    path = library.export("m1")
    assert path.parent == library.exports
    assert re.fullmatch(r"Stonehenge 2023-11-1[45] \d\d\.\d\d\.jsonl", path.name)
    assert library.export("m1") == path
    with Journal(":memory:") as other:
        assert other.import_match(path.read_text(encoding="utf-8"), path.name).header.id == "m1"
        assert other.load("m1").scores == journal.load("m1").scores


def test_a_folder_that_cannot_be_written_is_named(journal: Journal, tmp_path: Path) -> None:
    finished(journal)
    (tmp_path / "file").write_text("")
    library = Library(journal, tmp_path / "file" / "exports")
    with pytest.raises(JournalError, match="cannot be written"):
        library.export("m1")


@pytest.mark.parametrize("name", ["../../x", "a/b\0c", "\U00020000" * 40, "..", "CON", "~root"])
def test_no_name_of_a_player_leads_an_export_out_of_its_folder(
    journal: Journal, library: Library, name: str
) -> None:
    journal.create(replace(header("../..-m1"), names=(name, name)))
    path = library.export("../..-m1")
    assert path.resolve().parent == library.exports.resolve()
    assert path.is_file() and len(path.name.encode()) < 200


def test_an_end_that_nobody_could_have_written_leaves_the_list_whole(
    journal: Journal, library: Library
) -> None:
    played(journal, OPENING[0])
    for wrong in ([[float("inf")]], [["x"]], 7, None):
        body = {"reason": "x", "ranking": wrong, "scores": [float("inf")]}
        journal.append("m1", Other("end", body), src=Source.TOUCH)
        assert library.matches()[0].outcome is None
    with pytest.raises(JournalError, match="event 2 does not fit"):
        library.recording("m1")


def test_a_match_whose_end_the_power_kept_from_being_written_ends_at_the_next_start(
    journal: Journal,
) -> None:
    """The last move is in the record, what follows from it is not; it counts all the same."""
    moves = [entry.move.text for entry in finished(journal).match.log]
    journal.create(header("m2"))
    for text in moves:
        journal.append("m2", MovePlayed(Move.parse(text)), src=Source.TOUCH)
    Table(journal, journal.header("m2"), Manners())
    assert journal.status("m2") == FINISHED
    assert [to_row(e.what)[0] for e in journal.events("m2")].count("end") == 1
    Table(journal, journal.header("m2"), Manners())
    assert [to_row(e.what)[0] for e in journal.events("m2")].count("end") == 1
