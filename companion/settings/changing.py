"""Changes of the settings file from outside: comments stay, and only what fits is written."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit import TOMLDocument

from companion.settings.settings import SettingsError, checked, read_toml
from companion.settings.writing import hand_out
from rules.bounded import read_text

_KEY: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_RIGHTS: Final = 0o640
"""Rights of the file: a password may be in it, and a service reads it by its group."""


def is_key(text: str) -> bool:
    """True if this is the name of a key with its sections, such as ``mqtt.host``."""
    return _KEY.fullmatch(text) is not None


def change_settings(path: Path, wanted: Mapping[str, str]) -> None:
    """Give keys of the settings file new values; the file and its folder may be new.

    ``wanted``: key with its sections, ``mqtt.host``, to its value as people type it. A value that
    fits as TOML is taken as that, any other as a text. Other users may not read the file
    afterwards. Raises SettingsError and OSError, and nothing is written then.
    """
    text = read_text(path) if path.exists() else ""
    found = read_toml(path)
    checked(path, found)
    data, values = _fitting(path, found, wanted)
    document = tomlkit.parse(text)
    for key, value in values.items():
        _put(document, key.split("."), value)
    written = tomlkit.dumps(document)
    try:
        same = tomllib.loads(written) == data
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        # tomlkit misplaces keys of sections that are written partly with dots.
        raise SettingsError("settings_by_hand", file=path, keys=list(values))
    mode = path.stat().st_mode if text else _RIGHTS
    hand_out(path, written, mode=mode & _RIGHTS)


def _fitting(
    path: Path, found: Mapping[str, Any], wanted: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The whole content as it shall be, and the value of each key."""
    first: SettingsError | None = None
    for choice in product(*(list(_readings(text)) for text in wanted.values())):
        values = dict(zip(wanted, choice, strict=True))
        data = copy.deepcopy(dict(found))
        for key, value in values.items():
            _set(data, key.split("."), value)
        try:
            checked(path, data)
        except SettingsError as error:
            first = first or error
            continue
        return data, values
    assert first is not None
    raise first


def _readings(text: str) -> Iterator[Any]:
    """Possible meanings of a typed value, the likeliest first."""
    try:
        data = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        data = {}
    if list(data) == ["value"] and data["value"] != text:
        yield data["value"]
    yield text


def _set(data: dict[str, Any], places: Sequence[str], value: Any) -> None:
    for place in places[:-1]:
        if not isinstance(data.get(place), dict):
            data[place] = {}
        data = data[place]
    data[places[-1]] = value


def _put(document: TOMLDocument, places: Sequence[str], value: Any) -> None:
    node: Any = document
    for depth, place in enumerate(places[:-1], 1):
        if place not in node:
            if node is document and len(document.body):
                document.add(tomlkit.nl())
            # Of [rig.lamps] only the innermost section has a line of its own.
            node[place] = tomlkit.table(is_super_table=depth < len(places) - 1)
        node = node[place]
    node[places[-1]] = value
