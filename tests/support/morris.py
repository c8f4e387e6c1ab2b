"""Positions of Nine Men's Morris."""

from __future__ import annotations

from typing import Any

from rules.core import Game
from rules.match import Match
from tests.support.second_morris import NAMES

PLACED = "a7 b4 d7 g7 f4 d5 g4 e4 d1 a1 b2 b6 c5 e3 f2 c3"
"""Eight stones each, white and black by turns, without a mill; f6 closes f6 f4 f2 for white."""


def placed(game: Game[Any], points: str, **options: str) -> Match:
    """A match after stones placed by turns."""
    match = Match(game, 2, options)
    for number, point in enumerate(points.split()):
        match.push(f"p{number % 2} place {point}")
    return match


def position(game: Game[Any], white: str, black: str, **options: str) -> Any:
    """White is to move, and all stones are placed."""
    data = Match(game, 2, options).state.to_json()
    owner = dict.fromkeys(white.split(), "0") | dict.fromkeys(black.split(), "1")
    order = sorted(NAMES, key=lambda name: (-int(name[1]), name))
    points = "".join(owner.get(name, ".") for name in order)
    return game.from_json({**data, "points": points, "hand": [0, 0]})
