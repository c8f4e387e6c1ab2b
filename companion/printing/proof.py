"""A page of a printed set as a picture, as the printer would put it on paper."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from companion.printing.booklet import printed
from companion.printing.sheet import PrintError
from rules.box import Box

__all__ = ["printed_board"]

MM_PER_INCH = 25.4
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
