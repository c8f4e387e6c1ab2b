"""Findings of the suite that come of many answers, or of the box alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.box import Box, load_box
from rules.core import Actor, Game, Item, Layout, Move, Options, Outcome, Prompt
from rules.games import add_games, find_game
from rules.games.knizia_stonehenge import GAME
from rules.telling import load_text
from rules.testing.conformance import check_game
from rules.testing.endings import count_result
from rules.testing.metadata import check_material
from rules.testing.playout import ladder
from rules.testing.relations.agreement import count_down
from rules.testing.report import Report
from rules.testing.side_by_side import idle_options
from rules.testing.statistics import Against, Habits
from rules.testing.texts import check_untold
from tests.support.elsewhere import elsewhere
from tests.support.faulty_hooks import replaced, right

ROOT = Path(__file__).parents[3]
TEXTS = load_text(GAME.id, "en")


@pytest.mark.parametrize(
    ("rankings", "told"),
    [
        ([((0,), (1,))] * 4, 4),
        ([((0,), (1,))] * 3, 0),
        ([((0,), (1,))] * 9 + [((1,), (0,))], 0),
        ([((0, 1),)] * 9, 0),
    ],
)
def test_ties_that_the_lower_seat_always_wins_are_odd(
    rankings: list[tuple[tuple[int, ...], ...]], told: int
) -> None:
    report = Report("some")
    for ranking in rankings:
        count_result(GAME, Outcome("some", ranking, (7, 7)), report)
    assert report.habits.by_seat == told


def test_a_seat_that_never_wins_nor_has_points_is_odd() -> None:
    report = Report("some")
    for number in range(30):
        outcome = Outcome("some", ((0,), (1,), (2,)), (7, number % 2, 0))
        count_result(GAME, outcome, report)
    assert [told[:6] for told, _ in report.habits.odd_ends()] == ["seat 2"]
    for _ in range(9):
        count_result(GAME, Outcome("some", ((0,), (1,), (2,)), (7, 0, 0)), report)
    assert [told[:12] for told, _ in report.habits.odd_ends()] == [
        "seat 1 never", "seat 2 never", "seat 2 had n"
    ]  # fmt: skip


def test_best_lists_that_prefer_what_is_lost_and_moves_that_one_seat_hides_are_told() -> None:
    habits = Habits()
    habits.ranks["marked/2"] = {True: [(-3, 9), (-4, 9)], False: [(-5, 9)]}
    habits.openly["show"] = {0: Counter({True: 9}), 1: Counter({True: 9})}
    assert not habits.odd_ends() and not habits.found(40)
    habits.ranks["marked/2"][False].append((0, 9))
    habits.openly["show"][1] = Counter({False: 9})
    assert "stands above" in habits.odd_ends()[0][0]
    assert "'show' of one seat as it is" in habits.found(40)[0][0]


def test_dice_that_are_not_taken_up_and_owners_of_nothing_there_are_told() -> None:
    habits = Habits()
    habits.left_lying.update({True: 2, False: 9})
    against = habits.against.setdefault("occupied", Against())
    against.owners["owner"] = Counter({False: 20, True: 1})
    assert not habits.odd_names()
    habits.left_lying[True] = 30
    del against.owners["owner"][True]
    told = [said for said, _ in habits.odd_names()]
    assert any("never names as 'owner' whose" in one for one in told)
    assert any("30 of 39 throws dice still lie" in one for one in told)


def test_a_move_that_names_a_piece_and_never_turns_it_is_told() -> None:
    habits = Habits()
    for number in range(12):
        habits.stayed("reverse", [str(number)])
        habits.stayed("roll", [str(number)] if number else [])
    told = [said for said, _ in habits.found(40)]
    assert any("'reverse' always names" in one for one in told)
    assert not any("'roll'" in one for one in told)


def test_questions_that_only_real_cards_change_are_told() -> None:
    habits = Habits()
    habits.with_cards.update({True: 9, False: 3})
    assert any("others with real pieces" in told for told, _ in habits.found(40))
    habits.with_cards[False] = 30
    assert not habits.found(40)


def test_a_place_beside_the_line_that_names_it_is_told() -> None:
    box = load_box(GAME.box).for_game(GAME.id)
    line = next(one for one in box.strokes if one.kind == "line" and one.sites)
    site = box.sites[line.sites[0]]
    moved = replace(site, at=(site.at[0] + 3 * site.radius, site.at[1] + 3 * site.radius))
    assert not any("from the line" in told for told in problems(box))
    sites = {**box.sites, site.id: moved}
    assert any(f"{site.id} is" in told for told in problems(replace(box, sites=sites)))


def problems(box: Box) -> list[str]:
    """Everything said of a box file."""
    report = Report("some")
    check_material(GAME, box, report)
    return report.problems


@pytest.fixture(scope="module")
def packages() -> Iterator[None]:
    """Games in packages of their own."""
    with elsewhere():
        for place in ("examples/trails", "examples/nine_mens_morris", "tests/support/race"):
            add_games(ROOT / place)
        yield


def posed(game: str, other: Callable[[Item], Item]) -> Any:
    """The game with other items in its layouts."""

    def layout(state: Any) -> Layout:
        return Layout({other(item): number for item, number in right(state).layout().items()})

    return replaced(find_game(game), layout=layout)


def turned(item: Item) -> Item:
    return item._replace(pose=str((int(item.pose) + 3) % 6))


def on_its_head(item: Item) -> Item:
    return item._replace(pose=str(7 - int(item.pose))) if item.kind == "die" else item


def left_lying() -> Any:
    def layout(state: Any) -> Layout:
        throw, lying = state.throw(), Counter(right(state).layout())
        return lying if throw is None else lying + Counter({Item(throw.site, "die", pose="6"): 1})

    return replaced(find_game("dice_race"), layout=layout)


def goal_first() -> Any:
    return replaced(find_game("nine_mens_morris"), places=lambda self, state, move: move.args[::-1])


def laid_twice() -> Any:
    def pseudo(state: Any) -> Iterator[Move]:
        yield from right(state).legal_moves()
        stones = (item.kind.split() for item in state.layout() if " black " in item.kind)
        yield from (Move.of(0, "place", number, "L") for _, _, number in stones)

    legal = {"legal_moves": lambda state: right(state).legal_moves()}
    return replaced(GAME, pseudo_moves=pseudo, **legal)


@pytest.mark.parametrize(
    ("faulty", "finding"),
    [
        (lambda: posed("trails", turned), "never point to the place that is touched"),
        (lambda: posed("dice_race", on_its_head), "a die of face"),
        (left_lying, "shows '6', which nobody has thrown"),
        (goal_first, "first, and the piece comes from"),
        (laid_twice, "would lay 2 of stone black"),
    ],
)
def test_what_the_table_shows_and_what_is_said_of_it_agree(
    packages: None, faulty: Callable[[], Any], finding: str
) -> None:
    report = check_game(faulty(), matches=2, thorough_every=3)
    assert any(finding in problem for problem in report.problems), report.problems


def test_an_option_that_makes_no_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.testing.side_by_side.PAIRS", 9)

    def setup(self: Game[Any], players: int, options: Options, physical: bool) -> Any:
        return GAME.setup(players, {**options, "hidden_early_claim": "on"}, physical)

    assert not [*idle_options(GAME, ladder(GAME))]
    idle = replaced(GAME, setup=setup)
    assert [*idle_options(idle, ladder(GAME))] == [("hidden_early_claim=off", 9)]


@pytest.mark.parametrize(("last", "told"), [(1, False), (0, True), (2, True)])
def test_a_question_that_counts_down_ends_at_one(last: int, told: bool) -> None:
    habits = Habits()
    left = [number for _ in range(7) for number in (last + 2, last + 1, last)]
    count_down(habits, [Prompt(Actor.PLAYER, 0, "draw", "1.2", (("left", n),)) for n in left])
    assert any("counts its 'left' down to" in one for one, _ in habits.found(40)) == told


def test_a_text_that_nothing_tells_is_told() -> None:
    report = Report("some")
    check_untold(GAME, report)
    assert "prompts.place" in report.hints[0]
    report.read |= {f"{part}.{key}" for part, keys in TEXTS.items() for key in keys}
    report.hints.clear()
    check_untold(GAME, report)
    assert report.hints == []
