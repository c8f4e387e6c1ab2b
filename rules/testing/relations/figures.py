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
REMEDY = "See that the figure is what its text says"


@dataclass
class Figures:
    """Figures that were told, and how they differ from counts at the table."""

    values: dict[tuple[str, str], Counter[int]] = field(default_factory=dict)
    """By what tells it and its name: the values."""
    apart: dict[tuple[str, str], dict[str, set[int]]] = field(default_factory=dict)
    """For each the differences from what can be counted."""
    of_other: set[tuple[str, str]] = field(default_factory=set)
    """Figures told together with the name of another player."""

    def told(self, what: str, values: Mapping[str, Any], counts: Mapping[str, int]) -> None:
        """Something is told with figures, while ``counts`` are those at the table."""
        for name, value in values.items():
            if type(value) is not int or name in ("player", "other", "winner", "owner"):
                continue
            key = what, name
            self.values.setdefault(key, Counter())[value] += 1
            if "other" in values or "owner" in values:
                self.of_other.add(key)
            apart = self.apart.setdefault(key, {})
            for count, number in counts.items():
                apart.setdefault(count, set()).add(value - number)

    def found(self) -> Iterator[tuple[str, str]]:
        """Slips, and what to do."""
        for key, values in self.values.items():
            if values.total() < OFTEN or len(values) < DIFFERENT:
                continue
            what, name = key
            steady = {c: min(by) for c, by in self.apart[key].items() if len(by) == 1}
            if any(not by for c, by in steady.items() if not c.startswith(OTHERS)):
                continue
            for count, by in steady.items():
                if not by and key not in self.of_other:
                    yield f"'{name}' of {what} is always the {count}", REMEDY
                elif abs(by) == 1 and count == SUPPLY:
                    many = "more" if by > 0 else "less"
                    yield f"'{name}' of {what} is always one {many} than the {count}", REMEDY


def counts_at(state: Any, seat: int, players: int) -> dict[str, int]:
    """Counts of a position from a seat."""
    found = {"number of own points": state.scores()[seat]}
    lying = Counter[int]()
    for item, number in state.layout().items():
        if item.owner is not None:
            lying[item.owner] += number
    found["number of own pieces that lie there"] = lying[seat]
    found[SUPPLY] = state.supply(seat).total()
    if players == 2:
        other = 1 - seat
        found[f"{OTHERS}number of points"] = state.scores()[other]
        found[f"{OTHERS}number of pieces that lie there"] = lying[other]
        found[f"{OTHERS}number of pieces in the supply"] = state.supply(other).total()
    return found
