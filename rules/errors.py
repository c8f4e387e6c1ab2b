"""Errors are data: a class per kind, a code, and parameters; the sentence is put together where it
is shown, in the reader's language.

``raise BoxError("site_twice", file=where, site=name)`` says what is wrong. The sentences are in
``errors.toml`` of every language, by code; those of a game from elsewhere beside its other texts.
In a sentence ``{file}`` stands for a parameter, ``{found!r}`` for text from a file, exactly as it
is there.
"""

from __future__ import annotations

import errno
import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from json import JSONDecodeError
from pathlib import Path
from typing import Any, ClassVar

from rules.texts import read_texts


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence before it is in any language."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)
    """Numbers, names, paths, lists of these, and sentences within the sentence."""
    package: str = "rules"
    """The package of the game that complains, if it is from elsewhere."""

    def told(self, lang: str, *, brief: bool = False) -> str:
        """The sentence in a language. ``brief``: for players, so that files are named without their
        folders, and what exactly is wrong with them (``because``) is left out.

        A code without words, as in a game whose author has written none, is shown as it is.
        """
        words = catalogue(self.package, lang).get(self.code)
        if words is None:
            return self.code
        return _Words(lang, brief).vformat(words, (), self.params)

    def __str__(self) -> str:
        return self.told("en")


Where = str | Path | Sentence
"""The name of a file in a sentence about it."""


class Complaint(Exception):
    """An error that can be shown to people. As a text it is its English sentence."""

    package: ClassVar[str] = "rules"
    """The package whose texts have the sentences; "rules" for all that is Heelstone's own."""

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code)
        plain = {name: _plain(value) for name, value in params.items()}
        self.sentence = Sentence(code, plain, self.package)

    @property
    def code(self) -> str:
        """The kind of error, in one word."""
        return self.sentence.code

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters of the sentence."""
        return self.sentence.params

    def __str__(self) -> str:
        return str(self.sentence)


def sentence_of(error: BaseException) -> Sentence:
    """The sentence for an error of any origin.

    Python's own errors are described by their kind and the data that they carry; their prose is for
    the log. Only what ``tomllib`` says about a file is passed on as it is: it names the line in no
    other way.
    """
    match error:
        case Complaint():
            return error.sentence
        case OSError():
            return _system(error)
        case JSONDecodeError():
            return Sentence("json_breaks", {"line": error.lineno, "column": error.colno})
        case UnicodeDecodeError():
            return Sentence("byte_unknown", {"place": error.start})
        case tomllib.TOMLDecodeError():
            return Sentence("as_told", {"detail": str(error)})
        case RecursionError():
            return Sentence("nested_too_deeply")
        case KeyError(args=(str() as key,)):
            return Sentence("entry_missing", {"key": key})
        case KeyError() | IndexError():
            return Sentence("something_missing")
        case TypeError() | AttributeError():
            return Sentence("wrong_kind")
        case ValueError() | OverflowError():
            return Sentence("wrong_value")
    return Sentence("as_told", {"detail": type(error).__name__})


def because(error: BaseException | Sentence) -> Sentence:
    """The exact fault, in brackets; for readers of the log, not for players."""
    return Sentence("because", {"reason": _plain(error)})


@cache
def catalogue(package: str, lang: str) -> Mapping[str, str]:
    """The words of a package's errors in a language, by code."""
    groups = read_texts("errors", lang, package).values()
    return {code: words for group in groups for code, words in group.items()}


def _system(error: OSError) -> Sentence:
    name = errno.errorcode.get(error.errno or 0, "")
    known = name in catalogue("rules", "en")
    return Sentence(name) if known else Sentence("system_refuses", {"reason": name or "OSError"})


def _plain(value: object) -> object:
    """A parameter as data: a sentence for an error, which would keep the frames it passed alive."""
    return sentence_of(value) if isinstance(value, BaseException) else value


LONGEST = 500
"""Letters of a parameter that are shown: a file from anywhere may hold a name without an end."""


class _Words(string.Formatter):
    """``str.format`` for parameters of sentences."""

    def __init__(self, lang: str, brief: bool) -> None:
        self._lang, self._brief = lang, brief

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        # Plain names only: a text file must not reach into objects by attribute or index.
        return kwargs[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        match value:
            case Sentence():
                told = value.told(self._lang, brief=self._brief)
                return "" if self._brief and value.code == "because" else told
            case Path():
                return value.name if self._brief else str(value)
            case list() | tuple():
                return self._listed([self.format_field(each, "") for each in value], format_spec)
            case str() if len(value) > LONGEST:
                return f"{value[:LONGEST]}…"
        return format(value, format_spec)

    def _listed(self, parts: list[str], last: str) -> str:
        """``a, b``, with "and" before the last where the sentence asks for it, or "none"."""
        words = catalogue("rules", self._lang)
        if last and len(parts) > 1:
            parts[-2:] = [f"{parts[-2]} {words[last]} {parts[-1]}"]
        return ", ".join(parts) or words["none"]
