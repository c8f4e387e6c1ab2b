"""7.1 What the box of Die Dolmengötter holds for each player, as tables."""

from __future__ import annotations

COLOURS = ("red", "blue", "green", "yellow", "white")
SEATS = range(len(COLOURS))
DRUIDS_EACH = 3
VALUES = (1, 2, 3, 4)

# 7.1: stones and dolmens per player at the default setting, by number of players.
STONES_TABLE = {2: 16, 3: 16, 4: 14, 5: 11}
DOLMENS_TABLE = {2: 13, 3: 13, 4: 11, 5: 9}

UNKNOWN = 0
"""Value of a dolmen that a physical table has not shown yet."""

TOP, UNDER = 0, 1
LEVELS = ("top", "under")


def dolmen_set(values: str, number: int) -> tuple[int, ...]:
    """7.1: a player's dolmens per value (index 0 unused); the lowest values are taken out."""
    counts = [0, *map(int, values.split("-"))]
    surplus = sum(counts) - number
    for value in VALUES:
        out = min(surplus, counts[value])
        counts[value] -= out
        surplus -= out
    return tuple(counts)
