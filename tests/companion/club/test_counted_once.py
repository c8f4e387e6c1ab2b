"""Results of a club: counted once, replayed, and paired anew."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.naming import ClubError
from companion.club.public_events import PublicForm, match_key, public_header
from companion.club.repository import Database
from companion.club.season import rate
from companion.club.tournaments import Pairing, berger_round, berger_rounds, standings, swiss_round
from companion.club.upload import Uploader
from companion.club.watching import Spectated
from companion.journal.entries import FINISHED, Header
from companion.journal.events import MatchEnded, MovePlayed, Source, TipGiven
from companion.journal.fold import replay
from companion.journal.store import Journal
from rules.core import Move
from rules.match import Match
from rules.testing.playout import pick
from tests.support.beside import beside
from tests.support.club import GAMES, Servers, Writing, equal_at, play
from tests.support.leaks import events_of, everything_sent, header_of
from tests.support.two_boards import header_there
from tests.support.waiting import until


def finished(journal: Journal, header: Header) -> None:
    """Write a whole match down; the same at both tables."""
    journal.create(header)
    match, chance = (
        Match(header.game, header.players, header.options, physical=True),
        random.Random(2),
    )
    moves = []
    while match.outcome is None:
        move = pick(match.state, match.legal_moves(), chance)
        match.push(move)
        moves.append(MovePlayed(move))
    journal.append(header.id, *moves, src=Source.TOUCH)
    journal.append(header.id, MatchEnded(match.outcome), src=Source.DEALER, status=FINISHED)


def test_of_two_tables_the_one_that_invited_counts(club: Servers, tmp_path: Path) -> None:
    hosts, guests = club.make(["hosts", "guests"])
    with Writing(club):
        for member, other, seat in ((guests, "hosts", 1), (hosts, "guests", 0)):
            folder = tmp_path / member.table
            folder.mkdir()
            header = header_there("knizia_stonehenge", 2, (seat,), other, hosting=not seat)
            with Journal(folder / "journal.db") as journal:
                finished(journal, replace(header, names=("Ada", "Ben")))
                uploader = Uploader(member, folder).start()
                assert until(lambda j=journal, m=member: equal_at(club, j, m))  # type: ignore[misc]
                uploader.close()

    async def played() -> list[str]:
        database = Database(club.database.dsn)
        try:
            return [one.table for one in await database.played()]
        finally:
            await database.close()

    tables = asyncio.run(played())
    assert tables.count("hosts") == 1 and "guests" not in tables


KEY = b"a table's own key"


SECRETS = [("knizia_stonehenge", {"hidden": "on"}), *((game, {}) for game in GAMES)]


@pytest.mark.parametrize("physical", [False, True])
@pytest.mark.parametrize(("game", "options"), SECRETS)
def test_the_club_sees_what_lies_on_the_table(
    game: str, options: dict[str, str], physical: bool, tmp_path: Path
) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        match_id = play(journal, game, 5, most=150, options=options, physical=physical)
        header, events = journal.header(match_id), journal.events(match_id)
    form = PublicForm(header, KEY, "circle", "north")
    seen = Spectated("m1", public_header(header, KEY))
    fold = replay(header, [])
    for event in events:
        told = form.event(event)
        form.take(event)
        seen.take(told["seq"], told["type"], told["body"])
        fold.take(event.what)
        assert seen.match.layout == fold.match.layout
        assert seen.match.scores == fold.match.scores
    assert seen.match.outcome == fold.match.outcome
    assert seen.match.prompt == fold.match.prompt


@pytest.mark.parametrize("game", ["dominion", "hoher_rat"])
def test_the_club_follows_a_match_in_which_the_program_deals_for_some(game: str) -> None:
    for _, match in beside(game, 2, (1,), seed=2):
        if match.ply == 300:
            break
    header = header_of(match)
    form = PublicForm(header, KEY, "circle", "north")
    seen = Spectated("m1", public_header(header, KEY))
    for event in events_of(match):
        told = form.event(event)
        form.take(event)
        seen.take(told["seq"], told["type"], told["body"])
    assert (seen.match.scores, seen.match.prompt) == (match.scores, match.prompt)
    assert "dealt" not in public_header(header, KEY)


def test_neither_seed_nor_id_nor_hidden_cards_leave_the_table(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        match_id = play(journal, "dominion", 11, most=80)
        header, events = journal.header(match_id), journal.events(match_id)
    sent = everything_sent(header, events, "open")
    assert match_id.encode() not in sent
    assert b"seed" not in sent
    assert b"dealer draw p0 ?" in sent
    moves = [event.what.move.text for event in events if isinstance(event.what, MovePlayed)]
    hidden = [text for text in moves if text.startswith("dealer draw p1")]
    assert hidden and not [text for text in hidden if text.encode() in sent]


def test_the_name_of_a_match_needs_the_tables_key() -> None:
    assert match_key("3f9c0a51d2e7", KEY) != match_key("3f9c0a51d2e7", b"another")
    assert match_key("3f9c0a51d2e7", KEY) != match_key("3f9c0a51d2e7", KEY, 2)


def test_what_a_tip_advised_never_leaves_the_table(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        match_id = play(journal, "dominion", 11, most=40)
        tip = TipGiven(0, Move.parse("p0 buy province"), "best_chances", Move.parse("p0 buy gold"))
        journal.append(match_id, tip, src=Source.COMPUTER)
        header, events = journal.header(match_id), journal.events(match_id)
    sent = everything_sent(header, events, "open")
    assert b'"tip"' in sent
    for secret in (b"province", b"p0 buy gold", b"best_chances"):
        assert secret not in sent.split(b'"tip"', 1)[1]
    form = PublicForm(header, KEY, "circle", "north")
    seen = Spectated("m1", public_header(header, KEY))
    for event in events:
        told = form.event(event)
        form.take(event)
        seen.take(told["seq"], told["type"], told["body"])
    assert seen.match.layout == replay(header, events).match.layout


def pairs(games: list[Pairing]) -> list[tuple[int, int | None]]:
    return [(game.first, game.second) for game in games]


def test_six_players_follow_the_berger_table_of_the_handbook() -> None:
    table = [pairs(berger_round([1, 2, 3, 4, 5, 6], number)) for number in range(1, 6)]
    assert [set(round) for round in table] == [
        {(1, 6), (2, 5), (3, 4)},
        {(6, 4), (5, 3), (1, 2)},
        {(2, 6), (3, 1), (4, 5)},
        {(6, 5), (1, 4), (2, 3)},
        {(3, 6), (4, 2), (5, 1)},
    ]


@given(st.integers(2, 23))
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    everybody = list(range(100, 100 + players))
    rounds = [berger_round(everybody, n) for n in range(1, berger_rounds(players) + 1)]
    met = Counter(frozenset(pair) for games in rounds for pair in pairs(games) if None not in pair)
    assert set(met.values()) == {1}
    assert len(met) == players * (players - 1) // 2
    for games in rounds:
        seats = [seat for pair in pairs(games) for seat in pair if seat is not None]
        assert sorted(seats) == everybody
    begun = Counter(first for games in rounds for first, second in pairs(games) if second)
    assert max(begun.values()) - min(begun[one] for one in everybody) <= 1


def test_a_round_robin_has_no_round_more() -> None:
    with pytest.raises(ClubError):
        berger_round([1, 2, 3], 4)


def swiss(players: int, rounds: int, chance: random.Random) -> list[Pairing]:
    """A tournament in which anything may happen."""
    everybody, played = list(range(1, players + 1)), list[Pairing]()
    for number in range(1, rounds + 1):
        for game in swiss_round(everybody, played, number):
            points = game.points if game.second is None else chance.choice((0.0, 0.5, 1.0))
            played.append(Pairing(number, game.board, game.first, game.second, points))
    return played


@given(st.integers(12, 29), st.randoms(use_true_random=False))
def test_in_swiss_rounds_nobody_meets_twice_or_rests_twice(
    players: int, chance: random.Random
) -> None:
    rounds = 5
    played = swiss(players, rounds, chance)
    met = Counter(frozenset(pair) for pair in pairs(played) if None not in pair)
    assert set(met.values()) == {1}
    byes = Counter(game.first for game in played if game.second is None)
    assert set(byes.values()) <= {1}
    assert len(byes) == (rounds if players % 2 else 0)
    for number in range(1, rounds + 1):
        seats = [s for g in played if g.round == number for s in (g.first, g.second) if s]
        assert sorted(seats) == list(range(1, players + 1))
    for one in range(1, players + 1):
        begun = sum(g.first == one for g in played if g.second) - sum(
            g.second == one for g in played
        )
        assert abs(begun) <= 3


def test_the_first_swiss_round_pairs_the_upper_half_with_the_lower() -> None:
    games = swiss_round([1, 2, 3, 4, 5, 6, 7, 8], [], 1)
    assert [set(pair) for pair in pairs(games)] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert [game.first for game in games] == [1, 6, 3, 8]


def test_winners_meet_winners() -> None:
    first = [
        Pairing(1, 1, 1, 5, 1.0), Pairing(1, 2, 6, 2, 0.0), Pairing(1, 3, 3, 7, 1.0),
        Pairing(1, 4, 8, 4, 0.0),
    ]  # fmt: skip
    games = swiss_round(list(range(1, 9)), first, 2)
    # 1 and 3 began before, so neither meets the other; the upper half meets the lower.
    assert pairs(games)[:2] == [(4, 1), (2, 3)]


def test_the_last_who_never_rested_has_the_bye() -> None:
    games = swiss_round([1, 2, 3, 4, 5], [], 1)
    assert [(g.first, g.points) for g in games if g.second is None] == [(5, 1.0)]
    played = [
        Pairing(1, 1, 1, 3, 1.0), Pairing(1, 2, 2, 4, 1.0), Pairing(1, 3, 5, None, 1.0)
    ]  # fmt: skip
    resting = [g.first for g in swiss_round([1, 2, 3, 4, 5], played, 2) if g.second is None]
    assert resting[0] in (3, 4)


def test_there_is_no_round_once_everybody_has_met() -> None:
    played = [Pairing(1, 1, 1, 2, 1.0)]
    with pytest.raises(ClubError):
        swiss_round([1, 2], played, 2)


# Four players, everybody met everybody: 1 beat 2 and 3 and lost to 4; 2 beat 3 and 4; 3 beat 4.
ROUND_ROBIN = [
    Pairing(1, 1, 1, 4, 0.0), Pairing(1, 2, 2, 3, 1.0),
    Pairing(2, 1, 4, 3, 0.0), Pairing(2, 2, 1, 2, 1.0),
    Pairing(3, 1, 2, 4, 1.0), Pairing(3, 2, 3, 1, 0.0),
]  # fmt: skip


def test_tie_breaks_of_a_round_robin_worked_out_by_hand() -> None:
    table = {line.player: line for line in standings([1, 2, 3, 4], ROUND_ROBIN)}
    assert {id: line.points for id, line in table.items()} == {1: 2, 2: 2, 3: 1, 4: 1}
    # 1 beat 2 and 3 (2 + 1 points), lost to 4.
    assert [table[id].sonneborn_berger for id in (1, 2, 3, 4)] == [3, 2, 1, 2]
    assert [table[id].buchholz for id in (1, 2, 3, 4)] == [4, 4, 5, 5]
    assert [table[id].buchholz_cut_1 for id in (1, 2, 3, 4)] == [3, 3, 4, 4]
    assert [table[id].direct for id in (1, 2, 3, 4)] == [1, 0, 1, 0]
    assert [table[id].wins for id in (1, 2, 3, 4)] == [2, 2, 1, 1]
    assert [line.player for line in standings([1, 2, 3, 4], ROUND_ROBIN)] == [1, 2, 3, 4]


def test_direct_encounter_counts_only_if_all_of_equal_points_have_met() -> None:
    played = [Pairing(1, 1, 1, 2, 1.0), Pairing(1, 2, 3, 4, 1.0)]
    table = {line.player: line for line in standings([1, 2, 3, 4], played)}
    assert table[1].direct is None
    assert [line.place for line in standings([1, 2, 3, 4], played)] == [1, 1, 3, 3]


def test_a_bye_counts_like_a_win_against_somebody_with_ones_own_points() -> None:
    played = [
        Pairing(1, 1, 1, 2, 1.0), Pairing(1, 2, 3, None, 1.0), Pairing(2, 1, 3, 1, 0.5),
        Pairing(2, 2, 2, None, 1.0),
    ]  # fmt: skip
    table = {line.player: line for line in standings([1, 2, 3], played)}
    # 3 has 1½ points: 1½ for the bye, 1½ from player 1.
    assert (table[3].points, table[3].buchholz, table[3].wins) == (1.5, 3.0, 0)
    assert table[3].sonneborn_berger == 1.5 + 0.75


def test_rounds_after_somebody_left_count_as_draws_for_their_opponents() -> None:
    played = [Pairing(1, 1, 1, 2, 1.0), Pairing(2, 1, 1, 3, 1.0), Pairing(3, 1, 1, 4, 1.0)]
    table = {line.player: line for line in standings([1, 2, 3, 4], played, {2: 1})}
    assert table[1].buchholz == 1.0


def test_who_wins_rises_and_who_is_surely_stronger_rises_less() -> None:
    after_one = rate([[["Ada"], ["Ben"]]])
    assert after_one["Ada"].value > 1500 > after_one["Ben"].value
    assert after_one["Ada"].doubt < 300
    expected = rate([[["Ada"], ["Ben"]]] * 20)
    again = rate([[["Ada"], ["Ben"]]] * 21)
    surprise = rate([[["Ada"], ["Ben"]]] * 20 + [[["Ben"], ["Ada"]]])
    rise = again["Ada"].value - expected["Ada"].value
    assert 0 < rise < expected["Ada"].value - surprise["Ada"].value


def test_matches_of_several_are_rated_by_place_and_shared_places_are_equal() -> None:
    rated = rate([[["Ada"], ["Ben", "Cleo"], ["Dan"]]])
    assert rated["Ada"].value > rated["Ben"].value > rated["Dan"].value
    assert rated["Ben"].value == pytest.approx(rated["Cleo"].value)


def test_a_match_alone_or_against_oneself_rates_nobody() -> None:
    assert rate([[["Ada"]], [["Ada"], ["Ada"]], []]) == {}
