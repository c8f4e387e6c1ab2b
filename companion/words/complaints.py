"""Error sentences in the language of whoever reads them.

Errors are written in English where they happen, in packages that know of no other language.
``text/errors.de.toml`` holds such sentences with their gaps and what they are in German; a sentence
that comes out is found by its words, and what stands in its gaps goes over, translated itself if it
is a sentence too. What is not in the file stays English. A test holds every entry against the
sources, so that a sentence that was changed there is changed here.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from companion.settings.settings import settings_path, state_folder
from rules.errors import catalogue
from rules.telling import LANGUAGES

__all__ = ["complaint_language", "in_language"]

ENGLISH = "en"
GAP = "{}"
DEEPEST = 3
"""A sentence within a sentence within a sentence; deeper ones stay as they are."""


def in_language(sentence: str, lang: str) -> str:
    """An error sentence in a language; as it is if nobody has translated it."""
    return sentence if lang == ENGLISH else _told(" ".join(sentence.split()), lang, 0)


def complaint_language(arguments: Sequence[str]) -> str:
    """The language for complaints about a call: ``--lang``, what was chosen on the screen, what the
    settings say, or that of the computer; English if none of them says."""
    lang = _option(arguments, "--lang")
    if lang is not None:
        return lang if lang in LANGUAGES else ENGLISH
    state = state_folder(_option(arguments, "--data"))
    file = settings_path(_option(arguments, "--settings"))
    for found in (_chosen(state / "preferences.json"), _set(file), _of_the_computer()):
        if found in LANGUAGES:
            return found
    return ENGLISH


def _told(sentence: str, lang: str, depth: int) -> str:
    for pattern, told in _catalogue(lang):
        found = pattern.fullmatch(sentence)
        if found is not None:
            gaps = [_inner(gap, lang, depth) for gap in found.groups()]
            return told.format(*gaps)
    head, colon, rest = sentence.partition(": ")
    if colon and depth < DEEPEST:
        # A file or a place, then what is wrong with it.
        return f"{_inner(head, lang, depth)}: {_told(rest, lang, depth + 1)}"
    return sentence


def _inner(gap: str, lang: str, depth: int) -> str:
    # One word is a name; with a bracket it is an error of Python's own.
    sentence = " " in gap or "(" in gap
    return _told(gap, lang, depth + 1) if sentence and depth < DEEPEST else gap


@cache
def _catalogue(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Sentences and their translations, those with the most words of their own first."""
    resource = files("companion.words") / "text" / f"errors.{lang}.toml"
    data = tomllib.loads(resource.read_text(encoding="utf-8"))
    pairs = {**data["sentences"], **data["parts"], **_by_code(lang)}
    ranked = sorted(pairs, key=lambda english: -len(english.replace(GAP, "")))
    return tuple(
        (re.compile("(.*?)".join(re.escape(part) for part in english.split(GAP))), pairs[english])
        for english in ranked
    )


def _by_code(lang: str) -> dict[str, str]:
    """Sentences that have codes already, as patterns, until the rest have them too."""
    pairs = {}
    for package in ("rules", "vision"):
        told = catalogue(package, lang)
        for code, english in catalogue(package, ENGLISH).items():
            names = re.findall(r"(?<!\{)\{(\w+)", english)
            plain = re.sub(r"(?<!\{)\{\w+[^}]*\}", GAP, english)
            german = told[code]
            for number, name in enumerate(names):
                german = re.sub(rf"(?<!\{{)\{{{name}[^}}]*\}}", f"{{{number}}}", german)
            pairs[plain.replace("{{", "{").replace("}}", "}")] = german
    pairs.pop(GAP)
    return pairs


def _option(arguments: Sequence[str], name: str) -> str | None:
    """The value of an option, wherever it stands; the last one counts."""
    value = None
    for number, word in enumerate(arguments):
        if word == name and number + 1 < len(arguments):
            value = arguments[number + 1]
        elif word.startswith(f"{name}="):
            value = word.partition("=")[2]
    return value


def _chosen(path: Path) -> str:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        # Whoever reads the file itself says what is wrong with it.
        return ""
    return str(data.get("lang", "")) if isinstance(data, dict) else ""


def _set(path: Path) -> str:
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8")).get("lang", ""))
    except (OSError, ValueError, RecursionError):
        return ""


def _of_the_computer() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if told := os.environ.get(name, ""):
            return told[:2].lower()
    return ""
