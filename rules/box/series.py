"""Series: one table of a box file that stands for several, as rings, grids and equal pieces do.

    [[site]]
    copies = 30
    ring = { radius = 216.5 }
    id = "{n}"
    neighbours = ["{before}", "{after}"]

``written_out`` makes of them the tables of a file without series, before those are read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated, Any, Final

from rules.box.box import MOST, Extent, Length, Number, NumberOf, Point, Size
from rules.declared import Fits, Kind, Misfit, read
from rules.near import hint
from rules.toml_lines import KeyPath

_SPOTS: Final = ("ring", "grid")
_SHAPES: Final = ("through", "rectangle", "sector")
_WORD = re.compile(r"\{([^{}]*)\}")
_NUMBER = re.compile(r"(?:([0-9]{1,4})\*)?n([+-][0-9]{1,4})?")
_NUMBERS: Final = ("stickers", "lying_stickers", "count", "room", "heap")
"""Keys in which ``{n}`` is a number; elsewhere it is text."""
_TEXTS: Final = ("sites", "through", "takes", "neighbours", "one_way", "games", "single_in")
"""Keys in which a word that stands for a list puts all of it there."""
_ARC_DEGREES: Final = 4.0
"""The most between two points of an arc."""

Table = dict[str, Any]
Degrees = Annotated[Number, Kind("kind_degrees")]
Arc = Annotated[Length, Fits("wants_length", lambda degrees: degrees <= 360, most=360)]


@dataclass(frozen=True, slots=True)
class Series:
    """The keys that make a table stand for several."""

    copies: NumberOf | None = None
    each: Annotated[str | tuple[Table, ...], Kind("kind_rows")] = ()
    parts: Annotated[Table | tuple[Table, ...], Kind("kind_tables")] = ()


@dataclass(frozen=True, slots=True)
class Ring:
    """Copies around a middle."""

    radius: Extent = 0.0
    first: Degrees = 90.0
    step: Degrees | None = None
    at: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Grid:
    """Copies in rows."""

    columns: NumberOf
    at: Point
    step: Point


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A shape of a stroke, around where it lies."""

    size: Size
    cut: Extent = 0.0


@dataclass(frozen=True, slots=True)
class Sector:
    """A shape of a stroke: a field of a ring."""

    inner: Length
    outer: Length
    degrees: Arc


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys that give a stroke its points."""

    at: Point | None = None
    through: tuple[str, ...] = ()
    rectangle: Rectangle | None = None
    sector: Sector | None = None


@dataclass(frozen=True, slots=True)
class Lists:
    """Rows that several series have in common."""

    lists: Mapping[str, tuple[Table, ...]] = field(default_factory=dict)


def written_out(data: Table) -> tuple[Table, Callable[[KeyPath], KeyPath]]:
    """``data`` without series, and where in the file stands what is at a path in them.

    Raises Misfit.
    """
    file = _File(read(Lists, {key: value for key, value in data.items() if key == "lists"}).lists)
    found = {key: value for key, value in data.items() if key != "lists"}
    for table, form in (("site", list), ("stroke", list), ("kinds", dict)):
        if isinstance(tables := data.get(table), form):
            found[table] = file.tables(table, tables)
    for rows in file.lists.values():
        rows.check()

    def origin(path: KeyPath) -> KeyPath:
        known = file.origins.get(path[:2])
        return path if known is None else known.of(path[2:])

    return found, origin


# -- private ------------------------------------------------------------------------------


_OWN: Final = [one.name for one in fields(Series)]
_DRAWN: Final = [one.name for one in fields(Shape)]


@dataclass(frozen=True, slots=True)
class _Origin:
    """The place in a file that a table comes from; several may come from one."""

    path: KeyPath
    keys: Mapping[str, KeyPath] = field(default_factory=dict)
    """Keys whose values come from elsewhere."""

    def of(self, inner: KeyPath) -> KeyPath:
        """The path in the file of what is at ``inner`` in the table."""
        if inner and inner[0] in self.keys:
            return (*self.keys[str(inner[0])], *inner[1:])
        return (*self.path, *inner)


_Made = tuple[str, Any, _Origin]
"""Name, values and origin of a table."""


@dataclass(frozen=True)
class _Rows:
    """The differences between the copies of a series: words, and the values of each copy."""

    path: KeyPath
    rows: tuple[Table, ...]
    taken: set[str] = field(default_factory=set)
    """Words that stand in the texts of a series."""

    @cached_property
    def words(self) -> dict[str, None]:
        """All words, in the order of the file."""
        return {word: None for row in self.rows for word in row}

    def check(self) -> None:
        """Raises Misfit for a word that stands nowhere: it is most likely misspelt."""
        for number, row in enumerate(self.rows):
            for word in sorted(row.keys() - self.taken):
                raise Misfit("word_idle", (*self.path, number, word))


class _File:
    """A box file, as far as its tables are written out."""

    def __init__(self, lists: Mapping[str, tuple[Table, ...]]) -> None:
        self.lists = {name: _Rows(("lists", name), rows) for name, rows in lists.items()}
        self.origins: dict[KeyPath, _Origin] = {}
        self.places: Table = {}
        """Middles of sites by id, as far as they are known."""

    def tables(self, table: str, given: Any) -> Any:
        """All tables of one sort, in a list or by name."""
        named = isinstance(given, dict)
        found: dict[Any, Any] = {}
        for key, each in given.items() if named else enumerate(given):
            for name, values, origin in self._made((table, key), each):
                number = name if named else len(found)
                if number in found:
                    raise Misfit("kind_twice", origin.path, kind=name)
                if len(found) == MOST:
                    raise Misfit("series_long", origin.path, most=MOST)
                found[number] = values
                self.origins[table, number] = origin
                if table == "site" and isinstance(values, dict):
                    self.places[str(values.get("id"))] = values.get("at")
        return found if named else list(found.values())

    def _made(self, path: KeyPath, given: Any) -> Iterator[_Made]:
        if isinstance(given, dict) and any(key in given for key in (*_OWN, *_SPOTS, *_SHAPES)):
            return _Written(self, path, given).made()
        return iter([(str(path[1]), given, _Origin(path))])


class _UnknownWord(KeyError):
    """A word for which neither the series nor its rows have anything."""


class _Words:
    """The values put for the words in the texts of one copy."""

    def __init__(self, rows: _Rows, index: int, count: int) -> None:
        number = index % len(rows.rows) if rows.rows else 0
        self._row = rows.rows[number] if rows.rows else {}
        self._rows, self.path = rows, (*rows.path, number)
        self._n = index + 1
        self.more: Table = {
            "before": str(index) if index else None,
            "after": str(index + 2) if index + 1 < count else None,
            "round": str(index // max(len(rows.rows), 1) + 1),
        }
        """Words besides those of the row; None for what there is not, as before the first."""

    def put(self, given: Any, *, numbers: bool = False) -> tuple[Any, bool]:
        """``given`` with its words filled in, None if one has nothing there; and whether the row
        has a say in it. Raises _UnknownWord."""
        if isinstance(given, str):
            return self._text(given, numbers)
        if isinstance(given, list | dict):
            keyed = given.items() if isinstance(given, dict) else enumerate(given)
            found = [(key, *self.put(each, numbers=numbers)) for key, each in keyed]
            kept = [(key, value) for key, value, _ in found if value is not None]
            whole = dict(kept) if isinstance(given, dict) else [value for _, value in kept]
            return whole, any(of_row for *_, of_row in found)
        return given, False

    def known(self) -> list[str]:
        """All words."""
        return ["n", *self.more, *self._rows.words]

    def _text(self, given: str, numbers: bool) -> tuple[Any, bool]:
        words = _WORD.findall(given)
        found = [self._word(word, numbers) for word in words]
        of_row = any(word in self._row for word in words)
        if any(value is None for value in found):
            return None, of_row
        if _WORD.fullmatch(given):
            return found[0], of_row
        values = iter(found)
        return _WORD.sub(lambda _: str(next(values)), given), of_row

    def _word(self, word: str, numbers: bool) -> Any:
        if word in self._rows.words:
            self._rows.taken.add(word)
            return self._row.get(word)
        if word in self.more:
            return self.more[word]
        if (number := _NUMBER.fullmatch(word)) is None:
            raise _UnknownWord(word)
        value = int(number[1] or 1) * self._n + int(number[2] or 0)
        return value if numbers else str(value)


@dataclass(frozen=True)
class _Spot:
    """The place of a copy, mm."""

    at: Point | None = None
    middle: Point = (0.0, 0.0)
    """Of its ring."""
    degrees: float = 0.0
    """Its direction in the ring, counter-clockwise from the right."""
    words: Table = field(default_factory=dict)


class _Written:
    """A table that stands for several, as these are written out."""

    def __init__(self, file: _File, path: KeyPath, given: Table) -> None:
        """Raises Misfit."""
        self._file, self._path = file, path
        self._own = {key: value for key, value in given.items() if key not in _OWN}
        self._head = read(Series, {k: v for k, v in given.items() if k in _OWN}, path)
        each = self._head.each
        if isinstance(each, str) and each not in file.lists:
            known = hint(each, file.lists)
            raise Misfit("list_unknown", (*path, "each"), found=each, hint=known)
        self._rows = file.lists[each] if isinstance(each, str) else _Rows((*path, "each"), each)
        self._count: int = self._head.copies or len(self._rows.rows) or 1

    def made(self) -> Iterator[_Made]:
        """The tables for which it stands."""
        parts = self._head.parts
        keyed = parts.items() if isinstance(parts, dict) else enumerate(parts)
        every: list[tuple[KeyPath, str, Any]] = [(("parts", k), str(k), part) for k, part in keyed]
        for index in range(self._count):
            for inner, name, own in every or [((), str(self._path[1]), {})]:
                if not isinstance(own, dict):
                    raise Misfit("wants_table", (*self._path, *inner))
                yield self._one(index, inner, name, own)
        if not isinstance(self._head.each, str):
            self._rows.check()

    def _one(self, index: int, inner: KeyPath, name: str, own: Table) -> _Made:
        """The table of one part of one copy."""
        words, spot = _Words(self._rows, index, self._count), _Spot()
        given = self._own | own
        values: Table = {}
        keys: dict[str, KeyPath] = {}
        for key in sorted(given, key=lambda key: key not in _SPOTS):
            at = (*inner, key) if key in own else (key,)
            value, of_row = self._put(words, given[key], at)
            if key in _SPOTS:
                if spot.at is not None:
                    raise Misfit("only_one", (*self._path, *at), keys=[*_SPOTS])
                spot = self._spot(key, value, index, at)
                words.more |= spot.words
            elif value is not None:
                values[key] = _flat(value) if key in _TEXTS else value
                keys[key] = words.path if of_row else (*self._path, *at)
        if self._path[0] == "stroke":
            self._draw(values, spot, inner)
        elif spot.at is not None:
            values.setdefault("at", [*spot.at])
        called = self._put(words, name, inner)[0] or name
        return str(called), values, _Origin((*self._path, *inner), keys)

    def _put(self, words: _Words, given: Any, at: KeyPath) -> tuple[Any, bool]:
        try:
            return words.put(given, numbers=bool(at) and at[-1] in _NUMBERS)
        except _UnknownWord as error:
            word = error.args[0]
            raise Misfit(
                "word_unknown", (*self._path, *at), found=word, hint=hint(word, words.known())
            ) from error

    def _spot(self, key: str, given: Any, index: int, at: KeyPath) -> _Spot:
        """The place of a copy in a ring or a grid."""
        path = (*self._path, *at)
        if key == "grid":
            grid = read(Grid, given, path)
            row, column = divmod(index, grid.columns)
            x, y = grid.at[0] + column * grid.step[0], grid.at[1] + row * grid.step[1]
            letter = chr(ord("a") + column) if column < 26 else None
            words = {"column": str(column + 1), "row": str(row + 1), "letter": letter}
            return _Spot((_mm(x), _mm(y)), words=words)
        ring = read(Ring, given, path)
        step = -360 / self._count if ring.step is None else ring.step
        degrees = ring.first + step * index
        words = {}
        if abs(step) * self._count >= 360:
            words = {
                "before": str(index or self._count),
                "after": str((index + 1) % self._count + 1),
            }
        return _Spot(_polar(ring.at, ring.radius, degrees), ring.at, degrees, words)

    def _draw(self, values: Table, spot: _Spot, inner: KeyPath) -> None:
        """Give a stroke its points: those of a shape, or its own, from where it lies."""
        path = (*self._path, *inner)
        given = {key: values.pop(key) for key in _DRAWN if key in values}
        shape = read(Shape, given, path)
        drawn = [key for key in _SHAPES if key in given]
        if len([*drawn, *values.keys() & {"points"}]) > 1:
            raise Misfit("only_one", (*path, drawn[-1]), keys=["points", *_SHAPES])
        at = spot.at if shape.at is None else shape.at
        if shape.sector is not None:
            values["points"] = _sector(shape.sector, spot)
        elif shape.rectangle is not None:
            points = _rectangle(shape.rectangle.size, shape.rectangle.cut)
            closed = points[:1] if values.get("kind") == "line" else []
            values["points"] = _moved([*points, *closed], at or (0.0, 0.0))
        elif "through" in drawn:
            values["points"] = [self._middle(name, path) for name in shape.through]
        elif at is not None and "points" in values:
            values["points"] = _moved(values["points"], at)

    def _middle(self, site: str, path: KeyPath) -> Any:
        if site not in self._file.places:
            known = hint(site, self._file.places)
            raise Misfit("site_unknown", (*path, "through"), site=site, hint=known)
        return self._file.places[site]


def _mm(value: float) -> float:
    """Computed values are rounded to tenths."""
    return round(value, 1)


def _polar(middle: Point, radius: float, degrees: float) -> Point:
    turn = math.radians(degrees)
    return _mm(middle[0] + radius * math.cos(turn)), _mm(middle[1] + radius * math.sin(turn))


def _flat(texts: Any) -> Any:
    """A list with what is in lists within it."""
    if not isinstance(texts, list):
        return texts
    return [one for each in texts for one in (each if isinstance(each, list) else [each])]


def _moved(points: Any, at: Point) -> Any:
    """Points from ``at`` on; whatever else it is stays, and is complained of by who reads it."""
    try:
        return [[_mm(x + at[0]), _mm(y + at[1])] for x, y in points]
    except (TypeError, ValueError, OverflowError):
        return points


def _rectangle(size: Point, cut: float) -> list[Point]:
    """Corners around the origin, counter-clockwise from the lower left; with a ``cut`` two each."""
    x, y = size[0] / 2, size[1] / 2
    if not cut:
        return [(-x, -y), (x, -y), (x, y), (-x, y)]
    return [
        (-x + cut, -y), (x - cut, -y), (x, -y + cut), (x, y - cut),
        (x - cut, y), (-x + cut, y), (-x, y - cut), (-x, -y + cut),
    ]  # fmt: skip


def _sector(sector: Sector, spot: _Spot) -> list[Point]:
    """A field of a ring: along its outer arc clockwise, and back along the inner one."""
    half = sector.degrees / 2
    steps = math.ceil(sector.degrees / _ARC_DEGREES)
    turns = [half - 2 * half * step / steps for step in range(steps + 1)]
    outer = [_polar(spot.middle, sector.outer, spot.degrees + turn) for turn in turns]
    inner = [_polar(spot.middle, sector.inner, spot.degrees - turn) for turn in turns]
    return outer + inner
