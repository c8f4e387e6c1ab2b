"""Tables of tournaments and ratings of a season, reckoned once more from nothing but who was where
in each match. Written from the sources (FIDE Handbook C.07; R. C. Weng, C.-J. Lin, JMLR 12, 2011,
algorithm 4) and not from the program that it checks: it shares no code with it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

Result = Mapping[str, int]
"""The place of each player of a match, from 1; a single player has a bye."""


def points_of(result: Result, scale: Sequence[int]) -> dict[str, Fraction]:
    """Points of each player: those of the places that a group of equals takes, shared."""
    order, found, taken = sorted(set(result.values())), dict[str, Fraction](), 0
    for place in order:
        equals = [name for name, other in result.items() if other == place]
        worth = [scale[n] for n in range(taken, taken + len(equals)) if n < len(scale)]
        taken += len(equals)
        for name in equals:
            found[name] = Fraction(sum(worth), len(equals))
    return found


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    name: str
    points: Fraction
    direct: Fraction | None
    buchholz_cut_1: Fraction
    buchholz: Fraction
    sonneborn_berger: Fraction
    wins: int
    place: int = 0


def table(
    names: Sequence[str], rounds: Sequence[Sequence[Result]], scale: Sequence[int],
    left: Mapping[str, int],
) -> list[Row]:  # fmt: skip
    """A table. ``left``: of those who went, the last round they were there."""
    score: dict[str, Fraction] = defaultdict(Fraction)
    for result in (one for games in rounds for one in games):
        for name, points in points_of(result, scale).items():
            score[name] += points
    played = max((n for n, games in enumerate(rounds, 1) if games), default=0)
    worth = {
        name: score[name] + Fraction(scale[0], 2) * max(played - left.get(name, played), 0)
        for name in names
    }
    rows = [_row(name, names, rounds, scale, score, worth) for name in names]
    keys = sorted((_key(row) for row in rows), reverse=True)
    return [replace(row, place=1 + keys.index(_key(row))) for row in rows]


def _key(row: Row) -> tuple[Fraction | int, ...]:
    return (row.points, row.direct or 0, row.buchholz_cut_1, row.buchholz, row.sonneborn_berger,
            row.wins)  # fmt: skip


def _row(
    name: str, names: Sequence[str], rounds: Sequence[Sequence[Result]], scale: Sequence[int],
    score: Mapping[str, Fraction], worth: Mapping[str, Fraction],
) -> Row:  # fmt: skip
    against, beaten, wins = list[Fraction](), Fraction(0), 0
    for result in (one for games in rounds for one in games if name in one):
        others = [other for other in result if other != name]
        if not others:
            against.append(score[name])
            beaten += score[name]
            continue
        mean = Fraction(1, len(others))
        against.append(sum((worth[other] for other in others), Fraction(0)) * mean)
        for other in others:
            beaten += _won(result, name, other) * worth[other] * mean
        wins += all(result[name] < result[other] for other in others)
    equals = [other for other in names if score[other] == score[name]]
    direct = None
    if len(equals) > 1 and all(_met(rounds, *pair) for pair in combinations(equals, 2)):
        direct = Fraction(0)
        for result in (one for games in rounds for one in games if name in one):
            direct += sum((_won(result, name, other) for other in equals
                           if other != name and other in result), Fraction(0))  # fmt: skip
    total = sum(against, Fraction(0))
    return Row(name, score[name], direct, total - min(against, default=Fraction(0)), total, beaten,
               wins)  # fmt: skip


def _won(result: Result, name: str, other: str) -> Fraction:
    if result[name] == result[other]:
        return Fraction(1, 2)
    return Fraction(int(result[name] < result[other]))


def _met(rounds: Sequence[Sequence[Result]], one: str, other: str) -> bool:
    return any(one in result and other in result for games in rounds for result in games)


@dataclass(frozen=True)
class Strength:
    """A rating with its uncertainty."""

    mean: float = 1500.0
    deviation: float = 300.0
    matches: int = 0
    wins: int = 0


def ratings(results: Iterable[Result]) -> dict[str, Strength]:
    """The ratings after all matches, in their order."""
    known: dict[str, Strength] = defaultdict(Strength)
    for result in results:
        before = {name: known[name] for name in result}
        variance = {name: one.deviation**2 + 3.0**2 for name, one in before.items()}
        c = math.sqrt(sum(v + 150.0**2 for v in variance.values()))
        strong = {name: math.exp(one.mean / c) for name, one in before.items()}
        rest = {q: sum(strong[s] for s in result if result[s] >= result[q]) for q in result}
        equals = {q: sum(result[s] == result[q] for s in result) for q in result}
        for i, one in before.items():
            up = down = 0.0
            for q in result:
                if result[q] > result[i]:
                    continue
                share = strong[i] / rest[q]
                up += ((q == i) - share) / equals[q]
                down += share * (1 - share) / equals[q]
            gamma = math.sqrt(variance[i]) / c
            shrink = max(1 - variance[i] / c**2 * gamma * down, 0.0001)
            first = result[i] == 1 and len(set(result.values())) > 1
            known[i] = Strength(
                one.mean + variance[i] / c * up, math.sqrt(variance[i] * shrink),
                one.matches + 1, one.wins + first,
            )  # fmt: skip
    return dict(known)
