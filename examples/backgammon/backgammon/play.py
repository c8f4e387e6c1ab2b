"""Checkers on their way: the steps that a throw allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

HOME, BAR = 0, 25
"""Places of checkers that are borne off, and of those that were hit: pips from a player's own end,
before and behind the points 24 … 1."""
CHECKERS = 15
START = {24: 2, 13: 5, 8: 3, 6: 5}
"""1.2 The set-up, the same for both as each counts."""

Men = list[int]
"""Checkers of one player by pips."""
Step = tuple[int, int]
"""A checker's way, in pips of its player."""
Known = dict[tuple[int, ...], int]
"""Answers found so far, by dice left and checkers."""


def set_up() -> Men:
    """The checkers of a player before the first throw."""
    return [START.get(pip, 0) for pip in range(BAR + 1)]


def pips(men: Sequence[int]) -> int:
    """The way that all checkers of a player have still to go."""
    return sum(pip * number for pip, number in enumerate(men))


def all_home(men: Sequence[int]) -> bool:
    """1.7: no checker of the player is outside of the last quarter."""
    return not any(men[7:])


def is_blocked(other: Sequence[int], to: int) -> bool:
    """1.4: two or more of the other player's checkers hold the point."""
    return to != HOME and other[BAR - to] > 1


def die_of(dice: Sequence[int], step: Step) -> int:
    """The die that makes a step: the one with its pips, else the smallest that bears off; 0: none
    does."""
    start, to = step
    if start - to in dice:
        return start - to
    return min((die for die in dice if to == HOME and die > start), default=0)


def steps(men: Sequence[int], other: Sequence[int], die: int) -> Iterator[Step]:
    """1.4, 1.5, 1.7: what one die allows, whatever the others may be."""
    if men[BAR]:
        if not is_blocked(other, BAR - die):
            yield BAR, BAR - die
        return
    farthest = next((pip for pip in range(BAR, 0, -1) if men[pip]), 0)
    for start in range(farthest, 0, -1):
        if not men[start]:
            continue
        if start > die:
            if not is_blocked(other, start - die):
                yield start, start - die
        elif farthest <= 6 and start in (die, farthest):
            yield start, HOME


def after(men: Sequence[int], step: Step) -> Men:
    """Checkers of a player after one of them went its way."""
    moved = list(men)
    moved[step[0]] -= 1
    moved[step[1]] += 1
    return moved


def allowed(men: Sequence[int], other: Sequence[int], dice: Sequence[int]) -> list[Step]:
    """1.6: the steps of which more follow than of any other; of two dice the higher if only one
    can be used."""
    if len(set(dice)) < 2:
        most, found = 0, list[Step]()
        known: Known = {}
        for step in steps(men, other, dice[0]) if dice else ():
            depth = 1 + _most(after(men, step), other, dice[0], len(dice) - 1, known)
            if depth > most:
                most, found = depth, []
            if depth == most:
                found.append(step)
        return found
    low, high = sorted(dice)
    both = {
        step: None
        for die, rest in ((high, low), (low, high))
        for step in steps(men, other, die)
        if next(steps(after(men, step), other, rest), None)
    }
    return [*both] or [*steps(men, other, high)] or [*steps(men, other, low)]


def _most(
    men: Sequence[int],
    other: Sequence[int],
    die: int,
    times: int,
    known: dict[tuple[int, ...], int],
) -> int:
    """The number of equal dice that can be used."""
    if not times:
        return 0
    key = (times, *men)
    if key not in known:
        best = 0
        for step in steps(men, other, die):
            best = max(best, 1 + _most(after(men, step), other, die, times - 1, known))
            if best == times:
                break
        known[key] = best
    return known[key]
