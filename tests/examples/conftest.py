"""A game in a package of its own is known while its tests run, though nobody has installed it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.core import Game
from rules.games import add_games, find_game
from tests.support.drawn_once import drawn_once
from tests.support.elsewhere import elsewhere

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session", autouse=True)
def boards_are_drawn_once() -> Iterator[None]:
    """Keep the drawing of each board, which many eyes would reckon anew."""
    with drawn_once():
        yield


@pytest.fixture(scope="module", autouse=True)
def morris() -> Iterator[Game[Any]]:
    """Nine Men's Morris, from the folder of the examples."""
    with elsewhere():
        (name,) = add_games(EXAMPLES / "nine_mens_morris")
        yield find_game(name)


@pytest.fixture(scope="module")
def kalah() -> Iterator[Game[Any]]:
    """Kalah, from the folder of the examples."""
    with elsewhere():
        (name,) = add_games(EXAMPLES / "kalah")
        yield find_game(name)


@pytest.fixture(scope="module")
def trails() -> Iterator[Game[Any]]:
    """Trails, from the folder of the examples."""
    with elsewhere():
        (name,) = add_games(EXAMPLES / "trails")
        yield find_game(name)


@pytest.fixture(scope="module")
def backgammon() -> Iterator[Game[Any]]:
    """Backgammon, from the folder of the examples."""
    with elsewhere():
        (name,) = add_games(EXAMPLES / "backgammon")
        yield find_game(name)


@pytest.fixture(scope="module")
def patches() -> Iterator[Game[Any]]:
    """Patches, from the folder of the examples."""
    with elsewhere():
        (name,) = add_games(EXAMPLES / "patches")
        yield find_game(name)
