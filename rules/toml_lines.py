"""TOML of unknown origin, and on which line of it a key stands; ``tomllib`` reads values, but
forgets their places.

    [[site]]
    at = [0, 1]      # line 2: ("site", 0, "at"), and ("site", 0, "at", 1) for its second number

Grammar: TOML 1.0.0, https://toml.io/en/v1.0.0. The text is taken to be valid; ``tomllib`` says so
first.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from rules.errors import Sentence, Where

KeyPath = tuple[str | int, ...]
"""Path from the outermost table on: keys, and numbers of entries of arrays from 0 on."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_STRINGS = (
    re.compile(r'"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}'),
    re.compile(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}"),
    _QUOTED,
)
DEEPEST = 32
"""Most tables and lists within each other."""
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(
    rf"(?:^|[{{,[])[ \t]*+{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST}}}", re.MULTILINE
)
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_KEY = re.compile(r"\s*[\w\"'.-]+\s*=")
_PLAIN = re.compile(r"[^,\]}#\r\n]+")


def parsed(text: str) -> dict[str, Any]:
    """The data of a TOML text, ``DEEPEST`` at most. Raises ValueError, and RecursionError as
    ``tomllib`` does, which checks neither tables nor the number of a key's parts, whose square it
    takes its time for."""
    if _LONG_KEY.search(text):
        raise RecursionError
    data = tomllib.loads(text)
    _bound(data, DEEPEST)
    return data


def _bound(value: Any, deep: int) -> None:
    if isinstance(value, dict | list):
        if not deep:
            raise RecursionError
        for inner in value.values() if isinstance(value, dict) else value:
            _bound(inner, deep - 1)


def lines_of(text: str) -> dict[KeyPath, int]:
    """The line, from 1 on, of every key and of every entry of an array; of tables and keys that are
    mentioned often, the first."""
    return _Scan(text).lines


def nearest_line(lines: dict[KeyPath, int], path: KeyPath) -> int:
    """The line of a path, or of the innermost table around it that has one; the first line for
    what the text does not have at all."""
    inner = (path[:end] for end in range(len(path), 0, -1))
    return next((lines[part] for part in inner if part in lines), 1)


def at_line(where: Where, line: int) -> Sentence:
    """A line of a file, as it is called in sentences."""
    return Sentence("at_line", {"file": where, "line": line})


def not_toml(where: Where, text: str, error: Exception) -> dict[str, Any]:
    """The parameters of ``bad_toml``: where a text breaks that ``tomllib`` cannot read, and how."""
    if not isinstance(error, tomllib.TOMLDecodeError):
        return {"file": where, "reason": error}
    detail = _PLACE.sub("", str(error))
    line = at_line(where, _broken_line(text, str(error)))
    return {"file": line, "reason": Sentence("as_told", {"detail": detail})}


def _broken_line(text: str, told: str) -> int:
    """The line of a fault; for something never closed, which breaks at the end, the last key's."""
    if (found := _PLACE.search(told)) and found[1]:
        return int(found[1])
    lines = text.splitlines()
    return next((n for n in range(len(lines), 0, -1) if _KEY.match(lines[n - 1])), 1)


class _Scan:
    """One way through a text, from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._ends = [found.start() for found in re.finditer("\n", text)]
        self._counts: dict[KeyPath, int] = {}
        """Number of entries that arrays of tables have so far."""
        self.lines: dict[KeyPath, int] = {}
        here: KeyPath = ()
        while self._skip(_BLANK):
            if self._text.startswith("[", self._at):
                here = self._header()
            else:
                self._pair(here)

    def _header(self) -> KeyPath:
        """``[a.b]`` or ``[[a.b]]``; returns the path of the table that begins there."""
        start, twice = self._at, self._text.startswith("[[", self._at)
        self._at += 2 if twice else 1
        path = self._into(self._key(), start)
        if twice:
            number = self._counts.get(path, 0)
            self._counts[path] = number + 1
            path = (*path, number)
        self._note(path, start)
        self._at += 2 if twice else 1
        return path

    def _into(self, names: list[str], start: int) -> KeyPath:
        """A header's names as a path: within an array of tables its last entry is meant."""
        path: KeyPath = ()
        for number, name in enumerate(names):
            path = (*path, name)
            self._note(path, start)
            if path in self._counts and number < len(names) - 1:
                path = (*path, self._counts[path] - 1)
        return path

    def _pair(self, table: KeyPath) -> None:
        """``key = value``; keys with dots make tables on their way."""
        start, path = self._at, table
        for name in self._key():
            path = (*path, name)
            self._note(path, start)
        self._at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _key(self) -> list[str]:
        """The names of a key between its dots; leaves off at what follows it."""
        names = []
        while True:
            self._skip(_SPACE)
            quoted = _QUOTED.match(self._text, self._at)
            found = quoted or _BARE.match(self._text, self._at)
            if found is None:
                raise ValueError(f"no key at character {self._at}")
            names.append(str(tomllib.loads(f"k = {found[0]}")["k"]) if quoted else found[0])
            self._at = found.end()
            self._skip(_SPACE)
            if not self._text.startswith(".", self._at):
                return names
            self._at += 1

    def _value(self, path: KeyPath) -> None:
        if self._text.startswith("[", self._at):
            for number in self._parts("]"):
                self._note((*path, number), self._at)
                self._value((*path, number))
        elif self._text.startswith("{", self._at):
            for _ in self._parts("}"):
                self._pair(path)
        else:
            ends = (form.match(self._text, self._at) for form in (*_STRINGS, _PLAIN))
            self._at = next(found.end() for found in ends if found is not None)

    def _parts(self, close: str) -> Iterator[int]:
        """Stop at every entry of an array or of an inline table, and at last behind it."""
        self._at += 1
        number = 0
        while self._skip(_BLANK) and not self._text.startswith(close, self._at):
            yield number
            number += 1
            self._skip(_BLANK)
            if self._text.startswith(",", self._at):
                self._at += 1
        self._at += 1

    def _skip(self, what: re.Pattern[str]) -> bool:
        """Go beyond it; True if there is more."""
        found = what.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at < len(self._text)

    def _note(self, path: KeyPath, at: int) -> None:
        self.lines.setdefault(path, bisect_right(self._ends, at - 1) + 1)
