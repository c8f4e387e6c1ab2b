"""Stickers in vectors: a black square, and on it one rectangle per run of white modules.

So the square's edges are single straight lines. White runs below each other overlap a little, or
viewers and printers would show hairlines between them.
"""

from __future__ import annotations

from functools import lru_cache

from companion.printing.colours import PAPER, Rgb
from companion.printing.sheet import Document, PrintError

BLACK: Rgb = (0, 0, 0)
OVERLAP = 0.02
"""Overlap of drawn shapes, mm."""


def _book(dictionary: str) -> int:
    import cv2

    number = getattr(cv2.aruco, dictionary, None)
    if not dictionary.startswith("DICT_") or not isinstance(number, int):
        raise PrintError("print_dictionary", dictionary=dictionary)
    return number


@lru_cache(maxsize=8)
def modules_of(dictionary: str) -> int:
    """Modules along a sticker's black square, its border included. Raises PrintError."""
    import cv2

    return int(cv2.aruco.getPredefinedDictionary(_book(dictionary)).markerSize) + 2


def rim_of(dictionary: str, side: float) -> float:
    """Width in mm of the white rim of a sticker whose black square is ``side`` mm wide."""
    return side / modules_of(dictionary)


@lru_cache(maxsize=1024)
def runs_of(dictionary: str, sticker: int) -> tuple[tuple[int, int, int], ...]:
    """The white runs as (row, first column, length), row 0 on top. Raises PrintError."""
    import cv2

    markers = cv2.aruco.getPredefinedDictionary(_book(dictionary))
    known = markers.bytesList.shape[0]
    if not 0 <= sticker < known:
        raise PrintError("print_sticker", dictionary=dictionary, last=known - 1, found=sticker)
    modules = modules_of(dictionary)
    white = cv2.aruco.generateImageMarker(markers, sticker, modules) > 127
    runs = []
    for row in range(modules):
        column = 0
        while column < modules:
            length = 0
            while column + length < modules and white[row, column + length]:
                length += 1
            if length:
                runs.append((row, column, length))
            column += max(length, 1)
    return tuple(runs)


def draw_sticker(
    document: Document,
    dictionary: str,
    sticker: int,
    centre: tuple[float, float],
    side: float,
    *,
    rim: bool = True,
    whole: bool = True,
) -> None:
    """Draw a sticker with its black square ``side`` mm wide about ``centre`` on the page.

    ``rim``: with a white rim one module wide below it. ``whole``: False if the edge of the page's
    part of the board cuts it off, so that it is not counted.
    """
    pdf = document.pdf
    modules = modules_of(dictionary)
    module = side / modules
    left, top = centre[0] - side / 2, centre[1] - side / 2
    if rim:
        pdf.set_fill_color(*PAPER)
        pdf.rect(left - module, top - module, side + 2 * module, side + 2 * module, style="F")
    pdf.set_fill_color(*BLACK)
    pdf.rect(left, top, side, side, style="F")
    pdf.set_fill_color(*PAPER)
    for row, column, length in runs_of(dictionary, sticker):
        # The overlap goes downwards where white follows; elsewhere the module keeps its size.
        deep = OVERLAP if _white_below(dictionary, sticker, row, column, length) else 0.0
        x, y = left + column * module, top + row * module
        pdf.rect(x, y, length * module, module + deep, style="F")
    if whole:
        document.note(sticker, side)


@lru_cache(maxsize=8192)
def _white_below(dictionary: str, sticker: int, row: int, column: int, length: int) -> bool:
    return any(
        other == row + 1 and start < column + length and column < start + run
        for other, start, run in runs_of(dictionary, sticker)
    )
