"""Puzzles of a game: positions that were really played, in which one turn is clearly the best.

They are data of their game, ``puzzles/<game>.toml`` in the game's package, found and proved by
``python -m rules.players.puzzles``. A puzzle knows the turns that solve it, why, and what most
other moves are answered with. A game without such a file has no puzzles.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, Literal

from rules.core import GameError, Json, Move, Options, Param
from rules.declared import Fits, Made, Misfit, read, toml
from rules.games import find_game
from rules.match import Entry, Match

EXACT: Final = "exact"
SEARCHED: Final = "search"
"""Proofs of a puzzle: every way followed to its end, or so many that little doubt is left."""
ProofKind = Literal["exact", "search"]
"""``EXACT`` or ``SEARCHED``."""
BY_ITSELF = "+ "
"""Mark before a move that goes without saying after the ones before it."""


class PuzzleError(GameError):
    """A file of puzzles cannot be used; the message names file and reason."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that solves a puzzle."""

    moves: tuple[Move, ...]
    by_itself: frozenset[int]
    """Indices of those, from 0, that need no touch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The consequence of another move."""

    moves: tuple[Move, ...] = ()
    """Moves that follow it, up to another player's answer; empty if there is none at once."""
    worth: float
    """Chance that is left, 0 … 1; in a task of one turn, the amount it still brings."""


Why = tuple[str, tuple[tuple[str, Param], ...]]
"""A key of the section ``reasons`` of the texts, and its parameters."""


def _turn(texts: Sequence[str]) -> Turn:
    marked = frozenset(n for n, text in enumerate(texts) if text.startswith(BY_ITSELF))
    moves = tuple(Move.parse(text.removeprefix(BY_ITSELF)) for text in texts)
    if not moves or 0 in marked:
        raise Misfit("turn_untouched", found=list(texts))
    return Turn(moves, marked)


def _why(told: Mapping[str, Param]) -> Why:
    if "code" not in told:
        raise Misfit("key_missing", ("code",))
    return str(told["code"]), tuple((name, one) for name, one in told.items() if name != "code")


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A position and a task."""

    game: str
    number: int
    """Among the puzzles of the game, from 1; easier ones come first."""
    players: int
    options: Options = field(default_factory=dict)
    seed: str
    moves: tuple[Move, ...]
    """All moves played before."""
    seat: int
    """Seat to move, which solves it."""
    task: str
    """The task, as a key of the texts' section ``puzzles``."""
    turns: Annotated[
        tuple[Annotated[Turn, Made(tuple[str, ...], _turn)], ...], Fits("wants_some", bool)
    ]
    """The turns that solve it; the first one is shown on request."""
    why: Annotated[Why, Made(Mapping[str, str | int], _why)]
    """Reason why they do."""
    proof: ProofKind
    worth: float
    """Chance of the seat if it solves it, 0 … 1; in a task of one turn (``rules.players.tasks``),
    the amount it brings."""
    rest: float
    """Worth of the best of all other moves."""
    replies: Mapping[Move, Reply] = field(default_factory=dict)
    """Consequences of other first moves, at least of the tempting ones."""


@dataclass(frozen=True, slots=True)
class _File:
    puzzles: tuple[Json, ...]


def has_puzzles(game: str) -> bool:
    """True if ``game`` brings puzzles. A board of the players' own has other places, and none."""
    return "@" not in game and _file_of(game).is_file()


@cache
def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of ``game``; raises PuzzleError if it has none, or none that can be used."""
    file = f"puzzles/{game}.toml"
    try:
        text = _file_of(game).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PuzzleError("within", file=file, reason=error) from error
    with toml(text, file, PuzzleError) as data:
        return tuple(
            read(Puzzle, one, ("puzzles", number), game=game, number=number + 1)
            for number, one in enumerate(read(_File, data).puzzles)
        )


def begin(puzzle: Puzzle) -> Match:
    """The match as it is when the puzzle begins; raises GameError if a move does not fit."""
    match = Match(puzzle.game, puzzle.players, puzzle.options, seed=puzzle.seed)
    match.replay(Entry(move) for move in puzzle.moves)
    return match


def _file_of(game: str) -> Any:
    return files(find_game(game).package) / "puzzles" / f"{game}.toml"


# Writing the file of a game's puzzles.

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
        *(f"  {_puzzle_file_turn(turn)}," for turn in puzzle.turns),
        "]",
    ]
    if puzzle.replies:
        lines.append("[puzzles.replies]")
    for move, reply in puzzle.replies.items():
        moves = f"moves = {_texts(reply.moves)}, " if reply.moves else ""
        lines.append(f"{_text(move.text)} = {{ {moves}worth = {reply.worth:.2f} }}")
    return "\n".join(lines) + "\n"


def _puzzle_file_turn(turn: Turn) -> str:
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
