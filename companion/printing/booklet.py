"""The whole set of a box in one PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from companion.printing.pages.boards import board_pages
from companion.printing.pages.cards import card_pages, cards_of
from companion.printing.pages.pieces import piece_pages, pieces_of
from companion.printing.pages.stickers import sticker_pages
from companion.printing.sheet import Document, PrintError
from rules.box import Box
from rules.near import hint

PARTS: dict[str, Callable[[Document, Box], object]] = {
    "board": board_pages,
    "stickers": sticker_pages,
    "cards": card_pages,
    "pieces": piece_pages,
}
"""Parts that can be printed, in the order of the pages."""


def parts_of(box: Box) -> list[str]:
    """The parts that the box has."""
    has = {
        "board": True,
        "stickers": True,
        "cards": bool(cards_of(box)),
        "pieces": bool(pieces_of(box)),
    }
    return [part for part in PARTS if has[part]]


def printed(
    box: Box,
    lang: str,
    papers: str = "a4",
    parts: Iterable[str] | None = None,
    drawing: Callable[[str, str], object] = lambda part, paper: None,
) -> Document:
    """The set of a box, drawn but not yet written to a file.

    ``papers``: ``a4``, ``a3``, or both with a comma between; then the set is there twice.

    ``parts``: names from ``PARTS``; None for all. What the box does not have is left out. Raises
    PrintError for an unknown part, and if nothing is left.

    ``drawing`` is told of each part, and of its paper, before it is drawn.
    """
    there = parts_of(box)
    wanted = list(there if parts is None else parts)
    for part in wanted:
        if part not in PARTS:
            raise PrintError("no_part", part=part, hint=hint(part, PARTS))
    if not set(wanted) & set(there):
        raise PrintError("parts_not_there", box=box.id, parts=wanted, known=there)
    title = str(box.names.get(lang, box.id))
    names = list(dict.fromkeys(name.strip().lower() for name in papers.split(",")))
    document = Document(names[0], lang, title)
    for paper in names:
        document.take(paper)
        for part in PARTS:
            if part in wanted and part in there:
                drawing(part, paper)
                PARTS[part](document, box)
    return document


# -- pages as pictures ------------------------------------------------------------------------

POINTS = 72


def printed_board(box: Box, lang: str, paper: str = "a4", dpi: float = 75) -> list[Picture]:
    """The pages of a box's board, BGR: the whole of it with its seams, then the tiles.

    Raises PrintError if fpdf2 or pypdfium2 is not installed.
    """
    if find_spec("pypdfium2") is None:
        raise PrintError("pdfium_missing")
    import pypdfium2

    document = printed(box, lang, paper, ["board"])
    pdf = pypdfium2.PdfDocument(bytes(document.pdf.output()))
    try:
        pages = [np.array(page.render(scale=dpi / POINTS).to_numpy()[..., :3]) for page in pdf]
    finally:
        pdf.close()
    return pages


Picture = npt.NDArray[np.uint8]
"""Height × width × 3, blue, green, red."""
