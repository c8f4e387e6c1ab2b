"""Pairings and standings of tournaments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.naming import ClubError
from companion.club.tournament.games import DUEL, Game, Scale, bye, places_of
from companion.club.tournament.organiser import names_in
from companion.club.tournament.pairing import (
    Room,
    berger_round,
    berger_rounds,
    swiss_round,
    table_round,
)
from companion.club.tournament.standings import standings
from tests.endurance.season_reckoned import table

THREE: Scale = (3.0, 1.0, 0.0)
FOUR: Scale = (5.0, 3.0, 1.0, 0.0)


def played(games: Sequence[Game], chance: Random) -> list[Game]:
    """The games with results, in which lower numbers are stronger and draws happen."""
    found = []
    for game in games:
        strength = [id + chance.gauss(0, 3) for id in game.players]
        order = [round(one / 2) for one in strength]
        found.append(Game(game.round, game.board, game.players, places_of(order)))
    return found


def met(games: Sequence[Game]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair) for game in games for pair in combinations(game.players, 2)
    )  # fmt: skip


def byes(games: Sequence[Game]) -> Counter[int]:
    return Counter(game.players[0] for game in games if game.is_bye)


def duel(round: int, board: int, first: int, second: int, points: float) -> Game:
    places = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}[points]
    return Game(round, board, (first, second), places)


def pairs(games: Sequence[Game]) -> list[tuple[int, ...]]:
    return [game.players for game in games]


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
    meetings = met([game for games in rounds for game in games])
    assert set(meetings.values()) == {1}
    assert len(meetings) == players * (players - 1) // 2
    for games in rounds:
        seats = [seat for pair in pairs(games) for seat in pair]
        assert sorted(seats) == everybody
    begun = Counter(pair[0] for games in rounds for pair in pairs(games) if len(pair) == 2)
    assert max(begun.values()) - min(begun[one] for one in everybody) <= 1


def test_a_round_robin_has_no_round_more() -> None:
    with pytest.raises(ClubError):
        berger_round([1, 2, 3], 4)


def swiss(players: int, rounds: int, chance: Random) -> list[Game]:
    """A tournament in which anything may happen."""
    everybody, played = list(range(1, players + 1)), list[Game]()
    for number in range(1, rounds + 1):
        for game in swiss_round(everybody, played, number):
            points = chance.choice((0.0, 0.5, 1.0))
            played.append(
                game
                if game.is_bye
                else duel(number, game.board, game.players[0], game.players[1], points)
            )
    return played


@given(st.integers(12, 29), st.randoms(use_true_random=False))
def test_in_swiss_rounds_nobody_meets_twice_or_rests_twice(players: int, chance: Random) -> None:
    rounds = 5
    played = swiss(players, rounds, chance)
    assert set(met(played).values()) == {1}
    rests = byes(played)
    assert set(rests.values()) <= {1}
    assert len(rests) == (rounds if players % 2 else 0)
    for number in range(1, rounds + 1):
        seats = [s for g in played if g.round == number for s in g.players]
        assert sorted(seats) == list(range(1, players + 1))
    for one in range(1, players + 1):
        seats = [g.players.index(one) for g in played if one in g.players and not g.is_bye]
        assert abs(seats.count(0) - seats.count(1)) <= 3


def test_the_first_swiss_round_pairs_the_upper_half_with_the_lower() -> None:
    games = swiss_round([1, 2, 3, 4, 5, 6, 7, 8], [], 1)
    assert [set(pair) for pair in pairs(games)] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert [game.players[0] for game in games] == [1, 6, 3, 8]


def test_winners_meet_winners() -> None:
    first = [
        duel(1, 1, 1, 5, 1.0), duel(1, 2, 6, 2, 0.0), duel(1, 3, 3, 7, 1.0),
        duel(1, 4, 8, 4, 0.0),
    ]  # fmt: skip
    games = swiss_round(list(range(1, 9)), first, 2)
    # 1 and 3 began before, so neither meets the other; the upper half meets the lower.
    assert pairs(games)[:2] == [(4, 1), (2, 3)]


def test_the_last_who_never_rested_has_the_bye() -> None:
    games = swiss_round([1, 2, 3, 4, 5], [], 1)
    assert [g.players for g in games if g.is_bye] == [(5,)]
    played = [
        duel(1, 1, 1, 3, 1.0), duel(1, 2, 2, 4, 1.0), bye(1, 3, 5)
    ]  # fmt: skip
    resting = [g.players[0] for g in swiss_round([1, 2, 3, 4, 5], played, 2) if g.is_bye]
    assert resting[0] in (3, 4)


def test_there_is_no_round_once_everybody_has_met() -> None:
    played = [duel(1, 1, 1, 2, 1.0)]
    with pytest.raises(ClubError):
        swiss_round([1, 2], played, 2)


def test_where_all_have_met_the_round_is_refused_by_its_cause_and_may_be_paired_anyway() -> None:
    ids = [1, 2, 3, 4]
    games = [g for n in (1, 2, 3) for g in played(berger_round(ids, n), Random(n))]
    with pytest.raises(ClubError) as told:
        swiss_round(ids, games, 4)
    assert told.value.code == "round_meets_again"
    assert max(met(games + swiss_round(ids, games, 4, again=True)).values()) == 2


def test_where_only_a_second_bye_is_left_that_is_the_cause() -> None:
    # Two have met, and each of the three has rested.
    games = [
        Game(1, 1, (1, 2), (1, 2)), bye(1, 2, 3), bye(2, 1, 1), bye(2, 2, 2),
    ]  # fmt: skip
    with pytest.raises(ClubError) as told:
        swiss_round([1, 2, 3], games, 3)
    assert told.value.code == "round_second_bye"
    paired = swiss_round([1, 2, 3], games, 3, again=True)
    assert met(games + paired)[frozenset((1, 2))] == 1


@pytest.mark.parametrize(
    ("players", "room", "sizes"),
    [
        (12, Room(4, 3, 5), [4, 4, 4]),
        (13, Room(4, 3, 5), [5, 4, 4]),
        (11, Room(4, 3, 5), [4, 4, 3]),
        (5, Room(3, 3, 4), [4]),
        (5, Room(3, 2, 4), [3, 2]),
        (7, Room(3, 3, 3), [3, 3]),
        (2, Room(3, 3, 4), []),
    ],
)
def test_tables_are_as_large_as_wished_and_as_the_game_allows(
    players: int, room: Room, sizes: list[int]
) -> None:
    assert room.tables(players) == sizes


@pytest.mark.parametrize(("players", "seats"), [(9, 3), (16, 4), (25, 5), (14, 4), (40, 4)])
def test_at_larger_tables_few_meet_again_and_each_seat_is_shared(players: int, seats: int) -> None:
    ids, games, chance = list(range(players)), list[Game](), Random(players)
    room, most = Room(seats, seats - 1, seats + 1), 0
    for number in range(1, 4):
        paired = table_round(ids, games, number, room, FOUR, again=True)
        assert sorted(id for game in paired for id in game.players) == ids
        games += played(paired, chance)
    for id in ids:
        mine = Counter(game.players.index(id) for game in games if id in game.players)
        most = max(most, *mine.values())
    assert most <= 2
    again = sum(times - 1 for times in met(games).values())
    assert again <= len(met(games)) / 10


def test_in_the_first_round_the_strongest_sit_at_different_tables() -> None:
    tables = table_round(range(12), [], 1, Room(4, 3, 5), FOUR)
    assert all(len({id // 3 for id in game.players}) == 4 for game in tables)


def test_players_who_share_a_place_share_its_points() -> None:
    assert [*map(float, Game(1, 1, (1, 2, 3, 4), (2, 1, 2, 4)).points(FOUR))] == [2, 5, 2, 0]
    assert [*map(float, Game(1, 1, (1, 2), (1, 1)).points(DUEL))] == [0.5, 0.5]
    assert [*map(float, bye(1, 1, 7).points(FOUR))] == [5]


def apart(ids: Sequence[int], games: Sequence[Game], left: dict[int, int], scale: Scale) -> None:
    """Fails if a table is not that of a reckoning apart."""
    rounds = [
        [{str(id): place for id, place in zip(game.players, game.places, strict=True)}
         for game in games if game.round == number]
        for number in range(1, 1 + max(game.round for game in games))
    ]  # fmt: skip
    gone = {str(id): number for id, number in left.items()}
    wanted = {row.name: row for row in table([*map(str, ids)], rounds, [*map(int, scale)], gone)}
    for line in standings(ids, games, left, scale):
        row = wanted[str(line.player)]
        assert (line.place, line.wins) == (row.place, row.wins)
        for name in ("points", "direct", "buchholz_cut_1", "buchholz", "sonneborn_berger"):
            must = getattr(row, name)
            assert getattr(line, name) == (None if must is None else pytest.approx(float(must)))


@pytest.mark.parametrize("seed", range(8))
def test_a_table_of_two_is_that_of_a_reckoning_apart(seed: int) -> None:
    chance, left = Random(seed), dict[int, int]()
    ids, games = list(range(10, 10 + chance.randint(8, 14))), list[Game]()
    for number in range(1, 6):
        here = [id for id in ids if id not in left]
        games += played(swiss_round(here, games, number, again=True), chance)
        if chance.random() < 0.3:
            left[chance.choice(here)] = number
    apart(ids, games, left, DUEL)


@pytest.mark.parametrize("seed", [1, 128, 138, 321])
def test_equal_sums_of_thirds_of_points_separate_nobody(seed: int) -> None:
    # In the last three of these, sums of floating-point numbers differ in their last digit.
    chance = Random(seed)
    ids, games = list(range(10, 10 + chance.randint(12, 24))), list[Game]()
    for number in range(1, 7):
        for game in table_round(ids, games, number, Room(3, 2, 4), THREE, again=True):
            places = places_of([chance.choice((1, 1, 2, 3)) for _ in game.players])
            games.append(Game(number, game.board, game.players, places))
    apart(ids, games, {}, THREE)


# Four players, everybody met everybody: 1 beat 2 and 3 and lost to 4; 2 beat 3 and 4; 3 beat 4.
ROUND_ROBIN = [
    duel(1, 1, 1, 4, 0.0), duel(1, 2, 2, 3, 1.0),
    duel(2, 1, 4, 3, 0.0), duel(2, 2, 1, 2, 1.0),
    duel(3, 1, 2, 4, 1.0), duel(3, 2, 3, 1, 0.0),
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
    played = [duel(1, 1, 1, 2, 1.0), duel(1, 2, 3, 4, 1.0)]
    table = {line.player: line for line in standings([1, 2, 3, 4], played)}
    assert table[1].direct is None
    assert [line.place for line in standings([1, 2, 3, 4], played)] == [1, 1, 3, 3]


def test_a_bye_counts_like_a_win_against_somebody_with_ones_own_points() -> None:
    played = [
        duel(1, 1, 1, 2, 1.0), bye(1, 2, 3), duel(2, 1, 3, 1, 0.5),
        bye(2, 2, 2),
    ]  # fmt: skip
    table = {line.player: line for line in standings([1, 2, 3], played)}
    # 3 has 1½ points: 1½ for the bye, 1½ from player 1.
    assert (table[3].points, table[3].buchholz, table[3].wins) == (1.5, 3.0, 0)
    assert table[3].sonneborn_berger == 1.5 + 0.75


def test_rounds_after_somebody_left_count_as_draws_for_their_opponents() -> None:
    played = [duel(1, 1, 1, 2, 1.0), duel(2, 1, 1, 3, 1.0), duel(3, 1, 1, 4, 1.0)]
    table = {line.player: line for line in standings([1, 2, 3, 4], played, {2: 1})}
    assert table[1].buchholz == 1.0


def test_at_larger_tables_the_opponents_of_a_game_count_as_their_mean() -> None:
    games = [Game(1, 1, (1, 2, 3, 4), (1, 2, 3, 4))]
    lines = {line.player: line for line in standings([1, 2, 3, 4], games, scale=FOUR)}
    assert [lines[id].points for id in (1, 2, 3, 4)] == [5, 3, 1, 0]
    assert lines[1].buchholz == pytest.approx(4 / 3)
    assert lines[2].sonneborn_berger == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada\nBen\n\n Cleo  Meyer \n", ["Ada", "Ben", "Cleo Meyer"]),
        ("1. Ada\n2) Ben\n- Cleo", ["Ada", "Ben", "Cleo"]),
        ("Ada, Ben; Cleo", ["Ada", "Ben", "Cleo"]),
        ("\ufeffAda;1990\nBen;1985", ["Ada", "Ben"]),
        ('"Ada"\t3\n"Ben"\t4', ["Ada", "Ben"]),
        ("Ada", ["Ada"]),
        ("Meyer, Ada\nSmith, Ben", ["Meyer, Ada", "Smith, Ben"]),
    ],
)
def test_names_are_read_from_what_people_paste(text: str, names: list[str]) -> None:
    assert names_in(text) == names
