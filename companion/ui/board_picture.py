"""A box's board as the screens draw it, in both themes, as one picture."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from rules.core import Item

SIDE_PX = 640
"""Width and height of each theme's picture, px."""


def board_on_screen(
    box: Box, items: Iterable[Item] = (), colours: tuple[str, ...] = ()
) -> npt.NDArray[np.uint8]:
    """The board with what lies on it, BGR: night on the left, limestone on the right.

    Needs no display. ``box`` is limited to one game, ``colours`` are those of its seats. Raises
    NoScreenError if nothing can be drawn on this machine.
    """
    from companion.ui.offscreen import open_window, tick

    window = open_window((SIDE_PX, SIDE_PX))
    from companion.presentation.scene import Scene
    from companion.ui.drawing.board import Board
    from companion.ui.picture import picture_of
    from companion.ui.theme.style import style

    style.use_size(SIDE_PX, SIDE_PX)
    pictures, scene = [], Scene(box, colours, tuple(items))
    for theme in ("night", "limestone"):
        style.use_theme(theme)
        board = Board(size_hint=(None, None), size=(SIDE_PX, SIDE_PX), pos=(0, 0))
        window.add_widget(board)
        board.show(scene)
        tick()
        coded = np.frombuffer(picture_of(board), dtype=np.uint8)
        pictures.append(np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8))
        window.remove_widget(board)
    return np.asarray(np.hstack(pictures), dtype=np.uint8)
