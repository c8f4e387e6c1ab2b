"""A box's board in three pictures: on the screen, in print, before the camera; and all in one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
import numpy.typing as npt

from companion.printing.booklet import printed_board
from companion.simulator import Camera, VirtualTable
from companion.ui.board_picture import board_on_screen
from rules.box import Box, below, load_box, window
from rules.core import GameError, Layout
from rules.games import find_game, game_ids
from rules.testing.playout import random_match

Picture = npt.NDArray[np.uint8]
"""Height × width × 3, blue, green, red."""
CAMERA_PX = (1200, 900)
PAGE_DPI = 100
PANEL_PX, TITLE_PX, GAP_PX = 700, 40, 12
"""Height of the pictures in the overview, room for what they are, and between them."""
PAPER, INK = (236, 236, 236), (40, 40, 40)


@dataclass(frozen=True)
class BoxLook:
    """A board with what lies on it, as pictures."""

    box: Box
    game: str = ""
    """The game whose sites are shown; empty: all sites."""
    layout: Layout | None = None
    colours: tuple[str, ...] = ()
    """Colours of the game's seats."""
    lang: str = "en"

    def screen(self) -> Picture:
        """The picture on the screens, in both themes. Raises NoScreenError."""
        items = () if self.layout is None else tuple(self.layout.elements())
        shown = window(self.used, below(self.used, items))
        return board_on_screen(shown, items, self.colours)

    def page(self) -> Picture:
        """The first page of its printed set, with the seams. Raises PrintError."""
        return printed_board(self.box, self.lang, dpi=PAGE_DPI)[0]

    def camera(self) -> Picture:
        """The picture of a camera above the table, with the box's other pieces beside the board."""
        table = VirtualTable(self.used)
        if self.layout is not None:
            table.set_layout(self.layout)
        return np.asarray(Camera.over(self.used, *CAMERA_PX).render(table), dtype=np.uint8)

    @property
    def used(self) -> Box:
        """The box with the sites that are shown."""
        return self.box.for_game(self.game) if self.game else self.box


VIEWS: dict[str, Callable[[BoxLook], Picture]] = {
    "screen": BoxLook.screen,
    "print": BoxLook.page,
    "camera": BoxLook.camera,
}
"""Pictures that can be drawn, by name."""


def games_of(box: Box) -> list[str]:
    """Ids of the installed games that are played with a box."""
    # A game from elsewhere names its box by path, so the box itself is asked.
    return [name for name in game_ids() if load_box(find_game(name).box).id == box.id]


def position_of(game_id: str, moves: int) -> tuple[Layout, tuple[str, ...]]:
    """Layout after a number of moves of a reproducible random match, and the colours of its seats.
    Raises GameError if the match is over before."""
    game = find_game(game_id)
    steps = random_match(game, game.players[0], {}, 1, physical=False)
    found = next(islice(steps, moves, None), None)
    if found is None:
        raise GameError("position_beyond", game=game_id, moves=moves)
    match = found[0]
    return match.layout, match.colours


def overview(pictures: dict[str, Picture], titles: dict[str, str]) -> Picture:
    """All pictures side by side, each below what it is."""
    panels = []
    for name, picture in pictures.items():
        height, width = picture.shape[:2]
        size = (round(width * PANEL_PX / height), PANEL_PX)
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        framed = cv2.copyMakeBorder(
            small, TITLE_PX, GAP_PX, GAP_PX, GAP_PX, cv2.BORDER_CONSTANT, value=PAPER
        )
        cv2.putText(framed, titles[name], (GAP_PX, TITLE_PX - GAP_PX), cv2.FONT_HERSHEY_DUPLEX,
                    0.7, INK, 1, cv2.LINE_AA)  # fmt: skip
        panels.append(framed)
    return np.asarray(np.hstack(panels), dtype=np.uint8)
