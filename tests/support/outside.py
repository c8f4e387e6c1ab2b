"""Games in packages of their own, known for a while as if they were installed."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from unittest.mock import patch

import rules.games
from rules.core import Game
from rules.games import find_game, game_ids

__all__ = ["EXAMPLES", "known_from"]

EXAMPLES = Path(__file__).parents[2] / "examples"


@contextmanager
def known_from(name: str) -> Iterator[Game[Any]]:
    """The game ``name``, whose package lies in a folder of that name in ``examples``."""
    folder = EXAMPLES / name
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    group = "heelstone.games"
    found = {n: EntryPoint(n, v, group) for n, v in project["entry-points"][group].items()}
    known = {**rules.games._entries(), **found}
    with (
        patch.object(sys, "path", [str(folder), *sys.path]),
        patch("rules.games._entries", lambda: known),
    ):
        _forget()
        yield find_game(name)
    _forget()


def _forget() -> None:
    game_ids.cache_clear()
    rules.games._find.cache_clear()
