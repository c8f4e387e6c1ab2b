"""The drawing of a board that was never seen bare, known from places alike."""

from __future__ import annotations

import numpy as np

from tests.support.scenes.go_board import PITCH, go_board
from vision.arrays import Bools, Mask, floats
from vision.board.alike import Alike, lost_alike
from vision.board.appearance import Difference
from vision.board.detail import Detail
from vision.board.flattening import MM_PER_PX
from vision.board.masks import Masks

BOX = go_board()
SIZE = (round(BOX.size[0] / MM_PER_PX), round(BOX.size[1] / MM_PER_PX))
MASKS = Masks(BOX, SIZE)
ARM, SHADE = {"D16", "E16", "D15", "E15"}, {"Q5", "P5", "Q4", "P4"}
FREE: Mask = MASKS.hidden([])


def _around(sites: set[str]) -> Bools:
    inside = np.zeros(SIZE[::-1], dtype=np.bool_)
    for site in sites:
        inside.ravel()[MASKS.surroundings[site]] = True
    return inside


def _look(arm: set[str] = ARM) -> Difference:
    """A wooden board with lines, an arm of the wood's colour on it, and a deep shade."""
    x, y = np.moveaxis(MASKS.mm, -1, 0)
    near = [np.abs((at + pitch / 2) % pitch - pitch / 2)
            for at, pitch in zip((x, y), PITCH, strict=True)]  # fmt: skip
    lines = 1 - 0.5 * np.clip(1.5 - np.minimum(*near), 0, 1)
    grain = 1 + 0.04 * np.random.default_rng(5).standard_normal(SIZE[::-1])
    light = np.where(_around(arm), 0.9, lines) * grain * np.where(_around(SHADE), 0.15, 1)
    wood = np.reshape((0.1, 0.35, 0.6), (3, 1, 1))
    expected, none = floats(wood * np.ones(SIZE[::-1])), floats(np.zeros(0))
    seen, everywhere = floats(wood * light), np.ones(SIZE[::-1], dtype=np.bool_)
    return Difference(
        np.zeros(0, dtype=np.intp), none, none, none, seen, expected, seen - expected,
        everywhere, ~everywhere, ~everywhere,
    )  # fmt: skip


def test_what_lies_there_in_the_boards_own_colour_hides_the_lines_and_shade_does_not() -> None:
    nothing = np.zeros(SIZE[::-1], dtype=np.bool_)
    drawn = Alike(BOX, SIZE).told(_look(), nothing, FREE)
    open_ = FREE.ravel() == 0
    detail = Detail(drawn, FREE == 0)
    for doubtful in (False, True):
        lost = lost_alike(detail, nothing, MASKS, BOX.sites, open_, doubtful)
        assert lost >= ARM and not lost & SHADE
    # What has another colour may be pieces.
    assert not lost_alike(detail, _around(ARM), MASKS, ARM, open_, False)
    # With a corner hidden the board may lie elsewhere.
    half = {site for site in BOX.sites if site[0] < "K"}
    detail = Detail(Alike(BOX, SIZE).told(_look(half), nothing, FREE), FREE == 0)
    assert len(lost_alike(detail, nothing, MASKS, BOX.sites, open_, False) & half) > 140
    assert not lost_alike(detail, nothing, MASKS, BOX.sites, open_, True)
    dark = _around(ARM) | _around(SHADE)
    light, _ = Detail(drawn, (FREE == 0) & ~dark).light(dark, dark)
    assert light[_around(SHADE)].all() and not light[_around(ARM)].any()


def test_a_few_free_places_tell_nothing_of_the_others() -> None:
    hidden = np.where(_around(set(list(BOX.sites)[:10])), FREE, 255).astype(np.uint8)
    drawn = Alike(BOX, SIZE).told(_look(), hidden > 0, hidden)
    assert drawn.alike is None
