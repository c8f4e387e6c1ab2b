"""One seat's pieces go where the other's do, as the board lies turned, mirrored or as it is.

The traces of all moves are gathered by seat: from where to where a single piece of its own went,
and if the seat was on again. If nearly every way of one seat has its image among those of another,
one that was gone often and has none is a slip: two places of a track exchanged, a row that runs
backwards, a place that should give another turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.box import Box, is_cell
from rules.core import Item, Layout, Move
from rules.testing.relations.drawing import images

ALIKE = 0.8
"""Least share of ways that have an image, where the seats are alike."""
OFTEN = 10
"""Times that a way is gone before it is odd that its image never is."""
MOST = 12
"""Most ways without an image that are a slip; more of them are a rule."""

_ON = {True: "was on again", False: "was not on again"}

Way = tuple[str, str, bool]
"""From where, to where, empty for a place beside the board; and true if whoever went was on again.
"""


@dataclass
class Ways:
    """The ways that pieces went, over all matches of a check."""

    gone: dict[tuple[int, int], Counter[Way]] = field(default_factory=dict)
    """By number of players and seat."""

    def note(
        self, players: int, move: Move, before: Layout, after: Layout, following: int | None
    ) -> None:
        """A move was made, and the seat ``following`` is asked next."""
        if move.player is None:
            return
        left, come = (_own(layout, move.player) for layout in (before - after, after - before))
        if len(left) < 2 and len(come) < 2 and left != come:
            where = left[0].site if left else "", come[0].site if come else ""
            way = (*where, following == move.player)
            self.gone.setdefault((players, move.player), Counter())[way] += 1

    def found(self, box: Box) -> Iterator[tuple[str, str]]:
        """Ways of one seat that another should have gone, and what to do."""
        for (players, seat), mine in self.gone.items():
            others = self.gone.get((players, 0))
            if seat and others and (told := _missing(box, mine, others, seat)):
                yield told, "If the seats are alike, compare how both are written"


# -- private ------------------------------------------------------------------------------


def _own(layout: Layout, seat: int) -> Sequence[Item]:
    return [item for item, number in layout.items() if item.owner == seat for _ in range(number)]


def _missing(box: Box, mine: Counter[Way], first: Counter[Way], seat: int) -> str:
    """The ways of seat 0 whose images another seat never went, or the other way round."""
    named = {site for *way, _ in (*mine, *first) for site in way if site}
    sites = [box.sites[name] for name in named if name in box.sites and box.sites[name].printed]
    if len(sites) < 4 or any(is_cell(box, site.id) for site in sites):
        return ""
    maps: list[tuple[str, Mapping[str, str]]] = [("", {name: name for name in named})]
    maps += [(f", {one.name}", one.to) for one in images(sites)]
    best, told = ALIKE, ""
    for name, to in maps:
        back = {there: here for here, there in to.items()}
        pairs = ((0, first, seat, mine, to), (seat, mine, 0, first, back))
        lacking, shared, every = list[str](), 0, 0
        for one, ways, other, others, image in pairs:
            for way, often in ways.items():
                start, end = (image.get(site, "") for site in way[:2])
                if any(site and not at for site, at in zip(way, (start, end), strict=False)):
                    continue
                there = (start, end, way[2])
                every, shared = every + often, shared + often * (there in others)
                if there not in others and often >= OFTEN:
                    went = f"seat {one} went {_said(way)} {often} times and {_ON[way[2]]}"
                    lacking.append(f"{went}, and seat {other} never did so {_said(there)}")
        total = first.total() + mine.total()
        if 2 * every > total and shared > best * every:
            best = shared / every
            told = f"on the board{name}, {lacking[0]}" if 0 < len(lacking) <= MOST else ""
    return told


def _said(way: Way) -> str:
    return f"from {way[0] or 'beside the board'} to {way[1] or 'beside the board'}"
