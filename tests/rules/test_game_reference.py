"""The page of what a game may be asked names every question as the code puts it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import core
from rules.core import (
    Call,
    Game,
    Inference,
    Item,
    Move,
    Objection,
    Outcome,
    Prompt,
    Result,
    ScoreLine,
    State,
    Throw,
    Touch,
)
from rules.games import add_games, find_game
from rules.match import Match
from rules.testing.conformance import check_game
from rules.testing.golden import differences
from rules.testing.playout import random_match

ROOT = Path(rules.__file__).parents[1]
PAGE = (ROOT / "docs" / "game-reference.md").read_text(encoding="utf-8")
ASKED_NOT = {
    "with_colours",
    "complete_options",
    "as_played",
    "from_json",
    "read_unchecked",
    "keeps_ledger",
    "is_answer",
}
"""Parts of a game that Heelstone calls, and no game changes."""
HANDED_OUT = (Prompt, Outcome, ScoreLine, Item, Throw, Call, Result)
SET_FOR_IT = {"board_table", "board_text", "board_name"}


def entries(heading: str) -> list[str]:
    """The code that each entry of the lists below a heading begins with."""
    section = re.split(rf"(?m)^## {re.escape(heading)}$", PAGE)[1].split("\n## ")[0]
    return re.findall(r"(?m)^- `([^`]+)`: .", section)


def put(called: str, made: Callable[..., Any], leave: int = 1) -> str:
    """A call as the page puts it, without types; the first ``leave`` parameters are left out."""
    kept = [*inspect.signature(made).parameters.values()][leave:]
    bare = [parameter.replace(annotation=parameter.empty) for parameter in kept]
    return f"{called}{inspect.Signature(bare)}"


def gives(made: Callable[..., Any]) -> str:
    return str(inspect.signature(made).return_annotation).strip("'")


def questions() -> dict[str, Any]:
    found = {
        name: inspect.getattr_static(kind, name)
        for kind in (Game, State, Inference, Touch)
        for name in dir(kind)
        if name[0] != "_"
    }
    return {name: asked for name, asked in found.items() if inspect.isfunction(asked)}


QUESTIONS = (
    "What every game must answer", "What every position must answer", "Before the match",
    "The play and the points", "The table", "What may be known", "What hands do", "The screen",
)  # fmt: skip


def asked(name: str) -> str:
    """A question with its types, as the page puts it."""
    made = questions()[name]
    parameters = [*inspect.signature(made).parameters.values()][1:]
    parts = []
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        assert parameter.default is parameter.empty
        parts.append(f"{parameter.name}: {parameter.annotation}")
    return f"{name}({', '.join(parts)}) -> {gives(made)}"


def test_every_question_is_there_as_the_code_puts_it() -> None:
    told = [entry for heading in QUESTIONS for entry in entries(heading)]
    assert sorted(told) == sorted(asked(name) for name in questions() if name not in ASKED_NOT)


@pytest.mark.parametrize(("heading", "kind"), [(QUESTIONS[0], Game), (QUESTIONS[1], State)])
def test_what_must_be_answered_is_in_the_first_lists(heading: str, kind: Any) -> None:
    told = {entry.partition("(")[0] for entry in entries(heading)}
    assert told == {name for name in questions() if name in kind.__abstractmethods__}


def test_what_a_game_says_of_itself_is_all_there() -> None:
    known = {}
    for module in ("game", "inference", "touch"):
        source = (ROOT / "rules" / "core" / f"{module}.py").read_text(encoding="utf-8")
        for fact in ast.walk(ast.parse(source)):
            if isinstance(fact, ast.AnnAssign) and "ClassVar" in ast.unparse(fact.annotation):
                kind = ast.unparse(fact.annotation)[len("ClassVar[") : -1].strip("'")
                default = "" if fact.value is None else f" = {ast.unparse(fact.value)}"
                name = ast.unparse(fact.target)
                known[name] = f"{name}: {kind}{default}"
    told = entries("What a game says of itself")
    assert sorted(told) == sorted(fact for name, fact in known.items() if name not in SET_FOR_IT)


def test_what_is_handed_out_is_made_so() -> None:
    made = [
        put("Move.of", Move.of, 0), put("Objection.of", Objection.of, 0),
        *(put(kind.__name__, kind, 0) for kind in HANDED_OUT),
        put("StateError", core.StateError.__init__),
    ]  # fmt: skip
    assert entries("What is handed out") == made


def test_what_tests_need_is_there() -> None:
    assert put("Match", Match.__init__) in PAGE
    functions = (find_game, add_games, check_game, differences, random_match)
    known = {put(f"{made.__module__}.{made.__name__}", made, 0) for made in functions}
    assert set(entries("In tests")) == known
    of_matches = PAGE.split("moves are texts or `Move`s.")[1].split("\n\n")[0]
    for name in re.findall(r"`(\w+)`", of_matches):
        assert hasattr(Match, name), name
