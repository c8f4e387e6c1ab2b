"""Lights on the board: where a finger may go, told by light alone."""

from __future__ import annotations

from dataclasses import replace
from math import dist
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from companion.presentation.theme.tokens import PALETTES
from docs.gallery.contact_sheet import photographed
from docs.gallery.play import MOMENTS, moment_screens
from docs.gallery.still_screen import still_screen
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.one_finger import Hand
from tests.support.ui_harness import SIZES, tap, touch_place

CLEAR = 4.5
FEW = ("dolmen-druid", "rolling-gates")
MANY = (
    *FEW, "dolmen-picked", "stonehenge-place", "trilithen-place", "trilithen-flip",
    "council-persuade", "build-draw", "build-occupy",
)  # fmt: skip
SCREENS = (
    pytest.param(SIZES[0], FEW, id="few"),
    *(pytest.param(size, MANY, marks=pytest.mark.thorough, id=f"{size[0]}") for size in SIZES),
)
BRIGHTNESS = np.array([0.0722, 0.7152, 0.2126])


def _luminance(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Relative luminance (WCAG) of each pixel, blue-green-red."""
    c = picture / 255
    return np.asarray(np.where(c <= 0.03928, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ BRIGHTNESS)


def _around(seen: npt.NDArray[np.float64], board: Any, light: Any) -> npt.NDArray[np.float64]:
    """The pixels of a light's ring or frame, with its casing."""
    (x, y), (wide, high) = board.to_window(*light.at), light.half
    left, top = max(int(x - wide - 4), 0), max(int(seen.shape[0] - y - high - 4), 0)
    part = seen[top : top + int(2 * high) + 9, left : left + int(2 * wide) + 9]
    rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    across = np.abs(left + columns + 0.5 - x)
    up = np.abs(seen.shape[0] - top - rows - 0.5 - y)
    away = np.hypot(across, up) - wide if light.is_round else np.maximum(across - wide, up - high)
    return np.asarray(part[(away > -10) & (away < 3)])


@pytest.mark.parametrize(("size", "names"), SCREENS)
def test_every_light_is_as_large_as_a_fingertip_and_plain_on_what_it_lies_on(
    size: tuple[int, int], names: tuple[str, ...]
) -> None:
    """In every game, by night and by day, as it is drawn."""
    from companion.ui.theme.style import style

    moments, found = [moment for moment in MOMENTS if moment.name in names], 0
    with still_screen():
        for name, screen in moment_screens("en", size, moments=moments):
            board, least = getattr(screen, "board", None), style.apart - 0.5
            if board is None or board.parent is None:
                continue
            for light in board.lit:
                others = [o.at for o in board.lit if o is not light]
                assert light.crowded or 2 * min(light.half) >= least, (name, light)
                assert light.crowded or all(dist(light.at, o) >= least for o in others), name
            for theme in PALETTES:
                style.use_theme(theme)
                seen = _luminance(photographed(screen))
                for light in board.lit:
                    bright, dark = np.percentile(_around(seen, board, light), [99, 3])
                    assert (bright + 0.05) / (dark + 0.05) >= CLEAR, (name, theme, light)
                    found += 1
            style.use_theme("night")
    assert found > 100


@pytest.fixture
def druids(opened: Opened[Hand]) -> Hand:
    """Dolmengötter before the first druid stands: every place may be touched."""
    found = opened(Hand(Match("dolmengoetter", 2)))
    found.deal()
    return found


def test_where_places_are_close_the_first_touch_enlarges_them_and_the_second_chooses(
    druids: Hand,
) -> None:
    board, match = druids.screen.board, druids.table.match
    site = sorted(board.scene.targets)[20]
    small, ply = board.plan.px_per_mm, match.ply
    tap(*board.to_window(*board.centre_of(site)))
    assert board.enlarged and match.ply == ply and board.plan.px_per_mm > 1.3 * small
    tap(*board.to_window(*board.centre_of(site)))
    assert match.log[-1].move.args == (site,)
    assert not board.enlarged and board.plan.px_per_mm == small


def test_a_touch_of_nothing_shows_the_whole_board_again(druids: Hand) -> None:
    board, match = druids.screen.board, druids.table.match
    one, *_between, other = sorted(board.scene.targets)
    tap(*board.to_window(*board.centre_of(one)))
    assert board.enlarged and not board.plan.shows(board.scene.box.sites[other])
    touch_place(board, other)
    assert match.log[-1].move.args == (other,)


def test_so_does_the_sign_in_its_corner(druids: Hand) -> None:
    board = druids.screen.board
    site, ply = sorted(board.scene.targets)[0], druids.table.match.ply
    tap(*board.to_window(*board.centre_of(site)))
    assert board.enlarged
    tap(*board.to_window(board.x + 28, board.y + 28))
    assert not board.enlarged and druids.table.match.ply == ply


def test_while_nothing_is_to_be_touched_the_board_lies_in_full_light(druids: Hand) -> None:
    board = druids.screen.board
    assert board.lit
    board.show(replace(board.scene, targets=frozenset()))
    assert not board.lit
