"""Puzzles of a game: positions that were really played, in which one turn is clearly the best.

They are data of their game, ``puzzles/<game>.toml`` in the game's package, found and proved by
``python -m rules.players.puzzles``. A puzzle knows the turns that solve it, why, and what most
other moves are answered with. A game without such a file has no puzzles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rules.core import GameError, Move, Param
from rules.games import find_game
from rules.match import Entry, Match
from rules.toml_lines import misplaced, not_toml, only

__all__ = [
    "EXACT",
    "SEARCHED",
    "Puzzle",
    "PuzzleError",
    "Reply",
    "Turn",
    "begin",
    "has_puzzles",
    "puzzles_of",
]

EXACT, SEARCHED = "exact", "search"
"""How a puzzle is proved: every way was followed to its end, or so many that little doubt is left.
"""
BY_ITSELF = "+ "
"""Before a move that goes without saying after the ones before it."""

_KEYS = {
    "players", "options", "seed", "seat", "moves", "task", "turns", "why", "proof", "worth",
    "rest", "replies",
}  # fmt: skip


class PuzzleError(GameError):
    """A file of puzzles cannot be used; the message names file and reason."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that solves a puzzle."""

    moves: tuple[Move, ...]
    by_itself: frozenset[int]
    """Those of them, from 0, that nobody needs to touch."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What comes of another move."""

    moves: tuple[Move, ...]
    """What follows it, up to the answer of somebody else; empty if nobody answers at once."""
    worth: float
    """What is left to hope for, 0 … 1; in a task of one turn, how much it still brings."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and a task."""

    game: str
    number: int
    """Among the puzzles of the game, from 1; easier ones come first."""
    players: int
    options: Mapping[str, str]
    seed: str
    moves: tuple[Move, ...]
    """What was played before, all of it."""
    seat: int
    """Who is to move, and solves it."""
    task: str
    """What is to be done, as a key of the texts' section ``puzzles``."""
    turns: tuple[Turn, ...]
    """The turns that solve it; the first one is shown to whoever asks."""
    why: tuple[str, tuple[tuple[str, Param], ...]]
    """Why, as a key of the section ``reasons`` and its parameters."""
    proof: str
    """``EXACT`` or ``SEARCHED``."""
    worth: float
    """What the seat may hope for if it solves it, 0 … 1; in a task of one turn
    (``rules.players.tasks``), how much it brings."""
    rest: float
    """What is left after the best of all other moves."""
    replies: Mapping[Move, Reply]
    """What comes of other first moves, at least of the tempting ones."""


def has_puzzles(game: str) -> bool:
    """Whether ``game`` brings puzzles. A board of the players' own has other places, and none."""
    return "@" not in game and _file_of(game).is_file()


@cache
def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of ``game``; raises PuzzleError if it has none, or none that can be used."""
    file, text = f"puzzles/{game}.toml", ""
    try:
        text = _file_of(game).read_text(encoding="utf-8")
        data = tomllib.loads(text)
        only(data, {"puzzles"})
        return tuple(_puzzle(game, n, one) for n, one in enumerate(data["puzzles"], 1))
    except tomllib.TOMLDecodeError as error:
        raise PuzzleError("bad_toml", **not_toml(file, text, error)) from error
    except KeyError as error:
        raise PuzzleError("puzzles_unusable", **misplaced(file, text, error)) from error
    except (OSError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise PuzzleError("puzzles_unusable", file=file, reason=str(error)) from error


def begin(puzzle: Puzzle) -> Match:
    """The match as it is when the puzzle begins; raises GameError if a move does not fit."""
    match = Match(puzzle.game, puzzle.players, puzzle.options, seed=puzzle.seed)
    match.replay(Entry(move) for move in puzzle.moves)
    return match


def _file_of(game: str) -> Any:
    return files(find_game(game).package) / "puzzles" / f"{game}.toml"


def _puzzle(game: str, number: int, data: Mapping[str, Any]) -> Puzzle:
    only(data, _KEYS)
    why = dict(data["why"])
    code = str(why.pop("code"))
    params = tuple((str(k), v if isinstance(v, int) else str(v)) for k, v in why.items())
    turns = tuple(map(_turn, data["turns"]))
    if not turns or data["proof"] not in (EXACT, SEARCHED):
        raise ValueError(f"puzzle {number}")
    return Puzzle(
        game, number, int(data["players"]),
        {str(name): str(value) for name, value in data.get("options", {}).items()},
        str(data["seed"]), _moves(data["moves"]), int(data["seat"]), str(data["task"]), turns,
        (code, params), str(data["proof"]), float(data["worth"]), float(data["rest"]),
        {Move.parse(text): _reply(one) for text, one in data.get("replies", {}).items()},
    )  # fmt: skip


def _turn(texts: Sequence[str]) -> Turn:
    marked = frozenset(n for n, text in enumerate(texts) if text.startswith(BY_ITSELF))
    moves = _moves([text.removeprefix(BY_ITSELF) for text in texts])
    if not moves or 0 in marked:
        raise ValueError(f"turn {texts}")
    return Turn(moves, marked)


def _reply(data: Mapping[str, Any]) -> Reply:
    only(data, {"moves", "worth"})
    return Reply(_moves(data.get("moves", ())), float(data["worth"]))


def _moves(texts: Sequence[str]) -> tuple[Move, ...]:
    return tuple(map(Move.parse, texts))
