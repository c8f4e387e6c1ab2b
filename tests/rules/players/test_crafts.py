"""The crafts of Knizia's Stonehenge and Rollende Steine: numbers against slow and certain ones."""

from __future__ import annotations

from random import Random

import pytest

from rules.box import load_box
from rules.core import Move
from rules.games import find_game
from rules.games.knizia_stonehenge import GAME
from rules.games.rollende_steine.components import COURSES, GATES
from rules.games.rollende_steine.game import RollendeSteine
from rules.match import Match
from rules.players import Budget, SeatView, find_player
from rules.players.crafts.knizia_stonehenge.craft import KniziaCraft
from rules.players.crafts.knizia_stonehenge.face_down import FaceDown
from rules.players.crafts.knizia_stonehenge.position import Stones, winner, winning
from rules.players.crafts.rollende_steine.accuracy import (
    MARKED,
    STRAYS_ON,
    WIDTH,
    Gate,
    gates_of,
    shots_at,
)
from rules.players.crafts.rollende_steine.craft import RollendeSteineCraft
from rules.players.crafts.rollende_steine.position import SHORT_ROLL, RollingPosition, result
from rules.players.crafts.rollende_steine.reckoning import Reckoning, Skill
from rules.players.position import OVER
from rules.players.search import search
from tests.support.sweep import some


def claim_all(match: Match) -> None:
    """Claim whatever can be claimed, and end the turn if its stone lies."""
    craft = KniziaCraft(GAME)
    while match.outcome is None:
        move = craft.obvious(match.state, match.legal_moves())
        if move is None:
            return
        match.push(move)


@pytest.mark.parametrize("seed", some(range(60), 15))
def test_hidden_stones_in_numbers_are_those_of_the_rules(seed: int) -> None:
    random = Random(seed)
    early = "on" if seed % 3 else "off"
    match = Match(GAME, 2, {"hidden": "on", "hidden_early_claim": early}, seed=seed)
    position = FaceDown.seen_by(seed % 2, match.state)
    while match.outcome is None:
        places = {move for move in match.legal_moves() if move.verb == "place"}
        assert {position.move(key) for key in position.keys()} == places  # noqa: SIM118
        key = random.choice(list(position.keys()))
        match.push(position.move(key))
        position.play(key)
        claim_all(match)
        assert position.claimed == match.state.claimed
        assert position.up == match.state.faceup
        again = FaceDown.seen_by(seed % 2, match.state)
        assert (again.unseen, again.down, again.shown) == (
            position.unseen, position.down, position.shown,
        )  # fmt: skip
    assert match.outcome.ranking[0] == (position.winner,)


@pytest.mark.parametrize("seed", some(range(60), 15))
def test_turns_in_numbers_are_the_turns_of_the_rules(seed: int) -> None:
    random = Random(seed)
    match = Match(GAME, 2, seed=seed)
    position = Stones.of(match.state)
    while match.outcome is None:
        places = {move for move in match.legal_moves() if move.verb == "place"}
        assert position.actor() == match.state.turn
        assert {position.move(key) for key in position.keys()} == places  # noqa: SIM118
        key = random.choice(list(position.keys()))
        match.push(position.move(key))
        position.play(key)
        claim_all(match)
        claimed = [match.state.claimed[line] for line in range(15)]
        assert position.claimed == claimed
        assert position.sums == tuple(match.state.sums)
    assert position.actor() == OVER
    assert match.outcome.ranking[0] == (position.winner,)


@pytest.mark.parametrize("seed", some(range(20), 5))
def test_a_playout_ends_with_a_winner_and_leaves_the_position_it_was_copied_from(seed: int) -> None:
    match = Match(GAME, 2, seed=seed)
    position = Stones.of(match.state)
    before = (position.hands[:], position.claimed[:], position.empty[:])
    copy = position.clone()
    first, second = copy.playout(Random(seed))
    assert {first > 0.9, second > 0.9} == {True, False} and abs(first + second - 1) < 1e-9
    assert (position.hands, position.claimed, position.empty) == before


def near_the_end(seed: int, empty: int) -> Stones | None:
    """A position with so many empty fields; None if somebody has won before."""
    random = Random(seed)
    position = Stones.of(GAME.setup(2, GAME.complete_options(2, {}), False))
    while len(position.empty) > empty and position.actor() != OVER:
        position.play(random.choice(list(position.keys())))
    return None if position.actor() == OVER else position


def wins(position: Stones, seat: int) -> bool:
    """True if ``seat`` wins, found by trying everything."""
    if position.actor() == OVER:
        return position.winner == seat
    results = []
    for key in position.keys():  # noqa: SIM118
        following = position.clone()
        following.play(key)
        results.append(wins(following, seat))
    return any(results) if position.actor() == seat else all(results)


@pytest.mark.parametrize("seed", some(range(12), 4))
def test_solved_endgames_are_those_that_trying_everything_solves(seed: int) -> None:
    position = near_the_end(seed, 4)
    if position is None:
        return
    seat, expected = position.actor(), []
    for key in position.keys():  # noqa: SIM118
        following = position.clone()
        following.play(key)
        if wins(following, seat):
            expected.append(key)
    assert winning(position) == expected
    assert winner(position) == (seat if expected else 1 - seat)


@pytest.mark.parametrize("seed", some(range(12), 4))
def test_the_search_alone_finds_what_wins_near_the_end(seed: int) -> None:
    position = near_the_end(seed, 5)
    if position is None:
        return
    good = winning(position)
    found = search(lambda _random: position.clone(), Budget(playouts=600), Random(seed))
    assert not good or found.ranked[0].key in good


def _game() -> RollendeSteine:
    game = find_game("rollende_steine")
    assert isinstance(game, RollendeSteine)
    return game


def _reckoned(*moves: str, players: int = 2, skill: Skill | None = None) -> tuple[Match, Reckoning]:
    match = Match("rollende_steine", players)
    for move in moves:
        match.push(move)
    return match, Reckoning.of(_game(), SeatView.of(match, 0), skill or Skill())


def test_the_marked_gates_and_the_trilithons_are_those_of_the_box() -> None:
    box = load_box("stonehenge_anthology")
    assert tuple(box.sites[gate].at for gate in GATES) == MARKED
    assert box.kinds["trilithon"].size[0] == WIDTH


@pytest.mark.parametrize("course", COURSES)
def test_every_gate_of_every_course_can_be_passed_and_none_for_certain(course: str) -> None:
    gates = gates_of(course, _game().touch.build({"course": course}))
    assert len(gates) == len(GATES)
    for aim, shots in enumerate(shots_at(gates)):
        for shot in shots:
            assert 0 < shot.chance(aim) < 1
            assert sum(part for _, part in shot.passes) <= 1


def test_a_gate_farther_from_the_edge_is_harder() -> None:
    near, far = (shots_at((Gate(0, y),))[0][0].chance(0) for y in (-60, 120))
    assert near > far


def test_what_stands_in_front_never_helps_and_sometimes_hides_a_gate() -> None:
    hidden = 0
    for course in COURSES:
        gates = gates_of(course, _game().touch.build({"course": course}))
        for aim, gate in enumerate(gates):
            alone = shots_at((gate,))[0][0].chance(0)
            among = shots_at(gates)[aim][0].chance(aim)
            assert among <= alone + 1e-9
            hidden += among < alone - 1e-9
    assert hidden


def test_whoever_knows_of_lines_aims_where_one_roll_passes_two_gates() -> None:
    match, seeing = _reckoned()
    blind = _reckoned(skill=Skill(lines=False))[1]
    left = match.state.left
    assert seeing.aim(left).hoped(left) > 1.5 * blind.aim(left).hoped(left)


def test_hits_and_misses_move_the_chance_of_the_gate_that_was_aimed_at() -> None:
    _, before = _reckoned()
    aim = before.aim(31).aim
    _, missed = _reckoned(*["p0 roll", "table miss", "p1 roll", "table miss"])
    _, met = _reckoned("p0 roll", f"table score {GATES[aim]}")
    assert missed.mean(aim) < before.mean(aim) < met.mean(aim)
    assert missed.mean(aim) > 0.5 * before.mean(aim), "two rolls do not say much"


def test_rolls_that_stop_short_are_heeded() -> None:
    _, before = _reckoned()
    _, after = _reckoned("p0 roll", "table short", "table short", "table miss")
    assert after.stops_short > before.stops_short


def test_cushions_gather_beside_one_way_and_leave_gates_that_are_passed() -> None:
    _, laid = _reckoned("p0 cushion", "table miss", "p1 cushion", "table miss")
    assert max(laid.beside) == 2
    gate = laid.beside.index(2)
    moves = ["p0 cushion", "table miss", "p1 cushion", f"table score {GATES[gate]}"]
    _, moved = _reckoned(*moves, "p0 relocate")
    assert moved.beside[gate] == 0
    assert max(moved.beside) == 2


def test_a_cushion_turns_back_part_of_what_strays() -> None:
    shot = shots_at(gates_of("marked", None))[0][0]
    random = Random(1)
    share = [
        sum(result(shot, 1, beside, 1.0, 0.0, random) for _ in range(4000)) / 4000
        for beside in (0, 4)
    ]
    met = shot.chance(0)
    assert share[0] == pytest.approx(met, abs=0.03)
    assert share[1] == pytest.approx(met + (1 - met) * (1 - STRAYS_ON**4), abs=0.03)


def test_the_search_plays_by_the_rules() -> None:
    random = Random(5)
    for players in (1, 2, 5):
        match = Match("rollende_steine", players)
        _, reckoning = _reckoned(players=players)
        discs = sum(match.state.own) + sum(match.state.neutral)
        position = RollingPosition(match.state, reckoning, [1.0] * 5, discs)
        while position.actor() != OVER:
            keys = sorted(position.keys(), key=lambda move: move.text)
            assert keys == match.legal_moves()
            assert position.actor() == match.prompt.player if match.prompt else False
            step = random.choice(keys)
            match.push(position.move(step))
            position.play(step)
            did = position.draw(random)
            while did == SHORT_ROLL:
                match.push("table short")
                position.play(did)
                did = position.draw(random)
            passed = [gate for number, gate in enumerate(GATES) if did >> number & 1]
            match.push(f"table score {','.join(passed)}" if passed else "table miss")
            position.play(did)
        assert match.outcome is not None


def test_the_last_gate_is_named_with_where_to_roll_from() -> None:
    match, _ = _reckoned("p0 roll", "table score G1,G2,G4,G5")
    view = SeatView.of(match, 1)
    why = RollendeSteineCraft(_game()).reason(view, match.state, Move.parse("p1 roll"))
    assert why is not None
    assert (why.code, why.values["gate"]) == ("aim_last", "G3")
    assert str(why.values["start"]).startswith("from_")


def test_an_idle_cushion_is_sent_to_the_next_gate() -> None:
    _, laid = _reckoned("p0 cushion", "table miss", "p1 cushion", "table miss")
    gate = laid.beside.index(2)
    match, _ = _reckoned(
        "p0 cushion", "table miss", "p1 cushion", f"table score {GATES[gate]}", players=2
    )
    budget = Budget(playouts=300)
    choice = find_player("archdruid").choose(
        SeatView.of(match, 0), match.legal_moves(), budget, Random(2)
    )
    assert choice.move.text in ("p0 relocate", "p0 cushion")
    assert choice.why.code in ("relocate_idle", "cushion_first", "cushion_more")
