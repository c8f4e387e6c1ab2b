"""Lets the tests find the game, installed or not."""

from pathlib import Path

from rules.games import add_games

add_games(Path(__file__).parents[1])
