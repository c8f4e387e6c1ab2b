"""Every move text of a field, built once, and read back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules.core import Field, Move
from rules.games.any_game.sheet import Row


@lru_cache(maxsize=1024)
def moves_of(field: Field) -> tuple[Move, ...]:
    """All moves that enter a number into a field."""
    return tuple(_moves(field))


def entry_of(move: Move, row: Row) -> tuple[int, int] | None:
    """Number and factor that ``move`` enters into ``row``; None if it has no such form."""
    number, *more = move.args[1:]
    for factor in (1, *row.factors):
        by = [f"by={factor}"] if factor != 1 else []
        if more == by and _is_number(number) and int(number) in row.range:
            return int(number), factor
    return None


def _moves(field: Field) -> Iterator[Move]:
    for factor in (1, *field.factors):
        for number in field.numbers:
            yield field.move(number, factor)


def _is_number(text: str) -> bool:
    """True for a number as moves have it: no leading nought, no plus."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(text) <= 7 and str(int(text)) == text
