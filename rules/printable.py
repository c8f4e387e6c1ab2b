"""Texts that may be shown: the one place that says which letters do nothing but appear.

A terminal obeys control characters, and text that runs backwards can make one name look like
another. What comes in is checked for them here, and what goes out passes here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

_JOINERS = "\u200c\u200d"
"""Some scripts, and many emoji, cannot be written without them."""
_OUTSIDE = re.compile(r"[^\x20-\x7e\n]")
_MARK = "\ufffd"


def only_letters(text: str) -> bool:
    """True if every letter of a text does nothing but appear."""
    return text.isprintable() or all(_appears(letter) for letter in text)


def harmless(text: str) -> str:
    """A text for people, with a mark for every letter that would do more than appear; line ends
    and tabs stay."""
    return _OUTSIDE.sub(lambda found: _marked(found[0]), text)


def one_line(text: str) -> str:
    """A text as one line, without letters that would do more than appear."""
    return "".join(letter for letter in " ".join(text.split()) if _appears(letter))


def json_line(record: Any) -> str:
    """A record as one line of JSON: readable, with escapes for what would do more than appear."""
    told = json.dumps(record, ensure_ascii=False)
    return _OUTSIDE.sub(lambda found: _escaped(found[0]), told)


def unprintable_key(data: Any) -> str:
    """Key of a text in a file's data that cannot be shown, as ``table.key``; empty if none."""
    path = unprintable_path(data)
    named = ".".join(part for part in path if isinstance(part, str))
    return harmless(named) or ("?" if path else "")


def unprintable_path(data: Any) -> tuple[str | int, ...]:
    """The same as keys and numbers of entries from the outermost on; empty if nowhere."""
    return next(_unprintable(data, ()), ())


def _unprintable(data: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(data, str):
        if not only_letters(data.replace("\n", " ").replace("\t", " ")):
            yield path
    elif isinstance(data, Mapping):
        for key, value in data.items():
            if not only_letters(str(key)):
                yield (*path, str(key))
            yield from _unprintable(value, (*path, str(key)))
    elif isinstance(data, list | tuple):
        for number, value in enumerate(data):
            yield from _unprintable(value, (*path, number))


def _appears(letter: str) -> bool:
    return letter.isprintable() or letter in _JOINERS or unicodedata.category(letter) == "Zs"


def _marked(letter: str) -> str:
    return letter if letter == "\t" or _appears(letter) else _MARK


def _escaped(letter: str) -> str:
    if _appears(letter):
        return letter
    # Beyond the first plane JSON takes two halves.
    data = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at]:02x}{data[at + 1]:02x}" for at in range(0, len(data), 2))
