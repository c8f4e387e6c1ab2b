"""Games whose authors wrote rules and nothing for the camera."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rules.core import Game, Inference
from rules.games import add_games, find_game
from tests.support.elsewhere import elsewhere

ROOT = Path(__file__).parents[3]
HOOKLESS: Mapping[str, Path] = {
    "hex": ROOT / "tests" / "support" / "hex",
    "nine_mens_morris": ROOT / "examples" / "nine_mens_morris",
}
"""Folders of games that are read without any hook: stones only come, or go to and fro."""


class Hookless(Inference[Any]):
    """The answers of an author who wrote none; ``author`` still tells which positions are the same
    to those who play on."""

    def __init__(self, author: Inference[Any]) -> None:
        self.author = author


@contextmanager
def hookless(game_id: str) -> Iterator[Game[Any]]:
    """One of them, while it is read, without whatever its author answers to a reading."""
    with elsewhere():
        add_games(HOOKLESS[game_id])
        game = find_game(game_id)
        author = type(game).inference
        type(game).inference = Hookless(author)
        try:
            yield game
        finally:
            type(game).inference = author
