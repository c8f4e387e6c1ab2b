"""Which boxes have drawings of their own. All others are drawn from their box file alone.

Packages outside register a ``BoardArt`` through the entry-point group ``heelstone.board_art``,
under the id of the box.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from companion.printing.art.anthology import AnthologyArt, AnthologyFaces
from companion.printing.art.board import BoardArt
from companion.printing.art.cards import CardFaces
from companion.printing.art.dolmen import DolmenArt
from companion.printing.art.dominion import DominionArt, DominionFaces
from companion.printing.art.knizia import KniziaArt
from companion.printing.sheet import PrintError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Design", "design_of"]


@dataclass(frozen=True, slots=True)
class Design:
    """How board and cards of a box are drawn."""

    board: type[BoardArt] = BoardArt
    cards: type[CardFaces] = CardFaces


DESIGNS: Mapping[str, Design] = {
    "dolmengoetter": Design(DolmenArt),
    "dominion": Design(DominionArt, DominionFaces),
    "knizia_stonehenge": Design(KniziaArt),
    "stonehenge_anthology": Design(AnthologyArt, AnthologyFaces),
}


def design_of(box: str) -> Design:
    """The design for the box with this id. Raises PrintError if a package has none after all."""
    if box in DESIGNS or box not in _entries():
        return DESIGNS.get(box, Design())
    art = _entries()[box].load()
    if not (isinstance(art, type) and issubclass(art, BoardArt)):
        raise PrintError("entry_no_art", box=box, found=getattr(art, "__name__", repr(art)))
    return Design(art)


@cache
def _entries() -> dict[str, EntryPoint]:
    # Slow to load, and needed by boxes from elsewhere only.
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group="heelstone.board_art")}
