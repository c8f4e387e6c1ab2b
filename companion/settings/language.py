"""The caller's language, before the settings are read, or if they cannot be."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Sequence
from pathlib import Path

from companion.settings.settings import settings_path, state_folder
from rules.bounded import read_text
from rules.telling import LANGUAGES

__all__ = ["complaint_language"]

ENGLISH = "en"


def complaint_language(arguments: Sequence[str]) -> str:
    """The language for errors about a call: ``--lang``, what was chosen on the screen, what the
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
        data = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        # The code that reads the file itself says what is wrong with it.
        return ""
    return str(data.get("lang", "")) if isinstance(data, dict) else ""


def _set(path: Path) -> str:
    try:
        return str(tomllib.loads(read_text(path)).get("lang", ""))
    except (OSError, ValueError, RecursionError):
        return ""


def _of_the_computer() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if told := os.environ.get(name, ""):
            return told[:2].lower()
    return ""
