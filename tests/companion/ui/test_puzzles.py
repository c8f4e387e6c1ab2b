"""Puzzles on the screen: touched wrongly, shown, and solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.games import game_ids
from rules.puzzle import has_puzzles, puzzles_of
from tests.companion.ui.conftest import Opened
from tests.support.sweep import widely
from tests.support.ui_harness import (
    GAME,
    PLACES,
    need_screen,
    texts,
    tick,
    walk,
)

need_screen()

from companion.match.practice.puzzle_session import PuzzleSession, Stage  # noqa: E402
from companion.match.view import PlayMove  # noqa: E402
from companion.presentation.players import player_of  # noqa: E402
from companion.presentation.words.sentences import teller_of  # noqa: E402
from companion.ui.screens.puzzle import PuzzleScreen  # noqa: E402
from companion.ui.screens.seats.screen import SeatsScreen  # noqa: E402
from companion.ui.widgets.answer_key import AnswerKey  # noqa: E402
from tests.support.at_the_screen import Player  # noqa: E402
from tests.support.guided import Guided  # noqa: E402

PLAYED = [game for game in game_ids() if has_puzzles(game)]


class Solver(Guided):
    """A finger on the table of a puzzle."""

    def stage(self) -> Stage:
        """Stage of the puzzle."""
        found: Stage = self.guide.puzzling.stage
        return found


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def solver(request: pytest.FixtureRequest, place: Any, opened: Opened[Solver]) -> Solver:
    return opened(Solver(PuzzleScreen, getattr(request, "param", GAME), *place))


def test_a_wrong_answer_is_answered_and_can_be_tried_again(solver: Solver) -> None:
    screen = solver.guide
    puzzle = screen.puzzling.puzzle
    assert not screen.table.may_tip, "the puzzle itself says who asks for the solution"
    wrong = next(move for move, reply in puzzle.replies.items() if len(reply.moves) > 1)
    before = screen.puzzling.view.ply
    solver.touch_move(wrong)
    assert solver.stage() is Stage.WRONG and solver.faults() == []
    assert screen.puzzling.view.legal == (), "nothing goes on from there"
    assert solver.word("lessons.the_answer").partition("{")[0] in texts(screen)
    assert screen.puzzling.view.items != ()
    solver.key_of_strip("screens.try_again")
    assert (screen.puzzling.view.ply, str(solver.stage())) == (before, Stage.ASKED)
    solver.key_of_strip("lessons.show_me")
    assert solver.stage() is Stage.SHOWN and solver.faults() == []
    assert solver.word("lessons.this_is_the_solution") in texts(screen)
    solver.key_of_strip("lessons.next")
    assert screen.puzzling.puzzle.number == 2 and screen.solved == set()


@pytest.mark.parametrize("solver", widely(PLAYED, most=4), indirect=True)
def test_a_puzzle_of_every_game_is_solved_by_touch(solver: Solver) -> None:
    screen = solver.guide
    turn = screen.puzzling.puzzle.turns[0]
    assert solver.faults() == []
    for number, move in enumerate(turn.moves):
        if number not in turn.by_itself:
            assert solver.stage() is Stage.ASKED
            solver.touch_move(move)
    assert solver.stage() is Stage.SOLVED and solver.faults() == []
    assert solver.word("lessons.that_is_right") in texts(screen)


@pytest.mark.parametrize("solver", widely(PLAYED, most=2), indirect=True)
def test_all_puzzles_fit_and_lead_to_a_match(solver: Solver) -> None:
    screen = solver.guide
    for number, puzzle in enumerate(screen.puzzles, 1):
        assert screen.puzzling.puzzle == puzzle
        assert solver.faults() == [], number
        keys = [texts(one) for one in walk(screen) if isinstance(one, AnswerKey)]
        assert len(keys) == len(set(keys)), f"two keys say the same: {keys}"
        turn = puzzle.turns[-1]
        for at, move in enumerate(turn.moves):
            if at not in turn.by_itself:
                screen.puzzling.post(PlayMove(move))
        assert solver.stage() is Stage.SOLVED, number
        assert solver.faults() == [], number
        screen.next()
    assert solver.faults() == []
    assert screen.solved == set(range(len(screen.puzzles)))
    solver.key_of_strip("lessons.play_now")
    assert solver.left == ["play"]


def test_arguments_are_counted_colour_by_colour(place: Any) -> None:
    """Without that nobody could tell whom they can persuade."""
    (_size, lang), puzzle = place, puzzles_of("hoher_rat")[0]
    view = PuzzleSession(puzzle).view
    held = view.supplies[puzzle.seat]
    player = player_of(view, teller_of(view, lang), puzzle.seat)
    counted = {kind.id: rest for kind, rest, _total in player.supply.counters}
    bars = {kind: number for kind, number in held.items() if kind.startswith("bar ")}
    assert len(bars) > 1 and bars == {kind: counted.get(kind) for kind in bars}


def test_from_the_shelf_in_two_touches(tmp_path: Path, opened: Opened[Player]) -> None:
    player = opened(Player(tmp_path, (800, 480), "de"))
    player.press(player.word("screens.to_the_shelf"))
    player.app.seats(GAME)
    tick(3)
    player.press(player.word("screens.puzzles"))
    assert isinstance(player.screen, PuzzleScreen)
    player.press(player.word("screens.to_the_shelf"))
    assert not isinstance(player.screen, SeatsScreen | PuzzleScreen)
