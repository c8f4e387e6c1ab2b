"""Computer players asked for moves and reasons: at any table, within any time."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import puzzle as puzzles
from rules.core import Actor, Move
from rules.games import find_game
from rules.match import Match
from rules.players import Budget, Choice, Reason, SeatView, Thought, find_player
from rules.players.analysis_result import told_reason
from rules.players.craft import Craft, craft_of
from rules.players.engine_protocol import Answer, Question, line_of
from rules.players.engine_server import serve
from rules.players.levels import as_legal
from rules.players.puzzles import Wanted, clear_turns, found, proved, settle
from rules.puzzle import SEARCHED, begin, puzzles_of
from rules.telling import Teller
from rules.testing.exercises import puzzle_problems
from rules.testing.playout import pick


def _question(name: str, seconds: float = 600.0, **changes: Any) -> Question:
    match = Match("knizia_stonehenge", players=2)
    known = {"player": "druid", "seed": 5, "playouts": 30, **changes}
    view, moves = SeatView.of(match, 0), tuple(match.legal_moves())
    return Question(name, view=view, moves=moves, seconds=seconds, **known)


def _answers(*lines: str) -> list[dict[str, Any]]:
    """The answers if every line waits for the answer to the one before."""
    out, done = io.StringIO(), threading.Semaphore(0)

    class Heard(io.StringIO):
        def write(self, text: str) -> int:
            done.release()
            return out.write(text)

    def asked() -> Iterator[str]:
        for line in lines:
            yield line
            assert done.acquire(timeout=20)

    serve(asked(), Heard())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_question_and_its_answer_survive_the_way_as_lines() -> None:
    question = _question("7")
    assert Question.from_json(json.loads(line_of(question.to_json()))) == question
    (told,) = _answers(line_of(question.to_json()))
    answer = Answer.from_json(told)
    assert answer.id == "7"
    assert answer.choice is not None and answer.choice.move in question.moves
    assert Answer.from_json(json.loads(line_of(answer.to_json()))) == answer


def test_the_same_question_has_the_same_answer() -> None:
    first, second = _answers(*(line_of(_question(name).to_json()) for name in "12"))
    assert {**first, "id": ""} == {**second, "id": ""}


def test_lines_that_are_no_questions_are_answered_with_what_is_wrong_and_nothing_is_lost() -> None:
    wrong = ["nonsense\n", "[1]\n", '{"id": "a"}\n', "9\n", '{"id": "b", "moves": [], "x": 1}\n']
    unknown = line_of(_question("c", player="merlin").to_json())
    *told, last = _answers(*wrong, unknown, line_of(_question("d").to_json()))
    assert [one["id"] for one in told] == ["", "", "a", "", "b", "c"]
    assert all(one["error"] for one in told)
    assert "merlin" in told[-1]["error"]
    assert last["id"] == "d" and "move" in last


def test_a_player_that_fails_or_cheats_is_an_error_and_the_next_one_is_asked(
    monkeypatch: Any,
) -> None:
    class Fails:
        def choose(self, *_: Any) -> Any:
            raise ZeroDivisionError("in a player of somebody else's")

    class Cheats:
        def choose(self, *_: Any) -> Any:
            from rules.players import Choice, Reason

            return Choice(Move.parse("p1 done"), Reason("only_move"))

    from rules.players import engine_server as serving
    from rules.players import find_player

    own = {"fails": Fails(), "cheats": Cheats()}
    monkeypatch.setattr(serving, "find_player", lambda name: own.get(name) or find_player(name))
    lines = [line_of(_question(n, player=n).to_json()) for n in ("fails", "cheats", "apprentice")]
    fails, cheats, plays = _answers(*lines)
    assert "ZeroDivisionError" in fails["error"]
    assert "p1 done" in cheats["error"]
    assert "move" in plays


class _Process:
    """The real process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rules.players"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def say(self, said: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line_of(said))
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told


def test_a_stop_a_new_question_and_the_end_of_the_input_end_a_thought_at_once() -> None:
    thinker = _Process()
    endless: dict[str, Any] = {"seconds": 600.0, "playouts": None, "player": "archdruid"}
    thinker.say(_question("1", **endless).to_json())
    thinker.say({"stop": "1"})
    assert thinker.hear() == {"id": "1", "stopped": True}
    thinker.say(_question("2", **endless).to_json())
    thinker.say({"stop": "1"})
    thinker.say(_question("3").to_json())
    assert thinker.hear() == {"id": "2", "stopped": True}
    assert thinker.hear()["id"] == "3"
    thinker.say(_question("4", **endless).to_json())
    out, _ = thinker.process.communicate(timeout=20)
    assert json.loads(out) == {"id": "4", "stopped": True}
    assert thinker.process.returncode == 0


def test_a_thought_ends_when_its_memory_is_used_up_and_counts() -> None:
    most_mb, command = 34, (sys.executable, "-m", "rules.players", "34")
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        question = _question("m", player="archdruid", playouts=None)
        process.stdin.write(line_of(question.to_json()))
        process.stdin.flush()
        # Ten minutes would have been allowed.
        told = json.loads(process.stdout.readline())
        assert Answer.from_json(told).choice is not None and told["playouts"] > 100
        (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
        assert int(peak) / 1024 < most_mb + 8


def test_what_nobody_has_seen_is_left_open_and_the_same_for_hands_is_one_thought() -> None:
    legal = [Move.parse(text) for text in ("p1 dolmen K04 top ?", "p1 keep K04")]
    four, one = (Move.parse(f"p1 dolmen K04 top {value}") for value in (4, 1))
    keep = legal[1]
    thoughts = (Thought(four, 0.7, 9), Thought(one, 0.6, 5), Thought(keep, 0.5, 2))
    found = as_legal(Choice(four, Reason("winning"), thoughts), legal)
    assert found.move == legal[0]
    assert found.thoughts == (Thought(legal[0], 0.7, 9), thoughts[2])
    assert found.second == thoughts[2]


@pytest.mark.parametrize("game", ["dolmengoetter", "knizia_stonehenge", "rollende_steine"])
def test_where_computer_players_may_sit_they_choose_what_is_legal_there(game: str) -> None:
    match, random = Match(game, 2, physical=True), Random(2)
    assert match.game.open_to_computers(match.options)
    druid, asked = find_player("druid"), 0
    while match.outcome is None and asked < 40:
        match.follow()
        moves = match.legal_moves()
        if not moves:
            break
        move = pick(match.state, moves, random)
        if moves[0].actor is Actor.PLAYER and moves[0].player is not None:
            asked += 1
            view = SeatView.of(match, moves[0].player)
            choice = druid.choose(view, moves, Budget(playouts=4), random)
            assert choice.move in moves
            assert all(one.move in moves for one in choice.thoughts)
            move = choice.move
        match.push(move)
    assert asked > 5


KNIZIA = "knizia_stonehenge"


class Unsolving(Craft):  # type: ignore[type-arg]
    """The craft of a player who knows the rules alone."""


def test_a_search_proves_what_solving_proves() -> None:
    puzzle = puzzles_of(KNIZIA)[0]
    match = begin(puzzle)
    proof = proved(match, Unsolving(match.game), Random(1), most=128)
    assert proof is not None and proof.kind == SEARCHED
    assert set(proof.right) == {turn.moves[0] for turn in puzzle.turns}
    assert proof.chance - proof.rest > 0.3


def test_at_the_beginning_no_move_is_clearly_the_best() -> None:
    match = Match(KNIZIA, 2)
    assert proved(match, craft_of(match.game), Random(1), most=32) is None


def test_a_turn_goes_on_by_itself_as_far_as_that_goes_without_saying() -> None:
    match = begin(puzzles_of(KNIZIA)[0])
    craft = craft_of(match.game)
    proof = proved(match, craft, Random(1))
    assert proof is not None
    for turn in clear_turns(match, craft, Random(1), proof):
        assert turn.by_itself == frozenset(range(1, len(turn.moves)))
        trial = match.clone()
        trial.push(turn.moves[0])
        assert tuple(settle(trial, craft, turn.moves[0].player or 0)) == turn.moves[1:]


def test_what_is_found_is_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game(KNIZIA)
    options = game.complete_options(2, {})
    puzzle, easy = next(filter(None, found(game, 2, options, "2", Wanted(exact=True))))
    assert 0 <= easy <= 1
    monkeypatch.setattr("rules.testing.exercises.puzzles_of", lambda _game: (puzzle,))
    assert puzzle_problems(KNIZIA) == []
    assert puzzles.begin(puzzle).state.turn == puzzle.seat


GAMES = {"erbaut_stonehenge": 3, "opferroulette": 3, "rollende_steine": 2}


@pytest.mark.parametrize("game", GAMES)
def test_reasons_are_told_and_are_the_same_whatever_is_hidden(game: str) -> None:
    new = Match(game, GAMES[game])
    tellers = [Teller(new.game, lang, new.colours) for lang in ("de", "en")]
    random, codes = Random(game), set()
    for seed in range(3):
        match = Match(game, GAMES[game], seed=seed)
        craft = craft_of(match.game)
        for number in range(10_000):
            prompt = match.prompt
            if prompt is None:
                break
            if match.deal():
                continue
            moves = match.legal_moves()
            if prompt.actor is Actor.PLAYER and number % 3 == 0 and prompt.player is not None:
                view = SeatView.of(match, prompt.player)
                deal = craft.states(view)
                first, second = deal(random), deal(random)
                for move in random.sample(moves, min(4, len(moves))):
                    why = craft.reason(view, first, move)
                    assert why == craft.reason(view, second, move), move
                    if why is not None:
                        codes.add(why.code)
                        for teller in tellers:
                            assert "{" not in told_reason(why, teller)
            match.push(pick(match.state, moves, random))
    assert codes <= set(craft_of(match.game).reasons)
    assert len(codes) >= 6, sorted(codes)
