"""Light that blinds the camera hides what lies below; white that is where it should be does not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Mask, floats
from vision.board.appearance import Difference
from vision.board.occlusion import Shown

SIZE = (20, 30)
WOOD, WHITE, SUN = (0.3, 0.45, 0.6), (0.82, 0.84, 0.86), (0.97, 0.97, 0.97)


def _shown(expected: tuple[float, ...], seen: tuple[float, ...], hidden: bool = False) -> Shown:
    plain = np.ones((1, *SIZE), dtype=np.float32)
    board, flat = (floats(np.reshape(each, (3, 1, 1)) * plain) for each in (expected, seen))
    flat[:, :, 12:] = board[:, :, 12:]
    none, everywhere = floats(np.zeros(0)), np.ones(SIZE, dtype=np.bool_)
    difference = Difference(
        np.zeros(0, dtype=np.intp), none, none, none, flat, board,
        floats((flat - board) / np.linalg.norm(board, axis=0)), everywhere, everywhere,
        ~everywhere,
    )  # fmt: skip
    over: Mask = np.zeros(SIZE, dtype=np.uint8)
    over[:, :12] = 255 * hidden
    return Shown(difference, ~everywhere, over)


@pytest.mark.parametrize(
    ("shown", "blinded"),
    [
        pytest.param(_shown(WOOD, SUN), True, id="a patch of sun on wood"),
        pytest.param(_shown(WHITE, SUN), False, id="a white field in good light"),
        pytest.param(_shown(WOOD, SUN, hidden=True), False, id="a white sticker on wood"),
    ],
)
def test_light_blinds_where_it_shows_something_else_than_the_board(
    shown: Shown, blinded: bool
) -> None:
    assert shown.blinding[:, :12].all() == shown.blinding.any() == blinded
