"""Moves that follow by themselves or were forgotten, and a record that stays open."""

from __future__ import annotations

from random import Random

import pytest

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.corrections.late_entry import forgotten
from companion.match.corrections.open_record import AT_ONCE_S, OpenRecord
from companion.match.events import Refused
from companion.match.table import Table
from companion.match.view import AutoDeal, PlayMove, PlayMoves, Redo, Undo
from companion.settings.manners import Manners
from rules.core import Actor, Move
from rules.games import find_game, game_ids
from rules.match import Match, answers_in_secret
from rules.reading.reading import Reading, Status, read
from rules.reading.since import Since
from rules.testing.pictures import DrawnSighting, draw
from rules.testing.playout import random_match
from tests.support.opferroulette import BOX, played


def table_of(journal: Journal, game: str, players: int, *, physical: bool, **chosen: str) -> Table:
    rules = find_game(game)
    header = Header(
        id="1", game=game, players=players, options=rules.complete_options(players, chosen),
        physical=physical, seed="3", names=("",) * players, enforcement="enforce", created_s=0.0,
    )  # fmt: skip
    journal.create(header)
    return Table(journal, header, Manners())


@pytest.mark.parametrize(
    ("game", "players", "chosen"),
    [("dominion", 3, {"kingdom": "first-game"}), ("hoher_rat", 4, {})],
)
def test_a_match_that_is_tapped_in_has_the_same_moves_as_ever(
    game: str, players: int, chosen: dict[str, str]
) -> None:
    rules = find_game(game)
    told: list[str] = []
    unasked = 0
    with Journal(":memory:") as journal:
        table = table_of(journal, game, players, physical=True, **chosen)
        options = table.match.options
        for match, _moves, move in random_match(rules, players, options, "8"):
            for shown in match.state.shown(move):
                told.append(shown.text)
                known = table.match.ply >= len(told)
                unasked += known and shown.actor is Actor.PLAYER
                events = table.handle(PlayMove(shown), 0.0)
                # Whoever says it all the same is not told off.
                assert not any(isinstance(event, Refused) for event in events), shown
            if len(told) > 900:
                break
        record = [entry.move.text for entry in table.match.log]
        assert record[: len(told)] == told
    assert unasked > 3


def test_what_followed_by_itself_is_taken_back_and_brought_back_with_the_decision() -> None:
    with Journal(":memory:") as journal:
        table = table_of(journal, "hoher_rat", 4, physical=True)
        start = next(m for m in table.match.legal_moves() if m.verb == "start")
        table.handle(PlayMove(start), 0.0)
        before = [entry.move.text for entry in table.match.log]
        consult = next(m for m in table.match.legal_moves() if m.verb == "consult")
        table.handle(PlayMove(consult), 0.0)
        after = [entry.move.text for entry in table.match.log]
        assert any(text.split()[1] == "return" for text in after[len(before) :])
        table.handle(Undo(), 0.0)
        assert [entry.move.text for entry in table.match.log] == before
        table.handle(Redo(), 0.0)
        assert [entry.move.text for entry in table.match.log] == after


@pytest.mark.parametrize(
    ("game", "asked", "then"),
    [("opferroulette", "offer", "offering"), ("trilithen_knallen", "bar", "place_waiting")],
)
def test_what_the_program_deals_for_real_pieces_goes_back_with_one_touch(
    game: str, asked: str, then: str
) -> None:
    with Journal(":memory:") as journal:
        table = table_of(journal, game, 5, physical=True)
        assert table.view().may_deal and _code(table) == asked and not table.view().can_undo
        table.handle(AutoDeal(), 0.0)
        dealt = [entry.move for entry in table.match.log]
        assert _code(table) == then and len(dealt) > 30
        # The same after the power went, and the same draw when it is asked for again.
        table = Table(journal, journal.header("1"), Manners())
        table.handle(Undo(), 0.0)
        assert table.match.ply == 0
        table.handle(Redo(), 0.0)
        assert [entry.move for entry in table.match.log] == dealt


def test_cards_entered_by_hand_go_back_as_they_were_entered() -> None:
    with Journal(":memory:") as journal:
        table = table_of(journal, "opferroulette", 2, physical=True)
        hand = tuple(Move.parse(f"dealer offer p0 d{number}") for number in range(1, 11))
        table.handle(PlayMoves(hand), 0.0)
        table.handle(PlayMove(Move.parse("dealer offer p1 n1")), 0.0)
        assert table.match.ply == 11
        plies = []
        while table.view().can_undo:
            table.handle(Undo(), 0.0)
            plies.append(table.match.ply)
        assert plies == [10, 0]


@pytest.mark.parametrize(
    ("game", "players"),
    [("opferroulette", 3), ("erbaut_stonehenge", 3), ("hoher_rat", 4), ("trilithen_knallen", 2)],
)
def test_every_entry_can_be_undone_and_comes_back_the_same(game: str, players: int) -> None:
    """With real cards, from the very first on: what was dealt in between goes and comes with it."""
    with Journal(":memory:") as journal:
        table, random = table_of(journal, game, players, physical=True), Random(game)
        for _ in range(60):
            legal, before = table.match.legal_moves(), table.match.log
            move = table.match.state.choose(legal, random)
            table.handle(PlayMove(move), 0.0)
            after = table.match.log
            assert after[: len(before)] == before and after[len(before)].move == move
            table.handle(Undo(), 0.0)
            assert table.match.log == before, move
            table.handle(Redo(), 0.0)
            assert table.match.log == after, move


def _code(table: Table) -> str:
    prompt = table.match.prompt
    assert prompt is not None
    return prompt.code


def test_what_only_one_player_knows_is_not_given_away() -> None:
    """The owner of a Moat is asked, even if it is not in hand."""
    rules = find_game("dominion")
    asked = 0
    for match, moves, _move in random_match(
        rules, 3, rules.complete_options(3, {"kingdom": "first-game"}), "5"
    ):
        prompt = match.prompt
        if prompt is not None and prompt.code == "moat" and prompt.player is not None:
            owns = match.state.seats[prompt.player].owned.get("moat", 0) > 0
            assert (match.state.obliged() is None) == owns
            asked += owns and len(moves) == 1
    assert asked, "nobody had a Moat elsewhere than in hand"


def rat(*moves: str) -> Match:
    """Der Hohe Rat with two players at a real table."""
    match = Match("hoher_rat", 2, physical=True)
    match.follow()
    for text in ("dealer start p0", *moves):
        match.push(text)
        match.follow()
    return match


def test_a_pondering_tapped_after_the_turn_was_closed_goes_before_its_end() -> None:
    match = rat("p0 done")
    ply, moves = forgotten(match, Move.parse("p0 ponder")) or (0, ())
    assert match.log[ply - 1].move.text == "p0 done"
    assert (moves[0].text, moves[-1].text) == ("p0 ponder", "p0 done")
    assert [move.verb for move in moves[1:-1]] == ["draw"] * 3


def test_what_leaves_a_trace_or_was_never_allowed_is_not_forgotten() -> None:
    match = rat("p0 done")
    assert forgotten(match, Move.parse("p0 seat d5 5 white")) is None
    assert forgotten(match, Move.parse("p0 consult ?")) is None
    digital = Match("hoher_rat", 2)
    assert forgotten(digital, Move.parse("p0 ponder")) is None


def test_it_goes_into_the_last_turn_of_the_player_who_forgot_it() -> None:
    match = rat("p0 done", "p1 done", "p0 done")
    ply, _ = forgotten(match, Move.parse("p1 ponder")) or (0, ())
    assert match.log[ply - 1].move.text == "p1 done"


DONE = Move.parse("p0 done")


def told(record: Match, seen: DrawnSighting, open_record: OpenRecord) -> Reading:
    """The meaning of a look, with what may be told anew."""
    return read(record, seen, since=Since(openings=open_record.openings(record)))


def texts(reading: Reading) -> list[tuple[int, list[str]]]:
    """The proposal or question."""
    return [(c.takeback, [move.text for move in c.moves]) for c in reading.candidates]


def closed(before: Match, after: Match, left_s: float = 1.0) -> OpenRecord:
    """``p0 done`` was touched at 0 s below a hand that left at ``left_s``."""
    found = OpenRecord(after)
    found.closed_below_a_hand(before, DONE, after, 0.0)
    found.hand_left(left_s)
    return found


def test_a_roll_becomes_a_fall_when_the_card_for_it_is_turned() -> None:
    record = played("p0 roll d5")
    seen = draw(BOX, played("p0 roll-fall d5", "dealer turn d7").layout)
    concluded = OpenRecord(played())
    concluded.changed(record, by_camera=True)
    reading = told(record, seen, concluded)
    assert (reading.status, reading.takeback) == (Status.MOVE, 1)
    assert [m.text for m in reading.moves[:2]] == ["p0 roll-fall d5", "dealer turn d7"]


def test_what_people_touched_is_never_told_anew_without_their_word() -> None:
    record = played("p0 roll d5")
    seen = draw(BOX, played("p0 roll d7").layout)
    touched = OpenRecord(played())
    touched.changed(record, by_camera=False)
    assert told(record, seen, touched).status is Status.AMBIGUOUS


@pytest.mark.parametrize("left_s", [1.0, AT_ONCE_S + 1])
def test_a_card_below_the_hand_is_theirs_who_touched_done_and_later_it_is_asked(
    left_s: float,
) -> None:
    record, seen = played("p0 done"), draw(BOX, played("p0 roll d11").layout)
    reading = told(record, seen, closed(played(), record, left_s))
    theirs = (1, ["p0 roll d11", "p0 done", "dealer draw p0 ?"])
    ways = texts(reading)
    assert ways == [theirs] if left_s < AT_ONCE_S else {theirs[0], 0} <= {w[0] for w in ways}
    assert any(way == theirs for way in ways)


def test_a_turn_in_which_something_was_done_is_opened_only_with_a_question() -> None:
    before, record = played("p0 roll d5"), played("p0 roll d5", "p0 done")
    (opening,) = (o for o in closed(before, record).openings(record) if o.then)
    assert opening.cost == 0.0


def test_nothing_is_thought_of_once_the_hand_has_left_without_a_trace_or_play_went_on() -> None:
    record = played("p0 done")
    hand = closed(played(), record)
    hand.agrees(())
    assert not any(opening.then for opening in hand.openings(record))
    hand, further = closed(played(), record), played("p0 done", "p1 roll n11")
    assert not any(opening.then for opening in hand.openings(further))
    assert not any(opening.then for opening in hand.openings(record))


@pytest.mark.parametrize("game", game_ids())
def test_a_question_with_one_open_answer_is_not_asked_where_everything_is_on_the_screen(
    game: str,
) -> None:
    rules, random = find_game(game), Random(game)
    with Journal(":memory:") as journal:
        table = table_of(journal, game, rules.players[0], physical=False)
        for _ in range(60):
            legal = table.match.legal_moves()
            if table.match.outcome is not None:
                break
            assert len(legal) > 1 or answers_in_secret(rules, table.match.state), legal
            table.handle(PlayMove(table.match.state.choose(legal, random)), 0.0)


def test_a_turn_that_ended_by_itself_goes_back_and_comes_again_with_its_decision() -> None:
    with Journal(":memory:") as journal:
        table = table_of(journal, "knizia_stonehenge", 2, physical=False)
        table.handle(PlayMove(Move.parse("p0 place 5 D")), 0.0)
        assert [entry.move.text for entry in table.match.log] == ["p0 place 5 D", "p0 done"]
        # The same after the power went.
        table = Table(journal, journal.header("1"), Manners())
        table.handle(Undo(), 0.0)
        assert table.match.ply == 0 and not table.view().can_undo
        table.handle(Redo(), 0.0)
        assert table.match.ply == 2


def test_with_real_pieces_a_person_ends_the_turn() -> None:
    with Journal(":memory:") as journal:
        table = table_of(journal, "knizia_stonehenge", 2, physical=True)
        table.handle(PlayMove(Move.parse("p0 place 5 D")), 0.0)
        assert [move.text for move in table.match.legal_moves()] == ["p0 done"]
