"""Camera pictures of boards, drawn by the virtual table, for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np

from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from vision.arrays import Picture

Board = Mapping[str, str]
"""Kind at each site."""


@cache
def _above(box_id: str) -> tuple[Camera, VirtualTable]:
    box = load_box(box_id)
    return Camera.over(box, seed=5), VirtualTable(box, seed=5)


def picture(board: Board, box: Box | None = None) -> Picture:
    """Camera's picture of a board; equal pieces lie at equal places in every picture."""
    name = "knizia_stonehenge" if box is None else box.id
    return _taken(name, frozenset(board.items())).copy()


@lru_cache(maxsize=12)
def _taken(box_id: str, lying_there: frozenset[tuple[str, str]]) -> Picture:
    board, (camera, table) = dict(lying_there), _above(box_id)
    for site in table.box.sites:
        lying = [piece.kind for piece in table.at(site)]
        if lying != ([board[site]] if site in board else []):
            for _ in lying:
                table.take(site)
            if site in board:
                table.put(board[site], site)
    return np.ascontiguousarray(camera.render(table))


def no_board() -> Picture:
    """A picture of something else."""
    return np.full((1200, 1600, 3), 90, dtype=np.uint8)


def album(folder: Path, pictures: Sequence[Picture | Board]) -> Path:
    """A folder with these pictures in order: ``00.jpg``, ``01.jpg`` …"""
    folder.mkdir(parents=True, exist_ok=True)
    for number, shown in enumerate(pictures):
        image = picture(shown) if isinstance(shown, Mapping) else shown
        cv2.imwrite(str(folder / f"{number:02}.jpg"), image)
    return folder
