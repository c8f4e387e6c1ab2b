"""Pairings and tables of tournaments, against published examples and against their own promises."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.naming import ClubError
from companion.club.season import rate
from companion.club.tournaments import Pairing, berger_round, berger_rounds, standings, swiss_round


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
