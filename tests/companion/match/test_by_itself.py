"""Questions with only one answer that everybody knows are not put, and go back with what they
followed."""

from __future__ import annotations

from random import Random

import pytest

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.events import Refused
from companion.match.table import Table
from companion.match.view import AutoDeal, PlayMove, PlayMoves, Redo, Undo
from companion.settings.manners import Manners
from rules.core import Actor, Move
from rules.games import find_game
from rules.testing.playout import random_match


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
    """Who owns a Moat is asked, whether or not it is in hand."""
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
