"""Boxes with drawings of their own. All others are drawn from their box file alone.

Packages outside register a ``BoardArt`` through the entry-point group ``heelstone.board_art``,
under the id of the box.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.printing.art.anthology import AnthologyArt, AnthologyFaces
from companion.printing.art.board import BoardArt
from companion.printing.art.cards import CardFaces
from companion.printing.art.dolmen import DolmenArt
from companion.printing.art.dominion import DominionArt, DominionFaces
from companion.printing.art.knizia import KniziaArt
from companion.printing.sheet import PrintError
from rules.plugins import entries, load

BOARD_ART = "heelstone.board_art"
"""The group of entry points."""


@dataclass(frozen=True, slots=True)
class Design:
    """Classes that draw the board and cards of a box."""

    board: type[BoardArt] = BoardArt
    cards: type[CardFaces] = CardFaces


DESIGNS: Mapping[str, Design] = {
    "dolmengoetter": Design(DolmenArt),
    "dominion": Design(DominionArt, DominionFaces),
    "knizia_stonehenge": Design(KniziaArt),
    "stonehenge_anthology": Design(AnthologyArt, AnthologyFaces),
}


def design_of(box: str) -> Design:
    """The design for the box with this id. Raises PrintError or GameError if a package promises one
    and has none."""
    brought = {} if box in DESIGNS else entries(BOARD_ART)
    if box not in brought:
        return DESIGNS.get(box, Design())
    art = load(brought[box])
    if not (isinstance(art, type) and issubclass(art, BoardArt)):
        raise PrintError("entry_no_art", box=box, found=getattr(art, "__name__", repr(art)))
    return Design(art)
