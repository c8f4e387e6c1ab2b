"""Lights of live places on the glass, apart enough for a finger. Free of Kivy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from math import dist

from companion.presentation.plan import Plan, Px

_ROUNDS = 60
_MOST_PAIRS = 12
"""Number of pairs of places that are too close from which on there is no room between them all."""
_TIMES = (1.5, 4.5)
"""The least and the most by which a part of the board is enlarged."""
_SLACK = 0.5
"""Difference below which two lights are far enough apart, px."""


def lights(
    plan: Plan, live: Iterable[str], held: Collection[str], apart: float
) -> dict[str, Px]:  # fmt: skip
    """The middle of each live place's light. Round places closer to each other than ``apart`` give
    way, each by half of that at most, so that its light still lies on it; where there is no room
    for that all stay where they are, as do those that are ``held``."""
    own = {name: plan.px(plan.box.sites[name].at) for name in sorted(live)}
    free = {
        name: _on_glass(plan, at, apart / 2)
        for name, at in own.items()
        if plan.box.sites[name].size is None and name not in held
    }
    start = {**own, **free}
    return _moved_apart(plan, start, own, frozenset(free), apart) or own


def too_close(spots: Mapping[str, Px], name: str | None, apart: float) -> bool:
    """True if a finger on the light of this place might mean another one."""
    if name is None or name not in spots:
        return False
    at = spots[name]
    return any(o != name and dist(at, other) < apart - _SLACK for o, other in spots.items())


def room_between(spots: Collection[Px]) -> float:
    """Distance of the two lights that are closest to each other; infinite if there is only one."""
    return min((dist(*pair) for pair in combinations(spots, 2)), default=float("inf"))


def part_around(
    plan: Plan, spots: Mapping[str, Px], at: Px, apart: float
) -> tuple[float, float, float, float]:
    """Left, bottom, right, top in mm of the part of the board around ``at`` that is to be shown in
    place of it, so that a finger can tell the lights there from each other."""
    near = [spot for spot in spots.values() if dist(spot, at) < 2 * apart]
    times = min(max(1.05 * apart / max(room_between(near), 1.0), _TIMES[0]), _TIMES[1])
    left, bottom, right, top = plan.extent
    scale = plan.px_per_mm
    middle = (plan.x + plan.width / 2, plan.y + plan.height / 2)
    found = []
    for axis, (low, high, long) in enumerate(
        ((left, right, plan.width), (bottom, top, plan.height))
    ):
        # The margin is not enlarged.
        half = (long - 2 * plan.margin) / scale / times / 2
        mm = (low + high) / 2 + (at[axis] - middle[axis]) / scale
        reach = max((high - low) / 2 - half, 0.0)
        centre = (low + high) / 2
        mm = min(max(mm, centre - reach), centre + reach)
        found.append((mm - half, mm + half))
    return (found[0][0], found[1][0], found[0][1], found[1][1])


def _on_glass(plan: Plan, at: Px, reach: float) -> Px:
    """The point nearest to ``at`` around which a light is wholly on the board's part of the
    glass."""
    return (
        min(max(at[0], plan.x + reach), max(plan.x + plan.width - reach, plan.x + reach)),
        min(max(at[1], plan.y + reach), max(plan.y + plan.height - reach, plan.y + reach)),
    )


def _moved_apart(
    plan: Plan, start: dict[str, Px], own: Mapping[str, Px], free: frozenset[str], apart: float
) -> dict[str, Px] | None:
    """The lights moved until each pair is ``apart``; None if that does not come to an end."""
    pairs = [(a, b) for a, b in combinations(start, 2) if dist(start[a], start[b]) < 2 * apart]
    if sum(dist(start[a], start[b]) < apart - _SLACK for a, b in pairs) > _MOST_PAIRS:
        return None
    spots = dict(start)
    for _ in range(_ROUNDS):
        crowded = False
        for a, b in pairs:
            far = dist(spots[a], spots[b])
            if far >= apart - _SLACK:
                continue
            crowded = True
            giving = [name for name in (a, b) if name in free]
            way = _way(spots[a], spots[b], far)
            for name in giving:
                by = (apart - far) / len(giving) * (-1 if name == a else 1)
                x, y = spots[name]
                spot = _within(own[name], (x + way[0] * by, y + way[1] * by), apart / 2)
                spots[name] = _on_glass(plan, spot, apart / 2)
        if not crowded:
            return spots
    return None


def _way(one: Px, other: Px, far: float) -> Px:
    """From one point to another, of length 1; any way if they are the same."""
    if far < _SLACK:
        return (1.0, 0.0)
    return ((other[0] - one[0]) / far, (other[1] - one[1]) / far)


def _within(middle: Px, at: Px, reach: float) -> Px:
    """The point nearest to ``at`` no further than ``reach`` from ``middle``."""
    far = dist(middle, at)
    if far <= reach:
        return at
    part = reach / far
    return (middle[0] + (at[0] - middle[0]) * part, middle[1] + (at[1] - middle[1]) * part)
