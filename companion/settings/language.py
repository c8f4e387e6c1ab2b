"""The language of a call: one search for everything that is said, before anything can go wrong."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rules.bounded import read_text
from rules.texts import LANGUAGES
from rules.toml_lines import parsed

ENGLISH = "en"


def find_language(arguments: Sequence[str]) -> str:
    """The language in which a call with these arguments answers: that of ``--lang``, what was
    chosen on the screen, what the settings name, the computer's own, or else English.

    Never fails: a source that cannot be read says nothing here. The code that it is for reads it
    again, and complains.
    """
    return next(found for found in _named(arguments) if found in LANGUAGES)


def _named(arguments: Sequence[str]) -> Iterator[str]:
    """Languages that are named somewhere, the one that counts most first."""
    yield _option(arguments, "--lang")
    try:
        from companion.settings.settings import settings_path, state_folder
    except ModuleNotFoundError:
        # Where the packages are missing that know the folders, that is what is to be told.
        pass
    else:
        yield _chosen(state_folder(_option(arguments, "--data")) / "preferences.json")
        yield _set(settings_path(_option(arguments, "--settings")))
    yield from _of_the_computer()
    yield ENGLISH


def _option(arguments: Sequence[str], name: str) -> str:
    """The value of an option, wherever it stands; the last one counts."""
    value = ""
    for number, word in enumerate(arguments):
        if word == name and number + 1 < len(arguments):
            value = arguments[number + 1]
        elif word.startswith(f"{name}="):
            value = word.partition("=")[2]
    return value


def _chosen(path: Path) -> str:
    try:
        data = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return ""
    return str(data.get("lang", "")) if isinstance(data, dict) else ""


def _set(path: Path) -> str:
    try:
        return str(parsed(read_text(path)).get("lang", ""))
    except (OSError, ValueError, RecursionError):
        return ""


def _of_the_computer() -> Iterator[str]:
    """Languages of the computer, in the order that POSIX gives the variables; ``LANGUAGE`` refines
    a language, but does not begin one."""
    locale = next((told for n in ("LC_ALL", "LC_MESSAGES", "LANG") if (told := _variable(n))), "")
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return
    for name in (*_variable("LANGUAGE").split(":"), locale):
        yield re.split(r"[_.@]", name)[0].lower()


def _variable(name: str) -> str:
    return os.environ.get(name, "")
