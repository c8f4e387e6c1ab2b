"""Pictures of boxes: printed sets as paper shows them, and one board in all its looks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.printing.booklet import printed
from docs.gallery.contact_sheet import Picture, read
from docs.gallery.print_proof import assembled
from rules.box import load_box

BOARDS: Final = ("knizia_stonehenge", "stonehenge_anthology", "dolmengoetter", "dominion")
CARDS: Final = (
    "copper", "province", "curse", "market", "militia", "moat", "smithy", "witch", "library",
)  # fmt: skip
PAPER: Final = (214, 218, 222)
DESK: Final = (140, 140, 140)
CELL: Final = (630, 565)
SHEET_HIGH: Final = 760
MORRIS: Final = Path(__file__).parents[2] / "examples" / "nine_mens_morris"


def boards() -> Picture:
    """All four boards, glued together from the sheets of their sets."""
    cells = []
    for name in BOARDS:
        box = load_box(name)
        document = printed(box, "en", "a4", ["board"])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "board.pdf"
            document.save(path)
            board = assembled(document, path, box, 2.0)
        cells.append(_fitted(board, CELL))
    gap = 12
    rows = [_beside(cells[n : n + 2], gap, PAPER) for n in (0, 2)]
    return cv2.copyMakeBorder(
        np.vstack([rows[0], np.full((gap, rows[0].shape[1], 3), PAPER, np.uint8), rows[1]]),
        gap, gap, gap, gap, cv2.BORDER_CONSTANT, value=PAPER,
    ).astype(np.uint8)  # fmt: skip


def sheets() -> Picture:
    """A sheet of a board, one of stickers, and cards."""
    import pypdfium2

    dominion = load_box("dominion")
    one_of_each = {name: replace(dominion.kinds[name], count=1) for name in CARDS}
    one_of_each["card back"] = dominion.kinds["card back"]
    shown = []
    for box, part, page in (
        (load_box("stonehenge_anthology"), "board", 1),
        (load_box("knizia_stonehenge"), "stickers", 0),
        (replace(dominion, kinds=one_of_each), "cards", 0),
    ):
        pdf = pypdfium2.PdfDocument(bytes(printed(box, "en", "a4", [part]).pdf.output()))
        try:
            drawn = pdf[page].render(scale=2.0).to_numpy()[..., :3]
            size = (round(drawn.shape[1] * SHEET_HIGH / drawn.shape[0]), SHEET_HIGH)
            shown.append(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA).astype(np.uint8))
        finally:
            pdf.close()
    return cv2.copyMakeBorder(
        _beside(shown, 12, DESK), 14, 14, 14, 14, cv2.BORDER_CONSTANT, value=DESK
    ).astype(np.uint8)


def box_file() -> Picture:
    """Nine Men's Morris on the screen, in print, and before the camera."""
    with tempfile.TemporaryDirectory() as folder:
        # The command that the page names. A process of its own: the game is on no shelf here.
        subprocess.run(
            [
                sys.executable, "-m", "companion.app.entry", "box", "show",
                str(MORRIS / "nine_mens_morris" / "box.toml"), "--game", str(MORRIS),
                "--position", "22", "--lang", "en", "--out", folder,
            ],
            check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HOME": folder},
        )  # fmt: skip
        (drawn,) = Path(folder).glob("*-overview.png")
        every = read(drawn.read_bytes())
    size = (1600, round(every.shape[0] * 1600 / every.shape[1]))
    return cv2.resize(every, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


def _fitted(picture: Picture, room: tuple[int, int]) -> Picture:
    """As large as the room allows, in its middle."""
    scale = min(room[0] / picture.shape[1], room[1] / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cell = np.full((room[1], room[0], 3), PAPER, np.uint8)
    top, left = (room[1] - small.shape[0]) // 2, (room[0] - small.shape[1]) // 2
    cell[top : top + small.shape[0], left : left + small.shape[1]] = small
    return cell


def _beside(pictures: Sequence[Picture], gap: int, ground: tuple[int, int, int]) -> Picture:
    between = np.full((pictures[0].shape[0], gap, 3), ground, np.uint8)
    row: list[Picture] = []
    for picture in pictures:
        row += [between, picture]
    return np.hstack(row[1:])


_DRAWN: dict[str, Callable[[], Picture]] = {
    "print-boards.jpg": boards,
    "print-sheets.jpg": sheets,
    "box-file.jpg": box_file,
}
PRINT_PICTURES: Final = tuple(_DRAWN)


def print_pictures(wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """Draws the pictures that are wanted."""
    for name, draw in _DRAWN.items():
        if name in wanted:
            yield name, draw()
