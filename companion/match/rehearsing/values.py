"""The values of a scene: where one stands, what it may be, and what is wrong with another."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from companion.words.errors import HeelstoneError, notice
from rules.core import GameError, Move
from rules.errors import Sentence, Where
from rules.near import hint

LONGEST_S = 3600.0
"""Longest time that one line may last."""
MOST_PIECES = 200
"""Largest ``count`` of a piece."""


class SceneError(HeelstoneError):
    """A scene cannot be played; the sentence names file and line."""


@dataclass(frozen=True, slots=True)
class Line:
    """Place in a scene, for errors."""

    file: Where
    number: int
    """Counted from 1."""

    def error(self, code: str, /, **params: object) -> SceneError:
        """The error of this line."""
        reason = notice(code, **params)
        return SceneError("scene_line", file=self.file, line=self.number, reason=reason)

    def fail(self, code: str, /, **params: object) -> NoReturn:
        """Raise ``error``."""
        raise self.error(code, **params)

    def wrong(self, key: str, wanted: Sentence, found: Any) -> NoReturn:
        """Raise the error of a key that should hold something else."""
        text = json.dumps(found, ensure_ascii=False)
        shown = text if len(text) <= 60 else f"{text[:59]}…"
        self.fail("scene_value", key=key, wanted=wanted, found=shown)


Read = Callable[[Line, str, Any], Any]
"""Makes a value of what the key of a line holds; raises SceneError if it may not hold that."""


class Fields:
    """The keys of one object of a scene. What is not asked for is unknown."""

    def __init__(self, line: Line, data: Mapping[str, Any], of: str) -> None:
        self.line = line
        self._data, self._of, self._known = data, of, ["note"]

    def take(self, key: str, read: Read, usual: Any = None) -> Any:
        """The value of a key as ``read`` makes it of line, key and data; ``usual`` without one."""
        self._known.append(key)
        return read(self.line, key, self._data[key]) if key in self._data else usual

    def end(self) -> None:
        """Fail if there are other keys than those asked for; anything may have a ``note``."""
        for key in self._data:
            if key not in self._known:
                known = [name for name in self._known if name != self._of]
                self.line.fail("scene_key_unknown", key=key, of=self._of, hint=hint(key, known))


def of_row(line: Line, row: str, steps: Sequence[str]) -> Mapping[str, Any]:
    """One row as an object; ``steps``: the keys of which it should have one."""

    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
            line.fail("scene_key_twice", key=twice)
        return found

    try:
        data = json.loads(row, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        line.fail("scene_breaks", column=error.colno)
    except (ValueError, RecursionError) as error:
        line.fail("scene_not_json", reason=error)
    if not isinstance(data, dict):
        line.fail("scene_step_unknown", known=[*steps])
    return data


def mapping(line: Line, key: str, value: Any) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        line.wrong(key, notice("scene_an_object"), value)
    return value


def items(line: Line, key: str, value: Any) -> Sequence[Any]:
    """A list."""
    if not isinstance(value, list):
        line.wrong(key, notice("a_list"), value)
    return value


def text(line: Line, key: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        line.wrong(key, notice("a_text"), value)
    return value


def texts(line: Line, key: str, value: Any) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(text(line, key, one) for one in items(line, key, value))


def yes_or_no(line: Line, key: str, value: Any) -> bool:
    """``true`` or ``false``."""
    if not isinstance(value, bool):
        line.wrong(key, notice("yes_or_no"), value)
    return value


def yes(line: Line, key: str, value: Any) -> bool:
    """``true``: a key that says nothing otherwise."""
    if not yes_or_no(line, key, value):
        line.wrong(key, notice("scene_true"), value)
    return True


def integer(line: Line, key: str, value: Any) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        line.wrong(key, notice("a_whole_number", range=notice("nothing")), value)
    return value


def whole(line: Line, key: str, value: Any) -> int:
    """A whole number from 0 on."""
    if integer(line, key, value) < 0:
        line.wrong(key, notice("a_whole_number", range=notice("nothing")), value)
    return int(value)


def integers(line: Line, key: str, value: Any) -> tuple[int, ...]:
    """A list of whole numbers."""
    return tuple(integer(line, key, number) for number in items(line, key, value))


def count(line: Line, key: str, value: Any) -> int:
    """A number of pieces."""
    if not 1 <= integer(line, key, value) <= MOST_PIECES:
        line.wrong(key, notice("a_whole_number", range=_between(1, MOST_PIECES)), value)
    return int(value)


def whole_or_none(line: Line, key: str, value: Any) -> int | None:
    """A whole number from 0 on, or ``null``."""
    return None if value is None else whole(line, key, value)


def seconds(line: Line, key: str, value: Any) -> float:
    """Seconds that a line may last."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= LONGEST_S:
        line.wrong(key, notice("a_number", range=_between(0, int(LONGEST_S))), value)
    return float(value)


def point(line: Line, key: str, value: Any) -> tuple[float, float]:
    """A place on the table, in mm."""
    pair = items(line, key, value)
    numbers = [n for n in pair if isinstance(n, int | float) and math.isfinite(n)]
    if len(pair) != 2 or len(numbers) != 2:
        line.wrong(key, notice("scene_a_point"), value)
    return float(numbers[0]), float(numbers[1])


def options(line: Line, key: str, value: Any) -> Mapping[str, str]:
    """A game's options."""
    return {name: text(line, name, chosen) for name, chosen in mapping(line, key, value).items()}


def move(line: Line, key: str, value: Any) -> Move:
    """A move."""
    try:
        return Move.parse(text(line, key, value))
    except GameError as error:
        line.fail("scene_move", reason=error)


def moves(line: Line, key: str, value: Any) -> tuple[Move, ...]:
    """A list of moves."""
    return tuple(move(line, key, one) for one in items(line, key, value))


def move_texts(line: Line, key: str, value: Any) -> tuple[str, ...]:
    """A list of moves, as texts."""
    return tuple(one.text for one in moves(line, key, value))


E = TypeVar("E", bound=StrEnum)


def one_of(words: type[E]) -> Callable[[Line, str, Any], E]:
    """One of several words."""

    def read(line: Line, key: str, value: Any) -> E:
        if not isinstance(value, str) or value not in list(words):
            line.wrong(key, notice("one_of", values=[word.value for word in words]), value)
        return words(value)

    return read


def _between(least: int, most: int) -> Sentence:
    return notice("numbers_between", least=least, most=most)
