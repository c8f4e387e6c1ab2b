"""Ways of pieces from one scene to the next: where each comes from and where it goes. No Kivy.

Nothing is told of any move: what lies elsewhere has moved, what is new comes from the player whose
supply it has left, and what is gone goes to the player whose supply it has joined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import dist
from typing import NamedTuple

from companion.presentation.plan import Plan, Px, Slot
from companion.presentation.scene import Scene
from rules.core import Item


class Way(NamedTuple):
    """The way of a piece, px."""

    slot: Slot
    """The piece where it lies, or lay."""
    start: Px | None
    """None: it appears."""
    end: Px | None
    """None: it is gone for good."""
    lies: bool = True
    """True if it lies on the board in the end."""
    walks: bool = False
    """True if it lay there before, too."""


def ways_between(
    before: Scene, after: Scene, plan: Plan, seats: Mapping[int, Px]
) -> tuple[Way, ...]:
    """The ways of all pieces that are not where they were; ``seats``: the places of players beside
    the board."""
    old, new = Counter(before.items), Counter(after.items)
    going = plan.slots(tuple((old - new).elements()))
    coming = plan.slots(tuple((new - old).elements()))
    pairs = [(one, to) for one in going for to in coming if one.item.kind == to.item.kind]
    ways = []
    # The shortest first, so that of several alike each goes to what is next to it.
    for one, to in sorted(pairs, key=lambda pair: dist(pair[0].at, pair[1].at)):
        if one in going and to in coming:
            going.remove(one)
            coming.remove(to)
            ways.append(Way(to, one.at, to.at, walks=True))
    gave, got = _changed(before.supplies, after.supplies), _changed(after.supplies, before.supplies)
    ways += [Way(slot, _seat(slot.item, gave, seats), slot.at) for slot in coming]
    ways += [Way(slot, slot.at, _seat(slot.item, got, seats), lies=False) for slot in going]
    return tuple(ways)


def _changed(
    one: Sequence[Mapping[str, int]], other: Sequence[Mapping[str, int]]
) -> dict[str, list[int]]:
    """For each kind the seats that had more of it in ``one`` than in ``other``."""
    found: dict[str, list[int]] = {}
    for seat, (here, there) in enumerate(zip(one, other, strict=False)):
        for kind, count in here.items():
            found.setdefault(kind, []).extend([seat] * (count - there.get(kind, 0)))
    return found


def _seat(item: Item, changed: dict[str, list[int]], seats: Mapping[int, Px]) -> Px | None:
    """The place of a player whose supply of such a piece has changed, each counted once."""
    left = changed.get(item.kind)
    return seats.get(left.pop(0)) if left else None
