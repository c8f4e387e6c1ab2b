"""Rulings of games as rows of a table: a position, what is played there, and what is seen then.

    RULINGS = [
        claim("Militia leaves three cards", at(table, "militia", "copper×3 estate×2"),
              "p0 play militia · [p1 discard copper | p1 discard estate] · p1 done ✗ not_optional",
              (lambda t: t.counters, (0, 1, 2))),
    ]

    @pytest.mark.parametrize("steps", RULINGS)
    def test_ruling(steps: Steps) -> None:
        follow(steps)

A step is a position to begin with, a script, something to be ``doing``, a pair of what is looked at
and what is seen there, or a condition. A script has these words, with ``·`` or a new line between
them:

| word | meaning |
|---|---|
| ``MOVE``, ``MOVE ×3`` | it is legal, and is played (so often) |
| ``MOVE ✗ CODE CODE`` | it would be refused for just these reasons (``RULE/CODE``) |
| ``MOVE ✓`` | nothing would be said against it |
| ``[MOVE | MOVE]`` | just these are legal |
| ``[… | MOVE]``, ``[no MOVE | MOVE]`` | they are among the legal ones; they are not |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import pytest

from rules.core import Move, Objection, State
from rules.match import Match

_WORDS = re.compile(r"\[([^\]]*)\]|([^·\n\[\]]+)")

P = TypeVar("P")
Position = Any
"""A match, a state, or a table of a game's tests that answers like a state and has ``play``."""


@dataclass(frozen=True)
class Doing:
    """Something that is done to a position by hand."""

    deed: Callable[[Position], object]


Look = Callable[[Position], Any]
Step = partial[Position] | Doing | str | tuple[Look, Any] | Look
Steps = Sequence[Step]


def at(lay_out: Callable[..., Position], *args: Any, **values: Any) -> partial[Position]:
    """A position to begin with, or to begin anew with: laid out when the row is followed."""
    return partial(lay_out, *args, **values)


def doing(deed: Callable[[Position], object]) -> Doing:
    """Something that is done to a position by hand."""
    return Doing(deed)


def claim(text: str, *steps: Step) -> Any:
    """A row of a table."""
    return pytest.param(steps, id=text)


def follow(steps: Steps) -> None:
    """Go through a row; the test fails at the first step that is not as it says."""
    position: Position = None
    for number, step in enumerate(steps, 1):
        match step:
            case partial():
                position = step()
            case Doing():
                step.deed(position)
            case str():
                play(position, step)
            case (look, wanted):
                seen = look(position)
                assert seen == wanted, f"step {number}: {seen!r} instead of {wanted!r}"
            case _:
                assert step(position), f"step {number} does not hold"


def legal(position: Position) -> list[str]:
    """All legal moves, sorted."""
    return sorted(move.text for move in position.legal_moves())


def objections(position: Position, text: str) -> list[Objection]:
    """Objections to a move."""
    if isinstance(position, Match):
        return position.why_not(text)
    found: list[Objection] = position.violations(Move.parse(text))
    return found


def reasons(position: Position, text: str) -> list[tuple[str, str]]:
    """Rule and code of all that is said against a move."""
    return [(objection.rule, objection.code) for objection in objections(position, text)]


def codes(position: Position, text: str) -> list[str]:
    """Codes of all that is said against a move."""
    return [objection.code for objection in objections(position, text)]


def play(position: P, *scripts: str) -> P:
    """Follow scripts; returns the position."""
    for script in scripts:
        for listed, word in _WORDS.findall(script):
            if listed:
                _compare(legal(position), [move.strip() for move in listed.split("|")])
            elif word.strip():
                _follow(position, word.strip())
    return position


def _compare(offered: Sequence[str], listed: Sequence[str]) -> None:
    first, *more = listed
    if first == "…":
        assert set(more) <= set(offered), f"{more} is not among {offered}"
    elif first.startswith("no "):
        assert not {first.removeprefix("no "), *more} & set(offered), f"{listed} of {offered}"
    else:
        assert offered == sorted(listed), f"{offered} and not {listed}"


def _follow(position: Position, word: str) -> None:
    if "✗" in word:
        text, _, told = word.partition(" ✗ ")
        found = reasons(position, text)
        named = [f"{rule}/{code}" if "/" in told else code for rule, code in found]
        assert named == told.split(), f"{word}: {found}"
    elif word.endswith(" ✓"):
        assert reasons(position, word.removesuffix(" ✓")) == [], word
    else:
        text, _, often = word.partition(" ×")
        for _ in range(int(often or 1)):
            _push(position, text)


def _push(position: Position, text: str) -> None:
    if isinstance(position, Match):
        position.push(text)
    elif isinstance(position, State):
        move = Move.parse(text)
        assert position.violations(move) == [], text
        assert move in position.legal_moves(), f"{text} is none of {legal(position)}"
        position.apply(move)
        assert position.problems() == [], text
    else:
        position.play(text)
