"""Pieces in the colours that players chose.

Games play by seats, so a chosen colour changes nothing but the looks of pieces. ``Paint`` gives
those of a seat's own colour the one that was chosen; colours without a player take the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from rules.core import COLOURS, Item, Layout


class Paint:
    """The colours of the box that stand for those of a palette."""

    __slots__ = ("_stands_for", "colours")

    def __init__(self, palette: Sequence[str], chosen: Sequence[str]) -> None:
        left = [colour for colour in palette if colour not in chosen]
        self.colours = (*chosen, *left)
        """The colours by seat; then those without a player."""
        self._stands_for = {
            old: new for old, new in zip(palette, self.colours, strict=True) if old != new
        }

    def option(self, players: int) -> dict[str, str]:
        """The option that says so; empty if all colours are those of the seats."""
        return {COLOURS: ",".join(self.colours[:players])} if self._stands_for else {}

    def layout(self, layout: Layout) -> Layout:
        """A layout in the colours by seat, painted."""
        if not self._stands_for:
            return layout
        painted: Layout = Counter()
        for item, number in layout.items():
            painted[_painted(item, self.kind(item.kind))] += number
        return painted

    def kinds(self, counts: Counter[str]) -> Counter[str]:
        """Pieces by kind in the colours by seat, painted."""
        if not self._stands_for:
            return counts
        painted: Counter[str] = Counter()
        for kind, number in counts.items():
            painted[self.kind(kind)] += number
        return painted

    def kind(self, kind: str) -> str:
        """A kind of piece, painted. Cards have no owner and stay as they are printed."""
        shape, _, rest = kind.partition(" ")
        colour, gap, more = rest.partition(" ")
        new = self._stands_for.get(colour)
        return kind if new is None or shape == "card" else f"{shape} {new}{gap}{more}"


@lru_cache(maxsize=4096)
def _painted(item: Item, kind: str) -> Item:
    return item._replace(kind=kind)


@lru_cache(maxsize=512)
def paint_of(palette: tuple[str, ...], chosen: tuple[str, ...]) -> Paint:
    """The paint with which the seats have the ``chosen`` colours of the ``palette``."""
    return Paint(palette, chosen)
