"""Which boxes have drawings of their own. All others are drawn from their box file alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.printing.art.anthology import AnthologyArt, AnthologyFaces
from companion.printing.art.board import BoardArt
from companion.printing.art.cards import CardFaces
from companion.printing.art.dolmen import DolmenArt
from companion.printing.art.dominion import DominionArt, DominionFaces
from companion.printing.art.knizia import KniziaArt

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
    """The design for the box with this id."""
    return DESIGNS.get(box, Design())
