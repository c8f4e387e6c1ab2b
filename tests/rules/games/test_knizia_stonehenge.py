"""Knizia's Stonehenge: worked examples, rulings, hidden stones, and refusals that keep secrets."""

from __future__ import annotations

from collections import Counter

import pytest

from rules.box import load_box
from rules.core import Actor, IllegalMove, Move, OptionError, StateError
from rules.games.knizia_stonehenge import GAME
from rules.games.knizia_stonehenge.components import FIELDS, LINES, STONES
from rules.match import Match
from rules.reading.sighting import looks
from rules.testing.playout import random_match
from tests.support.rulings import reasons
from tests.support.sweep import some


def play(moves: str, physical: bool = False, **options: str) -> Match:
    """A match after ``moves``: `p0 place 2 R, p1 place …`."""
    match = Match(GAME, 2, options, physical=physical)
    for move in filter(None, (part.strip() for part in moves.split(","))):
        match.push(move)
    return match


def claims(match: Match) -> list[str]:
    return [m.args[0] for m in match.legal_moves() if m.verb == "claim"]


# -- worked examples --------------------------------------------------------------------------


def test_example_a_tied_full_line_goes_against_whoever_placed_last() -> None:
    # Line N R, brown N = 2, black R = 2 placed last: brown controls.
    match = play("p0 place 1 A, p0 done, p1 place 2 N, p1 done, p0 place 2 R")
    assert reasons(match, "p0 claim L5") == [("1.5", "tie_placed_last")]
    match.push("p0 done")
    assert "L5" in claims(match)


def test_example_six_against_a_reachable_six_is_enough() -> None:
    # Brown sum 6, black sum 1, two fields free, black holding 3, 2, 1: brown controls (6 ≥ 1+3+2).
    match = play("")
    state = match.state
    state.lay(1, 6, FIELDS.index("L"))
    state.lay(0, 1, FIELDS.index("G"))
    state.count[0] = [0, 1, 1, 1, 0, 0, 0]
    state.reach[0] = [0, 3, 5, 6, 6, 6]
    state.turn = 1
    assert state.free[LINES_INDEX["R3"]] == 2
    assert "R3" in [m.args[0] for m in state.legal_moves() if m.verb == "claim"]


LINES_INDEX = {name: number for number, name in enumerate(LINES)}


def test_the_board_has_fifteen_lines_and_every_field_lies_on_three() -> None:
    assert len(FIELDS) == 18
    assert len(LINES) == 15
    assert Counter("".join(LINES.values())) == dict.fromkeys(FIELDS, 3)
    assert sorted(len(fields) for fields in LINES.values()) == sorted([2, 3, 4, 5, 4] * 3)


def test_the_box_draws_every_line_through_its_fields() -> None:
    box = load_box("knizia_stonehenge")
    assert {stroke.sites[-1]: "".join(stroke.sites[:-1]) for stroke in box.strokes} == LINES


def test_at_the_start_every_value_may_go_on_every_field() -> None:
    match = play("")
    assert {m.text for m in match.legal_moves()} == {
        f"p0 place {value} {field}" for value in range(1, 7) for field in FIELDS
    }


# -- 1.4 turn ---------------------------------------------------------------------------------


def test_exactly_one_stone_is_set_per_turn() -> None:
    match = play("p0 place 3 L")
    assert reasons(match, "p0 place 1 A") == [("1.4", "already_placed")]
    assert reasons(match, "p1 place 1 A") == [("1.4", "wrong_player")]
    assert reasons(play(""), "p0 done") == [("1.4", "stone_first")]


def test_a_stone_needs_a_free_field_and_must_be_left_in_hand() -> None:
    match = play("p0 place 6 L, p0 done, p1 place 1 A, p1 done")
    assert reasons(match, "p0 place 1 A") == [("1.4", "occupied")]
    assert reasons(match, "p0 place 6 B") == [("1.4", "no_such_stone")]


def test_a_line_is_claimed_once_and_never_lost() -> None:
    match = play("p0 place 6 N, p0 done, p1 place 1 R, p1 done, p0 claim L5, p0 place 1 A, p0 done")
    assert reasons(match, "p1 claim L5") == [("1.4", "already_claimed")]


def test_kn1_lines_are_claimed_before_and_after_placing() -> None:
    match = play("p0 place 6 N, p0 done, p1 place 1 R, p1 done")
    assert claims(match) == ["L5"]
    match.push("p0 claim L5")
    match.push("p0 place 5 A")
    assert match.scores == (1, 0)
    match.pop()
    match.pop()
    match.push("p0 place 5 A")
    match.push("p0 claim L5")
    assert match.scores == (1, 0)


def test_kn2_claiming_is_not_compulsory_and_hints_are_an_option() -> None:
    moves = "p0 place 6 N, p0 done, p1 place 1 R, p1 done"
    match = play(moves + ", p0 place 1 A, p0 done")
    assert match.prompt is not None and match.prompt.player == 1
    assert play(moves).state.hinted_moves() == []
    assert [str(m) for m in play(moves, hints="on").state.hinted_moves()] == ["p0 claim L5"]


def test_a_line_overlooked_waits_for_its_owners_next_turn() -> None:
    match = play("p0 place 6 N, p0 done, p1 place 1 R")
    assert reasons(match, "p0 claim L5") == [("1.4", "wrong_player")]
    match.push("p1 done")
    assert "L5" in claims(match)


# -- 1.5 control ------------------------------------------------------------------------------


def test_an_open_line_is_explained_with_what_the_opponent_can_reach() -> None:
    match = play("p0 place 1 G, p0 done, p1 place 5 A")
    (objection,) = match.why_not("p1 claim H1")
    assert (objection.rule, objection.code) == ("1.5", "still_open")
    assert objection.values == {
        "line": "H1", "player": 1, "other": 0, "mine": 5, "reach": 6, "sites": "B",
    }  # fmt: skip


def test_a_line_that_the_opponent_controls_says_so() -> None:
    full = play("p0 place 6 B, p0 done, p1 place 1 A")
    assert reasons(full, "p1 claim H1") == [("1.5", "opponent_stronger")]
    early = play("p0 place 6 J, p0 done, p1 place 6 A, p1 done, p0 place 5 B, p0 done")
    assert reasons(early, "p1 claim R5") == [("1.5", "opponent_controls")]


def test_kn5_fields_of_a_claimed_line_stay_open() -> None:
    match = play("p0 place 6 A, p0 done, p1 place 6 L, p1 done, p0 place 5 E, p0 claim H1, p0 done")
    assert match.scores == (1, 0)
    match.push("p1 place 1 B")


def test_kn6_a_wrong_claim_changes_nothing() -> None:
    match = play("p0 place 1 G, p0 done, p1 place 5 A")
    before = match.state.to_json()
    with pytest.raises(IllegalMove) as refused:
        match.push("p1 claim H1")
    assert match.state.to_json() == before
    assert refused.value.objections[0].code == "still_open"


# -- 1.6 end ----------------------------------------------------------------------------------


def finished() -> Match:
    *_, (match, _, _) = random_match(GAME, 2, GAME.complete_options(2, {}), 4)
    return match


def test_kn4_the_eighth_megalith_ends_the_game_at_once() -> None:
    match = finished()
    outcome = match.outcome
    assert outcome is not None
    assert match.log[-1].move.verb == "claim"
    assert sorted(outcome.scores)[1] == 8
    assert outcome.scores[outcome.ranking[0][0]] == 8
    assert match.legal_moves() == []
    assert reasons(match, "p0 done") == [("1.6", "match_over")]


def test_a_series_counts_the_losers_megaliths_and_kn9_lets_the_loser_begin() -> None:
    outcome = finished().outcome
    assert outcome is not None and GAME.series is not None
    loser = outcome.ranking[1][0]
    points = GAME.series.points(outcome)
    assert points[1 - loser] == 0
    assert points[loser] == 8 - outcome.scores[loser]
    assert GAME.series.lower_wins
    assert GAME.series.next_first(outcome) == loser


def full_board() -> Match:
    """A match in which nobody claimed anything before the board was full."""
    for seed in range(50):
        match = Match(GAME, 2, seed=seed)
        for value_field in range(18):
            moves = [m for m in match.legal_moves() if m.verb == "place"]
            match.push(moves[(seed * 7 + value_field * 5) % len(moves)])
            if value_field < 17:
                match.push(f"p{value_field % 2} done")
        if len(claims(match)) >= 2 and len(claims(match)) < 8:
            return match
    raise AssertionError("no such board")


def test_kn3_with_a_full_board_controlled_lines_must_be_claimed() -> None:
    match = full_board()
    assert match.prompt is not None and match.prompt.code == "must_claim"
    assert reasons(match, "p1 done")[0] == ("KN3", "must_claim")
    assert "p1 done" not in [str(m) for m in match.legal_moves()]


def test_kn3_claim_only_turns_lead_to_eight() -> None:
    match = full_board()
    while match.outcome is None:
        match.push(match.legal_moves()[0])
    assert 8 in match.scores


# -- 1.7 hidden stones ------------------------------------------------------------------------


def test_hidden_stones_are_secret_to_others_and_known_to_their_owner() -> None:
    match = play("p0 place 3 L, p0 done", hidden="on")
    assert match.view(0)["moves"] == ["p0 place 3 L", "p0 done"]
    assert match.view(1)["moves"] == ["p0 place ? L", "p0 done"]
    assert match.view(1)["state"]["fields"]["L"] == [0, 0, False]
    assert match.view(1)["state"]["hands"] == [8, [1, 1, 2, 2, 3, 3, 4, 5, 6]]
    assert match.view(None)["state"]["hands"] == [8, 9]


def test_kn8_whose_a_hidden_stone_is_can_be_seen() -> None:
    match = play("p0 place 3 L", hidden="on")
    assert looks(match.layout)["L"][0].kind == "stone black back"


def test_a_full_line_is_turned_up_by_its_last_stone() -> None:
    match = play("p0 place 6 N, p0 done, p1 place 1 R", hidden="on")
    assert {look[0].kind for look in looks(match.layout).values()} == {
        "stone black 6", "stone brown 1",
    }  # fmt: skip
    match.push("p1 done")
    assert claims(match) == ["L5"]


def test_physical_hidden_stones_are_shown_by_the_table_in_the_lines_order() -> None:
    match = play("p0 place ? N, p0 done, p1 place ? R", physical=True, hidden="on")
    assert match.prompt is not None and match.prompt.actor is Actor.TABLE
    assert [str(m) for m in match.legal_moves()] == [f"table show N {v}" for v in range(1, 7)]
    match.push("table show N 6")
    assert reasons(match, "p1 done") == [("1.7", "show_first")]
    match.push("table show R 1")
    match.push("p1 done")
    assert claims(match) == ["L5"]


def test_a_value_that_is_used_up_cannot_be_shown() -> None:
    match = play(
        "p0 place ? N, p0 done, p1 place ? R, table show N 6, table show R 1, p1 done, "
        "p0 place ? A, p0 done, p1 place ? B",
        physical=True,
        hidden="on",
    )
    assert reasons(match, "table show A 6") == [("1.7", "cannot_be")]
    match.push("table show A 5")


def test_hidden_lines_count_only_when_full_if_kn7_is_off() -> None:
    moves = "p0 place 6 L, p0 done, p1 place 1 A"
    full_only = play(moves, hidden="on", hidden_early_claim="off")
    assert reasons(full_only, "p1 claim H1") == [("1.7", "face_down")]
    match = play(moves, hidden="on")
    assert reasons(match, "p1 claim H1") == [("KN7", "not_provable")]


def kn7_position(physical: bool) -> Match:
    """Black has nothing above 4 left unseen; brown has laid their 6 on A, and B is free."""
    moves = """
        p0 place 6 N, p0 done, p1 place 1 R, table show N 6, table show R 1, p1 done,
        p0 place 5 J, p0 done, p1 place 1 O, table show J 5, table show O 1, p1 done,
        p0 place 1 P, p0 done, p1 place 6 A, p1 done,
        p0 place 1 K, p0 done, p1 place 2 Q, table show P 1, table show Q 2
    """
    wanted = []
    for move in moves.split(","):
        words = move.split()
        if words[1] == "place" and physical:
            words[2] = "?"
        if words[0] != "table" or physical:
            wanted.append(" ".join(words))
    return play(", ".join(wanted), physical, hidden="on", hidden_early_claim="on")


def test_kn7_an_early_claim_is_proved_by_turning_up_ones_own_stones() -> None:
    match = kn7_position(physical=False)
    assert "H1" in claims(match)
    match.push("p1 claim H1")
    assert looks(match.layout)["A"][0].kind == "stone brown 6"


def test_kn7_in_a_physical_match_the_table_shows_the_proof() -> None:
    match = kn7_position(physical=True)
    match.push("p1 claim H1")
    assert match.prompt is not None and match.prompt.actor is Actor.TABLE
    assert reasons(match, "table show A 3") == [("KN7", "not_provable")]
    match.push("table show A 6")
    assert match.scores == (0, 1)


# -- input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options"),
    [(3, {}), (2, {"hiden": "on"}), (2, {"hidden": "perhaps"})],
)
def test_wrong_players_and_options_are_refused(players: int, options: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        Match(GAME, players, options)


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: d.pop("fields"),
        lambda d: d.update(turn=5),
        lambda d: d["order"].append("Z"),
        lambda d: d["fields"].update(L=[0, 9, True]),
        lambda d: d.update(options=7),
    ],
)
def test_a_damaged_position_is_refused(damage: object) -> None:
    data = play("p0 place 3 L").state.to_json()
    assert callable(damage)
    damage(data)
    with pytest.raises(StateError):
        GAME.from_json(data)


@pytest.mark.parametrize("move", ["p0 place 7 A", "p0 place 1 Z", "p0 claim X9", "p0 place 1 A B"])
def test_moves_that_do_not_exist_are_unknown(move: str) -> None:
    assert [o.code for o in play("").state.violations(Move.parse(move))] == ["unknown_move"]


# -- properties ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", some(range(30), 10))
def test_random_matches_have_one_winner_with_eight_megaliths(seed: int) -> None:
    options = GAME.complete_options(2, {"hidden": "on" if seed % 2 else "off"})
    for match, _, _ in random_match(GAME, 2, options, seed):
        assert match.state.problems() == []
    assert sorted(match.scores)[-1] == 8
    assert match.scores.count(8) == 1
    stones = Counter(v for v in match.state.value if v)
    assert not stones - Counter(STONES + STONES)


@pytest.mark.parametrize("secret", [1, 6])
@pytest.mark.parametrize("asked", [1, 6])
def test_a_second_hidden_stone_is_refused_without_telling_the_first(
    secret: int, asked: int
) -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"})
    match.push(f"p0 place {secret} A")
    assert reasons(match, f"p0 place {asked} B") == [("1.4", "already_placed")]


def test_with_open_stones_everything_against_a_stone_is_told() -> None:
    match = Match("knizia_stonehenge", 2)
    match.push("p0 place 6 A")
    assert reasons(match, "p0 place 6 B") == [("1.4", "already_placed"), ("1.4", "no_such_stone")]


def test_in_turn_a_hidden_stone_that_is_gone_is_refused() -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"})
    for move in ("p0 place 6 A", "p0 done", "p1 place 1 B", "p1 done"):
        match.push(move)
    assert reasons(match, "p0 place 6 C") == [("1.4", "no_such_stone")]
