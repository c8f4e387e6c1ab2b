"""Data declared as dataclasses: a table of a file, or a line of JSON, becomes an object.

    @dataclass(frozen=True, slots=True)
    class Reply:
        worth: Share
        moves: tuple[Move, ...] = ()

    read(Reply, {"worth": 0.5, "moves": ["p0 claim H1"]})

The type of a field says what its value must be, its default what holds where the key is missing. A
value that does not fit is a ``Misfit`` with the path to it; ``toml`` makes of it an error that
names file, line and key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, partial
from types import UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from rules.core import GameError, Move
from rules.errors import Complaint, Sentence, Where
from rules.near import hint
from rules.printable import unprintable_key, unprintable_path
from rules.toml_lines import KeyPath, at_line, lines_of, nearest_line, not_toml, parsed

T = TypeVar("T")
E = TypeVar("E", bound=Complaint)
Read = Callable[[Any, KeyPath], Any]


class Misfit(Exception):
    """A value that is not what was declared: an error's code and parameters, and where it is."""

    def __init__(self, code: str, path: KeyPath = (), /, **params: object) -> None:
        super().__init__(code)
        self.code, self.path, self.params = code, path, params

    def told(self, error: type[E], file: Where, data: Any) -> E:
        """The same as an ``error`` about ``data``; ``file``: what they are called."""
        return error(self.code, **{"file": file, "key": called(self.path, data), **self.params})


@dataclass(frozen=True, slots=True)
class Kind:
    """Annotates a type with the code of the words for it: "expected <words>, found …"."""

    words: str


class Fits:
    """Annotates a type with what else must be true of a value, and the error if it is not.

    To be made in the module, not in the class: annotations do not know what a module knows.
    """

    def __init__(self, code: str, fits: Callable[[Any], bool], **params: object) -> None:
        self.code, self.fits, self.params = code, fits, params


class Between(Fits):
    """Annotates a number with the least and the most that it may be."""

    def __init__(self, least: float, most: float) -> None:
        super().__init__("wants_between", lambda n: least <= n <= most, least=least, most=most)


class Made:
    """Annotates a type with what it is made of, and how; ``by`` may raise GameError or Misfit."""

    def __init__(self, of: Any, by: Callable[[Any], Any]) -> None:
        self.of, self.by = of, by


NAME: Final = object()
"""Annotates the field of a dataclass that is the name of its table, in a table of such tables."""


def read(kind: type[T], data: Any, path: KeyPath = (), **given: Any) -> T:
    """``data``, which stand at ``path``, as an object of the dataclass ``kind``; raises Misfit.

    ``given``: values of fields that are not said by the data.
    """
    found: T = _table(kind, data, path, given)
    return found


@contextmanager
def toml(text: str, where: Where, error: type[Complaint]) -> Iterator[dict[str, Any]]:
    """The data of a TOML text. What is no TOML or cannot be shown, and a Misfit that is raised
    while it is used, becomes an ``error`` with file, line and key; ``where``: the file's name."""
    try:
        data = parsed(text)
    except (ValueError, RecursionError) as broken:
        raise error("bad_toml", **not_toml(where, text, broken)) from broken
    try:
        if key := unprintable_key(data):
            raise Misfit("unprintable", unprintable_path(data), key=key)
        yield data
    except Misfit as misfit:
        line = at_line(where, nearest_line(lines_of(text), misfit.path))
        raise misfit.told(error, line, data) from misfit


def read_as(kind: type[T], data: Any, where: Where, error: type[Complaint]) -> T:
    """The same as ``read``, but whatever does not fit is an ``error``; ``where``: what the data are
    called."""
    try:
        return read(kind, data)
    except Misfit as misfit:
        raise misfit.told(error, where, data) from misfit


def plain(declared: Any, digits: int | None = None) -> dict[str, Any]:
    """A declared object as the data that ``read`` reads; fields that hold nothing by default are
    left out while they do. ``digits``: how many of numbers behind the point."""
    return {
        one.name: _as_data(value, digits)
        for one in fields(declared)
        if (value := getattr(declared, one.name)) != one.default or value not in (None, ())
    }


def called(path: KeyPath, data: Any = None) -> str:
    """The name of a place in ``data``: ``stroke[3].points``, but ``site A.at`` if the tables of
    a list have an id. An entry of a list of plain values is called as its list."""
    name = ""
    for step in path:
        data = _inner(data, step)
        if isinstance(step, str):
            plain = step.replace("_", "").replace("-", "").isalnum()
            name += f".{step}" if plain else f'."{step}"'
        elif isinstance(data, dict):
            own = data.get("id")
            # A value still to be filled in, as in a series, is no id.
            name += f" {own}" if isinstance(own, str) and own and "{" not in own else f"[{step}]"
    return name.removeprefix(".")


# -- private ------------------------------------------------------------------------------


def _as_data(value: Any, digits: int | None) -> Any:
    match value:
        case Move():
            return value.text
        case float():
            return value if digits is None else round(value, digits)
        case tuple():
            return [_as_data(one, digits) for one in value]
        case Mapping():
            return {_as_data(key, digits): _as_data(one, digits) for key, one in value.items()}
    if hasattr(value, "to_json"):
        return value.to_json()
    return plain(value, digits) if is_dataclass(value) else value


def _inner(data: Any, step: str | int) -> Any:
    if isinstance(step, str):
        return data.get(step) if isinstance(data, dict) else None
    return data[step] if isinstance(data, list) and step < len(data) else None


def _other(kind: str, path: KeyPath, found: Any) -> Misfit:
    return Misfit("wants_kind", path, wanted=Sentence(kind), found=found)


_PLAIN: Mapping[Any, tuple[str, tuple[type, ...]]] = {
    str: ("kind_text", (str,)),
    bool: ("kind_flag", (bool,)),
    int: ("kind_count", (int,)),
    float: ("kind_number", (int, float)),
    dict: ("kind_table", (dict,)),
}
_LISTS = {
    "kind_text": "kind_texts", "kind_count": "kind_counts", "kind_point": "kind_points",
    "kind_cell": "kind_cells", "kind_move": "kind_moves",
}  # fmt: skip
_MADE: Mapping[Any, tuple[str, Made]] = {Move: ("kind_move", Made(str, Move.parse))}


def _words(declared: Any) -> str:
    """The code of the words for a type."""
    arguments = get_args(declared)
    if get_origin(declared) is Annotated:
        for note in reversed(arguments[1:]):
            if isinstance(note, Kind | Made):
                return note.words if isinstance(note, Kind) else _words(note.of)
        return _words(arguments[0])
    if get_origin(declared) is tuple and arguments[1:] == (...,):
        return _LISTS.get(_words(arguments[0]), "kind_tables")
    if get_origin(declared) in (Union, UnionType):
        return _words(arguments[0])
    if get_origin(declared) is Literal:
        return "kind_text"
    for known in (_PLAIN, _MADE):
        if declared in known:
            return str(known[declared][0])
    return "kind_table"


@cache
def _reader(declared: Any, words: str = "") -> Read:
    """The reader of values of a type; ``words``: if it is to be called otherwise."""
    origin, arguments = get_origin(declared), get_args(declared)
    words = words or _words(declared)
    if declared is Any:
        return lambda value, _path: value
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:], words)
    if origin is Literal:
        return partial(_among, arguments, words)
    if origin is tuple and arguments[1:] == (...,):
        return partial(_list, _reader(arguments[0]), words)
    if origin is tuple:
        return partial(_row, [_reader(one, words) for one in arguments], words)
    if origin is Mapping:
        return partial(_mapping, _reader(arguments[0]), _by_name(arguments[1]), words)
    if origin is dict:
        return partial(_plain, dict, (dict,), words)
    if origin in (Union, UnionType):
        return partial(_either, [one for one in arguments if one is not type(None)], words)
    if declared in _MADE:
        return _annotated(declared, (_MADE[declared][1],), words)
    if is_dataclass(declared):
        return lambda value, path: _table(declared, value, path, {})
    if hasattr(declared, "_fields"):
        # A NamedTuple is a row of values.
        parts = [_reader(one) for one in get_type_hints(declared, include_extras=True).values()]
        return lambda value, path: declared(*_row(parts, words, value, path))
    return partial(_plain, declared, _PLAIN[declared][1], words)


def _plain(declared: Any, kinds: tuple[type, ...], words: str, value: Any, path: KeyPath) -> Any:
    if not isinstance(value, kinds) or isinstance(value, bool) != (declared is bool):
        raise _other(words, path, value)
    return declared(value)


def _annotated(declared: Any, notes: tuple[Any, ...], words: str) -> Read:
    made = next((note for note in notes if isinstance(note, Made)), None)
    inner = _reader(made.of if made else declared, words)
    demands = [note for note in notes if isinstance(note, Fits)]

    def reads(value: Any, path: KeyPath) -> Any:
        found = inner(value, path)
        for demand in demands:
            if not demand.fits(found):
                raise Misfit(demand.code, path, **demand.params, found=value)
        if made is None:
            return found
        try:
            return made.by(found)
        except Misfit as misfit:
            raise Misfit(misfit.code, (*path, *misfit.path), **misfit.params) from misfit
        except GameError as error:
            raise Misfit(error.code, path, **error.params) from error

    return reads


def _among(known: tuple[str, ...], words: str, value: Any, path: KeyPath) -> str:
    found: str = _plain(str, (str,), words, value, path)
    if found not in known:
        raise Misfit("wants_among", path, known=known, found=found)
    return found


def _list(inner: Read, words: str, value: Any, path: KeyPath) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise _other(words, path, value)
    return tuple([inner(one, (*path, number)) for number, one in enumerate(value)])


def _row(parts: list[Read], words: str, value: Any, path: KeyPath) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple) or len(value) != len(parts):
        raise _other(words, path, value)
    try:
        return tuple([part(value[n], (*path, n)) for n, part in enumerate(parts)])
    except Misfit as misfit:
        raise (_other(words, path, value) if misfit.code == "wants_kind" else misfit) from None


def _mapping(key: Read, inner: Callable[[Any, KeyPath, str], Any], words: str, value: Any,
             path: KeyPath) -> dict[Any, Any]:  # fmt: skip
    if not isinstance(value, dict):
        raise _other(words, path, value)
    return {
        key(name, (*path, name)): inner(one, (*path, name), name) for name, one in value.items()
    }


def _by_name(declared: Any) -> Callable[[Any, KeyPath, str], Any]:
    """The reader of a mapping's values, with the name of each at hand."""
    hints = get_type_hints(declared, include_extras=True) if is_dataclass(declared) else {}
    named = [name for name, one in hints.items() if NAME in get_args(one)]
    if named:
        return lambda value, path, name: _table(declared, value, path, {named[0]: name})
    reads = _reader(declared)
    return lambda value, path, _name: reads(value, path)


def _either(kinds: list[Any], words: str, value: Any, path: KeyPath) -> Any:
    """One of several; the last one says what is wrong."""
    if value is None:
        return None
    for kind in kinds[:-1]:
        try:
            return _reader(kind)(value, path)
        except Misfit:
            continue
    return _reader(kinds[-1], words)(value, path)


@cache
def _keys(kind: type) -> Mapping[str, tuple[Read, bool]]:
    """The reader of each field, and whether the field must be there."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        one.name: (
            _reader(hints[one.name]),
            one.default is MISSING and one.default_factory is MISSING,
        )
        for one in fields(kind)
        if one.init
    }


def _table(kind: Any, value: Any, path: KeyPath, given: Mapping[str, Any]) -> Any:
    if not isinstance(value, dict):
        raise _other("kind_table", path, value)
    keys = {name: key for name, key in _keys(kind).items() if name not in given}
    for name in value:
        if name not in keys:
            raise Misfit("key_unknown", (*path, name), hint=hint(name, keys))
    found = dict(given)
    for name, (reads, required) in keys.items():
        if name in value:
            found[name] = reads(value[name], (*path, name))
        elif required:
            raise Misfit("key_missing", (*path, name))
    return kind(**found)
