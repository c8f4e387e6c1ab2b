"""Lights on the board: where a finger may go, told by light alone."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from companion.presentation.theme.tokens import PALETTES
from docs.gallery.play import MOMENTS, moment_screens
from docs.gallery.still_screen import still_screen
from rules.box import load_box
from rules.core import Move
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.one_finger import Hand
from tests.support.told_apart import cramped, faint
from tests.support.ui_harness import SIZES, tap, tick, touch_place

FEW = ("dolmen-druid", "rolling-gates")
MANY = (
    *FEW, "dolmen-picked", "stonehenge-place", "trilithen-place", "trilithen-flip",
    "council-persuade", "build-draw", "build-occupy",
)  # fmt: skip
SCREENS = (
    pytest.param(SIZES[0], FEW, id="few"),
    *(pytest.param(size, MANY, marks=pytest.mark.thorough, id=f"{size[0]}") for size in SIZES),
)


@pytest.mark.parametrize(("size", "names"), SCREENS)
def test_every_light_is_as_large_as_a_fingertip_and_plain_on_what_it_lies_on(
    size: tuple[int, int], names: tuple[str, ...]
) -> None:
    """In every game, by night and by day, as it is drawn."""
    from companion.ui.theme.style import style

    moments, found = [moment for moment in MOMENTS if moment.name in names], 0
    with still_screen():
        for name, screen in moment_screens("en", size, moments=moments):
            if not hasattr(screen, "board"):
                continue
            assert cramped(screen) == [], name
            for theme in PALETTES:
                style.use_theme(theme)
                assert faint(screen) == [], (name, theme)
                found += len(screen.board.lit)
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


def test_a_piece_in_the_hand_hides_no_place_where_it_may_go(opened: Opened[Hand]) -> None:
    match = Match("dolmengoetter", 2)
    match.deal()
    sites = load_box(match.game.box).sites

    def above(move: Move) -> float:
        """Distance to the nearest place above that of a druid, along the screen and up."""
        (x, y) = sites[move.args[-1]].at
        return min(
            (abs(x - left) + up - y for left, up in (s.at for s in sites.values()) if up > y + 9),
            default=inf,
        )

    while (prompt := match.prompt) is not None and prompt.code == "druid":
        match.push(min(match.legal_moves(), key=above))
    found = opened(Hand(match))
    found.deal()
    board, seen = found.screen.board, 0
    for site in sorted(board.scene.targets):
        touch_place(board, site)
        tick(2)
        if found.screen.fingers.holding:
            assert faint(found.screen) == [], site
            seen += 1
            touch_place(board, site)
            tick(2)
    assert seen >= 2
