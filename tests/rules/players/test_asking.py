"""Players in a process of their own: every question is answered once, whatever comes in."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

from rules.core import Move
from rules.match import Match
from rules.players import SeatView
from rules.players.engine_protocol import Answer, Question, line_of
from rules.players.engine_server import serve


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
