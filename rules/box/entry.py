"""The tables of a box file, value by value; every complaint names file, line and key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.box.box import BoxError, Point
from rules.box.keys import REQUIRED, Key
from rules.errors import Sentence, Where
from rules.near import hint
from rules.toml_lines import KeyPath, at_line, lines_of, nearest_line

__all__ = ["COLOUR", "LONGEST_MM", "MOST", "Entry", "Origin", "Source"]

LONGEST_MM = 10_000
"""No table is larger."""
MOST = 10_000
"""No box holds more of anything."""
WANTED = {
    "text": "kind_text", "word": "kind_word", "colour": "kind_colour", "flag": "kind_flag",
    "table": "kind_table", "names": "kind_names", "colours": "kind_colours", "texts": "kind_texts",
    "counts": "kind_counts", "points": "kind_points", "tables": "kind_tables",
    "length": "kind_length", "extent": "kind_length", "count": "kind_count",
    "number_of": "kind_count", "point": "kind_point", "size": "kind_size",
    "degrees": "kind_degrees", "rows": "kind_rows", "parts": "kind_tables",
}  # fmt: skip
"""The words for what a value must be."""
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in a file a table comes from; several may come from one."""

    path: KeyPath
    keys: Mapping[str, KeyPath] = field(default_factory=dict)
    """Keys whose values come from elsewhere."""

    def of(self, inner: KeyPath) -> KeyPath:
        """The path in the file of what is at ``inner`` in the table."""
        if inner and inner[0] in self.keys:
            return (*self.keys[str(inner[0])], *inner[1:])
        return (*self.path, *inner)


class Source:
    """A file and its text. Lines are looked for only once there is something to complain of."""

    def __init__(self, where: Where, text: str) -> None:
        self.where = where
        self._text = text
        self.origins: Mapping[KeyPath, Origin] = {}
        """Of tables that do not stand in the file as they are read, by table and number or name."""

    def wrong(self, code: str, path: KeyPath, key: str, **params: object) -> BoxError:
        """An error about what stands at ``path`` and is called ``key``."""
        if path[:2] in self.origins:
            path = self.origins[path[:2]].of(path[2:])
        line = nearest_line(lines_of(self._text), path)
        return BoxError(code, file=at_line(self.where, line), key=key, **params)


class Entry:
    """One table of a file. Its keys and what they must be are given; ``values`` has them all."""

    def __init__(
        self, source: Source, table: Any, path: KeyPath, name: str, keys: Mapping[str, Key]
    ) -> None:
        """``name``: what the table is called in complaints. Raises BoxError."""
        self.path, self.name = path, name
        self._source = source
        if not isinstance(table, dict):
            raise self.wrong("wants_kind", wanted=Sentence("kind_table"), found=table)
        self._keys, self._table = keys, table
        for key in table:
            if key not in keys:
                raise self.wrong("key_unknown", key, hint=hint(key, keys))
        self.values = {key: self._value(key) for key in keys}

    def __getitem__(self, key: str) -> Any:
        """The value of a key: checked, or its default."""
        return self.values[key]

    def has(self, key: str) -> bool:
        """Whether the file says it."""
        return key in self._table

    def wrong(
        self, code: str, *inner: str | int, called: str | None = None, **params: object
    ) -> BoxError:
        """An error about a key of the table, about an entry of its list, or about all of it.

        ``called``: what else the key is called.
        """
        named = ".".join(str(part) for part in inner if isinstance(part, str))
        key = called or f"{self.name}.{named}".strip(".")
        return self._source.wrong(code, (*self.path, *inner), key, **params)

    def _value(self, key: str) -> Any:
        rule = self._keys[key]
        if key not in self._table:
            if rule.default is REQUIRED:
                raise self.wrong("key_missing", key)
            return tuple(rule.default) if isinstance(rule.default, list) else rule.default
        value = self._checked(rule.wants, self._table[key], key)
        for number, found in enumerate(value if isinstance(value, tuple) else (value,)):
            if rule.among and found not in rule.among:
                raise self.wrong("wants_among", key, number, known=rule.among, found=found)
        return value

    def _checked(self, wants: str, value: Any, *at: str | int) -> Any:
        match wants, value:
            case "text" | "colour" | "word", str():
                if wants == "colour" and not COLOUR.fullmatch(value):
                    raise self.wrong("wants_colour", *at, found=value)
                if wants == "word" and (not value or any(c.isspace() for c in value)):
                    raise self.wrong("wants_word", *at, found=value)
                return value
            case "flag", bool():
                return value
            case "table" | "parts", dict():
                return value
            case "rows", str():
                return value
            case "names" | "colours", dict():
                inner = "colour" if wants == "colours" else "text"
                return {key: self._checked(inner, each, *at, key) for key, each in value.items()}
            case "texts" | "counts" | "points" | "tables" | "rows" | "parts", list():
                inner = "table" if wants in ("rows", "parts") else wants[:-1]
                return tuple(self._checked(inner, v, *at, n) for n, v in enumerate(value))
            case "point" | "size", [int() | float() as x, int() | float() as y]:
                pair: Point = (self._number(x, *at), self._number(y, *at))
                if wants == "size" and min(pair) <= 0:
                    raise self.wrong("wants_lengths", *at, found=value)
                return pair
            case "degrees", int() | float() if not isinstance(value, bool):
                return self._number(value, *at)
            case "length" | "extent", int() | float() if not isinstance(value, bool):
                number = self._number(value, *at)
                if number < 0 or (number == 0 and wants == "length"):
                    code = "wants_length_above" if wants == "length" else "wants_length_from"
                    raise self.wrong(code, *at, found=value)
                return number
            case "count" | "number_of", int() if not isinstance(value, bool):
                least = 0 if wants == "count" else 1
                if not least <= value <= MOST:
                    raise self.wrong("wants_between", *at, least=least, most=MOST, found=value)
                return value
        raise self.wrong("wants_kind", *at, wanted=Sentence(WANTED[wants]), found=value)

    def _number(self, value: float, *at: str | int) -> float:
        """A length that fits on a table; not infinity either."""
        if isinstance(value, bool) or not -LONGEST_MM <= value <= LONGEST_MM:
            raise self.wrong("wants_length", *at, most=LONGEST_MM, found=value)
        return float(value)
