"""Lessons and puzzles: each can be played, and is told in every language."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import lesson as lessons
from rules import puzzle as puzzles
from rules.core import Move
from rules.games import add_games, find_game, game_ids
from rules.lesson import Lesson, LessonError, Step, has_lesson, lesson_of
from rules.match import Match
from rules.players.craft import craft_of
from rules.players.player import Budget
from rules.players.puzzles import seen_by
from rules.players.turn_puzzles import turn_puzzle
from rules.players.ways import task_of, tasks_by_name
from rules.players.weighing import Scales, Weight, doubt_between
from rules.puzzle import EXACT, Puzzle, PuzzleError, begin, has_puzzles, puzzles_of, written
from rules.testing.exercises import lesson_problems, puzzle_problems
from tests.support.elsewhere import elsewhere

RACE = Path(__file__).parents[1] / "support" / "race"
STEP = 'touch = ["p0 place 6 A"]\n[steps.say]\nde = "Da."\nen = "There."\n'
WIN = '[win]\nde = ["a", "b", "c"]\nen = ["a", "b", "c"]\n'


@pytest.mark.parametrize("game", game_ids())
def test_every_game_has_a_lesson_and_every_way_through_it_holds(game: str) -> None:
    assert has_lesson(game)
    assert lesson_problems(game) == []


@pytest.mark.parametrize(
    "text, problem",
    [
        ("players = 2\n[[steps]]\n" + STEP + WIN, "has 1 steps"),
        ("players = 2\n[[steps]]\n" + STEP.replace("6 A", "9 A") + WIN, "nothing of it is legal"),
        ("players = 2\n[[steps]]\n" + STEP.replace('en = "There."\n', "") + WIN, "languages"),
        ("players = 2\nsteep = 1\n[[steps]]\n" + STEP + WIN, "steep"),
        ("players = 2\n[[steps]]\n" + STEP + WIN.replace(', "c"', ""), "3 sentences"),
    ],
)
def test_what_does_not_fit_a_lesson_is_said(
    text: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lesson.toml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(lessons, "_file_of", lambda _game: file)
    lesson_of.cache_clear()
    try:
        assert any(problem in told for told in lesson_problems("knizia_stonehenge"))
    finally:
        lesson_of.cache_clear()


def test_a_game_without_a_file_has_no_lesson() -> None:
    assert not has_lesson("knizia_stonehenge@own")
    with pytest.raises(LessonError):
        lesson_of.__wrapped__("nonsense")


KNIZIA = "knizia_stonehenge"
PLAYED = [game for game in game_ids() if has_puzzles(game)]
ALL = [
    pytest.param(puzzle, id=f"{puzzle.game}-{puzzle.number}")
    for game in PLAYED
    for puzzle in puzzles_of(game)
]
WEIGHED = [
    param
    for param in ALL
    if isinstance(puzzle := param.values[0], Puzzle)
    and puzzle.task not in tasks_by_name(find_game(puzzle.game))
]
"""Puzzles that ask for chances."""


@pytest.mark.parametrize("game", PLAYED)
def test_every_puzzle_can_be_played_and_is_told_in_both_languages(game: str) -> None:
    assert puzzle_problems(game) == []
    assert len(puzzles_of(game)) == 5


@pytest.mark.parametrize("game", PLAYED)
def test_a_file_of_puzzles_is_written_as_it_is_read(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = puzzles_of(game)
    file = tmp_path / "puzzles.toml"
    file.write_text(written(whole, game), encoding="utf-8")
    monkeypatch.setattr(puzzles, "_file_of", lambda _game: file)
    assert puzzles_of.__wrapped__(game) == whole


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (r"\[\[puzzles\]\]", "[[riddles]]", "riddles"),
        (r'proof = "exact"', 'proof = "belief"', "expected one of exact, search"),
        (r"seat = \d", "seat = 7", "not the turn of seat 7"),
        (r'turns = \[\n  \["', 'turns = [\n  ["+ ', "turn"),
        (r'(turns = \[\n  \["p\d place )\d', r"\g<1>9", "not legal"),
        (r'(\[puzzles.replies\]\n"p\d place )\d', r"\g<1>9", "not legal"),
        (r"rest = 0.00", "rest = 0.97", "not clearly better"),
        (r'task = "\w+"', 'task = "dance"', "dance"),
        (r"players = 2", "players = 2\nsteep = 1", "steep"),
    ],
)
def test_what_does_not_fit_a_puzzle_is_said(
    old: str, new: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, changed = re.subn(old, new, written(puzzles_of(KNIZIA)[:1], KNIZIA), count=1)
    assert changed
    file = tmp_path / "puzzles.toml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(puzzles, "_file_of", lambda _game: file)
    puzzles_of.cache_clear()
    try:
        assert any(problem in told for told in puzzle_problems(KNIZIA))
    finally:
        puzzles_of.cache_clear()


def test_a_game_without_a_file_has_no_puzzles() -> None:
    assert not has_puzzles(f"{KNIZIA}@own")
    with pytest.raises(PuzzleError):
        puzzles_of.__wrapped__("nonsense")


@pytest.mark.parametrize("puzzle", [p for p in ALL if p.values[0].proof == EXACT])  # type: ignore[union-attr]
def test_what_was_solved_is_solved_again(puzzle: Puzzle) -> None:
    match = begin(puzzle)
    task = task_of(puzzle, match)
    if task is not None:
        again = turn_puzzle(match, task)
        assert again is not None
        assert replace(again[0], number=puzzle.number) == puzzle
        return
    solved = craft_of(match.game).solved(match.state)
    assert solved is not None
    best = max(solved.values())
    right = {move for move, chance in solved.items() if chance == best}
    assert right == {turn.moves[0] for turn in puzzle.turns}
    assert best == puzzle.worth
    assert max(chance for move, chance in solved.items() if move not in right) == puzzle.rest


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", WEIGHED)
def test_another_search_finds_the_solution_clearly_better_too(puzzle: Puzzle) -> None:
    match, random = begin(puzzle), Random(f"again/{puzzle.game}/{puzzle.number}")
    craft = craft_of(match.game)
    view = seen_by(match, puzzle.seat, craft)
    right = {turn.moves[0] for turn in puzzle.turns}
    scales = Scales(craft, view, random, right)
    first: list[Weight] = [scales.weigh(move, Budget(playouts=250), random) for move in scales.keys]
    closer = sorted(first, key=lambda one: -one.chance)[: 3 + len(right)]
    again = [scales.weigh(one.move, Budget(playouts=2000), random) for one in closer]
    clear = (puzzle.worth - puzzle.rest) / 3
    best = max((one for one in again if one.move in right), key=lambda one: one.chance)
    for one in again:
        if one.move not in right:
            assert best.chance - one.chance > max(clear, doubt_between(best, one)), one.move


def test_a_lesson_says_what_is_thrown_after_a_forced_move(monkeypatch: pytest.MonkeyPatch) -> None:
    with elsewhere():
        add_games(RACE)
        begun = ("dealer roll 1 2", "p0 move f2", "dealer roll 3 5", "dealer roll 1 3")
        then = ("dealer roll 1 1", "dealer roll 6 6")
        step = Step({}, (Move.parse("p0 move f6"),), (*map(Move.parse, then),))
        lesson = Lesson(
            game="dice_race", players=2, win={}, beginning=(*map(Move.parse, begun),), steps=(step,)
        )
        state = type(Match("dice_race", 2).state)

        def forced(self: Any) -> Move | None:
            return self.legal_moves()[0] if self.turn == 1 and self.dice else None

        monkeypatch.setattr(state, "obliged", forced)
        match = lessons.begin(lesson)
        lessons.play_step(match, step, step.touch[0])
    rolls = [entry.move.text for entry in match.log if entry.move.verb == "roll"]
    assert rolls == [*begun[:1], *begun[2:], *then]
    assert [entry.move.player for entry in match.log if entry.move.verb == "move"] == [0, 1, 0, 1]
