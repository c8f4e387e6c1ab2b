"""Score sheets as data: rows, rounds and what ends a match, read from a TOML file.

``docs/score-sheets.md`` says how to write one. Those that come with Heelstone lie in ``sheets``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Final, Literal

from rules.core import GameError
from rules.declared import NAME, Between, Fits, Kind, Misfit, read, toml
from rules.errors import Where
from rules.near import hint

MOST_LETTERS: Final = 1 << 14
"""Letters of a file; a sheet of many rows has a few thousand."""
MOST_NUMBERS: Final = 2_400
"""Numbers to choose from in one decision; each is a move of its own."""
LAST_ROUND: Final = 99
"""The last round of a match without an end."""
LARGEST: Final = 100_000


def _texts(name: str | Mapping[str, str]) -> list[str]:
    return [name] if isinstance(name, str) else [*name.values()]


Name = Annotated[
    str | Mapping[str, str], Kind("kind_name"),
    Fits("sheet_unnamed", lambda name: bool(name) and all(map(str.strip, _texts(name)))),
]  # fmt: skip
"""A name: one text, or one for each language."""
Number = Annotated[int, Between(-LARGEST, LARGEST)]
Id = Annotated[
    str, Fits("sheet_id", lambda name: re.fullmatch("[a-z][a-z0-9_]{0,19}", name) is not None)
]
Own = Annotated[str, NAME]


class SheetError(GameError):
    """A score sheet cannot be used; the message names file, key and reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The table ``sheet``: how a match goes and who wins it."""

    name: Name
    wins: Literal["most", "fewest", "together"] = "most"
    """Condition of victory: most points, fewest, or all together once their sum reaches the
    ``target``."""
    rounds: Annotated[int, Between(0, LAST_ROUND)] = 0
    """Number of rounds; 0: until somebody ends the match, or the ``target`` is reached."""
    target: Annotated[int, Between(0, LARGEST)] = 0
    """Points with which the match ends; 0: none."""
    at_once: bool = False
    """True if it ends with the entry that reaches the target, not with the round."""
    order: Literal["turns", "rows", "any"] = "turns"
    """Each player fills all rows in turn; all players fill one row after the other; or each fills
    one free row per turn."""
    first: Literal["same", "next"] = "same"
    """Beginner of a round: always the first seat, or the next one."""
    tie: str = ""
    """The row of which more breaks a tie; empty: equal players share the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row: the numbers that may be entered, and what they are worth."""

    id: Own
    name: Name
    when: Literal["start", "round", "end"] = "round"
    """Entered before the first round, in every one, or after the last."""
    numbers: tuple[Number, Number] = (0, 300)
    step: Annotated[int, Between(1, 1000)] = 1
    each: Number = 1
    """Points for each unit; 0: the number is only noted."""
    table: tuple[Number, ...] = ()
    """Points for 0, 1, 2 … units instead; more count as the last."""
    factors: tuple[Annotated[int, Between(2, 9)], ...] = ()
    """Factors by which an entry may count, such as 2 and 3 for premium fields."""
    many: bool = False
    """True if there may be several entries in a turn, or none."""
    bid: str = ""
    """The row in which the same player said before how many it would be."""
    met: tuple[Number, Number] = (10, 1)
    """If it was met: points, and points for each unit besides."""
    missed: tuple[Number, Number] = (0, -1)
    """If not: points, and points for each unit of the difference besides."""

    @property
    def range(self) -> range:
        """The numbers that may be entered."""
        return range(self.numbers[0], self.numbers[1] + 1, self.step)

    @property
    def scores(self) -> bool:
        """True if an entry may be worth points; else it is only noted."""
        return bool(self.each or self.table or self.bid)

    def points(self, number: int, factor: int, bid: int | None) -> int:
        """Points of an entry; ``bid``: what was said before, None if nothing was."""
        if bid is not None:
            off = abs(number - bid)
            base, each = self.missed if off else self.met
            return base + each * (off or number)
        if self.table:
            return self.table[max(0, min(number, len(self.table) - 1))] * factor
        return number * self.each * factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """Points for a sum over some rows."""

    id: Own
    name: Name
    rows: tuple[str, ...]
    sum: Number
    """The least sum of their points …"""
    points: Number
    """… and what it brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Victory:
    """Something with which a player wins at once, whatever the points."""

    id: Own
    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A score sheet."""

    sheet: Head
    row: Mapping[Id, Row] = field(default_factory=dict)
    bonus: Mapping[Id, Bonus] = field(default_factory=dict)
    victory: Mapping[Id, Victory] = field(default_factory=dict)

    def rows(self, when: str) -> tuple[Row, ...]:
        """The rows that are entered then, in the order of the file."""
        return tuple(row for row in self.row.values() if row.when == when)

    @property
    def words(self) -> Mapping[str, Name]:
        """All that has a name on the sheet, by id."""
        parts: tuple[Row | Victory | Bonus, ...] = (
            *self.row.values(), *self.victory.values(), *self.bonus.values(),
        )  # fmt: skip
        return {part.id: part.name for part in parts}


def in_lang(name: Name, lang: str) -> str:
    """A name in a language, or in the first one there is."""
    return name if isinstance(name, str) else name.get(lang) or next(iter(name.values()))


def read_sheet(text: str, where: Where) -> Sheet:
    """A sheet from the text of its file; ``where`` names it in messages. Raises SheetError."""
    if len(text) > MOST_LETTERS:
        raise SheetError("sheet_too_large", file=where)
    with toml(text, where, SheetError) as data:
        sheet = read(Sheet, data)
        _check(sheet)
        return sheet


@cache
def sheets() -> Mapping[str, Sheet]:
    """The sheets that come with Heelstone, by id; the plainest first."""
    folder = files(__package__) / "sheets"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    return {
        name[3:-5]: read_sheet((folder / name).read_text(encoding="utf-8"), name) for name in names
    }


# -- private ------------------------------------------------------------------------------


def _check(sheet: Sheet) -> None:
    """Raises Misfit for the first thing that does not fit."""
    head = sheet.sheet
    if not sheet.row and not sheet.victory:
        raise Misfit("sheet_empty", ("row",))
    for row in sheet.row.values():
        _check_row(sheet, row)
    for bonus in sheet.bonus.values():
        for place, name in enumerate(bonus.rows):
            _known(name, sheet.row, ("bonus", bonus.id, "rows", place))
    for kind, parts in (("victory", sheet.victory), ("bonus", sheet.bonus)):
        for one in parts:
            others = (sheet.row, sheet.victory if kind == "bonus" else ())
            if any(one in other for other in others):
                raise Misfit("sheet_id_twice", (kind, one), id=one)
    if head.tie:
        _known(head.tie, sheet.row, ("sheet", "tie"))
    if head.wins == "together" and not head.target:
        raise Misfit("sheet_needs_target", ("sheet", "target"))
    if head.order == "any" and head.rounds:
        raise Misfit("sheet_counts_itself", ("sheet", "rounds"))
    for when in ("start", "round", "end"):
        _few(sheet.rows(when), together=when == "round" and head.order == "any")


def _check_row(sheet: Sheet, row: Row) -> None:
    path = ("row", row.id)
    if not row.range or (row.table and row.numbers[0] < 0):
        raise Misfit("sheet_numbers", (*path, "numbers"), found=list(row.numbers))
    if sheet.sheet.order == "any" and row.when == "round" and (row.many or row.bid):
        raise Misfit("sheet_in_order", path)
    if row.bid:
        before = [one.id for one in sheet.rows(row.when)]
        _known(row.bid, before[: before.index(row.id)], (*path, "bid"))


def _known(name: str, rows: Iterable[str], path: tuple[str | int, ...]) -> None:
    if name not in rows:
        raise Misfit("sheet_row_unknown", path, row=name, hint=hint(name, list(rows)))


def _few(rows: Sequence[Row], *, together: bool) -> None:
    """Raises Misfit where one decision has too many numbers."""
    counts = [len(row.range) * (1 + len(row.factors)) for row in rows]
    groups = [sum(counts)] if together or any(row.many for row in rows) else counts
    for row, count in zip(rows, groups, strict=False):
        if count > MOST_NUMBERS:
            raise Misfit("sheet_numbers_many", ("row", row.id), found=count, most=MOST_NUMBERS)
