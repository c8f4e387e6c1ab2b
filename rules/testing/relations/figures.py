"""Figures in questions and objections, compared with what can be counted at the table.

What a figure says is not known; but one that is always a count of the other player's, or always one
more than a count, while it changes with it, is a slip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

OFTEN = 12
"""Times that a figure is told before its habit counts."""
DIFFERENT = 3
"""Values that it must have had."""
OTHERS = "other's "
SUPPLY = "number of pieces in the own supply"
"""The count that has no first, second and third."""
WAYS = "number of moves that are legal"
WRITTEN = "written "
"""Beginning of what the position itself counts; from 1 on it is said one more."""
REMEDY = "See that the figure is what its text says"


@dataclass
class Figures:
    """Figures that were told, and how they differ from counts at the table."""

    apart: dict[tuple[str, str], dict[str, Counter[tuple[int, int]]]] = field(default_factory=dict)
    """Pairs of a figure and a count, by what tells the figure, its name, and what is counted."""
    of_other: set[tuple[str, str]] = field(default_factory=set)
    """Figures told together with the name of another player."""

    def told(self, what: str, values: Mapping[str, Any], counts: Mapping[str, int]) -> None:
        """Something is told with figures, while ``counts`` are those at the table."""
        for name, value in values.items():
            if type(value) is not int or name in ("player", "other", "winner", "owner"):
                continue
            key = what, name
            if "other" in values or "owner" in values:
                self.of_other.add(key)
            apart = self.apart.setdefault(key, {})
            for count, number in counts.items():
                apart.setdefault(count, Counter())[value, number] += 1

    def found(self) -> Iterator[tuple[str, str]]:
        """Slips, and what to do."""
        for key in self.apart:
            what, name = key
            every = {count: _steady(pairs) for count, pairs in self.apart[key].items()}
            steady = {count: by for count, by in every.items() if by is not None}
            if any(not by for c, by in steady.items() if not c.startswith(OTHERS)):
                continue
            for count, by in steady.items():
                if not by and key not in self.of_other:
                    yield f"'{name}' of {what} is always the {count}", REMEDY
                elif by == -1 and count.startswith(WRITTEN):
                    yield f"'{name}' of {what} is always one less than the {count}", REMEDY
                elif abs(by) == 1 and count in (SUPPLY, WAYS):
                    many = "more" if by > 0 else "less"
                    yield f"'{name}' of {what} is always one {many} than the {count}", REMEDY


def _steady(pairs: Counter[tuple[int, int]]) -> int | None:
    """The amount by which a figure is more than a count, if that was the same often enough."""
    apart = {value - number for value, number in pairs}
    enough = pairs.total() >= OFTEN and len(pairs) >= DIFFERENT
    return min(apart) if enough and len(apart) == 1 else None


def counts_at(state: Any, seat: int, players: int) -> dict[str, int]:
    """Counts of a position from a seat."""
    # A seat that has no score is told elsewhere.
    scores = dict(enumerate(state.scores()))
    found = {"number of own points": scores.get(seat, 0)}
    lying = Counter[int]()
    for item, number in state.layout().items():
        if item.owner is not None:
            lying[item.owner] += number
    found["number of own pieces that lie there"] = lying[seat]
    found[SUPPLY] = state.supply(seat).total()
    if players == 2:
        other = 1 - seat
        found[f"{OTHERS}number of points"] = scores.get(other, 0)
        found[f"{OTHERS}number of pieces that lie there"] = lying[other]
        found[f"{OTHERS}number of pieces in the supply"] = state.supply(other).total()
    return found


def written_at(written: Mapping[str, Any], seat: int, players: int) -> dict[str, int]:
    """Numbers that a position's JSON has, by key; of those that it has for each seat the own."""
    found: dict[str, int] = {}
    for key, value in written.items():
        if isinstance(value, list) and len(value) == players:
            value = value[seat]
        if isinstance(value, list):
            value = len(value)
        if type(value) is int:
            found[f"{WRITTEN}'{key}'"] = value
    return found
