"""Packages of games that lie in folders of a test, and are forgotten after it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rules.box.file import _read
from rules.games import _find, game_ids
from rules.lesson import lesson_of
from rules.plugins import FOLDERS, entries
from rules.texts import read_texts


@contextmanager
def elsewhere() -> Iterator[None]:
    """Games that are met within are unknown again afterwards, and those met before are within."""
    folders, path = os.environ.pop(FOLDERS, ""), sys.path[:]
    _forget([*filter(None, folders.split(os.pathsep))])
    try:
        yield
    finally:
        _forget([place for place in sys.path if place not in path])
        sys.path[:] = path
        os.environ.pop(FOLDERS, None)
        if folders:
            os.environ[FOLDERS] = folders


def _forget(places: Sequence[str]) -> None:
    for name, module in list(sys.modules.items()):
        if places and (getattr(module, "__file__", None) or "").startswith(tuple(places)):
            del sys.modules[name]
    for known in (entries, game_ids, _find, read_texts, _read, lesson_of):
        known.cache_clear()
