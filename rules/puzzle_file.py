"""Writing the file of a game's puzzles, see ``rules.puzzle``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from rules.core import Move
from rules.puzzle import BY_ITSELF, Puzzle, Turn

__all__ = ["written"]

WIDTH = 100


def written(puzzles: Sequence[Puzzle], arguments: str) -> str:
    """The file of ``puzzles``, as ``puzzles_of`` reads it; ``arguments``: with which they were
    found."""
    head = f"# Found and proved by: python -m rules.players.puzzles {arguments}\n"
    return "\n".join([head, *map(_puzzle, puzzles)])


def _puzzle(puzzle: Puzzle) -> str:
    code, params = puzzle.why
    why = ", ".join(f"{name} = {_text(value)}" for name, value in (("code", code), *params))
    options = ", ".join(f"{name} = {_text(value)}" for name, value in puzzle.options.items())
    lines = [
        "[[puzzles]]",
        f"players = {puzzle.players}",
        f"options = {{ {options} }}" if options else "options = {}",
        f"seed = {_text(puzzle.seed)}",
        f"seat = {puzzle.seat}",
        f"task = {_text(puzzle.task)}",
        f"why = {{ {why} }}",
        f"proof = {_text(puzzle.proof)}",
        f"worth = {puzzle.worth:.2f}",
        f"rest = {puzzle.rest:.2f}",
        *_listed("moves", (move.text for move in puzzle.moves)),
        "turns = [",
        *(f"  {_turn(turn)}," for turn in puzzle.turns),
        "]",
    ]
    if puzzle.replies:
        lines.append("[puzzles.replies]")
    for move, reply in puzzle.replies.items():
        moves = f"moves = {_texts(reply.moves)}, " if reply.moves else ""
        lines.append(f"{_text(move.text)} = {{ {moves}worth = {reply.worth:.2f} }}")
    return "\n".join(lines) + "\n"


def _turn(turn: Turn) -> str:
    marked = (
        f"{BY_ITSELF if number in turn.by_itself else ''}{move.text}"
        for number, move in enumerate(turn.moves)
    )
    return "[" + ", ".join(map(_text, marked)) + "]"


def _texts(moves: Iterable[Move]) -> str:
    return "[" + ", ".join(_text(move.text) for move in moves) + "]"


def _listed(name: str, texts: Iterable[str]) -> list[str]:
    """A long list, as many to a line as fit."""
    lines, line = [f"{name} = ["], " "
    for text in map(_text, texts):
        if len(line) + len(text) + 2 > WIDTH:
            lines.append(line)
            line = " "
        line += f" {text},"
    return [*lines, line, "]"] if line.strip() else [*lines, "]"]


def _text(value: str | int) -> str:
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
