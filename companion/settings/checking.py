"""Finds the fault of a settings file: the first key that does not fit, and what would.

``msgspec`` only says in prose that something is wrong; the key is found by converting one field
after another, and what is expected follows from the field's type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import inspect

from companion.words.errors import HeelstoneError, notice
from rules.errors import Sentence
from rules.near import hint

_Sections = Mapping[str, tuple[str, ...]]
"""Every section of the file and its keys."""


class SettingsError(HeelstoneError):
    """The settings file is wrong; the sentence names file, key and reason."""


def fault(
    file: Path, data: Mapping[str, Any], root: type[msgspec.Struct], section: str = ""
) -> SettingsError:
    """The first thing in ``data`` that does not fit ``root``; there must be one. ``section``: the
    place of ``data`` in the file."""
    return _fault(file, data, root, section, dict(_sections(root, section)))


def _fault(file: Path, value: Any, kind: Any, place: str, sections: _Sections) -> SettingsError:
    for key, part, wanted in _parts(value, kind):
        if wanted is None:
            return _unknown(file, key, place, sections)
        try:
            msgspec.convert(part, wanted)
        except msgspec.ValidationError:
            return _fault(file, part, wanted, f"{place}.{key}".strip("."), sections)
    told = _described(inspect.type_info(kind))
    return SettingsError("wrong_setting", file=file, key=place, wanted=told, found=value)


def _parts(value: Any, kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """Parts of a value: key (empty in a list), value, and type (None for an unknown key)."""
    origin, args = get_origin(kind), get_args(kind)
    if isinstance(value, dict) and _is_section(kind):
        types = {field.name: field.type for field in msgspec.structs.fields(kind)}
        yield from ((key, part, types.get(key)) for key, part in value.items())
    elif isinstance(value, dict) and origin is dict:
        yield from ((key, part, args[1]) for key, part in value.items())
    elif isinstance(value, list) and origin in (list, tuple):
        yield from (("", part, args[0]) for part in value)
    elif origin in (Annotated, Union, UnionType):
        for each in args:
            yield from _parts(value, each)


def _unknown(file: Path, key: str, section: str, sections: _Sections) -> SettingsError:
    """With the nearest known key where one was misspelt."""
    homes = [home for home, keys in sections.items() if key in keys]
    meant = hint(key, sections.get(section, ()), [k for keys in sections.values() for k in keys])
    if homes:
        meant = notice("key_of_section", section=homes[0]) if homes[0] else notice("key_of_top")
    place = notice("in_section", section=section) if section else notice("nothing")
    return SettingsError("unknown_key", file=file, key=key, place=place, hint=meant)


def _sections(struct: Any, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every section of the file with its keys, from the top."""
    yield name, struct.__struct_fields__
    for field in msgspec.structs.fields(struct):
        if _is_section(field.type):
            yield from _sections(field.type, f"{name}.{field.name}".lstrip("."))


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _described(kind: inspect.Type) -> Sentence:
    """Description of values of this type."""
    match kind:
        case inspect.BoolType():
            return notice("yes_or_no")
        case inspect.IntType() | inspect.FloatType():
            code = "a_whole_number" if isinstance(kind, inspect.IntType) else "a_number"
            return notice(code, range=_range(kind))
        case inspect.LiteralType(values):
            return notice("one_of", values=values)
        case inspect.EnumType(cls):
            return notice("one_of", values=[each.value for each in cls])
        case inspect.UnionType(types):
            told = [_described(one) for one in types if not isinstance(one, inspect.NoneType)]
            while len(told) > 1:
                told[-2:] = [notice("either", first=told[-2], second=told[-1])]
            return told[0]
        case inspect.StructType() | inspect.DictType():
            return notice("a_section")
        case inspect.CollectionType(min_length=int(length)):
            return notice("a_list_of", count=length)
        case inspect.CollectionType():
            return notice("a_list")
    return notice("a_text")


def _range(kind: inspect.IntType | inspect.FloatType) -> Sentence:
    if kind.ge is not None:
        return notice("numbers_between", least=kind.ge, most=kind.le)
    if kind.gt is not None:
        return notice("numbers_above", least=kind.gt, most=kind.le)
    return notice("nothing")
