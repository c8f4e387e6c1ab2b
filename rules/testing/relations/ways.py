"""One seat's pieces go where the other's do, as the board lies turned, mirrored or as it is, and
what one may do there the other may.

The traces of all moves are gathered by seat: from where to where a single piece of its own went,
and if the seat was on again; and all moves with places that were legal. If nearly every one of one
seat has its image among those of another, one that came often and has none is a slip: two places of
a track exchanged, a row that runs backwards, a place that should give another turn, a rule that
holds for one seat alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

from rules.box import Box, is_cell
from rules.core import Item, Layout, Move
from rules.testing.relations.drawing import images

ALIKE = 0.8
"""Least share of ways that have an image, where the seats are alike."""
CHANCE, ALWAYS = 0.01, 40
"""Likelihood that chance alone leaves the image of any way ungone; and times that a move is legal,
which it stays for long, before it is odd that its image never is."""
MOST = 12
"""Most ways without an image that are a slip; more of them are a rule."""

BESIDE = "beside the board"
ON = {True: "was on again", False: "was not on again"}

Way = tuple[str, ...]
"""From where, to where, and one of ``ON``; or a legal move without who makes it."""


@dataclass
class Ways:
    """The ways that pieces went, over all matches of a check."""

    gone: dict[tuple[int, int], Counter[Way]] = field(default_factory=dict)
    """By number of players and seat."""
    legal: dict[tuple[int, int], Counter[Way]] = field(default_factory=dict)
    """The same of moves that were allowed."""

    def may(self, players: int, moves: Iterable[Move]) -> None:
        """Moves are legal."""
        for move in moves:
            if move.player is not None and move.args:
                count = self.legal.setdefault((players, move.player), Counter())
                count[(move.verb, *move.args)] += 1

    def note(
        self, players: int, move: Move, before: Layout, after: Layout, following: int | None
    ) -> None:
        """A move was made, and the seat ``following`` is asked next."""
        if move.player is None:
            return
        left, come = (_own(layout, move.player) for layout in (before - after, after - before))
        if len(left) < 2 and len(come) < 2 and left != come:
            where = left[0].site if left else BESIDE, come[0].site if come else BESIDE
            way = (*where, ON[following == move.player])
            self.gone.setdefault((players, move.player), Counter())[way] += 1

    def found(self, box: Box) -> Iterator[tuple[str, str]]:
        """Ways of one seat that another should have gone, and what to do."""
        for ways in (self.gone, self.legal):
            for (players, seat), mine in ways.items():
                others = ways.get((players, 0))
                if not seat or not others:
                    continue
                # A way and its image are gone equally often, where the seats are alike.
                often = ALWAYS if ways is self.legal else log2((len(mine) + len(others)) / CHANCE)
                if told := _missing(box, mine, others, seat, often):
                    yield told, "If the seats are alike, compare how both are written"


# -- private ------------------------------------------------------------------------------


def _own(layout: Layout, seat: int) -> Sequence[Item]:
    return [item for item, number in layout.items() if item.owner == seat for _ in range(number)]


def _missing(box: Box, mine: Counter[Way], first: Counter[Way], seat: int, often: float) -> str:
    """The ways of seat 0 whose images another seat never went, or the other way round."""
    named = {word for way in (*mine, *first) for word in way if word in box.sites}
    kinds = {box.sites[name].kind for name in named}
    sites = [site for site in box.sites.values() if site.printed and site.kind in kinds]
    if len(sites) < 4 or any(is_cell(box, site.id) for site in sites):
        return ""
    maps: list[tuple[str, Mapping[str, str]]] = [("", {name: name for name in box.sites})]
    maps += [(f", {one.name}", one.to) for one in images(sites)]
    best, told = ALIKE, ""
    for name, to in maps:
        back = {there: here for here, there in to.items()}
        seats = {"p0": f"p{seat}", f"p{seat}": "p0"}
        pairs = ((0, first, seat, mine, to), (seat, mine, 0, first, back))
        lacking, shared, every = list[str](), 0, 0
        for one, ways, other, others, image in pairs:
            for way, times in ways.items():
                if any(word in box.sites and word not in image for word in way):
                    continue
                there = (*(image.get(word, seats.get(word, word)) for word in way),)
                every, shared = every + times, shared + times * (there in others)
                if there not in others and times >= often:
                    lacking.append(_said(one, way, times, other, there))
        total = first.total() + mine.total()
        if 2 * every > total and shared > best * every:
            best = shared / every
            told = f"on the board{name}, {lacking[0]}" if 0 < len(lacking) <= MOST else ""
    return told


def _said(one: int, way: Way, times: int, other: int, there: Way) -> str:
    if way[-1] not in ON.values():
        move, image = " ".join(way), " ".join(there)
        return f"seat {one} could '{move}' {times} times, and seat {other} never '{image}'"
    went = f"seat {one} went from {way[0]} to {way[1]} {times} times and {way[2]}"
    return f"{went}, and seat {other} never did so from {there[0]} to {there[1]}"
