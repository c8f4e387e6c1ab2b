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
}
"""Parts of a game that Heelstone calls, and no game changes."""
SET_FOR_IT = {"board_text", "board_name"}


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables below a heading, without their heads."""
    section = re.split(rf"(?m)^## {re.escape(heading)}$", PAGE)[1].split("\n## ")[0]
    found = [line.strip("| \n").split(" | ") for line in re.findall(r"(?m)^\|.*\|$", section)]
    return [cells for cells in found if cells[0].startswith("`")]


def said(annotation: object) -> str:
    return str(annotation).strip("'").replace(" | ", " or ")


def put(called: str, made: Callable[..., Any], leave: int = 1) -> str:
    """A question as the page puts it; ``leave``: so many parameters are the object itself."""
    parts, starred = [], False
    for parameter in [*inspect.signature(made).parameters.values()][leave:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        star = "*" * (parameter.kind is parameter.VAR_POSITIONAL)
        star += "**" * (parameter.kind is parameter.VAR_KEYWORD)
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parts.append(f"{star}{parameter.name}{default}")
    return f"`{called}({', '.join(parts)})`"


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


def test_every_question_is_there_as_the_code_puts_it() -> None:
    told = [(cells[0], cells[1]) for heading in QUESTIONS for cells in rows(heading)]
    known = [
        (put(name, asked), f"`{said(inspect.signature(asked).return_annotation)}`")
        for name, asked in questions().items()
        if name not in ASKED_NOT
    ]
    assert sorted(told) == sorted(known)


@pytest.mark.parametrize(("heading", "kind"), [(QUESTIONS[0], Game), (QUESTIONS[1], State)])
def test_what_must_be_answered_is_in_the_first_tables(heading: str, kind: Any) -> None:
    told = {cells[0].strip("`").partition("(")[0] for cells in rows(heading)}
    assert told == {name for name in questions() if name in kind.__abstractmethods__}


def test_what_is_handed_in_has_the_types_of_the_code() -> None:
    known: dict[str, set[str]] = {}
    for name, asked in questions().items():
        for parameter in [*inspect.signature(asked).parameters.values()][1:]:
            if name not in ASKED_NOT:
                kinds = known.setdefault(f"`{parameter.name}`", set())
                kinds.add(said(parameter.annotation))
    told = {cells[0]: cells[1] for cells in rows("What is handed in")}
    assert {name: {*kinds[1:-1].split("`, `")} for name, kinds in told.items()} == known


def test_what_a_game_says_of_itself_is_all_there() -> None:
    known = {}
    for module in ("game", "inference", "touch"):
        source = (ROOT / "rules" / "core" / f"{module}.py").read_text(encoding="utf-8")
        for fact in ast.walk(ast.parse(source)):
            if isinstance(fact, ast.AnnAssign) and "ClassVar" in ast.unparse(fact.annotation):
                kind = ast.unparse(fact.annotation)[len("ClassVar[") : -1]
                default = "required" if fact.value is None else f"`{ast.unparse(fact.value)}`"
                known[f"`{ast.unparse(fact.target)}`"] = (f"`{said(kind)}`", default)
    told = {cells[0]: (cells[1], cells[2]) for cells in rows("What a game says of itself")}
    assert told == {name: fact for name, fact in known.items() if name[1:-1] not in SET_FOR_IT}


def test_what_is_handed_out_is_made_so() -> None:
    made = [
        put("Move.of", Move.of, 0), put("Objection.of", Objection.of, 0),
        *(put(kind.__name__, kind, 0) for kind in (Prompt, Outcome, ScoreLine, Item, Result)),
        put("StateError", core.StateError.__init__),
    ]  # fmt: skip
    assert [cells[0] for cells in rows("What is handed out")] == made


def test_what_tests_need_is_there() -> None:
    told = {cells[0]: cells[1] for cells in rows("In tests")}
    assert put("Match", Match.__init__) in PAGE
    functions: dict[str, Callable[..., Any]] = {
        made.__name__: made
        for made in (find_game, add_games, check_game, differences, random_match)
    }
    for question, answer in told.items():
        name = question.strip("`").partition("(")[0]
        if " of " in question:
            known = functions[name]
            assert question == f"{put(name, known, 0)} of `{known.__module__}`"
        else:
            part: Any = vars(Match)[name]
            known = getattr(part, "fget", part)
            assert question == (put(name, known) if "(" in question else f"`{name}`")
        assert answer == f"`{said(inspect.signature(known).return_annotation)}`"
