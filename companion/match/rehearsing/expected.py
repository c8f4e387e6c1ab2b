"""Expectations of a scene: those of its heading and of its lines ``expect``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.match.rehearsing import values
from companion.match.rehearsing.values import Fields, Line
from companion.match.view import TableState
from companion.words.errors import notice
from rules.core import Json


@dataclass(frozen=True, slots=True)
class Count:
    """Number of times that an event must have happened."""

    most: int
    exactly: bool = True
    """False: less often is as good."""

    def holds(self, found: int) -> bool:
        """True if ``found`` is as often as it must be."""
        return found == self.most or (found < self.most and not self.exactly)

    @property
    def data(self) -> Json:
        """As the scene has it."""
        return self.most if self.exactly else {"at_most": self.most}


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected result of a whole scene; None where it does not matter."""

    moves: tuple[str, ...] | None = None
    """The record. If no move of dealer or table is among them, those do not matter."""
    asked: Count | None = None
    accused: Count | None = None
    objections: frozenset[str] | None = None
    """Codes that must be among the objections."""
    scores: tuple[int, ...] | None = None
    table: TableState | None = None
    """The table's state at the end."""
    truth: bool | None = None
    """The record is what the scene's ``moves`` played."""


class Came(StrEnum):
    """The kinds of result of the lines since the last expectation."""

    AGREED = "agreed"
    """Moves went into the record, and that was all."""
    ASKED = "asked"
    REFUSED = "refused"
    DIFFERS = "differs"
    WAITS = "waits"
    """The table is not settled and has neither asked nor objected."""
    NOTHING = "nothing"
    """The record is the same, and nothing was asked or objected to."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing that may have come of them; None where it does not matter."""

    came: Came
    who: int | None = None
    """REFUSED: the seat that is told."""
    rule: str | None = None
    """REFUSED: the rule, or the code of the objection."""
    moves: tuple[str, ...] | None = None
    """Moves the record has gained, as in ``Expected.moves``; ASKED: what one of the answers
    holds."""

    def __str__(self) -> str:
        who = "" if self.who is None else f"p{self.who}"
        moves = "; ".join(self.moves or ())
        return " ".join(part for part in (self.came, who, self.rule, moves) if part)


@dataclass(frozen=True, slots=True)
class Expect:
    """One of these must have come of the lines since the last expectation."""

    line: Line
    either: tuple[Outcome, ...]


def of_heading(line: Line, key: str, value: Any) -> Expected:
    """The ``expect`` of a heading."""
    fields = Fields(line, values.mapping(line, key, value), key)
    expected = Expected(
        fields.take("moves", values.move_texts),
        fields.take("asked", _count),
        fields.take("accused", _count),
        fields.take("objections", lambda *at: frozenset(values.texts(*at))),
        fields.take("scores", values.integers),
        fields.take("table", values.one_of(TableState)),
        fields.take("truth", values.yes),
    )
    fields.end()
    return expected


def of_line(fields: Fields) -> Expect:
    """A line ``expect``: one outcome, or a list of alternatives."""
    either = fields.take("expect", _either)
    if either is None:
        return Expect(fields.line, (_outcome(fields),))
    return Expect(fields.line, either)


def _either(line: Line, key: str, value: Any) -> tuple[Outcome, ...] | None:
    """The alternatives; None if the line itself is the only one."""
    if not isinstance(value, list):
        return None
    if not value:
        line.wrong(key, notice("one_of", values=[came.value for came in Came]), value)
    return tuple(_alternative(line, key, one) for one in value)


def _alternative(line: Line, key: str, value: Any) -> Outcome:
    data = {key: value} if isinstance(value, str) else values.mapping(line, key, value)
    if key not in data:
        line.wrong(key, notice("one_of", values=[came.value for came in Came]), value)
    fields = Fields(line, data, key)
    outcome = _outcome(fields)
    fields.end()
    return outcome


def _outcome(fields: Fields) -> Outcome:
    came: Came = fields.take("expect", values.one_of(Came))
    who = rule = moves = None
    if came is Came.REFUSED:
        who, rule = fields.take("who", values.whole), fields.take("rule", values.text)
    elif came is not Came.NOTHING:
        moves = fields.take("moves", values.move_texts)
    return Outcome(came, who, rule, moves)


def _count(line: Line, key: str, value: Any) -> Count:
    if not isinstance(value, dict):
        return Count(values.whole(line, key, value))
    fields = Fields(line, value, key)
    most: int | None = fields.take("at_most", values.whole)
    fields.end()
    if most is None:
        line.wrong(key, notice("scene_a_count"), value)
    return Count(most, exactly=False)
